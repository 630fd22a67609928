//! The recursive null-window search (negamax, fail-soft).
//!
//! Knows one thread, one window and the table; knows nothing of schedules or what
//! the caller wants the score for.

use std::ops::ControlFlow::{self, Break, Continue};

use super::best::BestSoFar;
use super::bitboard::{BLOCK, Bitboard};
use super::bounds::StaticBounds;
use super::children::{Children, MOST_BLOCKS, lanes_of};
use super::closer_look::{CloserLook, is_far_from_end};
use super::cpu::{Cpu, CpuTask};
use super::geometry::{BoardGeometry, WordOf};
use super::move_order::move_score;
use super::node::{Node, Playout};
use super::score::{SolverScore, win_leaving};
use super::sharing::is_shared;
use super::{Bounds, ScoreTable};
use crate::bound_table::{BusyPositions, KeyMixer, MixedKey};
use crate::limits::{NodeCounter, Stopped};

/// Plies from the empty board in which mirror images share a table entry. Later
/// they rarely meet, and mirroring costs more than it saves.
const MIRRORED_PLIES: u32 = 14;

/// One thread's search.
pub struct NullWindowSearch<'a, G, C> {
    pub(super) geometry: G,
    pub(super) cpu: C,
    pub(super) table: &'a ScoreTable,
    /// Counts nodes and checks limits.
    pub counter: NodeCounter<'a>,
    /// What all threads are searching, if there are several.
    busy: Option<&'a BusyPositions>,
}

impl<'a, G: BoardGeometry, C: Cpu> NullWindowSearch<'a, G, C> {
    /// A search with `table`, which must have been reset for this geometry.
    pub fn new(
        geometry: G,
        cpu: C,
        table: &'a ScoreTable,
        counter: NodeCounter<'a>,
        busy: Option<&'a BusyPositions>,
    ) -> Self {
        Self { geometry, cpu, table, counter, busy }
    }

    /// Searches any node whose side to move cannot win at once.
    ///
    /// If the score is at most `alpha` then `score <= result <= alpha`,
    /// otherwise `alpha < result <= score`.
    pub fn search(
        &mut self,
        node: Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        match node.play_forced(&self.geometry.layout()) {
            Playout::Decided(score, true) => Ok(score),
            Playout::Decided(score, false) => Ok(-score),
            Playout::Quiet(node, same_side) => self.search_either(&node, same_side, alpha),
        }
    }

    /// What forced moves and the table decide, without a search, about a node
    /// whose side to move cannot win at once.
    pub fn probe(&self, node: Node<G::Bits>) -> Bounds {
        match node.play_forced(&self.geometry.layout()) {
            Playout::Decided(score, true) => Bounds::exact(score),
            Playout::Decided(score, false) => Bounds::exact(-score),
            Playout::Quiet(node, same_side) => self
                .table
                .probe(self.key(node.key(), node.empties), quiet_bounds(node.empties))
                .bounds
                .seen_by(same_side),
        }
    }

    /// Searches a quiet node whose side to move is the same as the caller's, or the other.
    #[inline(always)]
    fn search_either(
        &mut self,
        node: &Node<G::Bits>,
        same_side: bool,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        let cpu = self.cpu;
        if same_side {
            cpu.run(QuietSearch { search: self, node, alpha })
        } else {
            cpu.run(QuietSearch { search: self, node, alpha: -alpha - 1 }).map(|score| -score)
        }
    }

    /// Searches a quiet node: one with two candidates or more. Contract as in
    /// [`Self::search`].
    #[inline(always)]
    fn search_quiet(
        &mut self,
        node: &Node<G::Bits>,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        let candidates = node.candidates(&self.geometry.layout());
        if fits_one_block::<G>(candidates) {
            self.search_candidates::<1>(node, candidates, alpha)
        } else {
            self.search_candidates::<MOST_BLOCKS>(node, candidates, alpha)
        }
    }

    /// Searches the candidates of a quiet node in this many blocks of lanes. Contract as in
    /// [`Self::search`].
    #[inline(always)]
    fn search_candidates<const B: usize>(
        &mut self,
        node: &Node<G::Bits>,
        candidates: G::Bits,
        alpha: SolverScore,
    ) -> Result<SolverScore, Stopped> {
        // 1. Count the node and check the limits.
        self.counter.tick()?;
        let started = self.counter.nodes();

        // 2. Decide children by static bounds and the table.
        let mut children = Children::<G, B>::new(node);
        let mut best = BestSoFar::new(alpha, node.empties);
        let mut order = [[0u8; BLOCK]; B];
        let order = order.as_flattened_mut();
        let filtered = self.filter_children(node, candidates, &mut children, &mut best, order);
        let mut left = match filtered {
            Continue(left) => left,
            Break(score) => return Ok(score),
        };

        // 3. Far from the end, look closer at those left.
        if left > 1 && is_far_from_end(&self.geometry.layout(), node) {
            let cpu = self.cpu;
            let closer_look = CloserLook {
                search: self,
                node,
                candidates,
                children: &mut children,
                best: &mut best,
                order: &mut order[..left],
            };
            left = match cpu.run(closer_look) {
                Continue(left) => left,
                Break(score) => return Ok(score),
            };
        }

        // 4. Search those left, best move score first.
        let order = &mut order[..left];
        match self.busy {
            Some(busy) if is_shared(node) => {
                self.search_shared(busy, node, &children, &mut best, order)?;
            }
            _ => {
                for &mut lane in order {
                    if self.search_lane(&children, usize::from(lane), &mut best)?.is_break() {
                        break;
                    }
                }
            }
        }

        // 5. Store, unless the same is found again without a search.
        let searched = self.counter.nodes() - started;
        if searched > 0 {
            let key = self.key(node.key(), node.empties);
            self.table.store(key, best.score, best.score <= alpha, searched, None);
        }
        Ok(best.score)
    }

    /// Searches one child; breaks on a beta cutoff.
    #[inline(always)]
    pub(super) fn search_lane<const B: usize>(
        &mut self,
        children: &Children<G, B>,
        lane: usize,
        best: &mut BestSoFar,
    ) -> Result<ControlFlow<SolverScore>, Stopped> {
        let (child, my_turn) = (children.node(lane), children.my_turn(lane));
        Ok(best.offer(self.search_either(&child, my_turn, best.alpha)?))
    }

    /// What the table knows about a child, seen from the parent.
    #[inline(always)]
    pub(super) fn known_bounds<const B: usize>(
        &self,
        children: &Children<G, B>,
        lane: usize,
    ) -> Bounds {
        let trivial = quiet_bounds(children.empties(lane));
        let entry = self.table.probe(children.keys.as_flattened()[lane], trivial);
        entry.bounds.seen_by(children.my_turn(lane))
    }

    /// Expands the node and closes every lane that can be decided without a search;
    /// breaks on a beta cutoff. Orders the lanes left and returns their number.
    #[inline(always)]
    pub(super) fn filter_children<const B: usize>(
        &self,
        node: &Node<G::Bits>,
        candidates: G::Bits,
        children: &mut Children<G, B>,
        best: &mut BestSoFar,
        order: &mut [u8],
    ) -> ControlFlow<SolverScore, usize> {
        self.expand(node, candidates, children, best)?;
        if children.open == 0 {
            return Continue(0);
        }
        self.apply_static_bounds(children, best)?;
        self.probe_children(children, best, order)
    }

    /// Plays every candidate of a quiet node and the forced moves after it; opens
    /// the lanes where a real choice is left and the distance to the end decides
    /// nothing, and prefetches their table entries.
    #[inline(always)]
    fn expand<const B: usize>(
        &self,
        node: &Node<G::Bits>,
        candidates: G::Bits,
        children: &mut Children<G, B>,
        best: &mut BestSoFar,
    ) -> ControlFlow<SolverScore> {
        let layout = self.geometry.layout();
        // Most children have no forced moves: their entries are prefetched first.
        let unforced = quiet_bounds(node.empties - 1).reversed();
        let in_doubt = unforced.lower <= best.alpha && best.alpha < unforced.upper;
        if in_doubt {
            for stone in candidates.members() {
                let key = node.other.plus(node.occupied() | stone);
                children.keys.as_flattened_mut()[self.geometry.lane(candidates, stone)] =
                    self.prefetched_key(key, node.empties - 1);
            }
        }
        let several_replies = children.expand(self.geometry, node, candidates);
        for stone in candidates.members() {
            let column = layout.column_index(stone);
            let lane = self.geometry.lane(candidates, stone);
            let threats = children.my_threats(lane);
            if several_replies.as_flattened()[lane] != 0 {
                if !in_doubt {
                    best.offer_bounds(unforced)?;
                    continue;
                }
                children.open |= 1 << lane;
            } else {
                match children.node(lane).play_forced(&layout) {
                    Playout::Decided(score, your_turn) => {
                        best.offer(if your_turn { -score } else { score })?;
                        continue;
                    }
                    Playout::Quiet(quiet, your_turn) => {
                        let distance = quiet_bounds(quiet.empties).seen_by(!your_turn);
                        if best.offer_bounds(distance)? {
                            continue;
                        }
                        children.set(lane, &quiet);
                        children.keys.as_flattened_mut()[lane] =
                            self.prefetched_key(quiet.key(), quiet.empties);
                    }
                }
            }
            children.move_scores.as_flattened_mut()[lane] =
                move_score(&layout, node, column, stone, threats);
        }
        Continue(())
    }

    /// Closes the lanes that the static bounds decide.
    #[inline(always)]
    fn apply_static_bounds<const B: usize>(
        &self,
        children: &mut Children<G, B>,
        best: &mut BestSoFar,
    ) -> ControlFlow<SolverScore> {
        let mine_is_closing = children.mine_is_closing();
        let goal = if mine_is_closing { best.alpha + 1 } else { -best.alpha };
        let static_bounds = StaticBounds { geometry: self.geometry, children, goal };
        let unsure = static_bounds.not_sure_by_follow_up();
        let lost = static_bounds.lost_by_zugzwang();
        let dead = if goal > 0 { static_bounds.out_of_lines() } else { [[0; BLOCK]; B] };
        for lane in lanes_of(children.open) {
            let closing_score = if unsure.as_flattened()[lane] == 0 {
                goal.max(0)
            } else if lost.as_flattened()[lane] != 0 {
                (goal - 1).min(-1)
            } else if dead.as_flattened()[lane] != 0 {
                0
            } else {
                continue;
            };
            best.offer(if mine_is_closing { closing_score } else { -closing_score })?;
            children.open &= !(1 << lane);
        }
        Continue(())
    }

    /// Enhanced transposition cutoffs: closes the lanes that the table decides. Sorts
    /// the others by move score and returns their number.
    #[inline(always)]
    fn probe_children<const B: usize>(
        &self,
        children: &Children<G, B>,
        best: &mut BestSoFar,
        order: &mut [u8],
    ) -> ControlFlow<SolverScore, usize> {
        let move_scores = children.move_scores.as_flattened();
        for lane in lanes_of(children.open) {
            self.table.load_ahead(children.keys.as_flattened()[lane]);
        }
        let mut count = 0;
        for lane in lanes_of(children.open) {
            if best.offer_bounds(self.known_bounds(children, lane))? {
                continue;
            }
            insert(order, count, lane, move_scores);
            count += 1;
        }
        Continue(count)
    }

    /// The mixed key of a child, whose table entry is being loaded.
    #[inline(always)]
    fn prefetched_key(&self, key: G::Bits, empties: u32) -> MixedKey<WordOf<G>> {
        let key = self.key(key, empties);
        self.table.prefetch(key);
        key
    }

    /// The mixed key of a node. Mirror symmetry: early in the game, when both images are
    /// likely to be reached, the smaller of their keys.
    #[inline(always)]
    pub(super) fn key(&self, key: G::Bits, empties: u32) -> MixedKey<WordOf<G>> {
        let layout = self.geometry.layout();
        let key = key.word();
        let key = if empties + MIRRORED_PLIES > layout.rows * layout.columns {
            key.min(layout.mirror(key))
        } else {
            key
        };
        KeyMixer::new(layout.key_bits()).mix(key)
    }
}

/// [`NullWindowSearch::search_quiet`].
struct QuietSearch<'s, 'a, G: BoardGeometry, C> {
    search: &'s mut NullWindowSearch<'a, G, C>,
    node: &'s Node<G::Bits>,
    alpha: SolverScore,
}

impl<G: BoardGeometry, C: Cpu> CpuTask for QuietSearch<'_, '_, G, C> {
    type Output = Result<SolverScore, Stopped>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.search.search_quiet(self.node, self.alpha)
    }
}

/// Whether a block of lanes has room for the candidates of a node.
#[inline(always)]
pub(super) fn fits_one_block<G: BoardGeometry>(candidates: G::Bits) -> bool {
    G::ONE_BLOCK || candidates.count() as usize <= BLOCK
}

/// Inserts `lane` into the `count` lanes of `order`, sorted by their move scores.
#[inline(always)]
pub(super) fn insert(order: &mut [u8], count: usize, lane: usize, move_scores: &[i32]) {
    let mut place = count;
    while place > 0 && move_scores[usize::from(order[place - 1])] < move_scores[lane] {
        order[place] = order[place - 1];
        place -= 1;
    }
    order[place] = lane as u8;
}

/// What holds for every quiet node: its side to move wins with its second stone
/// at the earliest, and so does the other side.
#[inline(always)]
pub fn quiet_bounds(empties: u32) -> Bounds {
    Bounds {
        lower: -win_leaving(empties.saturating_sub(4)),
        upper: win_leaving(empties.saturating_sub(3)),
    }
}
