//! Textbook minimax: a fixed depth, with or without alpha-beta pruning, no table, no heuristics.
//!
//! It counts nodes and leaves, to show what pruning and move ordering save.

use super::{Playable, Resources, Strategy};
use crate::game::{Evaluate, Game};
use crate::limits::{NodeCounter, Stopped};
use crate::search::SearchRequest;
use crate::search::result::{PvLine, SearchResult};
use crate::search::score::{MAX_PLY, Score, Value, Window};
use crate::settings::{MoveOrder, Settings};

/// Minimax of fixed depth.
pub struct Minimax {
    depth: u32,
    pruning: bool,
    order: MoveOrder,
    evaluation: String,
}

impl Minimax {
    /// Minimax with the depth, move order and evaluation of `settings`.
    pub fn new(settings: &Settings, pruning: bool) -> Minimax {
        Minimax {
            depth: settings.depth,
            pruning,
            order: settings.order,
            evaluation: settings.evaluation.clone(),
        }
    }
}

impl<G: Playable> Strategy<G> for Minimax {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        _resources: &mut Resources<'_, G>,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let evaluations = G::evaluations();
        let chosen = evaluations.iter().find(|evaluation| evaluation.name == self.evaluation);
        let evaluation = (chosen.unwrap_or(&evaluations[0]).make)();
        let mut walk = TreeWalk {
            game: request.game.clone(),
            evaluation: &*evaluation,
            counter: NodeCounter::new(request.control, request.limits, request.limits.nodes),
            pruning: self.pruning,
            order: self.order,
            leaves: 0,
            deepest: 0,
            moves: Vec::new(),
        };
        let depth = request.limits.depth.unwrap_or(self.depth).min(MAX_PLY as u32);
        let line = walk.best_move(request.moves, depth);
        walk.counter.publish();
        SearchResult {
            depth: Some((depth, walk.deepest as u32)),
            lines: vec![line],
            nodes: walk.counter.nodes(),
            leaves: Some(walk.leaves),
            time: request.control.elapsed(),
            hashfull: None,
        }
    }
}

struct TreeWalk<'a, G: Game> {
    game: G,
    evaluation: &'a dyn Evaluate<G>,
    counter: NodeCounter<'a>,
    pruning: bool,
    order: MoveOrder,
    leaves: u64,
    /// The greatest distance of a visited node from the root.
    deepest: usize,
    /// The moves of all nodes from the root to the current one.
    moves: Vec<G::Move>,
}

impl<G: Game> TreeWalk<'_, G> {
    /// The first of the best moves; if stopped, of those searched so far.
    fn best_move(&mut self, moves: &[G::Move], depth: u32) -> PvLine<G::Move> {
        let mut ordered = moves.to_vec();
        sort_moves(&mut ordered, self.order);
        let mut best = PvLine::new(None, vec![ordered[0]]);
        let mut best_score = -Score::INFINITE;
        if depth == 0 {
            return best;
        }
        let mut window = Window::FULL;
        for &mv in &ordered {
            let Ok(score) = self.child(mv, window, depth - 1, 0) else {
                break;
            };
            if score > best_score {
                best_score = score;
                best = PvLine::new(Some(Value::heuristic(score).into()), vec![mv]);
                if self.pruning {
                    window = window.raised(score);
                }
            }
        }
        best
    }

    /// The score of `mv` for its mover, whichever side moves next.
    fn child(
        &mut self,
        mv: G::Move,
        window: Window,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mover = self.game.side_to_move();
        let undo = self.game.play(mv);
        let score = if self.game.side_to_move() == mover {
            self.minimax(window, depth, ply + 1)
        } else {
            self.minimax(-window, depth, ply + 1).map(|score| -score)
        };
        self.game.undo(mv, undo);
        score
    }

    fn minimax(&mut self, window: Window, depth: u32, ply: usize) -> Result<Score, Stopped> {
        self.counter.tick()?;
        self.deepest = self.deepest.max(ply);
        if let Some(outcome) = self.game.outcome() {
            self.leaves += 1;
            return Ok(Score::of_outcome(outcome, self.game.side_to_move(), ply));
        }
        if depth == 0 || ply >= MAX_PLY {
            self.leaves += 1;
            return Ok(Score::heuristic(self.evaluation.evaluate(&self.game)));
        }
        let first = self.moves.len();
        self.game.legal_moves(&mut self.moves);
        sort_moves(&mut self.moves[first..], self.order);
        let result = self.search_moves(first, window, depth, ply);
        self.moves.truncate(first);
        result
    }

    fn search_moves(
        &mut self,
        first: usize,
        mut window: Window,
        depth: u32,
        ply: usize,
    ) -> Result<Score, Stopped> {
        let mut best = -Score::INFINITE;
        for index in first..self.moves.len() {
            best = best.max(self.child(self.moves[index], window, depth - 1, ply)?);
            if self.pruning {
                if best >= window.beta {
                    break;
                }
                window = window.raised(best);
            }
        }
        Ok(best)
    }
}

/// Sorts moves, given in the game's natural order, into `order`.
fn sort_moves<M: Copy>(moves: &mut [M], order: MoveOrder) {
    match order {
        MoveOrder::Left => {}
        MoveOrder::Right => moves.reverse(),
        MoveOrder::Centre => {
            let listed = moves.to_vec();
            let middle = (listed.len() - 1) / 2;
            for (place, mv) in moves.iter_mut().enumerate() {
                let offset = place.div_ceil(2);
                *mv =
                    if place % 2 == 1 { listed[middle + offset] } else { listed[middle - offset] };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sorted(count: u8, order: MoveOrder) -> Vec<u8> {
        let mut moves: Vec<u8> = (1..=count).collect();
        sort_moves(&mut moves, order);
        moves
    }

    #[test]
    fn moves_are_sorted_from_the_left_the_right_or_the_centre() {
        assert_eq!(sorted(4, MoveOrder::Left), [1, 2, 3, 4]);
        assert_eq!(sorted(4, MoveOrder::Right), [4, 3, 2, 1]);
        assert_eq!(sorted(7, MoveOrder::Centre), [4, 5, 3, 6, 2, 7, 1]);
        assert_eq!(sorted(8, MoveOrder::Centre), [4, 5, 3, 6, 2, 7, 1, 8]);
        assert_eq!(sorted(1, MoveOrder::Centre), [1]);
        assert_eq!(sorted(2, MoveOrder::Centre), [1, 2]);
    }
}
