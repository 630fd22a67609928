//! Stones and threats by which side closes the board.
//!
//! The *closing* side is the one that would place the last stone of a full board;
//! the other one is the *opposing* side. See `bounds` for what that decides.

use super::bitboard::{Bitboard, LaneBlock};
use super::node::Node;

/// Stones and threats of both sides, in one position or in a block of lanes.
#[derive(Clone, Copy)]
pub struct Sides<B> {
    /// Stones of the closing side.
    pub closing: B,
    /// Stones of the opposing side.
    pub opposing: B,
    /// Threats of the closing side.
    pub closing_threats: B,
    /// Threats of the opposing side.
    pub opposing_threats: B,
}

/// True if the side to move with this many empty cells is the closing one.
#[inline(always)]
pub fn is_closing(empties: u32) -> bool {
    !empties.is_multiple_of(2)
}

impl<B: Copy> Sides<B> {
    /// The same, or with the sides exchanged.
    #[inline(always)]
    pub fn seen_by(self, same_side: bool) -> Self {
        if same_side {
            return self;
        }
        Self {
            closing: self.opposing,
            opposing: self.closing,
            closing_threats: self.opposing_threats,
            opposing_threats: self.closing_threats,
        }
    }

    /// One lane of a block.
    #[inline(always)]
    pub fn lane<W>(&self, lane: usize) -> Sides<W>
    where
        B: LaneBlock<W>,
    {
        Sides {
            closing: self.closing.get(lane),
            opposing: self.opposing.get(lane),
            closing_threats: self.closing_threats.get(lane),
            opposing_threats: self.opposing_threats.get(lane),
        }
    }

    /// Replaces one lane of a block.
    #[inline(always)]
    pub fn set<W>(&mut self, lane: usize, sides: Sides<W>)
    where
        B: LaneBlock<W>,
    {
        self.closing.set(lane, sides.closing);
        self.opposing.set(lane, sides.opposing);
        self.closing_threats.set(lane, sides.closing_threats);
        self.opposing_threats.set(lane, sides.opposing_threats);
    }
}

impl<W: Bitboard> Sides<W> {
    /// The sides of a node, the side to move taken for the closing one.
    #[inline(always)]
    pub fn of(node: &Node<W>) -> Self {
        Self {
            closing: node.mover,
            opposing: node.other,
            closing_threats: node.mover_threats,
            opposing_threats: node.other_threats,
        }
    }

    /// The same in all lanes of a block.
    #[inline(always)]
    pub fn splat(self) -> Sides<W::Block> {
        Sides {
            closing: LaneBlock::splat(self.closing),
            opposing: LaneBlock::splat(self.opposing),
            closing_threats: LaneBlock::splat(self.closing_threats),
            opposing_threats: LaneBlock::splat(self.opposing_threats),
        }
    }

    /// The node with these sides and this many empty cells.
    #[inline(always)]
    pub fn node(self, empties: u32) -> Node<W> {
        let sides = self.seen_by(is_closing(empties));
        Node {
            mover: sides.closing,
            other: sides.opposing,
            mover_threats: sides.closing_threats,
            other_threats: sides.opposing_threats,
            empties,
        }
    }
}
