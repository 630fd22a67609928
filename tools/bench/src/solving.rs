//! Our solver of Connect Four, to be measured.

use anyhow::Result;
use ratlla::games::connect4::solver::{Position, Solver, SolverLimits};
use ratlla_timing::Scorer;

/// Size of our solver's table in MiB.
pub const HASH: usize = 1024;

/// Our solver.
pub struct Ours(Solver);

impl Ours {
    /// A solver with this many threads.
    pub fn new(threads: usize) -> Result<Ours> {
        Ok(Ours(Solver::new(HASH, threads)?))
    }
}

impl Scorer for Ours {
    type Position = Position;

    fn clear(&mut self) {
        self.0.clear();
    }

    fn score(&mut self, position: &Position) -> (i32, u64) {
        let proof = self.0.bounds(position, &SolverLimits::default(), &mut |_| {});
        // Without limits the bounds meet.
        (proof.bounds.lower, proof.nodes)
    }
}
