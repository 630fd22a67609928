//! The tree of a plain search, in words.

use super::{AnyGame, TypedGame};
use crate::game::explain::Explain;
use crate::game::{MoveNotation, Notation};
use crate::limits::SearchControl;
use crate::protocol::command::TreeRequest;
use crate::search::tree::{MAX_TREE_NODES, NodeKind, SearchTree, TreeNode};
use crate::settings::Settings;
use crate::strategy::{self, Playable};

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// The reply to `tree`.
    pub(super) fn search_tree(
        &self,
        request: &TreeRequest,
        settings: &Settings,
        control: &SearchControl,
    ) -> Result<SearchTree<String>, String> {
        let mut root = TypedGame::new(self.title.clone(), self.game.clone());
        root.notation = self.notation;
        for (index, mv) in request.moves.iter().enumerate() {
            root.play(mv).map_err(|reason| format!("move {}, {reason}", index + 1))?;
        }
        let mut game = root.game;
        if let Some(outcome) = game.outcome() {
            return Err(format!("the game is over ({outcome})"));
        }
        let tree = strategy::plain(settings).tree(&game, request.depth, control);
        let tree = tree.map_err(|_| match control.is_stopped() {
            true => "stopped before the end".to_owned(),
            false => format!(
                "the tree has more than {MAX_TREE_NODES} nodes: expected a smaller depth, or pruning"
            ),
        })?;
        Ok(SearchTree {
            pv: line_in_words(&game, &tree.pv, self.notation),
            root: in_words(tree.root, &mut game, self.notation),
            pruning: tree.pruning,
            nodes: tree.nodes,
            counts: tree.counts,
        })
    }
}

/// The same node with texts for moves. `game` is the position before its move, or the root.
fn in_words<G: Notation>(
    node: TreeNode<G::Move>,
    game: &mut G,
    notation: MoveNotation,
) -> TreeNode<String> {
    let text = node.mv.map(|mv| game.text_of(mv, notation));
    let undo = node.mv.map(|mv| (mv, game.play(mv)));
    let kind = match node.kind {
        NodeKind::Searched { is_max, cut, children } => {
            let children = children.into_iter().map(|child| in_words(child, game, notation));
            NodeKind::Searched { is_max, cut, children: children.collect() }
        }
        NodeKind::Evaluated => NodeKind::Evaluated,
        NodeKind::Final(outcome) => NodeKind::Final(outcome),
    };
    if let Some((mv, undo)) = undo {
        game.undo(mv, undo);
    }
    TreeNode { mv: text, value: node.value, window: node.window, kind }
}

/// The texts of moves that follow each other from `game` on.
pub(super) fn line_in_words<G: Notation>(
    game: &G,
    moves: &[G::Move],
    notation: MoveNotation,
) -> Vec<String> {
    let mut game = game.clone();
    let word = |&mv: &G::Move| {
        let text = game.text_of(mv, notation);
        game.play(mv);
        text
    };
    moves.iter().map(word).collect()
}
