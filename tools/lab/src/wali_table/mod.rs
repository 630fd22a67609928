//! Builds, checks and counts the table of Wali endgames with at most three stones a side.
//!
//! Knows files and classes; [`retrograde`] knows how a class is solved, [`check`] how a table is
//! compared with the rules.

mod check;
mod retrograde;

use std::path::{Path, PathBuf};

use anyhow::{Error, Result};
use clap::Subcommand;
use ratlla::game::ExactValue;
use ratlla::games::wali::endgame::index::{self, CLASSES, Class};
use ratlla::games::wali::endgame::{Endgames, exact_value, file};
use ratlla::platform::files::beside;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::Right;
use ratlla_common::table::Table;

/// What to do with the table.
#[derive(Subcommand)]
pub enum Command {
    /// Build the table
    Build {
        /// Table file to write
        file: PathBuf,
    },
    /// Check random positions of the table against the rules
    Check {
        /// Table file
        file: PathBuf,
        /// Number of positions to check
        #[arg(long, default_value_t = 100_000, value_name = "POSITIONS")]
        sample: usize,
        /// Random seed of the sample
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Count wins, losses and draws
    Stats {
        /// Table file
        file: PathBuf,
    },
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Build { file } => build(&file),
            Command::Check { file, sample, seed } => {
                let numbers = bar("positions", sample).wrap_iter(0..sample);
                check::check(&load(&file)?, 0..index::TOTAL, numbers, seed)?;
                println!("{sample} random positions agree with the rules");
                Ok(())
            }
            Command::Stats { file } => print_stats(&file),
        }
    }
}

fn load(path: &Path) -> Result<Endgames> {
    Endgames::load(path).map_err(Error::msg)
}

/// The classes to solve, in order, and how many are complete afterwards. A class and its mirror are
/// adjacent in the table and solved together.
fn steps() -> impl Iterator<Item = (Class, usize)> {
    let pairs = CLASSES.iter().enumerate();
    pairs.filter(|(_, (own, enemy))| own >= enemy).map(|(place, &class)| (class, place + 1))
}

fn build(path: &Path) -> Result<()> {
    let part = beside(path, "part");
    let mut values = vec![0; index::TOTAL];
    let mut complete = 0;
    if part.exists() {
        match file::read(&part) {
            Ok((classes, known)) => {
                values[..known.len()].copy_from_slice(&known);
                complete = classes;
                println!("resuming after {classes} of {} classes", CLASSES.len());
            }
            Err(reason) => println!("starting over: {reason}"),
        }
    }
    for (class, classes) in steps().filter(|&(_, classes)| classes > complete) {
        solve_class(&mut values, class)?;
        file::publish(&part, classes, &values).map_err(Error::msg)?;
    }
    file::publish(path, CLASSES.len(), &values).map_err(Error::msg)?;
    // A part that cannot be removed does no harm.
    drop(std::fs::remove_file(&part));
    print_stats(path)
}

fn solve_class(values: &mut [u8], class: Class) -> Result<()> {
    let (own, enemy) = class;
    let mirror = if own == enemy { 0 } else { index::size((enemy, own)) };
    let bar = bar(&format!("{own} against {enemy}"), index::size(class) + mirror);
    retrograde::solve(values, class, &mut |progress| match progress {
        retrograde::Progress::Expanded(count) => bar.inc(count),
        retrograde::Progress::Decided(plies, decided) => {
            bar.set_message(format!("{decided} decided within {plies} plies"));
        }
    })
}

/// Prints, for each class, how many positions are won, lost and drawn for the side to move, and the
/// longest win and loss in plies.
fn print_stats(path: &Path) -> Result<()> {
    let table = load(path)?;
    let mut stats = Table::new(
        &["own", "enemy", "positions", "won", "lost", "drawn", "longest win", "longest loss"]
            .map(|heading| (heading, Right)),
    );
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
        let size = index::size(class);
        stats.row([own, enemy, size, won, lost, drawn, longest_win, longest_loss]);
    }
    print!("{stats}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ratlla::game::{Evaluate, Evaluator, Side, WeightSet};
    use ratlla::games::wali::board::{Board, Phase};
    use ratlla::games::wali::evaluator::WaliEvaluator;
    use ratlla::limits::{Limits, SearchControl};
    use ratlla::search::result::ReportedScore;
    use ratlla::search::transposition_table::TranspositionTable;
    use ratlla::search::{Pruning, SearchRequest, search};
    use ratlla::settings::Settings;

    /// A table in which all classes but three against three are solved.
    fn small_table() -> Endgames {
        let mut values = vec![0; index::TOTAL];
        for (class, _) in steps().filter(|&(class, _)| class != (3, 3)) {
            retrograde::solve(&mut values, class, &mut |_| {}).unwrap();
        }
        Endgames::from_values(values).unwrap()
    }

    fn plies_to_end(board: &Board, evaluator: &WaliEvaluator, depth: u32) -> Option<usize> {
        let mut moves = Vec::new();
        ratlla::game::Game::legal_moves(board, &mut moves);
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let request = SearchRequest {
            game: board,
            moves: &moves,
            limits: &limits,
            control: &SearchControl::new(false, false),
            tt: &TranspositionTable::new(1).unwrap(),
            settings: &Settings::default(),
        };
        let found = search(&request, evaluator, Pruning::FULL, &mut |_| {});
        match found.lines[0].score {
            Some(ReportedScore::Win(plies) | ReportedScore::Loss(plies)) => Some(plies),
            _ => None,
        }
    }

    #[test]
    fn two_stones_lose_against_three() {
        let table = small_table();
        assert!(table.class((3, 2)).iter().all(|value| value % 2 == 1));
        assert!(table.class((2, 3)).iter().all(|&value| value != 0 && value % 2 == 0));
        assert_eq!(table.class((3, 2)).iter().max(), Some(&29));
        assert_eq!(table.class((3, 1)).iter().max(), Some(&15));
        let places = index::range((1, 3)).unwrap().start..index::range((3, 2)).unwrap().end;
        check::check(&table, places, 0..3000, 1).unwrap();
    }

    #[test]
    fn the_search_trusts_the_table_as_far_as_the_history_allows() {
        let evaluator = WaliEvaluator::new(Some(Arc::new(small_table())), WeightSet::Fitted);
        let stones = [0b111 << 12 | 1 << 3, 0b11].map(|stones: u32| stones & !(1 << 14));
        let at = |quiet| Board::from_stones(stones, Side::P1, Phase::Move, quiet);
        let Some(ExactValue::Win(plies)) = evaluator.probe_endgame(&at(0)) else {
            panic!("three stones win against two");
        };
        assert_eq!(plies_to_end(&at(0), &evaluator, 1), Some(plies));
        let late = 100 - plies as u16;
        assert_eq!(evaluator.probe_endgame(&at(late)), Some(ExactValue::Win(plies)));
        assert_eq!(
            evaluator.probe_endgame(&at(late + 1)),
            None,
            "the move count may end the game first"
        );
        assert!(evaluator.evaluate(&at(late + 1)) > 4000);
    }
}
