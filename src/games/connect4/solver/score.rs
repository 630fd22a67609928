//! What a score means.
//!
//! With best play from both sides, 0 is a draw, `+k` says that the side to move
//! wins with its k-th stone counted from the end, and `-k` that it loses so.
//! "From the end" is counted through empty cells: a winning stone that leaves
//! `e` cells empty is worth `1 + e / 2`, because the winner would still get
//! `e / 2` of them (rounded down, the loser being next). Nothing depends on how
//! many stones each side has, so the score of any grid is well defined.

/// A score, or a bound on one. Small enough that every sum fits.
pub type Score = i32;

/// Worth of a winning stone that leaves `empties` cells empty.
#[inline(always)]
pub const fn win_leaving(empties: u32) -> Score {
    1 + (empties / 2) as Score
}

/// Score of the side to move if it wins with its next stone.
#[inline(always)]
pub const fn win_now(empties: u32) -> Score {
    win_leaving(empties - 1)
}

/// Score of the side to move if the other side wins with its next stone, and
/// 0 if no cell is left: the worst any position can be.
#[inline(always)]
pub const fn loss_next(empties: u32) -> Score {
    -((empties / 2) as Score)
}

/// A score in plies, for people and protocols.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The side to move makes a line with the stone that ends this many plies
    /// (at least 1); 0 if its line already stands.
    Win(u32),
    /// Nobody makes a line.
    Draw,
    /// The other side makes a line with the last of this many plies; 0 if its
    /// line already stands.
    Loss(u32),
}

impl Outcome {
    /// Reads the exact `score` of a position with `empties` empty cells where
    /// the game is not over.
    ///
    /// The winner places every second stone, so among the two numbers of cells
    /// left that a score stands for, only one fits the parity.
    pub fn new(score: Score, empties: u32) -> Self {
        let left = 2 * (score.unsigned_abs().saturating_sub(1));
        let plies = empties.saturating_sub(left);
        match score {
            0 => Self::Draw,
            1.. => Self::Win(plies - u32::from(plies.is_multiple_of(2) && plies > 0)),
            _ => Self::Loss(plies - u32::from(!plies.is_multiple_of(2))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_board_is_won_on_move_41() {
        assert_eq!(Outcome::new(1, 42), Outcome::Win(41));
    }

    #[test]
    fn every_winning_ply_has_its_own_score() {
        for empties in 1..=125 {
            for plies in (1..=empties).step_by(2) {
                assert_eq!(
                    Outcome::new(win_leaving(empties - plies), empties),
                    Outcome::Win(plies)
                );
            }
            for plies in (2..=empties).step_by(2) {
                assert_eq!(
                    Outcome::new(-win_leaving(empties - plies), empties),
                    Outcome::Loss(plies)
                );
            }
        }
    }
}
