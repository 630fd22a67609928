//! Textbook minimax: a fixed depth, with or without alpha-beta pruning, no table, no heuristics.
//!
//! It counts nodes, leaves and cutoffs, to show what pruning and move ordering save, and the tree
//! it walks through can be looked at.

mod recorder;
mod walk;

use super::{Playable, Resources, Strategy, evaluation};
use crate::game::{Evaluate, Game};
use crate::limits::{Limits, NodeCounter, SearchControl, Stopped};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchEnd, SearchResult};
use crate::search::score::{MAX_PLY, Value};
use crate::search::tree::{MAX_TREE_NODES, SearchTree};
use crate::settings::{MoveOrder, Settings};
use recorder::Recorder;
use walk::{TreeWalk, sort_moves};

/// Minimax of fixed depth.
pub struct Minimax {
    depth: u32,
    pruning: bool,
    order: MoveOrder,
    evaluation: Option<String>,
    /// How many root moves get an exact score.
    multi_pv: usize,
}

impl Minimax {
    /// Minimax with the depth, move order, evaluation and number of lines of `settings`.
    pub fn new(settings: &Settings, pruning: bool) -> Minimax {
        Minimax {
            depth: settings.depth,
            pruning,
            order: settings.order,
            evaluation: settings.evaluation.clone(),
            multi_pv: settings.multi_pv.max(1),
        }
    }

    /// The tree of a search of `game`, which is not over, to `depth` if it is given: the very nodes
    /// that this strategy visits. Fails after a stop, or if there are more than [`MAX_TREE_NODES`].
    pub fn tree<G: Playable>(
        &self,
        game: &G,
        depth: Option<u32>,
        control: &SearchControl,
    ) -> Result<SearchTree<G::Move>, Stopped> {
        let evaluation = self.evaluation::<G>();
        let counter = NodeCounter::new(control, &Limits::default(), Some(MAX_TREE_NODES));
        let mut moves = Vec::new();
        game.legal_moves(&mut moves);
        let mut walk = self.walk(game, &*evaluation, counter, Recorder::new(game));
        let mut lines = Vec::new();
        walk.search_root(&self.ordered(&moves), self.deepest(depth), self.multi_pv, &mut lines)?;
        let (value, pv) = lines.swap_remove(0);
        Ok(SearchTree {
            root: walk.observer.finish(value),
            pv,
            pruning: self.pruning,
            nodes: walk.counter.nodes(),
            counts: walk.counts,
        })
    }

    fn evaluation<G: Playable>(&self) -> Box<dyn Evaluate<G>> {
        let chosen = self.evaluation.as_deref().and_then(evaluation);
        chosen.unwrap_or_else(|| (G::evaluations()[0].make)())
    }

    /// The depth of the search where this one, if any, is asked for.
    fn deepest(&self, asked: Option<u32>) -> u32 {
        asked.unwrap_or(self.depth).min(MAX_PLY as u32)
    }

    /// The root moves in move order.
    fn ordered<M: Copy>(&self, moves: &[M]) -> Vec<M> {
        let mut moves = moves.to_vec();
        sort_moves(&mut moves, self.order);
        moves
    }

    fn walk<'a, G: Game, O>(
        &self,
        game: &G,
        evaluation: &'a dyn Evaluate<G>,
        counter: NodeCounter<'a>,
        observer: O,
    ) -> TreeWalk<'a, G, O> {
        TreeWalk::new(game.clone(), evaluation, counter, self.pruning, self.order, observer)
    }
}

impl<G: Playable> Strategy<G> for Minimax {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        _resources: &mut Resources<'_, G>,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let evaluation = self.evaluation::<G>();
        let counter = NodeCounter::new(request.control, request.limits, request.limits.nodes);
        let mut walk = self.walk(request.game, &*evaluation, counter, ());
        let depth = self.deepest(request.limits.depth);
        let moves = self.ordered(request.moves);
        let mut found = Vec::new();
        // Stopped early, it has the lines found so far.
        let _stopped = walk.search_root(&moves, depth, self.multi_pv, &mut found);
        walk.counter.publish();
        let line = |(score, moves)| PvLine::new(Some(Value::heuristic(score).into()), moves);
        let mut lines: Vec<_> = found.into_iter().map(line).collect();
        if lines.is_empty() {
            lines.push(PvLine::new(None, vec![moves[0]]));
        }
        SearchResult {
            depth: Some((depth, walk.deepest as u32)),
            lines,
            nodes: walk.counter.nodes(),
            tree: Some(walk.counts),
            time: request.control.elapsed(),
            hashfull: None,
            end: SearchEnd::DeepEnough,
        }
    }
}
