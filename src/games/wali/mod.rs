//! Wali: players drop stones that must not touch their own, then move them to make threes, each of
//! which captures a stone.

mod agents;
pub mod bits;
pub mod board;
mod classic;
mod describe;
#[doc(hidden)]
pub mod endgame;
#[doc(hidden)]
pub mod evaluator;
mod explain;
#[doc(hidden)]
pub mod features;
mod full;
mod notation;
mod solver;
mod weights;

use agents::{Easy, Hard, StonesEvaluation};
use bits::{AnyShape, Shape, Standard};
use board::Board;
pub use endgame::load_table;
use evaluator::WaliEvaluator;
use full::FullWithTable;
use solver::{Solver, SolverMemory};

use crate::endgames::EndgameStore;
use crate::game::{Evaluate, WeightSet};
use crate::strategy::{Named, Playable, Strategy};
use crate::text::parse_numbers;

impl<S: Shape> Playable for Board<S> {
    type Evaluator = WaliEvaluator;
    type Memory = SolverMemory;

    fn evaluator(&self, endgames: &EndgameStore) -> WaliEvaluator {
        WaliEvaluator::new(endgame::loaded(endgames, self.shape().any()), WeightSet::Fitted)
    }

    fn classic_evaluator(&self, endgames: &EndgameStore) -> WaliEvaluator {
        WaliEvaluator::new(endgame::loaded(endgames, self.shape().any()), WeightSet::Classic)
    }

    fn agents() -> &'static [Named<dyn Strategy<Board<S>>>] {
        &[
            Named { name: "easy", make: || Box::new(Easy) },
            Named { name: "hard", make: || Box::new(Hard) },
        ]
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Board<S>>>] {
        &[Named { name: "stones", make: || Box::new(StonesEvaluation) }]
    }

    fn full() -> Box<dyn Strategy<Board<S>>> {
        Box::new(FullWithTable)
    }

    fn solver(
        &self,
        _hash: usize,
        endgames: &EndgameStore,
    ) -> Result<Box<dyn Strategy<Board<S>>>, String> {
        solver::check_support(self, endgames)?;
        Ok(Box::new(Solver))
    }
}

/// The shape for the parameters of `newgame`: rows, columns and stones.
pub fn shape(parameters: &[&str]) -> Result<AnyShape, String> {
    match parse_numbers(parameters)?[..] {
        [] => Ok(Standard.any()),
        [rows, columns, stones] => AnyShape::new(rows, columns, stones),
        ref more => Err(format!("expected 0 or 3 numbers, got {}", more.len())),
    }
}

/// The parameters of `newgame` for this shape, with the game's name.
pub fn title(shape: AnyShape) -> String {
    format!("wali {} {} {}", shape.rows(), shape.columns(), shape.stones())
}
