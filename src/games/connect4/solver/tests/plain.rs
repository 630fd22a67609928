//! The truth by alpha-beta and the rules alone, sharing none of the solver's tricks.

use super::super::score::{SolverScore, win_leaving};
use super::super::{Bounds, Position};

/// A board, its cells numbered upwards in columns of `rows + 1` bits.
struct PlainBoard {
    rows: u32,
    columns: u32,
    line: u32,
}

impl PlainBoard {
    fn has_line(&self, stones: u128) -> bool {
        [1, self.rows, self.rows + 1, self.rows + 2].into_iter().any(|step| {
            let (mut runs, mut length) = (stones, 1);
            while length < self.line {
                // Two runs that overlap or touch are one longer run.
                let more = length.min(self.line - length);
                runs &= runs.checked_shr(more * step).unwrap_or(0);
                length += more;
            }
            runs != 0
        })
    }

    /// The score for `mover`, exact if it lies between `alpha` and `beta`, else a bound on the
    /// right side. Only `other` may have a line.
    fn score(
        &self,
        mover: u128,
        other: u128,
        mut alpha: SolverScore,
        beta: SolverScore,
    ) -> SolverScore {
        let occupied = mover | other;
        let empties = self.rows * self.columns - occupied.count_ones();
        if self.has_line(other) {
            return -win_leaving(empties);
        }
        if empties == 0 {
            return 0;
        }
        let mut best = -SolverScore::MAX;
        for column in 0..self.columns {
            let shift = column * (self.rows + 1);
            let height = ((occupied >> shift) & ((1 << self.rows) - 1)).count_ones();
            if height == self.rows {
                continue;
            }
            let stone = 1 << (shift + height);
            best = best.max(-self.score(other, mover | stone, -beta, -alpha));
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

/// More than any score: a bound that says nothing.
pub const ANY_SCORE: SolverScore = 100;

/// Asks about one position. Both sides may have played any number of stones.
pub struct Truth {
    board: PlainBoard,
    mover: u128,
    other: u128,
    /// The score if the side to move already has its line.
    won: Option<SolverScore>,
}

impl Truth {
    /// The truth about `position`.
    pub fn of(position: &Position) -> Self {
        let (rows, columns, line) = (position.rows(), position.columns(), position.line());
        let board = PlainBoard { rows, columns, line };
        let (mover, other) = position.to_stones();
        let won = board.has_line(mover).then(|| win_leaving(position.empties()));
        Self { board, mover, other, won }
    }

    /// The score.
    pub fn score(&self) -> SolverScore {
        self.between(-ANY_SCORE, ANY_SCORE)
    }

    /// Whether the score lies within `bounds`: at most two null windows, each cheaper than the
    /// score.
    pub fn is_within(&self, Bounds { lower, upper }: Bounds) -> bool {
        (lower == -ANY_SCORE || self.is_at_least(lower))
            && (upper == ANY_SCORE || !self.is_at_least(upper + 1))
    }

    /// Whether the score is `bound` or more.
    fn is_at_least(&self, bound: SolverScore) -> bool {
        self.between(bound - 1, bound) >= bound
    }

    fn between(&self, alpha: SolverScore, beta: SolverScore) -> SolverScore {
        self.won.unwrap_or_else(|| self.board.score(self.mover, self.other, alpha, beta))
    }
}
