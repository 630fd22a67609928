//! The evaluation by hand, which the levels below full strength keep: open lines, threats, bombs and
//! tempo.
//!
//! A line is open to a side if the other side has no piece in it. As a turn is two moves, a line
//! with two pieces missing may be completed at once, and one with three missing within two turns,
//! so even sparse lines score.

use super::bits::{self, BOARD, DIRECTIONS};
use super::board::Board;
use crate::game::{Game, Side};

/// Points for an open line with one, two or three pieces.
const OPEN_LINE: [i32; 3] = [3, 7, 12];
/// Points for each empty cell that completes a line.
const THREAT: i32 = 12;
/// Points for a bomb on the board, and for each enemy piece in its row.
const BOMB: i32 = 20;
const BOMB_TARGET: i32 = 8;
/// Points for the side to move if it has two moves left in its turn.
const TEMPO: i32 = 20;

/// The evaluation of a position for the side to move.
pub fn evaluate(board: &Board) -> i32 {
    let me = board.side_to_move();
    let tempo = if board.moves_again() { TEMPO } else { 0 };
    points(board, me) - points(board, !me) + tempo
}

fn points(board: &Board, side: Side) -> i32 {
    let (own, enemy) = (board.stones(side), board.stones(!side));
    let threats = bits::completing(own) & BOARD & !(own | enemy);
    let bomb = match board.bomb(side) {
        0 => 0,
        bomb => {
            let targets = enemy & bits::row(bits::row_of(bomb));
            BOMB + BOMB_TARGET * targets.count_ones() as i32
        }
    };
    open_lines(own, enemy) + THREAT * threats.count_ones() as i32 + bomb
}

/// The points for all lines without a piece of `enemy`.
fn open_lines(own: u64, enemy: u64) -> i32 {
    let free = BOARD & !enemy;
    let mut points = 0;
    for step in DIRECTIONS {
        let open = bits::lines_within(free, step);
        for (lines, weight) in bits::lines_by_count(own, step).into_iter().zip(OPEN_LINE) {
            points += weight * (lines & open).count_ones() as i32;
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::boom::board::Pieces;

    #[test]
    fn threats_and_bombs_add_to_the_lines_of_their_own_side() {
        let cells = |columns: &[usize]| columns.iter().fold(0, |all, &c| all | bits::cell(c, 0));
        let own = cells(&[0, 1, 2]);
        // More than the lines alone: the first cell completes a line unless it is taken, and a bomb
        // reaches the enemy's pieces in its row.
        for (enemy, bomb, more) in [
            (cells(&[5, 6]), 0, THREAT),
            (cells(&[3, 6]), 0, 0),
            (cells(&[5, 6]), cells(&[1]), THREAT + BOMB + 2 * BOMB_TARGET),
            (cells(&[3]), cells(&[1]), BOMB + BOMB_TARGET),
        ] {
            for side in [Side::P1, Side::P2] {
                let mut pieces = Pieces::default();
                (pieces.stones[side.index()], pieces.stones[(!side).index()]) = (own, enemy);
                pieces.bombs[side.index()] = bomb;
                let board = Board::from_pieces(pieces, 9);
                assert_eq!(points(&board, side), open_lines(own, enemy) + more);
                assert_eq!(points(&board, !side), open_lines(enemy, own));
            }
        }
    }
}
