//! The best score of a node so far, in its null window.

use std::ops::ControlFlow::{self, Break, Continue};

use super::Bounds;
use super::score::{SolverScore, loss_next};

/// The best score of the children so far, and the window.
pub struct BestSoFar {
    /// The null window is `alpha`, `alpha + 1`.
    pub alpha: SolverScore,
    /// The best score, fail-soft.
    pub score: SolverScore,
}

impl BestSoFar {
    /// For a quiet node with this many empty cells.
    #[inline(always)]
    pub fn new(alpha: SolverScore, empties: u32) -> Self {
        Self { alpha, score: loss_next(empties) }
    }

    /// Takes the score of one more child, exact or a bound on its own side of
    /// `alpha`; breaks with a beta cutoff if it is above.
    #[inline(always)]
    pub fn offer(&mut self, score: SolverScore) -> ControlFlow<SolverScore> {
        self.score = self.score.max(score);
        if score > self.alpha { Break(score) } else { Continue(()) }
    }

    /// Takes the bounds of one more child; breaks with a beta cutoff if its score is
    /// above `alpha`, and returns whether it is known not to be.
    #[inline(always)]
    pub fn offer_bounds(&mut self, known: Bounds) -> ControlFlow<SolverScore, bool> {
        if known.lower > self.alpha {
            return Break(known.lower);
        }
        let decided = known.upper <= self.alpha;
        if decided {
            self.score = self.score.max(known.upper);
        }
        Continue(decided)
    }

    /// Takes bounds of the node itself; true if they settle on which side of `alpha` it is.
    pub fn is_settled_by(&mut self, known: Bounds) -> bool {
        if known.lower > self.alpha {
            self.score = known.lower;
        } else if known.upper <= self.alpha {
            self.score = known.upper;
        } else {
            return false;
        }
        true
    }
}
