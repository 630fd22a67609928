//! Connect Four on boards from 4x4 to 25x25, with any line length that fits.

mod agents;
pub mod board;
#[doc(hidden)]
pub mod book;
mod book_probe;
mod describe;
mod evaluations;
#[doc(hidden)]
pub mod evaluator;
mod explain;
mod fairy;
mod hybrid;
mod notation;
pub mod solver;

use agents::{Greedy, Smart};
use board::{Board, Size};
use evaluations::{LinesEvaluation, PairsEvaluation};
use evaluator::LineEvaluator;
pub use hybrid::solver_position;
use hybrid::{HybridStrategy, SolveStrategy};

use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::game::state::Describe;
use crate::game::{Evaluate, WeightSet};
use crate::settings::Settings;
use crate::strategy::{DIAGONAL_CONCEALMENT, Named, Playable, Strategy};
use crate::text::parse_numbers;

impl Playable for Board {
    type Evaluator = LineEvaluator;
    type Memory = hybrid::Memory;

    fn evaluator(&self, _endgames: &EndgameStore) -> LineEvaluator {
        LineEvaluator::new(self.size(), WeightSet::Fitted)
    }

    fn classic_evaluator(&self, _endgames: &EndgameStore) -> LineEvaluator {
        LineEvaluator::new(self.size(), WeightSet::Classic)
    }

    fn concealment(&self) -> u32 {
        let ending = self.describe(&[]).ending;
        if ending.is_some_and(|ending| ending.is_diagonal()) { DIAGONAL_CONCEALMENT } else { 0 }
    }

    fn agents() -> &'static [Named<dyn Strategy<Board>>] {
        &[
            Named { name: "greedy", make: || Box::new(Greedy) },
            Named { name: "smart", make: || Box::new(Smart) },
        ]
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Board>>] {
        &[
            Named { name: "lines", make: || Box::new(LinesEvaluation) },
            Named { name: "pairs", make: || Box::new(PairsEvaluation) },
        ]
    }

    fn full() -> Box<dyn Strategy<Board>> {
        Box::new(HybridStrategy)
    }

    fn solver(
        &self,
        _hash: usize,
        _endgames: &EndgameStore,
    ) -> Result<Box<dyn Strategy<Board>>, String> {
        solver_position(self)
            .map(|_| Box::new(SolveStrategy) as Box<dyn Strategy<Board>>)
            .ok_or_else(|| "expected (rows + 1) x columns of at most 128".to_owned())
    }

    fn solver_table<'m>(
        &self,
        settings: &Settings,
        memory: &'m mut hybrid::Memory,
    ) -> Result<Option<&'m mut dyn SavedTable>, String> {
        let Some(position) = solver_position(self) else {
            return Ok(None);
        };
        let solver =
            hybrid::kept_solver(self, settings, memory).map_err(|error| error.to_string())?;
        Ok(Some(solver.saved_table(&position)))
    }

    fn is_in_book(&self) -> bool {
        let position = solver_position(self);
        position.zip(book::embedded()).is_some_and(|(here, book)| book.score(&here).is_some())
    }

    fn tt_share(&self, mebibytes: usize) -> usize {
        hybrid::tt_share(self, mebibytes)
    }
}

/// The start position for the parameters of `newgame`: rows, columns and the line length.
pub fn start(parameters: &[&str]) -> Result<Board, String> {
    let numbers = parse_numbers(parameters)?;
    let size = match numbers[..] {
        [] => Size::new(6, 7, 4),
        [rows, columns] => Size::new(rows, columns, 4),
        [rows, columns, line] => Size::new(rows, columns, line),
        _ => Err(format!("expected 0, 2 or 3 numbers, got {}", numbers.len())),
    }?;
    Ok(Board::new(size))
}
