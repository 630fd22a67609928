//! The tree of a fixed-depth search, for people who want to see what was searched.

use super::score::{Score, Window};
use super::transposition_table::Bound;
use crate::game::Outcome;

/// The most nodes of a tree that is shown.
pub const MAX_TREE_NODES: u64 = 100_000;

/// What the fixed-depth strategies count besides nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TreeCounts {
    /// Nodes that were evaluated or final.
    pub leaves: u64,
    /// Nodes at which at least one move was not searched, since the value could not matter any more.
    pub cutoffs: u64,
}

/// A whole tree. Values and windows are for the side to move at the root, called *max*. `M` is a
/// move, or its text on the way out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchTree<M> {
    /// The root.
    pub root: TreeNode<M>,
    /// The principal variation.
    pub pv: Vec<M>,
    /// Whether the search could cut off moves.
    pub pruning: bool,
    /// Nodes without the root.
    pub nodes: u64,
    /// What else was counted.
    pub counts: TreeCounts,
}

/// A position that was visited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeNode<M> {
    /// The move that leads to it; none at the root.
    pub mv: Option<M>,
    /// What the search returned, see [`TreeNode::bound`].
    pub value: Score,
    /// The window with which the node was entered.
    pub window: Window,
    /// What was done with it.
    pub kind: NodeKind<M>,
}

/// What was done with a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind<M> {
    /// Its moves were searched.
    Searched {
        /// Whether the side to move is that of the root.
        is_max: bool,
        /// How many moves were cut off.
        cut: usize,
        /// What the others led to, in the order of the search.
        children: Vec<TreeNode<M>>,
    },
    /// It was evaluated.
    Evaluated,
    /// The game ended like this.
    Final(Outcome),
}

impl<M> TreeNode<M> {
    /// What the value says about the minimax value of the position. Beyond the window a search
    /// looks no further than it must; within it, it is exact.
    pub fn bound(&self) -> Bound {
        match self.kind {
            NodeKind::Searched { .. } if self.value <= self.window.alpha => Bound::Upper,
            NodeKind::Searched { .. } if self.value >= self.window.beta => Bound::Lower,
            _ => Bound::Exact,
        }
    }
}
