//! From questions to a score: asks one null window after the other, on one
//! thread at first and on all of them if the position is hard.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;

use super::cpu::Cpu;
use super::dispatch::Work;
use super::geometry::{Geometry, Shape};
use super::node::Node;
use super::position::Position;
use super::schedule::next_alpha;
use super::score::{Score, win_leaving, win_now};
use super::search::Searcher;
use super::threats::has_line;
use super::word::Word;
use super::{Bounds, ScoreTable};
use crate::limits::{NodeCounter, SolverLimits, Stopped};
use crate::platform::threads;

/// Nodes one thread searches alone before it calls the others: less is over
/// before they have started.
const ALONE: u64 = 50_000;

/// Nodes that each thread searches at least before the table grows again: in fewer, many threads
/// would find out nothing that is worth storing, and begin again and again.
const LEAST_SHARE: u64 = 10_000;

/// What was proved, and at what price.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Bounds of the score; they meet unless the search was stopped or asked
    /// for less.
    pub bounds: Bounds,
    /// Nodes searched so far.
    pub nodes: u64,
}

/// Narrows the bounds of a position's score until they meet or lie on one side
/// of the `wanted` bounds.
pub struct Prove<'a> {
    pub table: &'a mut ScoreTable,
    pub threads: usize,
    pub position: &'a Position,
    pub wanted: Bounds,
    pub limits: SolverLimits<'a>,
    /// Told whenever the bounds become narrower.
    pub progress: &'a mut dyn FnMut(Proof),
}

impl Work for Prove<'_> {
    type Output = Proof;

    fn run<G: Geometry, C: Cpu>(self, geometry: G, cpu: C) -> Proof {
        let (mover, other) = self.position.stones();
        let shape = geometry.shape();
        let node = Node::<G::Word>::new(&shape, mover, other);
        if let Some(score) = obvious(&shape, &node) {
            return Proof { bounds: Bounds::exact(score), nodes: 0 };
        }
        let mut team = Team {
            geometry,
            cpu,
            table: self.table,
            threads: self.threads,
            limits: self.limits,
            nodes: 0,
        };
        let mut proof = Proof { bounds: team.known(node), nodes: 0 };
        while let Some(alpha) = next_question(proof.bounds, self.wanted, node.empties) {
            let Ok(score) = team.ask(node, alpha) else { break };
            if score > alpha {
                proof.bounds.lower = score;
            } else {
                proof.bounds.upper = score;
            }
            proof.nodes = team.nodes;
            (self.progress)(proof);
        }
        Proof { nodes: team.nodes, ..proof }
    }
}

/// The score of a position that is over or that the side to move wins at once.
fn obvious<W: Word>(shape: &Shape<W>, node: &Node<W>) -> Option<Score> {
    if has_line(shape, node.other) {
        Some(-win_leaving(node.empties))
    } else if has_line(shape, node.mover) {
        Some(win_leaving(node.empties))
    } else {
        let wins = node.mover_threats & shape.playable(node.occupied());
        (!wins.is_empty()).then(|| win_now(node.empties))
    }
}

/// The next `alpha` to ask about, or `None` if all that is wanted is known.
fn next_question(known: Bounds, wanted: Bounds, empties: u32) -> Option<Score> {
    let open =
        Bounds { lower: known.lower.max(wanted.lower), upper: known.upper.min(wanted.upper) };
    (open.lower < open.upper).then(|| next_alpha(open, empties))
}

/// The threads that work on one position.
struct Team<'a, G, C> {
    geometry: G,
    cpu: C,
    table: &'a mut ScoreTable,
    threads: usize,
    limits: SolverLimits<'a>,
    nodes: u64,
}

impl<G: Geometry, C: Cpu> Team<'_, G, C> {
    fn known(&self, node: Node<G::Word>) -> Bounds {
        let counter = NodeCounter::within(self.limits);
        Searcher::new(self.geometry, self.cpu, self.table, counter, 0).known(node)
    }

    /// Contract as in [`Searcher::score`].
    fn ask(&mut self, node: Node<G::Word>, alpha: Score) -> Result<Score, Stopped> {
        if self.threads <= 1 {
            self.table.use_alone();
            return self.ask_alone(node, alpha, u64::MAX);
        }
        if self.nodes < ALONE {
            let answer = self.ask_alone(node, alpha, ALONE - self.nodes);
            if answer.is_ok() || self.nodes < ALONE {
                return answer;
            }
        }
        self.ask_together(node, alpha)
    }

    fn ask_alone(
        &mut self,
        node: Node<G::Word>,
        alpha: Score,
        most: u64,
    ) -> Result<Score, Stopped> {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let limits = SolverLimits { nodes: Some(left.min(most)), ..self.limits };
        let mut searcher =
            Searcher::new(self.geometry, self.cpu, self.table, NodeCounter::within(limits), 0);
        let answer = searcher.score(node, alpha);
        searcher.counter.publish();
        self.nodes += searcher.counter.nodes();
        answer
    }

    /// All threads ask the same question, again and again with a larger table
    /// until they have the answer. What they stored before spares them most of
    /// the way back.
    fn ask_together(&mut self, node: Node<G::Word>, alpha: Score) -> Result<Score, Stopped> {
        loop {
            let room = self.table.make_room_to_share(self.threads);
            let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
            let threads = self.threads as u64;
            let each = (room / threads).max(LEAST_SHARE).min(left / threads);
            let before = self.nodes;
            let answer = self.ask_at_once(node, alpha, each);
            let spent = self.nodes - before;
            self.table.count_shared();
            let is_full = each < left / threads && spent >= each * threads;
            if answer.is_ok() || !is_full {
                return answer;
            }
        }
    }

    /// All threads ask the same question of one table, each with its own move
    /// order; the first answer counts and stops the others. Each searches `most`
    /// nodes at most.
    fn ask_at_once(
        &mut self,
        node: Node<G::Word>,
        alpha: Score,
        most: u64,
    ) -> Result<Score, Stopped> {
        let answered = AtomicBool::new(false);
        let limits = SolverLimits { nodes: Some(most), ..self.limits };
        let (geometry, cpu, table) = (self.geometry, self.cpu, &*self.table);
        let (sender, receiver) = mpsc::channel();
        threads::scope(|scope| {
            for number in 0..self.threads as u64 {
                let (sender, answered) = (sender.clone(), &answered);
                scope.spawn(move || {
                    let counter = NodeCounter::within(limits).until(answered);
                    let mut searcher = Searcher::new(geometry, cpu, table, counter, jitter(number));
                    let answer = searcher.score(node, alpha);
                    searcher.counter.publish();
                    if answer.is_ok() {
                        answered.store(true, Relaxed);
                    }
                    // The receiver outlives the scope, so this cannot fail.
                    let _ = sender.send((answer, searcher.counter.nodes()));
                });
            }
        });
        drop(sender);
        let mut first = Err(Stopped);
        for (answer, nodes) in receiver {
            self.nodes += nodes;
            first = first.or(answer);
        }
        first
    }
}

/// An odd number of its own for each thread, and 0 for the first.
fn jitter(number: u64) -> u64 {
    if number == 0 { 0 } else { number.wrapping_mul(0xD6E8_FEB8_6659_FD93) | 1 }
}
