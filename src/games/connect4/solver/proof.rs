//! Proves scores: one null window after the other, on one thread at first and on
//! all of them (ABDADA) if the position is hard.

use super::bitboard::Bitboard;
use super::cpu::Cpu;
use super::dispatch::SolverTask;
use super::geometry::{BoardGeometry, BoardLayout};
use super::node::Node;
use super::position::Position;
use super::schedule::next_alpha;
use super::score::{SolverScore, win_leaving, win_now};
use super::search::NullWindowSearch;
use super::threats::has_line;
use super::{Bounds, ScoreTable};
use crate::bound_table::BusyPositions;
use crate::limits::{NodeCounter, SolverLimits, Stopped};
use crate::platform::threads::race;

/// Nodes one thread searches alone before the others start: less takes no longer
/// than starting them.
const SINGLE_THREAD_NODES: u64 = 50_000;

/// Nodes each thread searches at least before the table grows again, so that many
/// threads get somewhere before they start over.
const MIN_NODES_PER_THREAD: u64 = 10_000;

/// What was proved, and the nodes it took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Bounds of the score; they meet unless the search was stopped or less was
    /// wanted.
    pub bounds: Bounds,
    /// Nodes searched so far.
    pub nodes: u64,
}

/// Narrows the bounds of a position's score until they meet or lie on one side
/// of the `wanted` bounds.
pub struct ProofTask<'a> {
    pub table: &'a mut ScoreTable,
    pub threads: usize,
    pub position: &'a Position,
    pub wanted: Bounds,
    pub limits: SolverLimits<'a>,
    /// Called whenever the bounds become narrower.
    pub progress: &'a mut dyn FnMut(Proof),
}

impl SolverTask for ProofTask<'_> {
    type Output = Proof;

    fn run<G: BoardGeometry, C: Cpu>(self, geometry: G, cpu: C) -> Proof {
        let (mover, other) = self.position.stones();
        let layout = geometry.layout();
        let node = Node::<G::Bits>::new(&layout, mover, other);
        if let Some(score) = immediate_score(&layout, &node) {
            return Proof { bounds: Bounds::exact(score), nodes: 0 };
        }
        let mut search = ParallelSearch {
            geometry,
            cpu,
            table: self.table,
            threads: self.threads,
            limits: self.limits,
            nodes: 0,
        };
        let mut proof = Proof { bounds: search.probe(node), nodes: 0 };
        while let Some(alpha) = next_window(proof.bounds, self.wanted, node.empties) {
            let Ok(score) = search.search(node, alpha) else { break };
            if score > alpha {
                proof.bounds.lower = score;
            } else {
                proof.bounds.upper = score;
            }
            proof.nodes = search.nodes;
            (self.progress)(proof);
        }
        Proof { nodes: search.nodes, ..proof }
    }
}

/// The score of a position that is over or that the side to move wins at once.
fn immediate_score<W: Bitboard>(layout: &BoardLayout<W>, node: &Node<W>) -> Option<SolverScore> {
    if has_line(layout, node.other) {
        Some(-win_leaving(node.empties))
    } else if has_line(layout, node.mover) {
        Some(win_leaving(node.empties))
    } else {
        let wins = node.mover_threats & layout.playable(node.occupied());
        (!wins.is_empty()).then(|| win_now(node.empties))
    }
}

/// The `alpha` of the next null window, or `None` if all that is wanted is known.
fn next_window(known: Bounds, wanted: Bounds, empties: u32) -> Option<SolverScore> {
    let open =
        Bounds { lower: known.lower.max(wanted.lower), upper: known.upper.min(wanted.upper) };
    (open.lower < open.upper).then(|| next_alpha(open, empties))
}

/// Null-window search of one position on several threads.
struct ParallelSearch<'a, G, C> {
    geometry: G,
    cpu: C,
    table: &'a mut ScoreTable,
    threads: usize,
    limits: SolverLimits<'a>,
    nodes: u64,
}

impl<G: BoardGeometry, C: Cpu> ParallelSearch<'_, G, C> {
    fn probe(&self, node: Node<G::Bits>) -> Bounds {
        let counter = NodeCounter::within(self.limits);
        NullWindowSearch::new(self.geometry, self.cpu, self.table, counter, None).probe(node)
    }

    /// Contract as in [`NullWindowSearch::search`].
    fn search(&mut self, node: Node<G::Bits>, alpha: SolverScore) -> Result<SolverScore, Stopped> {
        if self.threads <= 1 {
            self.table.use_alone();
            return self.search_alone(node, alpha, u64::MAX);
        }
        if self.nodes < SINGLE_THREAD_NODES {
            let result = self.search_alone(node, alpha, SINGLE_THREAD_NODES - self.nodes);
            if result.is_ok() || self.nodes < SINGLE_THREAD_NODES {
                return result;
            }
        }
        self.search_together(node, alpha)
    }

    fn search_alone(
        &mut self,
        node: Node<G::Bits>,
        alpha: SolverScore,
        most: u64,
    ) -> Result<SolverScore, Stopped> {
        let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let limits = SolverLimits { nodes: Some(left.min(most)), ..self.limits };
        let mut search = NullWindowSearch::new(
            self.geometry,
            self.cpu,
            self.table,
            NodeCounter::within(limits),
            None,
        );
        let result = search.search(node, alpha);
        search.counter.publish();
        self.nodes += search.counter.nodes();
        result
    }

    /// All threads search the same window, again with a larger table each time it is
    /// full. The entries stored before save most of the repeated work.
    fn search_together(
        &mut self,
        node: Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        loop {
            let room = self.table.make_room_to_share(self.threads, 0);
            let left = self.limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
            let threads = self.threads as u64;
            let each = (room / threads).max(MIN_NODES_PER_THREAD).min(left / threads);
            let before = self.nodes;
            let result = self.run_threads(node, alpha, each);
            let spent = self.nodes - before;
            self.table.count_shared();
            let is_full = each < left / threads && spent >= each * threads;
            if result.is_ok() || !is_full {
                return result;
            }
        }
    }

    /// All threads search the same window with one table, and each avoids what another is
    /// searching; the first result counts and stops the others. Each searches `most` nodes
    /// at most.
    fn run_threads(
        &mut self,
        node: Node<G::Bits>,
        alpha: SolverScore,
        most: u64,
    ) -> Result<SolverScore, Stopped> {
        let busy = BusyPositions::default();
        let limits = SolverLimits { nodes: Some(most), ..self.limits };
        let (geometry, cpu, table) = (self.geometry, self.cpu, &*self.table);
        let (first, nodes) = race(self.threads, |done| {
            let counter = NodeCounter::within(limits).until(done);
            let mut search = NullWindowSearch::new(geometry, cpu, table, counter, Some(&busy));
            let result = search.search(node, alpha);
            search.counter.publish();
            (result.ok(), search.counter.nodes())
        });
        self.nodes += nodes;
        first.ok_or(Stopped)
    }
}
