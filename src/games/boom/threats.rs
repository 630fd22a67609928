//! Who can win in one move, and who with the two moves of a turn.
//!
//! Two moves make a line out of
//! - a cell that completes a line, right above a landing cell: fill the cell below first;
//! - two landing cells that complete a line together;
//! - two own stones on top of a column with room for two more.
//!
//! Explosions are left out: what is found here is certain, what is not found is not.

use super::bits::{self, BOARD, DIRECTIONS};

/// One way to win with two drops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Double {
    /// The landing cells where the winner can begin.
    pub starts: u64,
    /// The landing cells where one piece of the other side stops it.
    pub stops: u64,
}

/// The landing cells where a piece wins at once for the side with these `stones`.
pub fn wins(stones: u64, landing: u64) -> u64 {
    bits::completing(stones) & landing
}

/// Calls `found` for ways to win with two drops, none of which wins with the first already.
///
/// At least one if there is any, and all that matter: a piece that stops every double told here
/// stops all.
pub fn doubles(stones: u64, landing: u64, mut found: impl FnMut(Double)) {
    // A piece of the other side below such a cell only lets the line be completed sooner.
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

/// The first cells of the lines along `step` of which two cells are landing cells and the others
/// `stones`.
fn landing_pairs(stones: u64, landing: u64, step: u32) -> u64 {
    let fillable = stones | landing;
    let pairs = fillable & fillable >> step;
    let lines = pairs & pairs >> (2 * step);
    if lines == 0 {
        return 0;
    }
    let (low_or, low_and) = (stones | stones >> step, stones & stones >> step);
    let (high_or, high_and) = (low_or >> (2 * step), low_and >> (2 * step));
    // Lines with two or more stones; with three or more they win at once and are told so.
    let two = low_and | high_and | (low_or & high_or);
    let three = (low_and & high_or) | (high_and & low_or);
    lines & two & !three
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Outcome};
    use crate::games::boom::board::{Board, Move};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    fn drops_that(board: &Board, wanted: impl Fn(&Board) -> bool) -> u64 {
        let each = bits::each(board.landing()).filter(|&cell| {
            let mut after = board.clone();
            after.play(Move::Drop(bits::column_of(cell) as u8));
            wanted(&after)
        });
        each.fold(0, |cells, cell| cells | cell)
    }

    #[test]
    fn wins_in_one_and_two_drops_are_exactly_those_that_playing_shows() {
        let mut rng = SmallRng::seed_from_u64(4);
        let mut moves = Vec::new();
        let (mut singles, mut pairs) = (0, 0);
        for _ in 0..3000 {
            let mut board = Board::new();
            while board.outcome().is_none() {
                let me = board.side_to_move();
                let won = |after: &Board| after.outcome() == Some(Outcome::Win(me));
                let escaped = drops_that(&board, won);
                assert_eq!(wins(board.stones(me), board.landing()), escaped);
                singles += usize::from(escaped != 0);
                if escaped == 0 && board.moves_again() {
                    let escaped = drops_that(&board, |after| {
                        after.outcome().is_none() && drops_that(after, won) != 0
                    });
                    let mut starts = 0;
                    doubles(board.stones(me), board.landing(), |double| starts |= double.starts);
                    assert_eq!(starts, escaped, "{board:?}");
                    pairs += usize::from(escaped != 0);
                }
                moves.clear();
                board.legal_moves(&mut moves);
                board.play(moves[rng.random_range(0..moves.len())]);
            }
        }
        assert!(singles > 1000 && pairs > 1000);
    }
}
