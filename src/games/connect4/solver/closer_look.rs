//! Move ordering with more effort, for nodes far from the end of the game. They are few, but most
//! nodes lie below wrong or expensive first choices there.
//!
//! Every child that is still open is *scouted*: expanded like a node, but not searched. That may
//! decide it, and otherwise counts how many replies have to be refuted. Those left are ordered by
//! that number and by their [merit](super::merit).

use std::ops::ControlFlow::{self, Break, Continue};

use super::best::BestSoFar;
use super::bitboard::{BLOCK, Bitboard};
use super::children::{Children, MOST_BLOCKS, lanes_of};
use super::cpu::{Cpu, CpuTask};
use super::geometry::{BoardGeometry, BoardLayout};
use super::merit::merits;
use super::node::Node;
use super::score::SolverScore;
use super::search::{NullWindowSearch, fits_one_block, insert};

/// Empty cells at least: with fewer, a closer look costs more than it saves, on boards of all
/// shapes.
const LEAST_EMPTIES: u32 = 22;
/// Children are scouted only if the score in question is at least this many stones from the quickest
/// win or loss: a quick result is found soon enough.
const LEAST_DISTANCE: i32 = 14;
/// Each reply that scouting leaves open.
const OPEN_REPLY: i32 = -60;
/// Forced replies make it my turn again, not scouted.
const MY_TURN_AGAIN: i32 = 430;
/// A stone in the top row, which opens no cell above it.
const TOP_ROW: i32 = -120;
/// Each step towards the middle, in addition to that of the plain order.
const CENTRE: i32 = 7;

/// Whether a node is worth a closer look. The merit knows lines of four only.
#[inline(always)]
pub fn is_far_from_end<W>(layout: &BoardLayout<W>, node: &Node<W>) -> bool {
    layout.line == 4 && node.empties >= LEAST_EMPTIES
}

/// Scouts the children in `order` and orders those that stay undecided; yields their number, or
/// breaks on a beta cutoff.
pub struct CloserLook<'s, 'a, G: BoardGeometry, C, const B: usize> {
    pub search: &'s NullWindowSearch<'a, G, C>,
    pub node: &'s Node<G::Bits>,
    pub candidates: G::Bits,
    pub children: &'s mut Children<G, B>,
    pub best: &'s mut BestSoFar,
    pub order: &'s mut [u8],
}

impl<G: BoardGeometry, C: Cpu, const B: usize> CpuTask for CloserLook<'_, '_, G, C, B> {
    type Output = ControlFlow<SolverScore, usize>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let Self { search, node, candidates, children, best, order } = self;
        let open = order.iter().fold(0u32, |set, &lane| set | 1 << lane);
        let alpha = best.alpha;
        let scouts = node.empties as i32 - 2 * alpha.max(-alpha - 1) >= LEAST_DISTANCE;
        let mut left = 0u32;
        for lane in lanes_of(open) {
            let my_turn = children.my_turn(lane);
            let effort = if scouts {
                let alpha = if my_turn { alpha } else { -alpha - 1 };
                let scout = Scout { search, node: &children.node(lane), alpha };
                match search.cpu.run(scout) {
                    Break(score) => {
                        best.offer(if my_turn { score } else { -score })?;
                        continue;
                    }
                    Continue(_) if my_turn => 0,
                    Continue(replies) => replies as i32 * OPEN_REPLY,
                }
            } else if my_turn {
                MY_TURN_AGAIN
            } else {
                0
            };
            children.move_scores.as_flattened_mut()[lane] += effort;
            left |= 1 << lane;
        }
        if left.count_ones() > 1 {
            add_merits(search.geometry, candidates, children);
        }
        let mut count = 0;
        for lane in lanes_of(left) {
            insert(order, count, lane, children.move_scores.as_flattened());
            count += 1;
        }
        Continue(count)
    }
}

/// Adds what the cell and the lines of each child are worth to its move score.
#[inline(always)]
fn add_merits<G: BoardGeometry, const B: usize>(
    geometry: G,
    candidates: G::Bits,
    children: &mut Children<G, B>,
) {
    let layout = geometry.layout();
    let merits = merits(geometry, children);
    let top_row = layout.bottom << (layout.rows - 1);
    for stone in candidates.members() {
        let lane = geometry.lane(candidates, stone);
        let is_top = !(stone & top_row).is_empty();
        children.move_scores.as_flattened_mut()[lane] += merits.as_flattened()[lane]
            + layout.centrality(layout.column_index(stone)) * CENTRE
            + if is_top { TOP_ROW } else { 0 };
    }
}

/// Expands a quiet node without searching it: breaks with its score, in the sense of
/// [`NullWindowSearch::search`], if that decides it, and else counts the children left.
pub struct Scout<'s, 'a, G: BoardGeometry, C> {
    pub search: &'s NullWindowSearch<'a, G, C>,
    pub node: &'s Node<G::Bits>,
    pub alpha: SolverScore,
}

impl<G: BoardGeometry, C: Cpu> CpuTask for Scout<'_, '_, G, C> {
    type Output = ControlFlow<SolverScore, usize>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        let candidates = self.node.candidates(&self.search.geometry.layout());
        if fits_one_block::<G>(candidates) {
            self.filter::<1>(candidates)
        } else {
            self.filter::<MOST_BLOCKS>(candidates)
        }
    }
}

impl<G: BoardGeometry, C: Cpu> Scout<'_, '_, G, C> {
    #[inline(always)]
    fn filter<const B: usize>(self, candidates: G::Bits) -> ControlFlow<SolverScore, usize> {
        let Self { search, node, alpha } = self;
        let mut children = Children::<G, B>::new(node);
        let mut best = BestSoFar::new(alpha, node.empties);
        let mut order = [[0; BLOCK]; B];
        let order = order.as_flattened_mut();
        match search.filter_children(node, candidates, &mut children, &mut best, order)? {
            0 => Break(best.score),
            left => Continue(left),
        }
    }
}
