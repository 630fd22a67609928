//! Builds, checks and counts tables of Wali endgames.

mod build;
mod check;
mod checkpoint;
mod stats;

use std::path::{Path, PathBuf};

use anyhow::{Error, Result};
use clap::Subcommand;
use ratlla::games::wali::endgame::Endgames;
use ratlla_common::progress::bar;

pub use stats::ClassStats;

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
    /// Count wins, losses and draws, and tell how long they take
    Stats(stats::Stats),
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
            Command::Stats(stats) => stats.run(),
        }
    }
}

fn load(path: &Path) -> Result<Endgames> {
    Endgames::load(path).map_err(Error::msg)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use ratlla::game::{Evaluate, Evaluator, ExactValue, Side, WeightSet};
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
    fn tables_of_other_boards_agree_with_the_rules() {
        for (rows, columns, most) in
            [(3, 3, 5), (2, 5, 4), (4, 4, 4), (3, 5, 4), (5, 3, 3), (5, 6, 3)]
        {
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
