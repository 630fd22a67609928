//! Which move to try first.
//!
//! The weights were fitted by node counts on random positions of 8 to 14 stones
//! on 6x7; docs/solver.md tells how.

use super::geometry::Shape;
use super::node::Node;
use super::word::Word;

/// Each threat with an even number of cells above it.
const EVEN_THREAT: i32 = 120;
/// Each threat with an odd number of cells above it.
const ODD_THREAT: i32 = 100;
/// Each step towards the middle.
const CENTRE: i32 = 12;
/// A stone with an even number of cells above it.
const EVEN_CELL: i32 = 20;
/// A stone that allows the other side to take away a threat.
const UNDER_OWN_THREAT: i32 = -400;

/// How promising the move `stone` of `parent` looks: `threats` are the mover's
/// after it.
#[inline(always)]
pub fn promise<W: Word>(
    shape: &Shape<W>,
    parent: &Node<W>,
    column: u32,
    stone: W,
    threats: W,
) -> i32 {
    let if_any = |cells: W, weight| if cells.is_empty() { 0 } else { weight };
    (threats & shape.even_from_top).count() as i32 * (EVEN_THREAT - ODD_THREAT)
        + threats.count() as i32 * ODD_THREAT
        + shape.centrality(column) * CENTRE
        + if_any(stone & shape.even_from_top, EVEN_CELL)
        + if_any((stone << 1) & parent.mover_threats, UNDER_OWN_THREAT)
}
