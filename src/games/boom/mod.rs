//! Conecta-4 BOOM: Connect Four on a 7x7 board with two moves per turn and bombs.

mod bits;
pub mod board;
mod classic;
mod describe;
mod evaluations;
mod evaluator;
mod explain;
#[doc(hidden)]
pub mod features;
mod notation;
mod threats;
mod weights;

use board::Board;
use evaluations::{PairsEvaluation, WeightsEvaluation};
use evaluator::BoomEvaluator;

use crate::endgames::EndgameStore;
use crate::game::state::Describe;
use crate::game::{Evaluate, WeightSet};
use crate::strategy::{DIAGONAL_CONCEALMENT, Named, Playable, Prove, Strategy};
use crate::text::expect_no_words;

impl Playable for Board {
    type Evaluator = BoomEvaluator;
    type Memory = ();

    fn evaluator(&self, _endgames: &EndgameStore) -> BoomEvaluator {
        BoomEvaluator::new(WeightSet::Fitted)
    }

    fn classic_evaluator(&self, _endgames: &EndgameStore) -> BoomEvaluator {
        BoomEvaluator::new(WeightSet::Classic)
    }

    fn concealment(&self) -> u32 {
        let ending = self.describe(&[]).ending;
        if ending.is_some_and(|ending| ending.is_diagonal()) { DIAGONAL_CONCEALMENT } else { 0 }
    }

    fn solver(
        &self,
        _hash: usize,
        _endgames: &EndgameStore,
    ) -> Result<Box<dyn Strategy<Board>>, String> {
        Ok(Box::new(Prove))
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Board>>] {
        &[
            Named { name: "pairs", make: || Box::new(PairsEvaluation) },
            Named { name: "weights", make: || Box::new(WeightsEvaluation) },
        ]
    }
}

/// The start position. The game has no parameters.
pub fn start(parameters: &[&str]) -> Result<Board, String> {
    expect_no_words(parameters)?;
    Ok(Board::new())
}
