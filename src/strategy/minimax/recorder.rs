//! Keeps the nodes of a walk as a tree.

use super::walk::{Observer, Visit};
use crate::game::{Game, Side};
use crate::search::score::{Score, Window};
use crate::search::tree::{NodeKind, TreeNode};

/// An [`Observer`] that keeps what it sees, from the point of view of the root's side to move.
pub(super) struct Recorder<G: Game> {
    root_side: Side,
    /// The nodes entered and not yet left, from the root on.
    path: Vec<OpenNode<G::Move>>,
}

/// A node that was entered and not yet left.
struct OpenNode<M> {
    mv: Option<M>,
    is_max: bool,
    window: Window,
    children: Vec<TreeNode<M>>,
}

impl<M> OpenNode<M> {
    /// The node as it is left, with a score for its side to move.
    fn close(self, score: Score, visit: Visit) -> TreeNode<M> {
        let OpenNode { mv, is_max, window, children } = self;
        let kind = match visit {
            Visit::Evaluated => NodeKind::Evaluated,
            Visit::Final(outcome) => NodeKind::Final(outcome),
            Visit::Searched { cut } => NodeKind::Searched { is_max, cut, children },
        };
        let (value, window) = if is_max { (score, window) } else { (-score, -window) };
        TreeNode { mv, value, window, kind }
    }
}

impl<G: Game> Recorder<G> {
    /// A recorder of a walk from `root`.
    pub fn new(root: &G) -> Recorder<G> {
        let root_node = OpenNode { mv: None, is_max: true, window: Window::FULL, children: vec![] };
        Recorder { root_side: root.side_to_move(), path: vec![root_node] }
    }

    /// The whole tree, given the score of the root.
    pub fn finish(mut self, score: Score) -> TreeNode<G::Move> {
        self.path.swap_remove(0).close(score, Visit::Searched { cut: 0 })
    }
}

impl<G: Game> Observer<G> for Recorder<G> {
    fn enter(&mut self, game: &G, mv: G::Move, window: Window) {
        let is_max = game.side_to_move() == self.root_side;
        self.path.push(OpenNode { mv: Some(mv), is_max, window, children: Vec::new() });
    }

    fn leave(&mut self, score: Score, visit: Visit) {
        if let Some(node) = self.path.pop()
            && let Some(parent) = self.path.last_mut()
        {
            parent.children.push(node.close(score, visit));
        }
    }
}
