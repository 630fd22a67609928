//! Scores, values and windows: the numbers that alpha-beta passes around.

use std::fmt;
use std::ops::Neg;

use crate::game::{Outcome, Side};

/// The maximum ply: no search goes deeper below its root.
pub const MAX_PLY: usize = 1000;
const WIN: i32 = 30_000;
const HEURISTIC_LIMIT: i32 = WIN - MAX_PLY as i32 - 2;

/// The score of a position for the side to move; negated, for the other side.
///
/// ```text
/// -30000+n     lost in n plies             +30000-n     won in n plies
///        |--------------- heuristic or drawn ---------------|
/// ```
///
/// The search counts plies from its root, so that a sooner win is a higher score everywhere.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score(i32);

impl Score {
    /// A draw.
    pub const DRAW: Score = Score(0);
    /// Above every score of a position.
    pub const INFINITE: Score = Score(WIN + 1);

    /// The side to move wins in `plies`.
    pub fn win_in(plies: usize) -> Score {
        Score(WIN - plies as i32)
    }

    /// The side to move loses in `plies`.
    pub fn loss_in(plies: usize) -> Score {
        -Score::win_in(plies)
    }

    /// The score of a finished game for `side`, `ply` plies below the root.
    pub fn of_outcome(outcome: Outcome, side: Side, ply: usize) -> Score {
        match outcome {
            Outcome::Draw => Score::DRAW,
            Outcome::Win(winner) if winner == side => Score::win_in(ply),
            Outcome::Win(_) => Score::loss_in(ply),
        }
    }

    /// A static evaluation, clamped to stay below every win and above every loss.
    pub fn heuristic(points: i32) -> Score {
        Score(points.clamp(-HEURISTIC_LIMIT, HEURISTIC_LIMIT))
    }

    /// Whether this is a win for the side to move.
    pub fn is_win(self) -> bool {
        self.0 > HEURISTIC_LIMIT
    }

    /// Whether this is a loss for the side to move.
    pub fn is_loss(self) -> bool {
        self.0 < -HEURISTIC_LIMIT
    }

    /// The plies to the end of the game if this is a win or a loss.
    pub fn plies_to_end(self) -> Option<usize> {
        (self.is_win() || self.is_loss()).then(|| (WIN - self.0.abs()) as usize)
    }

    /// The points of a heuristic score.
    pub fn points(self) -> i32 {
        self.0
    }

    /// `self` moved by `points`, for aspiration windows.
    pub fn plus(self, points: i32) -> Score {
        Score((self.0 + points).clamp(-Score::INFINITE.0, Score::INFINITE.0))
    }

    /// The lowest score above this one.
    pub fn next(self) -> Score {
        Score(self.0 + 1)
    }

    /// Converts distances from the root to distances from the node at `ply`, as the transposition
    /// table stores them.
    pub fn from_root(self, ply: usize) -> Score {
        self.shifted(ply as i32)
    }

    /// The inverse of [`Score::from_root`].
    pub fn to_root(self, ply: usize) -> Score {
        self.shifted(-(ply as i32))
    }

    fn shifted(self, plies: i32) -> Score {
        if self.is_win() {
            Score(self.0 + plies)
        } else if self.is_loss() {
            Score(self.0 - plies)
        } else {
            self
        }
    }

    pub(super) fn to_bits(self) -> u16 {
        self.0 as i16 as u16
    }

    pub(super) fn from_bits(bits: u16) -> Score {
        Score(i32::from(bits as i16))
    }
}

impl Neg for Score {
    type Output = Score;

    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.plies_to_end() {
            Some(plies) if self.is_win() => write!(f, "win {plies}"),
            Some(plies) => write!(f, "loss {plies}"),
            None => write!(f, "{}", self.0),
        }
    }
}

/// How far a [`Value`] can be relied on, from least to most. A refutation is as certain as the reply
/// that refutes, any other node as its least certain move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Certainty {
    /// It depends on a static evaluation.
    Estimate,
    /// The tree below was searched to its end, so that a deeper search finds the same. But it
    /// depends on repetitions that were taken for draws, or on another history.
    Finished,
    /// It holds for perfect play with the history of the searched path, and perhaps with no other.
    Path,
    /// It holds for perfect play, however the position was reached.
    Proved,
}

/// The result of searching a node.
///
/// With a window `(alpha, beta)`, `score <= alpha` is an upper bound of the true score (fail-low),
/// `score >= beta` a lower bound (fail-high), and anything between is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// The score, or a bound of it.
    pub score: Score,
    /// How far that is true.
    pub certainty: Certainty,
}

impl Value {
    /// A value that holds for perfect play.
    pub fn proved(score: Score) -> Value {
        Value { score, certainty: Certainty::Proved }
    }

    /// A value that depends on a static evaluation.
    pub fn heuristic(score: Score) -> Value {
        Value { score, certainty: Certainty::Estimate }
    }

    /// Whether it holds for perfect play on the path that was searched. The root has no other.
    pub fn holds_here(self) -> bool {
        self.certainty >= Certainty::Path
    }
}

impl Neg for Value {
    type Output = Value;

    fn neg(self) -> Value {
        Value { score: -self.score, ..self }
    }
}

/// An alpha-beta window: only scores strictly between `alpha` and `beta` matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The side to move already has at least this.
    pub alpha: Score,
    /// The other side will not allow this or more.
    pub beta: Score,
}

impl Window {
    /// The full window, which contains every score.
    pub const FULL: Window = Window { alpha: Score(-WIN - 1), beta: Score::INFINITE };

    /// The null window above `alpha`, which tests for a score above `alpha`.
    pub fn null_above(alpha: Score) -> Window {
        Window { alpha, beta: alpha.next() }
    }

    /// Whether the window contains no score.
    pub fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }

    /// Whether `score` lies strictly between the bounds.
    pub fn contains(self, score: Score) -> bool {
        self.alpha < score && score < self.beta
    }

    /// The window with `alpha` raised to `score`.
    pub fn raised(self, score: Score) -> Window {
        Window { alpha: self.alpha.max(score), ..self }
    }
}

impl Neg for Window {
    type Output = Window;

    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sooner_wins_and_later_losses_are_better() {
        assert!(Score::win_in(3) > Score::win_in(5));
        assert!(Score::loss_in(5) > Score::loss_in(3));
        assert!(Score::win_in(MAX_PLY) > Score::heuristic(i32::MAX));
        assert!(Score::loss_in(MAX_PLY) < Score::heuristic(i32::MIN));
    }

    #[test]
    fn distances_convert_between_root_and_node() {
        assert_eq!(Score::win_in(7).from_root(3), Score::win_in(4));
        assert_eq!(Score::loss_in(4).to_root(3), Score::loss_in(7));
        assert_eq!(Score::heuristic(12).to_root(3), Score::heuristic(12));
    }

    #[test]
    fn scores_fit_sixteen_bits() {
        for score in [Score::win_in(0), Score::loss_in(0), Score::DRAW, Score::heuristic(-77)] {
            assert_eq!(Score::from_bits(score.to_bits()), score);
        }
    }

    #[test]
    fn negation_turns_a_window_to_the_other_side() {
        let window = Window { alpha: Score::heuristic(-5), beta: Score::heuristic(9) };
        assert_eq!(-window, Window { alpha: Score::heuristic(-9), beta: Score::heuristic(5) });
        assert!(Window::null_above(Score::DRAW).is_null());
        assert!(!window.is_null());
        assert!(Window::FULL.contains(Score::loss_in(0)));
    }
}
