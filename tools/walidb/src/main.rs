//! `ratlla-walidb`: builds, checks and counts the table of Wali endings with at most three
//! stones a side.
//!
//! ```text
//! ratlla-walidb build PATH           builds the table, going on where an earlier run stopped
//! ratlla-walidb verify PATH [COUNT]  checks random positions against the rules of the game
//! ratlla-walidb stats PATH           counts wins, losses and draws
//! ```

mod solve;
mod verify;

use std::path::Path;
use std::process::ExitCode;

use indicatif::{ProgressBar, ProgressStyle};
use ratlla::game::ExactValue;
use ratlla::games::wali::endgame::index::{self, CLASSES, Class};
use ratlla::games::wali::endgame::{Endgames, exact_value, file};
use ratlla::platform::files::beside;
use solve::Progress;

const USAGE: &str = "usage: ratlla-walidb build PATH | verify PATH [COUNT] | stats PATH";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["build", path] => build(Path::new(path)),
        ["verify", path] => check(Path::new(path), "100000"),
        ["verify", path, count] => check(Path::new(path), count),
        ["stats", path] => Endgames::load(Path::new(path)).map(|table| print_counts(&table)),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("{reason}");
            ExitCode::FAILURE
        }
    }
}

/// A class and its mirror lie side by side in the table and are solved together.
fn steps() -> impl Iterator<Item = (Class, usize)> {
    let pairs = CLASSES.iter().enumerate();
    pairs.filter(|(_, (own, enemy))| own >= enemy).map(|(place, &class)| (class, place + 1))
}

fn build(path: &Path) -> Result<(), String> {
    let unfinished = beside(path, "part");
    let mut values = vec![0; index::TOTAL];
    let mut complete = 0;
    if unfinished.exists() {
        match file::read(&unfinished) {
            Ok((classes, known)) => {
                values[..known.len()].copy_from_slice(&known);
                complete = classes;
                println!("going on after {classes} of {} classes", CLASSES.len());
            }
            Err(reason) => println!("starting anew: {reason}"),
        }
    }
    for (class, classes) in steps().filter(|&(_, classes)| classes > complete) {
        solve_class(&mut values, class)?;
        file::publish(&unfinished, classes, &values)?;
    }
    file::publish(path, CLASSES.len(), &values)?;
    // The table is there: what helped to build it may stay if it cannot go.
    drop(std::fs::remove_file(&unfinished));
    print_counts(&Endgames::load(path)?);
    Ok(())
}

fn solve_class(values: &mut [u8], class: Class) -> Result<(), String> {
    let (own, enemy) = class;
    let mirror = if own == enemy { 0 } else { index::size((enemy, own)) };
    let bar = bar((index::size(class) + mirror) as u64);
    bar.set_prefix(format!("{own} against {enemy}"));
    let result = solve::solve(values, class, &mut |progress| match progress {
        Progress::Looked(count) => bar.inc(count),
        Progress::Level(plies, decided) => {
            bar.set_message(format!("{decided} decided within {plies} plies"));
        }
    });
    bar.finish();
    result
}

fn check(path: &Path, count: &str) -> Result<(), String> {
    let count = count.parse().map_err(|_| format!("'{count}' is no number: {USAGE}"))?;
    let table = Endgames::load(path)?;
    let bar = bar(count);
    verify::verify(&table, 0..index::TOTAL, count, || bar.inc(1))?;
    bar.finish();
    println!("{count} random positions are as the rules say");
    Ok(())
}

fn bar(length: u64) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let style = ProgressStyle::with_template("{prefix:14} {bar:30} {percent:>3} % {elapsed} {msg}");
    if let Ok(style) = style {
        bar.set_style(style);
    }
    bar
}

/// For each class: how many positions are won, lost and drawn for the side to move, and the
/// longest win.
fn print_counts(table: &Endgames) {
    println!("own enemy  positions       won      lost     drawn  longest win  longest loss");
    for class in CLASSES {
        let (mut won, mut lost, mut drawn) = (0, 0, 0);
        let (mut longest_win, mut longest_loss) = (0, 0);
        for &value in table.class(class) {
            match exact_value(value) {
                ExactValue::Win(plies) => {
                    won += 1;
                    longest_win = longest_win.max(plies);
                }
                ExactValue::Loss(plies) => {
                    lost += 1;
                    longest_loss = longest_loss.max(plies);
                }
                ExactValue::Draw => drawn += 1,
            }
        }
        let (own, enemy) = class;
        println!(
            "{own:>3} {enemy:>5} {:>10} {won:>9} {lost:>9} {drawn:>9} {longest_win:>12} {longest_loss:>13}",
            index::size(class)
        );
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ratlla::game::{Evaluate, Evaluator, Side};
    use ratlla::games::wali::board::{Board, Phase};
    use ratlla::games::wali::evaluator::WaliEvaluator;
    use ratlla::limits::{Limits, SearchControl};
    use ratlla::search::transposition_table::TranspositionTable;
    use ratlla::search::{Pruning, Task, think};

    /// The table with the classes of at most two enemies or own stones filled in.
    fn small_table() -> Endgames {
        let mut values = vec![0; index::TOTAL];
        for (class, _) in steps().filter(|&(class, _)| class != (3, 3)) {
            solve::solve(&mut values, class, &mut |_| {}).unwrap();
        }
        Endgames::from_values(values).unwrap()
    }

    fn searched(board: &Board, evaluator: &WaliEvaluator, depth: u32) -> Option<usize> {
        let mut moves = Vec::new();
        ratlla::game::Game::legal_moves(board, &mut moves);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let task = Task {
            game: board,
            moves: &moves,
            limits: &limits,
            control: &SearchControl::new(false, false),
            table: &TranspositionTable::new(1).unwrap(),
            multi_pv: 1,
            threads: 1,
            pruning: Pruning::FULL,
        };
        let found = think(&task, evaluator, &mut |_| {});
        found.lines[0].value.score.plies_to_end()
    }

    #[test]
    fn two_stones_always_lose_against_three() {
        let table = small_table();
        assert!(table.class((3, 2)).iter().all(|value| value % 2 == 1));
        assert!(table.class((2, 3)).iter().all(|&value| value != 0 && value % 2 == 0));
        assert_eq!(table.class((3, 2)).iter().max(), Some(&29));
        assert_eq!(table.class((3, 1)).iter().max(), Some(&15));
        let places = index::range((1, 3)).unwrap().start..index::range((3, 2)).unwrap().end;
        verify::verify(&table, places, 3000, || {}).unwrap();
    }

    #[test]
    fn the_search_plays_by_the_table_as_far_as_the_past_allows() {
        let evaluator = WaliEvaluator::new(Some(Arc::new(small_table())));
        let stones = [0b111 << 12 | 1 << 3, 0b11].map(|stones: u32| stones & !(1 << 14));
        let at = |quiet| Board::from_stones(stones, Side::P1, Phase::Move, quiet);
        let Some(ExactValue::Win(plies)) = evaluator.probe_endgame(&at(0)) else {
            panic!("three stones win against two");
        };
        assert_eq!(searched(&at(0), &evaluator, 1), Some(plies));
        let late = 100 - plies as u16;
        assert_eq!(evaluator.probe_endgame(&at(late)), Some(ExactValue::Win(plies)));
        assert_eq!(evaluator.probe_endgame(&at(late + 1)), None, "the count may come first");
        assert!(evaluator.evaluate(&at(late + 1)) > 4000);
    }
}
