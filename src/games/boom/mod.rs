//! Conecta-4 BOOM: a 7x7 board with gravity, two moves in a turn, and bombs.

mod bits;
pub mod board;
mod danger;
mod evaluations;
pub mod judge;
mod notation;

use board::Board;
use evaluations::{PairsEvaluation, WeightsEvaluation};
use judge::BoomJudge;

use crate::game::Evaluate;
use crate::strategy::{Named, Playable, Strategy};

impl Playable for Board {
    type Judge = BoomJudge;
    type Memory = ();

    fn judge(&self) -> BoomJudge {
        BoomJudge
    }

    fn agents() -> &'static [Named<dyn Strategy<Board>>] {
        &[]
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
    super::no_parameters(parameters)?;
    Ok(Board::new())
}
