//! Wins by one drop, and by the two drops of a turn.
//!
//! Two drops win with
//! - a cell that completes a line, directly above a landing cell: the first drop props it up;
//! - two landing cells that complete a line together;
//! - two own stones on top of a column with room for two more.
//!
//! Explosions are not considered: a win found here is certain, but there may be others.

use super::bits::{self, BOARD, DIRECTIONS};

/// One way to win with two drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Double {
    /// The landing cells where the first drop may go.
    pub starts: u64,
    /// The landing cells where a piece of the other side prevents it.
    pub stops: u64,
}

/// The landing cells where a piece wins at once for the side with these `stones`.
pub fn wins(stones: u64, landing: u64) -> u64 {
    bits::completing(stones) & landing
}

/// Calls `found` for ways to win with two drops that do not win with the first already: for at least
/// one if there are any, and for enough that a piece which stops all of these stops every other.
pub fn doubles(stones: u64, landing: u64, mut found: impl FnMut(Double)) {
    // Nothing stops these: a piece of the other side would prop the cell up as well.
    let propped = (bits::completing(stones) & landing << 1 & BOARD) >> 1;
    if propped != 0 {
        found(Double { starts: propped, stops: 0 });
    }
    let columns = landing & stones << 1 & stones << 2 & BOARD >> 1;
    for start in bits::each(columns) {
        found(Double { starts: start, stops: start });
    }
    for &step in &DIRECTIONS[1..] {
        for first in bits::each(landing_pairs(stones, landing, step)) {
            let line = first | first << step | first << (2 * step) | first << (3 * step);
            found(Double { starts: line & landing, stops: line & landing });
        }
    }
}

/// The first cells of the lines along `step` that consist of two landing cells and two of `stones`.
fn landing_pairs(stones: u64, landing: u64, step: u32) -> u64 {
    let fillable = stones | landing;
    let pairs = fillable & fillable >> step;
    let lines = pairs & pairs >> (2 * step);
    if lines == 0 {
        return 0;
    }
    let (low_or, low_and) = (stones | stones >> step, stones & stones >> step);
    let (high_or, high_and) = (low_or >> (2 * step), low_and >> (2 * step));
    let two_or_more = low_and | high_and | (low_or & high_or);
    // These win with a single drop: see `wins`.
    let three_or_more = (low_and & high_or) | (high_and & low_or);
    lines & two_or_more & !three_or_more
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome};
    use crate::games::boom::board::{Board, Move};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    fn drops_leading_to(board: &Board, wanted: impl Fn(&Board) -> bool) -> u64 {
        let each = bits::each(board.landing()).filter(|&cell| {
            let mut after = board.clone();
            after.play(Move::Drop(bits::column_of(cell) as u8));
            wanted(&after)
        });
        each.fold(0, |cells, cell| cells | cell)
    }

    #[test]
    fn wins_in_one_and_two_drops_are_those_found_by_playing() {
        let mut rng = SmallRng::seed_from_u64(4);
        let mut moves = Vec::new();
        let (mut singles, mut pairs) = (0, 0);
        for _ in 0..3000 {
            let mut board = Board::new();
            while board.outcome().is_none() {
                let me = board.side_to_move();
                let won = |after: &Board| after.outcome() == Some(Outcome::Win(me));
                let winning = drops_leading_to(&board, won);
                assert_eq!(wins(board.stones(me), board.landing()), winning);
                singles += usize::from(winning != 0);
                if winning == 0 && board.moves_again() {
                    let first_drops = drops_leading_to(&board, |after| {
                        after.outcome().is_none() && drops_leading_to(after, won) != 0
                    });
                    let mut starts = 0;
                    doubles(board.stones(me), board.landing(), |double| starts |= double.starts);
                    assert_eq!(starts, first_drops, "{board:?}");
                    pairs += usize::from(first_drops != 0);
                }
                moves.clear();
                board.legal_moves(&mut moves);
                board.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(singles > 1000 && pairs > 1000);
    }
}
