//! The recursive null-window search.
//!
//! Knows one thread, one window and the table; knows nothing of schedules,
//! other threads or what the caller wants the score for.

use std::ops::ControlFlow::{self, Break, Continue};

use super::bounds::StaticBounds;
use super::children::{Children, lanes_of};
use super::cpu::Cpu;
use super::geometry::Geometry;
use super::node::{Node, Settled};
use super::order::promise;
use super::score::{Score, loss_next, win_leaving};
use super::word::Word;
use super::{Bounds, ScoreTable};
use crate::bound_table::{KeyMixer, MixedKey};
use crate::limits::{NodeCounter, Stopped};

/// Plies from the empty board in which mirror images share a table entry. Later
/// they rarely meet and the mirror costs more than it spares.
const FOLDED_PLIES: u32 = 14;

/// One thread's search.
pub struct Searcher<'a, G, C> {
    geometry: G,
    /// Proof that the processor has the features of `C`.
    _cpu: C,
    table: &'a ScoreTable,
    /// Counts nodes and says when to stop.
    pub counter: NodeCounter<'a>,
    /// Shakes the move order, a little and in its own way for each number but 0.
    jitter: u64,
}

/// The best score of the children so far, and what it has to beat.
struct Found {
    alpha: Score,
    best: Score,
}

impl Found {
    /// Takes the score of one more child, exact or a bound on its own side of
    /// `alpha`; breaks with it if it is above.
    #[inline(always)]
    fn take(&mut self, score: Score) -> ControlFlow<Score> {
        self.best = self.best.max(score);
        if score > self.alpha { Break(score) } else { Continue(()) }
    }

    /// Takes what is known of one more child; breaks with its score if that is above
    /// `alpha`, and says whether it is known not to be.
    #[inline(always)]
    fn take_bounds(&mut self, known: Bounds) -> ControlFlow<Score, bool> {
        if known.lower > self.alpha {
            return Break(known.lower);
        }
        let decided = known.upper <= self.alpha;
        if decided {
            self.best = self.best.max(known.upper);
        }
        Continue(decided)
    }
}

impl<'a, G: Geometry, C: Cpu> Searcher<'a, G, C> {
    /// A searcher over `table`, which must have been reset for this geometry.
    pub fn new(
        geometry: G,
        cpu: C,
        table: &'a ScoreTable,
        counter: NodeCounter<'a>,
        jitter: u64,
    ) -> Self {
        Self { geometry, _cpu: cpu, table, counter, jitter }
    }

    /// Scores any node whose side to move cannot win at once.
    ///
    /// If the score is at most `alpha` then `score <= result <= alpha`,
    /// otherwise `alpha < result <= score`.
    pub fn score(&mut self, node: Node<G::Word>, alpha: Score) -> Result<Score, Stopped> {
        match node.settle(&self.geometry.shape()) {
            Settled::Decided(score, true) => Ok(score),
            Settled::Decided(score, false) => Ok(-score),
            Settled::Quiet(node, same_side) => self.descend(&node, same_side, alpha),
        }
    }

    /// What play-out of forced moves and the table know, without a search, of a
    /// node whose side to move cannot win at once.
    pub fn known(&self, node: Node<G::Word>) -> Bounds {
        match node.settle(&self.geometry.shape()) {
            Settled::Decided(score, true) => Bounds::exact(score),
            Settled::Decided(score, false) => Bounds::exact(-score),
            Settled::Quiet(node, same_side) => self
                .table
                .probe(self.key(node.key(), node.empties), quiet_bounds(node.empties))
                .bounds
                .seen_by(same_side),
        }
    }

    #[inline(always)]
    fn descend(
        &mut self,
        node: &Node<G::Word>,
        same_side: bool,
        alpha: Score,
    ) -> Result<Score, Stopped> {
        if same_side {
            C::visit(self, node, alpha)
        } else {
            C::visit(self, node, -alpha - 1).map(|score| -score)
        }
    }

    /// Scores a quiet node: one with two candidates or more. Contract as in
    /// [`Self::score`].
    #[inline(always)]
    pub fn visit(&mut self, node: &Node<G::Word>, alpha: Score) -> Result<Score, Stopped> {
        // 1. Count, and stop if it is time.
        self.counter.tick()?;
        let started = self.counter.nodes();

        // 2. StaticBounds every child without a search of its own.
        let mut children = Children::<G>::new(node.empties);
        let mut found = Found { alpha, best: loss_next(node.empties) };
        let mut order = G::per_column(0u8);
        let left = match self.filter_children(node, &mut children, &mut found, order.as_mut()) {
            Continue(left) => left,
            Break(score) => return Ok(score),
        };

        // 3. Search those left, the most promising first.
        for &lane in &order.as_ref()[..left] {
            let lane = usize::from(lane);
            let score = self.descend(&children.node(lane), children.my_turn(lane), alpha)?;
            if found.take(score).is_break() {
                break;
            }
        }

        // 4. Remember, unless it is found again without a search.
        let Found { best, .. } = found;
        let searched = self.counter.nodes() - started;
        if searched > 0 {
            let key = self.key(node.key(), node.empties);
            self.table.store(key, best, best <= alpha, searched, None);
        }
        Ok(best)
    }

    /// Fills the brood and closes every lane that can be decided without a search;
    /// breaks with a score above `alpha`. Puts the lanes left in order and
    /// returns their number.
    #[inline(always)]
    fn filter_children(
        &self,
        node: &Node<G::Word>,
        children: &mut Children<G>,
        found: &mut Found,
        order: &mut [u8],
    ) -> ControlFlow<Score, usize> {
        self.expand(node, children, found)?;
        if children.open == 0 {
            return Continue(0);
        }
        self.judge(children, found)?;
        self.look_up(children, found, order)
    }

    /// Plays every candidate of a quiet node and follows forced moves; opens the
    /// lanes where a real choice is left and the distance to the end decides
    /// nothing, and has their table entries loaded.
    #[inline(always)]
    fn expand(
        &self,
        node: &Node<G::Word>,
        children: &mut Children<G>,
        found: &mut Found,
    ) -> ControlFlow<Score> {
        let shape = self.geometry.shape();
        let candidates = node.candidates(&shape);
        // Most children need no forced moves: their entries are asked for first.
        let unforced = quiet_bounds(node.empties - 1).reversed();
        let in_doubt = unforced.lower <= found.alpha && found.alpha < unforced.upper;
        if in_doubt {
            for stone in candidates.members() {
                let key = node.other.plus(node.occupied() | stone);
                children.keys.as_mut()[shape.column_index(stone) as usize] =
                    self.request(key, node.empties - 1);
            }
        }
        let replies = children.expand(self.geometry, node, candidates);
        for stone in candidates.members() {
            let column = shape.column_index(stone);
            let lane = column as usize;
            let threats = children.my_threats(lane);
            if replies.as_ref()[lane].has_several() {
                if !in_doubt {
                    found.take_bounds(unforced)?;
                    continue;
                }
                children.open |= 1 << lane;
            } else {
                match children.node(lane).settle(&shape) {
                    Settled::Decided(score, your_turn) => {
                        found.take(if your_turn { -score } else { score })?;
                        continue;
                    }
                    Settled::Quiet(settled, your_turn) => {
                        let distance = quiet_bounds(settled.empties).seen_by(!your_turn);
                        if found.take_bounds(distance)? {
                            continue;
                        }
                        children.put(lane, &settled);
                        children.keys.as_mut()[lane] = self.request(settled.key(), settled.empties);
                    }
                }
            }
            let key = children.keys.as_ref()[lane];
            children.promises.as_mut()[lane] =
                promise(&shape, node, column, stone, threats) + key.noise(self.jitter);
        }
        Continue(())
    }

    /// Closes the lanes that the static bounds decide.
    #[inline(always)]
    fn judge(&self, children: &mut Children<G>, found: &mut Found) -> ControlFlow<Score> {
        let mine_is_last = children.mine_is_last();
        let goal = if mine_is_last { found.alpha + 1 } else { -found.alpha };
        let judge = StaticBounds { geometry: self.geometry, children, mine_is_last, goal };
        let unsure = judge.not_sure_by_follow_up();
        let lost = judge.lost_by_zugzwang();
        let dead = if goal > 0 { judge.out_of_lines() } else { G::per_column(G::Word::ZERO) };
        for lane in lanes_of(children.open) {
            let score_of_last = if unsure.as_ref()[lane].is_empty() {
                goal.max(0)
            } else if !lost.as_ref()[lane].is_empty() {
                (goal - 1).min(-1)
            } else if !dead.as_ref()[lane].is_empty() {
                0
            } else {
                continue;
            };
            found.take(if mine_is_last { score_of_last } else { -score_of_last })?;
            children.open &= !(1 << lane);
        }
        Continue(())
    }

    /// Closes the lanes that the table decides, and puts the others in order; the
    /// result is their number.
    #[inline(always)]
    fn look_up(
        &self,
        children: &Children<G>,
        found: &mut Found,
        order: &mut [u8],
    ) -> ControlFlow<Score, usize> {
        let promises = children.promises.as_ref();
        let mut count = 0;
        for lane in lanes_of(children.open) {
            let trivial = quiet_bounds(children.empties(lane));
            let known = self
                .table
                .probe(children.keys.as_ref()[lane], trivial)
                .bounds
                .seen_by(children.my_turn(lane));
            if found.take_bounds(known)? {
                continue;
            }
            let mut place = count;
            while place > 0 && promises[usize::from(order[place - 1])] < promises[lane] {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = lane as u8;
            count += 1;
        }
        Continue(count)
    }

    /// The mixed key of a child, whose entry is loaded from now on.
    #[inline(always)]
    fn request(&self, key: G::Word, empties: u32) -> MixedKey<G::Word> {
        let key = self.key(key, empties);
        self.table.prefetch(key);
        key
    }

    /// Mixes the key of a node; the smaller of its two mirror images early
    /// in the game, when both are likely to turn up.
    #[inline(always)]
    fn key(&self, key: G::Word, empties: u32) -> MixedKey<G::Word> {
        let shape = self.geometry.shape();
        let key = if empties + FOLDED_PLIES > shape.rows * shape.columns {
            key.min(shape.mirror(key))
        } else {
            key
        };
        KeyMixer::new(shape.key_bits()).mix(key)
    }
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
