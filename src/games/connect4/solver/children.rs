//! The children of one node, one to a lane, so that one vector instruction
//! works on several of them.

use super::bitboard::Bitboard;
use super::bounds::Sides;
use super::geometry::BoardGeometry;
use super::node::Node;
use super::threats::completions;
use crate::bound_table::MixedKey;

/// Positions that follow from one parent. The lane of a move is its column.
///
/// "Mine" belongs to the side to move in the parent, "yours" to the other one,
/// no matter which side is to move in the lane. Only open lanes are meaningful.
pub struct Children<G: BoardGeometry> {
    mine: G::PerColumn<G::Bits>,
    yours: G::PerColumn<G::Bits>,
    my_threats: G::PerColumn<G::Bits>,
    your_threats: G::PerColumn<G::Bits>,
    empties: G::PerColumn<u32>,
    /// Keys of the positions.
    pub keys: G::PerColumn<MixedKey<G::Bits>>,
    /// Move ordering: higher is searched earlier.
    pub move_scores: G::PerColumn<i32>,
    /// The lanes that are still open, as a bit set.
    pub open: u32,
    parent_empties: u32,
}

/// Stones and threats in one lane.
#[derive(Clone, Copy)]
pub struct MineAndYours<W> {
    /// Stones of the side to move in the parent.
    pub mine: W,
    /// Stones of the other side.
    pub yours: W,
    /// Empty cells that complete a line of mine.
    pub my_threats: W,
    /// Empty cells that complete a line of yours.
    pub your_threats: W,
}

impl<G: BoardGeometry> Children<G> {
    /// No children yet, of a parent with this many empty cells.
    #[inline(always)]
    pub fn new(parent_empties: u32) -> Self {
        Self {
            mine: G::per_column(G::Bits::ZERO),
            yours: G::per_column(G::Bits::ZERO),
            my_threats: G::per_column(G::Bits::ZERO),
            your_threats: G::per_column(G::Bits::ZERO),
            empties: G::per_column(parent_empties.saturating_sub(1)),
            keys: G::per_column(MixedKey::default()),
            move_scores: G::per_column(0),
            open: 0,
            parent_empties,
        }
    }

    /// Plays every candidate of the quiet node `parent`, all lanes at once, and
    /// returns the other side's candidates in each.
    #[inline(always)]
    pub fn expand(
        &mut self,
        geometry: G,
        parent: &Node<G::Bits>,
        candidates: G::Bits,
    ) -> G::PerColumn<G::Bits> {
        let layout = geometry.layout();
        let mut replies = G::per_column(G::Bits::ZERO);
        let (mine, yours) = (self.mine.as_mut(), self.yours.as_mut());
        let (my_threats, your_threats) = (self.my_threats.as_mut(), self.your_threats.as_mut());
        for (lane, replies) in replies.as_mut().iter_mut().enumerate().take(geometry.lanes()) {
            let stone = candidates & layout.column(lane as u32);
            let child = parent.after(&layout, stone, completions(&layout, parent.mover | stone));
            mine[lane] = child.other;
            yours[lane] = child.mover;
            my_threats[lane] = child.other_threats;
            your_threats[lane] = child.mover_threats;
            *replies = child.candidates(&layout);
        }
        replies
    }

    /// Stones and threats of one lane.
    #[inline(always)]
    pub fn mine_and_yours(&self, lane: usize) -> MineAndYours<G::Bits> {
        MineAndYours {
            mine: self.mine.as_ref()[lane],
            yours: self.yours.as_ref()[lane],
            my_threats: self.my_threats.as_ref()[lane],
            your_threats: self.your_threats.as_ref()[lane],
        }
    }

    /// Stones and threats of one lane, by which side closes the board.
    #[inline(always)]
    pub fn sides(&self, lane: usize, mine_is_closing: bool) -> Sides<G::Bits> {
        let MineAndYours { mine, yours, my_threats, your_threats } = self.mine_and_yours(lane);
        if mine_is_closing {
            Sides {
                closing: mine,
                opposing: yours,
                closing_threats: my_threats,
                opposing_threats: your_threats,
            }
        } else {
            Sides {
                closing: yours,
                opposing: mine,
                closing_threats: your_threats,
                opposing_threats: my_threats,
            }
        }
    }

    /// True if I am the closing side: the last stone of a full board would be mine.
    #[inline(always)]
    pub fn mine_is_closing(&self) -> bool {
        !self.parent_empties.is_multiple_of(2)
    }

    /// My threats in a lane.
    #[inline(always)]
    pub fn my_threats(&self, lane: usize) -> G::Bits {
        self.my_threats.as_ref()[lane]
    }

    /// Number of empty cells in a lane.
    #[inline(always)]
    pub fn empties(&self, lane: usize) -> u32 {
        self.empties.as_ref()[lane]
    }

    /// True if it is my turn in a lane.
    #[inline(always)]
    pub fn my_turn(&self, lane: usize) -> bool {
        (self.parent_empties - self.empties(lane)).is_multiple_of(2)
    }

    /// The node in a lane.
    #[inline(always)]
    pub fn node(&self, lane: usize) -> Node<G::Bits> {
        let node = Node {
            mover: self.mine.as_ref()[lane],
            other: self.yours.as_ref()[lane],
            mover_threats: self.my_threats.as_ref()[lane],
            other_threats: self.your_threats.as_ref()[lane],
            empties: self.empties(lane),
        };
        if self.my_turn(lane) { node } else { node.turned() }
    }

    /// Sets the node of a lane and opens it.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, node: &Node<G::Bits>) {
        self.empties.as_mut()[lane] = node.empties;
        let mine_first = if self.my_turn(lane) { *node } else { node.turned() };
        self.mine.as_mut()[lane] = mine_first.mover;
        self.yours.as_mut()[lane] = mine_first.other;
        self.my_threats.as_mut()[lane] = mine_first.mover_threats;
        self.your_threats.as_mut()[lane] = mine_first.other_threats;
        self.open |= 1 << lane;
    }
}

/// The members of a bit set of lanes, in order.
#[inline(always)]
pub fn lanes_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(lane)
    })
}
