//! Which move to try first.

use super::geometry::Shape;
use super::node::Node;
use super::word::Word;

const THREAT: i32 = 119;
const CENTRE: i32 = 12;
const UNDER_OWN_THREAT: i32 = -373;

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
    threats.count() as i32 * THREAT
        + shape.centrality(column) * CENTRE
        + if ((stone << 1) & parent.mover_threats).is_empty() { 0 } else { UNDER_OWN_THREAT }
}
