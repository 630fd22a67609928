//! The players of an older program, and the evaluation for the plain strategies.

use super::bits::{self, Shape};
use super::board::{Board, Move, Phase};
use crate::game::{Evaluate, Game, Side};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
/// Easy plays any legal move.
pub use crate::strategy::Random as Easy;
use crate::strategy::{Resources, Strategy, pick};

/// Captures whenever it can, and otherwise keeps its stones together in a corner.
///
/// - It drops where the distances to its other stones are smallest, first on `a1`.
/// - It captures if it can, preferably a stone that could make three itself.
/// - Else it moves the stone farthest from `a1` a step closer, if possible.
pub struct Hard;

impl<S: Shape> Strategy<Board<S>> for Hard {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<S>>,
        _resources: &mut Resources<'_, Board<S>>,
        _report: &mut dyn FnMut(&SearchResult<Move>),
    ) -> SearchResult<Move> {
        let board = request.game;
        let choices = match board.phase() {
            Phase::Drop => closest_drops(board, request.moves),
            Phase::Move => {
                let captures = best_captures(board, request.moves);
                if captures.is_empty() { homeward_steps(board, request.moves) } else { captures }
            }
        };
        pick(request, &choices)
    }
}

/// The moves with the least `cost`, of those that have one.
fn cheapest(moves: &[Move], cost: impl Fn(Move) -> Option<u32>) -> Vec<Move> {
    let least = moves.iter().filter_map(|&mv| cost(mv)).min();
    let is_least = |mv: &Move| least.is_some() && cost(*mv) == least;
    moves.iter().copied().filter(is_least).collect()
}

fn closest_drops<S: Shape>(board: &Board<S>, moves: &[Move]) -> Vec<Move> {
    let (shape, own) = (board.shape(), board.stones(board.side_to_move()));
    cheapest(moves, |mv| match mv {
        Move::Drop(cell) if own == 0 => Some(distance(shape, cell, 0)),
        Move::Drop(cell) => Some(bits::each(own).map(|stone| distance(shape, cell, stone)).sum()),
        Move::Step { .. } | Move::Pass => None,
    })
}

fn best_captures<S: Shape>(board: &Board<S>, moves: &[Move]) -> Vec<Move> {
    let (shape, enemies) = (board.shape(), board.stones(!board.side_to_move()));
    cheapest(moves, |mv| match mv {
        Move::Step { from, to, captured: Some(cell) } => {
            let own = board.stones(board.side_to_move()) & !(1 << from) | 1 << to;
            Some(u32::from(!can_make_three(shape, cell, enemies, !(own | enemies))))
        }
        Move::Step { .. } | Move::Drop(_) | Move::Pass => None,
    })
}

/// Whether the stone on `cell` could make three with its next move.
fn can_make_three<S: Shape>(shape: S, cell: u8, stones: u32, empty: u32) -> bool {
    let ends = shape.arrivals(1 << cell).into_iter();
    ends.zip(bits::Threes::of(shape, stones).arrivals)
        .any(|(end, threes)| end & threes & empty != 0)
}

fn homeward_steps<S: Shape>(board: &Board<S>, moves: &[Move]) -> Vec<Move> {
    cheapest(moves, |mv| match mv {
        Move::Step { from, to, captured: None } if to < from => {
            Some(u32::MAX - distance(board.shape(), from, 0))
        }
        Move::Step { .. } | Move::Drop(_) | Move::Pass => None,
    })
}

/// The number of steps between two cells.
fn distance<S: Shape>(shape: S, a: u8, b: u8) -> u32 {
    let columns = shape.columns();
    let place = |cell: u8| (usize::from(cell) % columns, usize::from(cell) / columns);
    let ((column_a, row_a), (column_b, row_b)) = (place(a), place(b));
    (column_a.abs_diff(column_b) + row_a.abs_diff(row_b)) as u32
}

/// Material: 100 points per stone, on the board or in hand.
pub struct StonesEvaluation;

impl<S: Shape> Evaluate<Board<S>> for StonesEvaluation {
    fn evaluate(&self, board: &Board<S>) -> i32 {
        let count = |side| (board.stones(side).count_ones() + board.in_hand(side)) as i32;
        let me = board.side_to_move();
        100 * (count(me) - count(!me))
    }

    fn terms(&self, board: &Board<S>) -> Vec<(&'static str, i32)> {
        let lead =
            |count: &dyn Fn(Side) -> u32| 100 * (count(Side::P1) as i32 - count(Side::P2) as i32);
        vec![
            ("board", lead(&|side| board.stones(side).count_ones())),
            ("hand", lead(&|side| board.in_hand(side))),
        ]
    }
}
