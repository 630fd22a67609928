//! What a score means: Pascal Pons' definition, for any grid.
//!
//! With best play from both sides, 0 is a draw, `+k` means that the side to move
//! wins with its k-th stone counted from the end, and `-k` that it loses to one.
//! "From the end" is counted in empty cells: a winning stone that leaves `e`
//! cells empty scores `1 + e / 2`, because the winner would still get `e / 2` of
//! them (rounded down, the loser being next). Stone counts do not matter, so the
//! score of any grid is well defined.

use crate::game::ExactValue;

/// A score, or a bound on one. Small enough that every sum fits.
pub type SolverScore = i32;

/// Score of a winning stone that leaves `empties` cells empty.
#[inline(always)]
pub const fn win_leaving(empties: u32) -> SolverScore {
    1 + (empties / 2) as SolverScore
}

/// SolverScore of the side to move if it wins with its next stone.
#[inline(always)]
pub const fn win_now(empties: u32) -> SolverScore {
    win_leaving(empties - 1)
}

/// SolverScore of the side to move if the other side wins with its next stone, and
/// 0 if no cell is left: the worst any position can be.
#[inline(always)]
pub const fn loss_next(empties: u32) -> SolverScore {
    -((empties / 2) as SolverScore)
}

/// The exact `score` of a position with `empties` empty cells, in plies to the end. 0 plies: the
/// line already stands.
///
/// The winner places every second stone, so among the two numbers of cells left that a score
/// stands for, only one fits the parity.
pub fn exact_value(score: SolverScore, empties: u32) -> ExactValue {
    let left = 2 * score.unsigned_abs().saturating_sub(1);
    let plies = empties.saturating_sub(left) as usize;
    match score {
        0 => ExactValue::Draw,
        1.. => ExactValue::Win(plies - usize::from(plies.is_multiple_of(2) && plies > 0)),
        _ => ExactValue::Loss(plies - usize::from(!plies.is_multiple_of(2))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_empty_board_is_won_on_move_41() {
        assert_eq!(exact_value(1, 42), ExactValue::Win(41));
    }

    #[test]
    fn every_winning_ply_has_its_own_score() {
        for empties in 1..=125 {
            for plies in (1..=empties).step_by(2) {
                assert_eq!(
                    exact_value(win_leaving(empties - plies), empties),
                    ExactValue::Win(plies as usize)
                );
            }
            for plies in (2..=empties).step_by(2) {
                assert_eq!(
                    exact_value(-win_leaving(empties - plies), empties),
                    ExactValue::Loss(plies as usize)
                );
            }
        }
    }
}
