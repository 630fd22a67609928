//! Zugzwang as something to tell people: which threat wins in the end.

use super::bitboard::{Bitboard, Halves};
use super::bounds::reach_of_closing;
use super::node::Node;
use super::position::Position;
use super::sides::{Sides, is_closing};
use super::threats::line_ends;

/// The column and the row, counted from 0, of a threat of the side that just moved, which wins
/// because the side to move must in the end play below it: see
/// `StaticBounds::lost_by_zugzwang`.
///
/// Nobody has a line yet. `None` proves nothing.
pub fn zugzwang_threat(position: &Position) -> Option<(u32, u32)> {
    let layout = position.layout();
    let (mover, other) = position.stones::<Halves>();
    let node = Node::new(&layout, mover, other);
    let is_quiet =
        ((node.mover_threats | node.other_threats) & layout.playable(node.occupied())).is_empty();
    if !is_closing(node.empties) || !is_quiet {
        return None;
    }
    let sides = Sides::of(&node);
    let odd = sides.opposing_threats & !layout.even_from_top;
    (0..layout.columns).find_map(|index| {
        let column = layout.column(index);
        let threat = (odd & column).lowest();
        let wins = !threat.is_empty()
            && line_ends(&layout, reach_of_closing(&layout, sides, threat, column)).is_empty();
        wins.then(|| (index, threat.lowest_index() % layout.stride()))
    })
}
