//! Move ordering: which move to search first.
//!
//! The weights were fitted by node counts on random positions of 8 to 14 stones
//! on 6x7; see docs/solver.md.

use super::bitboard::Bitboard;
use super::geometry::BoardLayout;
use super::node::Node;

/// Each threat with an even number of cells above it.
const EVEN_THREAT: i32 = 120;
/// Each threat with an odd number of cells above it.
const ODD_THREAT: i32 = 100;
/// Each step towards the middle.
const CENTRE: i32 = 12;
/// A stone with an even number of cells above it.
const EVEN_CELL: i32 = 20;
/// A stone below an own threat, which the other side can then block.
const UNDER_OWN_THREAT: i32 = -400;

/// The score of the move `stone` of `parent`, higher first. `threats` are the mover's
/// after it.
#[inline(always)]
pub fn move_score<W: Bitboard>(
    layout: &BoardLayout<W>,
    parent: &Node<W>,
    column: u32,
    stone: W,
    threats: W,
) -> i32 {
    let if_any = |cells: W, weight| if cells.is_empty() { 0 } else { weight };
    (threats & layout.even_from_top).count() as i32 * (EVEN_THREAT - ODD_THREAT)
        + threats.count() as i32 * ODD_THREAT
        + layout.centrality(column) * CENTRE
        + if_any(stone & layout.even_from_top, EVEN_CELL)
        + if_any((stone << 1) & parent.mover_threats, UNDER_OWN_THREAT)
}
