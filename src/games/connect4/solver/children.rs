//! The children of one node, one to a lane, so that one vector instruction
//! works on several of them.

use super::bitboard::{BLOCK, Bitboard, LaneBlock};
use super::geometry::{BlockOf, BoardGeometry, WordOf};
use super::node::Node;
use super::sides::{Sides, is_closing};
use super::threats::completions;
use crate::bound_table::MixedKey;

/// A `T` for each lane of `B` blocks.
pub type PerLane<T, const B: usize> = [[T; BLOCK]; B];
/// A number for each lane, of which only counts whether it is 0.
pub type Flags<const B: usize> = PerLane<u64, B>;

/// Blocks that have room for the children of every node.
pub const MOST_BLOCKS: usize = 4;

/// Positions that follow from one parent. The geometry says which move belongs to which lane.
///
/// "I" am the side to move in the parent, no matter which side is to move in the lane. Only open
/// lanes are meaningful.
pub struct Children<G: BoardGeometry, const B: usize> {
    /// Stones and threats by which side closes the board, as the static bounds want them.
    pub sides: [Sides<BlockOf<G>>; B],
    empties: PerLane<u32, B>,
    /// Keys of the positions.
    pub keys: PerLane<MixedKey<WordOf<G>>, B>,
    /// Move ordering: higher is searched earlier.
    pub move_scores: PerLane<i32, B>,
    /// The lanes that are still open, as a bit set.
    pub open: u32,
    /// Blocks of lanes in use.
    pub blocks: usize,
    parent_empties: u32,
}

impl<G: BoardGeometry, const B: usize> Children<G, B> {
    /// No children of `parent` yet. (Lanes that were cleared instead would cost a call in WebAssembly.)
    #[inline(always)]
    pub fn new(parent: &Node<G::Bits>) -> Self {
        let parent_empties = parent.empties;
        Self {
            sides: [Sides::of(parent).splat(); B],
            empties: [[parent_empties.saturating_sub(1); BLOCK]; B],
            keys: [[MixedKey::default(); BLOCK]; B],
            move_scores: [[0; BLOCK]; B],
            open: 0,
            blocks: 1,
            parent_empties,
        }
    }

    /// Plays every candidate of the quiet node `parent`, all lanes at once, and
    /// returns where the other side has several candidates.
    #[inline(always)]
    pub fn expand(&mut self, geometry: G, parent: &Node<G::Bits>, candidates: G::Bits) -> Flags<B> {
        let layout = geometry.layout();
        let stones = geometry.stones::<B>(candidates);
        let mut several_replies = [[0; BLOCK]; B];
        self.blocks = if B == 1 { 1 } else { (candidates.count() as usize).div_ceil(BLOCK) };
        let yours_is_closing = !self.mine_is_closing();
        for block in 0..self.blocks {
            let stones = stones[block];
            let mut several = [0; BLOCK];
            let sides = &mut self.sides[block];
            for (lane, several) in several.iter_mut().enumerate() {
                let stone = stones.get(lane);
                let completions = completions(&layout, parent.mover | stone);
                let child = parent.after(&layout, stone, completions);
                sides.set(lane, Sides::of(&child).seen_by(yours_is_closing));
                *several = child.candidates(&layout).without_lowest().flag();
            }
            several_replies[block] = several;
        }
        several_replies
    }

    /// True if I am the closing side: the last stone of a full board would be mine.
    #[inline(always)]
    pub fn mine_is_closing(&self) -> bool {
        is_closing(self.parent_empties)
    }

    /// My threats in a lane.
    #[inline(always)]
    pub fn my_threats(&self, lane: usize) -> G::Bits {
        let sides = &self.sides[lane / BLOCK];
        let threats =
            if self.mine_is_closing() { &sides.closing_threats } else { &sides.opposing_threats };
        threats.get(lane % BLOCK)
    }

    /// Number of empty cells in a lane.
    #[inline(always)]
    pub fn empties(&self, lane: usize) -> u32 {
        self.empties.as_flattened()[lane]
    }

    /// True if it is my turn in a lane.
    #[inline(always)]
    pub fn my_turn(&self, lane: usize) -> bool {
        (self.parent_empties - self.empties(lane)).is_multiple_of(2)
    }

    /// The node in a lane.
    #[inline(always)]
    pub fn node(&self, lane: usize) -> Node<G::Bits> {
        let sides = self.sides[lane / BLOCK].lane(lane % BLOCK);
        sides.node(self.empties(lane))
    }

    /// Sets the node of a lane and opens it.
    #[inline(always)]
    pub fn set(&mut self, lane: usize, node: &Node<G::Bits>) {
        self.empties.as_flattened_mut()[lane] = node.empties;
        let sides = Sides::of(node).seen_by(is_closing(node.empties));
        self.sides[lane / BLOCK].set(lane % BLOCK, sides);
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
