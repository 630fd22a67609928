//! The walk through a tree of fixed depth.

use crate::game::{Evaluate, Game, Outcome};
use crate::limits::{NodeCounter, Stopped};
use crate::search::score::{MAX_PLY, Score, Window};
use crate::search::tree::TreeCounts;
use crate::settings::MoveOrder;

/// A root move's score and principal variation.
pub(super) type RootLine<M> = (Score, Vec<M>);

/// Sees every node of a walk but the root.
pub(super) trait Observer<G: Game> {
    /// A node is entered: `game` after `mv`, with a window for its side to move.
    fn enter(&mut self, _game: &G, _mv: G::Move, _window: Window) {}

    /// The node entered last, of those not yet left, is left. `score` is for its side to move.
    fn leave(&mut self, _score: Score, _visit: Visit) {}
}

/// A search that nobody looks at.
impl<G: Game> Observer<G> for () {}

/// What was done at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    /// It was evaluated, at the full depth.
    Evaluated,
    /// The game is over.
    Final(Outcome),
    /// All but this many of its moves were searched.
    Searched { cut: usize },
}

pub(super) struct TreeWalk<'a, G: Game, O> {
    pub counter: NodeCounter<'a>,
    pub counts: TreeCounts,
    /// The greatest distance of a visited node from the root.
    pub deepest: usize,
    pub observer: O,
    game: G,
    evaluation: &'a dyn Evaluate<G>,
    pruning: bool,
    order: MoveOrder,
    /// The moves of all nodes from the root to the current one.
    moves: Vec<G::Move>,
    /// The principal variation of the node last searched at each ply.
    pv: Vec<Vec<G::Move>>,
}

impl<'a, G: Game, O> TreeWalk<'a, G, O> {
    pub fn new(
        game: G,
        evaluation: &'a dyn Evaluate<G>,
        counter: NodeCounter<'a>,
        pruning: bool,
        order: MoveOrder,
        observer: O,
    ) -> TreeWalk<'a, G, O> {
        TreeWalk {
            counter,
            counts: TreeCounts::default(),
            deepest: 0,
            observer,
            game,
            evaluation,
            pruning,
            order,
            moves: Vec::new(),
            pv: Vec::new(),
        }
    }
}

impl<G: Game, O: Observer<G>> TreeWalk<'_, G, O> {
    /// Searches `moves` and puts the best `count` of them into `lines`, best first, those searched
    /// first before their equals. If stopped, these are the best of the moves completed.
    pub fn search_root(
        &mut self,
        moves: &[G::Move],
        depth: u32,
        count: usize,
        lines: &mut Vec<RootLine<G::Move>>,
    ) -> Result<(), Stopped> {
        if depth == 0 {
            return Ok(());
        }
        for &mv in moves {
            // A move must beat the last line, once there are enough.
            let worst = lines.get(count - 1).filter(|_| self.pruning);
            let window = worst.map_or(Window::FULL, |&(score, _)| Window::FULL.raised(score));
            let score = self.child(mv, window, depth - 1, 0)?;
            let rank = lines.partition_point(|&(better, _)| better >= score);
            if rank < count {
                let line = [&[mv], &self.pv[1][..]].concat();
                lines.insert(rank, (score, line));
                lines.truncate(count);
            }
        }
        Ok(())
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
        let moves_again = self.game.side_to_move() == mover;
        let window = if moves_again { window } else { -window };
        self.observer.enter(&self.game, mv, window);
        let score = self.minimax(window, depth, ply + 1);
        self.game.undo(mv, undo);
        if moves_again { score } else { score.map(|score| -score) }
    }

    fn minimax(&mut self, window: Window, depth: u32, ply: usize) -> Result<Score, Stopped> {
        self.counter.tick()?;
        self.deepest = self.deepest.max(ply);
        if self.pv.len() <= ply {
            self.pv.resize_with(ply + 1, Vec::new);
        }
        self.pv[ply].clear();
        let (score, visit) = if let Some(outcome) = self.game.outcome() {
            self.counts.leaves += 1;
            let score = Score::of_outcome(outcome, self.game.side_to_move(), ply);
            (score, Visit::Final(outcome))
        } else if depth == 0 || ply >= MAX_PLY {
            self.counts.leaves += 1;
            (Score::heuristic(self.evaluation.evaluate(&self.game)), Visit::Evaluated)
        } else {
            let first = self.moves.len();
            self.game.legal_moves(&mut self.moves);
            sort_moves(&mut self.moves[first..], self.order);
            let (score, cut) = self.search_moves(first, window, depth, ply)?;
            self.moves.truncate(first);
            self.counts.cutoffs += u64::from(cut > 0);
            (score, Visit::Searched { cut })
        };
        self.observer.leave(score, visit);
        Ok(score)
    }

    /// The best score of the moves from `first` on, and how many of them were cut off.
    fn search_moves(
        &mut self,
        first: usize,
        mut window: Window,
        depth: u32,
        ply: usize,
    ) -> Result<(Score, usize), Stopped> {
        let mut best = -Score::INFINITE;
        for index in first..self.moves.len() {
            let mv = self.moves[index];
            let score = self.child(mv, window, depth - 1, ply)?;
            if score > best {
                best = score;
                let (here, below) = self.pv.split_at_mut(ply + 1);
                here[ply].clear();
                here[ply].push(mv);
                here[ply].extend_from_slice(&below[0]);
            }
            if self.pruning {
                if best >= window.beta {
                    return Ok((best, self.moves.len() - index - 1));
                }
                window = window.raised(best);
            }
        }
        Ok((best, 0))
    }
}

/// Sorts moves, given in the game's natural order, into `order`.
pub(super) fn sort_moves<M: Copy>(moves: &mut [M], order: MoveOrder) {
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
