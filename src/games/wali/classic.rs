//! The evaluation by hand, which the levels below full strength keep: material, mobility and threes.

use super::bits::{self, Shape};
use super::board::Board;
use crate::game::{Game, Side};

/// Points for a stone, and the bonus for each stone that has been captured.
const STONE: i32 = 100;
const STONE_WHEN_FEW: i32 = 6;
/// Mobility: points for each step.
const STEP: i32 = 3;
/// Points for a capture by the side to move, by the opponent, who may lose the chance, and for each
/// further capture.
const CAPTURE_NOW: i32 = 70;
const CAPTURE_NEXT: i32 = 35;
const CAPTURE_MORE: i32 = 12;
/// Points for each stone that can step out of a three, to remake it later.
const REMAKE: i32 = 10;
/// Points for each cell where a stone from elsewhere would complete a three.
const GAP: i32 = 4;

/// The evaluation of a position for the side to move.
pub fn evaluate<S: Shape>(board: &Board<S>) -> i32 {
    let me = board.side_to_move();
    let [own, enemy] = [me, !me].map(|side| stones(board, side));
    let captured = 2 * board.shape().stones() as i32 - own - enemy;
    let material = (STONE + STONE_WHEN_FEW * captured) * (own - enemy);
    material + places(board, me, CAPTURE_NOW) - places(board, !me, CAPTURE_NEXT)
}

fn stones<S: Shape>(board: &Board<S>, side: Side) -> i32 {
    board.stones(side).count_ones() as i32 + board.in_hand(side) as i32
}

/// The points for the places of a side's stones, whose first capture counts `first`.
fn places<S: Shape>(board: &Board<S>, side: Side, first: i32) -> i32 {
    let (shape, own, empty) = (board.shape(), board.stones(side), board.empty());
    let threes = bits::Threes::of(shape, own);
    let steps = bits::count_all(shape.arrivals(own), empty) as i32;
    let captures = match bits::count_all(threes.arrivals, empty) as i32 {
        0 => 0,
        count => first + CAPTURE_MORE * (count - 1).min(3),
    };
    let remakes = (shape.in_threes(own) & shape.around(empty)).count_ones() as i32;
    let gaps = (threes.gaps & empty).count_ones() as i32;
    STEP * steps + captures + REMAKE * remakes + GAP * gaps
}
