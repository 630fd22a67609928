//! A pseudo-random evaluation: the hardest test for a search, as it has no structure to exploit.

use std::marker::PhantomData;

use ratlla::game::{Evaluate, Evaluator, Game};

/// Evaluates a position by a hash of its key. Every legal move is a candidate.
#[derive(Clone)]
pub struct HashEvaluator<G> {
    seed: u64,
    /// Evaluations are `-spread..=spread`; with a small spread many are equal.
    spread: i32,
    game: PhantomData<fn() -> G>,
}

impl<G: Game> HashEvaluator<G> {
    pub fn new(seed: u64, spread: i32) -> HashEvaluator<G> {
        HashEvaluator { seed, spread, game: PhantomData }
    }
}

impl<G: Game> Evaluate<G> for HashEvaluator<G> {
    fn evaluate(&self, game: &G) -> i32 {
        let mixed = (game.key() ^ self.seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let points = ((mixed >> 32) % (2 * self.spread as u64 + 1)) as i32 - self.spread;
        game.side_to_move().view(points)
    }
}

impl<G: Game> Evaluator<G> for HashEvaluator<G> {
    fn futility_margin(&self) -> Option<i32> {
        Some(15)
    }
}
