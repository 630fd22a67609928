//! Wali: players drop stones that must not touch their own, then move them to make threes, each of
//! which captures a stone.

mod agents;
pub mod bits;
pub mod board;
mod classic;
pub mod endgame;
pub mod evaluator;
pub mod features;
mod notation;
mod weights;

use agents::{Easy, Hard, StonesEvaluation};
use board::Board;
pub use endgame::load_table;
use evaluator::WaliEvaluator;

use crate::endgames::EndgameStore;
use crate::game::{Evaluate, WeightSet};
use crate::strategy::{Named, Playable, Strategy};
use crate::text::expect_no_words;

impl Playable for Board {
    type Evaluator = WaliEvaluator;
    type Memory = ();

    fn evaluator(&self, endgames: &EndgameStore) -> WaliEvaluator {
        WaliEvaluator::new(endgame::loaded(endgames), WeightSet::Fitted)
    }

    fn classic_evaluator(&self, endgames: &EndgameStore) -> WaliEvaluator {
        WaliEvaluator::new(endgame::loaded(endgames), WeightSet::Classic)
    }

    fn agents() -> &'static [Named<dyn Strategy<Board>>] {
        &[
            Named { name: "easy", make: || Box::new(Easy) },
            Named { name: "hard", make: || Box::new(Hard) },
        ]
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Board>>] {
        &[Named { name: "stones", make: || Box::new(StonesEvaluation) }]
    }
}

/// The start position. The game has no parameters.
pub fn start(parameters: &[&str]) -> Result<Board, String> {
    expect_no_words(parameters)?;
    Ok(Board::new())
}
