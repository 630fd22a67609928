//! Builds, checks and counts tables of Wali endgames.

mod build;
mod check;
mod checkpoint;

use std::path::{Path, PathBuf};

use anyhow::{Error, Result};
use clap::Subcommand;
use ratlla::game::ExactValue;
use ratlla::games::wali::endgame::index::Class;
use ratlla::games::wali::endgame::{Endgames, exact_value};
use ratlla_common::progress::bar;
use ratlla_common::table::Align::Right;
use ratlla_common::table::Table;

/// What to do with the table.
#[derive(Subcommand)]
pub enum Command {
    /// Build a table; an interrupted build resumes from FILE.part
    Build(build::Build),
    /// Check random positions of a table against the rules
    Check {
        /// Table file
        file: PathBuf,
        /// Number of positions to check in each class
        #[arg(long, default_value_t = 20_000, value_name = "POSITIONS")]
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
            Command::Build(build) => build.run(),
            Command::Check { file, sample, seed } => {
                let table = load(&file)?;
                let classes = table.index().classes();
                let bar = bar("positions", sample * classes.len());
                for &class in classes {
                    let numbers = table.index().range(class).unwrap_or(0..0);
                    check::check(&table, numbers, bar.wrap_iter(0..sample), seed)?;
                }
                println!("{} random positions agree with the rules", sample * classes.len());
                Ok(())
            }
            Command::Stats { file } => print_stats(&load(&file)?),
        }
    }
}

fn load(path: &Path) -> Result<Endgames> {
    Endgames::load(path).map_err(Error::msg)
}

/// What the positions of a class are worth for the side to move.
#[derive(Debug, Default, PartialEq, Eq)]
struct ClassStats {
    won: u64,
    lost: u64,
    drawn: u64,
    longest_win: usize,
    longest_loss: usize,
}

impl ClassStats {
    /// Counts every position of the board, not those up to symmetry.
    fn of(table: &Endgames, class: Class) -> ClassStats {
        let mut counts = [0; 256];
        for (block, weight) in table.index().blocks(class) {
            for &value in &table.values()[block.start as usize..block.end as usize] {
                counts[usize::from(value)] += weight;
            }
        }
        let mut stats = ClassStats::default();
        for (value, &count) in (0..=u8::MAX).zip(&counts).filter(|(_, count)| **count > 0) {
            match exact_value(value) {
                ExactValue::Win(plies) => {
                    stats.won += count;
                    stats.longest_win = plies;
                }
                ExactValue::Loss(plies) => {
                    stats.lost += count;
                    stats.longest_loss = plies;
                }
                ExactValue::Draw => stats.drawn += count,
            }
        }
        stats
    }
}

/// Prints, for each class, how many positions are won, lost and drawn for the side to move, and the
/// longest win and loss in plies.
fn print_stats(table: &Endgames) -> Result<()> {
    let mut stats = Table::new(
        &["own", "enemy", "positions", "won", "lost", "drawn", "longest win", "longest loss"]
            .map(|heading| (heading, Right)),
    );
    for &(own, enemy) in table.index().classes() {
        let ClassStats { won, lost, drawn, longest_win, longest_loss } =
            ClassStats::of(table, (own, enemy));
        let [own, enemy, longest_win, longest_loss] =
            [own, enemy, longest_win, longest_loss].map(|number| number as u64);
        let positions = won + lost + drawn;
        stats.row([own, enemy, positions, won, lost, drawn, longest_win, longest_loss]);
    }
    print!("{stats}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ratlla::game::{Evaluate, Evaluator, Side, WeightSet};
    use ratlla::games::wali::bits::{AnyShape, Standard};
    use ratlla::games::wali::board::{Board, Phase};
    use ratlla::games::wali::evaluator::WaliEvaluator;
    use ratlla::limits::{Limits, SearchControl};
    use ratlla::search::result::ReportedScore;
    use ratlla::search::transposition_table::TranspositionTable;
    use ratlla::search::{Pruning, SearchRequest, search};
    use ratlla::settings::Settings;

    fn table(rows: usize, columns: usize, most: usize) -> Endgames {
        let shape = AnyShape::new(rows, columns, 3).unwrap();
        Endgames::build(shape, most, || true).unwrap().unwrap()
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
        let table = table(5, 6, 3);
        let stats = |own, enemy| ClassStats::of(&table, (own, enemy));
        let won = ClassStats { won: 1_425_060, longest_win: 29, ..ClassStats::default() };
        assert_eq!(stats(3, 2), won);
        let lost = ClassStats { lost: 1_425_060, longest_loss: 30, ..ClassStats::default() };
        assert_eq!(stats(2, 3), lost);
        let even = ClassStats {
            won: 5_931_178,
            lost: 3_695_170,
            drawn: 2_249_152,
            longest_win: 45,
            longest_loss: 44,
        };
        assert_eq!(stats(3, 3), even);
        check::check(&table, 0..table.index().total(), 0..3000, 1).unwrap();
    }

    #[test]
    fn tables_of_other_boards_agree_with_the_rules() {
        for (rows, columns, most) in [(3, 3, 5), (2, 5, 4), (4, 4, 4), (3, 5, 4), (5, 3, 3)] {
            let table = table(rows, columns, most);
            check::check(&table, 0..table.index().total(), 0..2000, 2).unwrap();
        }
    }

    #[test]
    fn the_search_trusts_the_table_as_far_as_the_history_allows() {
        let evaluator = WaliEvaluator::new(Some(Arc::new(table(5, 6, 3))), WeightSet::Fitted);
        let stones = [0b111 << 12 | 1 << 3, 0b11].map(|stones: u32| stones & !(1 << 14));
        let at = |quiet| Board::from_stones(Standard, stones, Side::P1, Phase::Move, quiet);
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
