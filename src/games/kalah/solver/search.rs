//! The null-window search: does the player to move get at least `beta` of the seeds in play?
//!
//! A position's *share* is what the player to move gets of the seeds in play with best play from
//! both sides. Stores have no part in it, so positions that differ only there share one table
//! entry.

use super::super::endgame::Endgames;
use super::super::endgame::index::Index;
use super::super::forecast::Forecast;
use super::super::row::{Row, Word};
use super::super::sowing::{Rows, Sowing};
use super::moves::{
    BestShare, Child, KalahNode, MoveRange, NodeState, OrderedMoves, PendingNode, Successor,
};
use super::ordering_search::{ForecastWindow, OrderingSearch};
use super::table::{KnownShare, ShareTable};
use crate::bound_table::BusyPositions;
use crate::limits::{NodeCounter, Stopped};
use crate::platform::memory::prefetch;

/// What a search reads.
#[derive(Clone, Copy)]
pub struct SolverContext<'a, W> {
    /// The rules.
    pub sowing: &'a Sowing<W>,
    /// Numbers of all positions that the search can reach.
    pub index: &'a Index,
    /// Exact shares of the positions with few seeds.
    pub endgames: &'a Endgames,
    /// The static evaluation.
    pub forecast: &'a Forecast,
    /// Positions with at most this many seeds are evaluated by the forecast: 0 in a proof, more for
    /// a first guess.
    pub horizon: u32,
}

/// One search.
pub struct ShareSearch<'a, W> {
    context: SolverContext<'a, W>,
    /// All shares of the endgame table, and the most seeds in its positions.
    shares: &'a [u8],
    table_seeds: u32,
    table: &'a ShareTable,
    /// Counts nodes and checks limits.
    pub counter: NodeCounter<'a>,
    /// By house, the number of seeds that ends in the store.
    distances: Row<W>,
    /// Orders moves where bad ordering is expensive.
    ordering: OrderingSearch<'a, W>,
    /// The stack: moves of all nodes from the root to the current one.
    children: Vec<Child<W>>,
    /// What the threads of a parallel search are searching.
    busy: Option<&'a BusyPositions>,
}

/// Seeds above the endgame table from which on threads avoid each other's positions: below, a
/// search takes no longer than telling others about it.
const SHARED_ABOVE: u32 = 8;

impl<'a, W: Word> ShareSearch<'a, W> {
    /// A search that has not started.
    pub fn new(
        context: SolverContext<'a, W>,
        table: &'a ShareTable,
        counter: NodeCounter<'a>,
    ) -> Self {
        let houses = context.index.houses() as u16;
        let distances: Vec<u16> = (1..=houses).rev().collect();
        ShareSearch {
            shares: context.endgames.shares(),
            table_seeds: context.endgames.seeds() as u32,
            distances: Row::new(&distances),
            ordering: OrderingSearch::new(context.sowing, context.forecast),
            context,
            table,
            counter,
            children: Vec::new(),
            busy: None,
        }
    }

    /// The same as one of several threads with a common table.
    pub fn beside(self, busy: &'a BusyPositions) -> Self {
        ShareSearch { busy: Some(busy), ..self }
    }

    /// The node with these houses, from the view of the player to move. The game is not over.
    #[inline(always)]
    pub fn node(&self, rows: Rows<W>, seeds: u32) -> KalahNode<W> {
        KalahNode { rows, seeds, number: self.context.index.of(rows) }
    }

    /// Known bounds of a position, without a search.
    #[inline]
    pub fn known(&self, node: &KalahNode<W>) -> KnownShare {
        match self.static_share(node) {
            Some(share) => KnownShare { lower: share, upper: share, best: None },
            None => self.table.probe(node.number, node.seeds),
        }
    }

    /// A bound of the mover's share after a move, fail-soft as in [`Self::search`].
    pub fn search_child(
        &mut self,
        child: &Child<W>,
        beta: u32,
        cut_node: bool,
    ) -> Result<u32, Stopped> {
        let child_beta = child.beta(beta);
        let seeds = child.node.seeds;
        let bound = match self.static_share(&child.node) {
            _ if child_beta == 0 => 0,
            _ if child_beta > seeds => seeds,
            Some(share) => share,
            None => {
                self.children.clear();
                let moves = self.expand(&child.node);
                self.search(&child.node, moves, child_beta, cut_node == child.again)?
            }
        };
        Ok(child.share(bound))
    }

    /// A bound of the node's share (fail-soft).
    ///
    /// If the share is at least `beta`: `beta <= bound <= share`.
    /// If the share is below `beta`: `share <= bound < beta`.
    ///
    /// `cut_node` says which one is expected, and only affects the speed.
    fn search(
        &mut self,
        node: &KalahNode<W>,
        moves: MoveRange,
        beta: u32,
        cut_node: bool,
    ) -> Result<u32, Stopped> {
        match self.start(node, moves, beta)? {
            NodeState::Decided(bound) => Ok(bound),
            NodeState::Pending(pending) => self.finish(&pending, beta, cut_node),
        }
    }

    /// The part of [`Self::search`] before the first move is searched.
    #[inline(always)]
    fn start(
        &mut self,
        node: &KalahNode<W>,
        moves: MoveRange,
        beta: u32,
    ) -> Result<NodeState, Stopped> {
        // 1. Count the node and check the limits.
        self.counter.tick()?;

        // 2. Probe the transposition table.
        let known = self.table.probe(node.number, node.seeds);
        if known.lower >= beta {
            return Ok(NodeState::Decided(known.lower));
        }
        if known.upper < beta {
            return Ok(NodeState::Decided(known.upper));
        }

        // 3. Probe the tables for every move, and order those left.
        let mut best = moves.game_over;
        let mut open = self.probe_moves(moves, beta, known.best, &mut best);
        if best.share < beta && known.best.is_none() {
            self.order_by_search(node, beta, &mut open)?;
        }
        let first = open.indices().next();
        Ok(match first {
            Some(index) if best.share < beta => {
                let replies = self.expand(&{ self.children[index].node });
                let KalahNode { number, seeds, .. } = *node;
                NodeState::Pending(PendingNode { number, seeds, best, open, replies })
            }
            _ => {
                self.store(node.number, best, beta, 0);
                NodeState::Decided(best.share)
            }
        })
    }

    /// The rest of [`Self::search`]: the moves that need a search.
    fn finish(&mut self, pending: &PendingNode, beta: u32, cut_node: bool) -> Result<u32, Stopped> {
        let nodes_before = self.counter.nodes();
        let end = self.children.len();
        let mut best = pending.best;
        if let Some(busy) = self.busy
            && pending.seeds >= self.table_seeds + SHARED_ABOVE
        {
            self.search_beside(busy, pending, beta, cut_node, &mut best)?;
        } else if cut_node {
            self.search_until_cut(pending, beta, &mut best)?;
        } else {
            self.search_all(pending, beta, &mut best)?;
        }
        self.children.truncate(end);
        let nodes = self.counter.nodes() - nodes_before;
        self.store(pending.number, best, beta, nodes);
        Ok(best.share)
    }

    /// Searches an expected cut node: move by move, most promising first, until one reaches
    /// `beta`.
    #[inline]
    fn search_until_cut(
        &mut self,
        pending: &PendingNode,
        beta: u32,
        best: &mut BestShare,
    ) -> Result<(), Stopped> {
        let mut replies = Some(pending.replies);
        for index in pending.open.indices() {
            let child = self.children[index];
            let moves = replies.take().unwrap_or_else(|| self.expand(&child.node));
            let bound = self.search(&child.node, moves, child.beta(beta), child.again)?;
            best.offer(child.share(bound), child.house);
            if best.share >= beta {
                break;
            }
        }
        Ok(())
    }

    /// Searches an expected all node, whose moves all stay below `beta`.
    ///
    /// Software pipelining: each move is started before the one before it is finished, and the
    /// moves of the one after it are expanded before that, so that their table entries are loaded
    /// meanwhile.
    #[inline]
    fn search_all(
        &mut self,
        pending: &PendingNode,
        beta: u32,
        best: &mut BestShare,
    ) -> Result<(), Stopped> {
        let mut indices = pending.open.indices();
        let mut next = indices.next().map(|index| (self.children[index], pending.replies));
        let mut unfinished: Option<(Child<W>, PendingNode)> = None;
        while let Some((child, moves)) = next {
            next = indices.next().map(|index| {
                let child = self.children[index];
                (child, self.expand(&child.node))
            });
            let before = match self.start(&child.node, moves, child.beta(beta))? {
                NodeState::Pending(pending) => unfinished.replace((child, pending)),
                NodeState::Decided(bound) => {
                    best.offer(child.share(bound), child.house);
                    None
                }
            };
            if let Some((child, pending)) = before {
                self.finish_child(&child, &pending, beta, best)?;
            }
            if best.share >= beta {
                return Ok(());
            }
        }
        match unfinished {
            Some((child, pending)) => self.finish_child(&child, &pending, beta, best),
            None => Ok(()),
        }
    }

    /// Searches a node that other threads may be searching too: busy positions come last, when they
    /// are probably in the table (ABDADA). The first one does not wait: all that come after it may
    /// be for nothing.
    fn search_beside(
        &mut self,
        busy: &BusyPositions,
        pending: &PendingNode,
        beta: u32,
        cut_node: bool,
        best: &mut BestShare,
    ) -> Result<(), Stopped> {
        let mut deferred = OrderedMoves::default();
        for (place, index) in pending.open.indices().enumerate() {
            if place > 0 && busy.contains(self.table.key(self.children[index].node.number)) {
                deferred.insert(0, index);
                continue;
            }
            let replies = (place == 0).then_some(pending.replies);
            self.search_marked(busy, index, replies, beta, cut_node, best)?;
            if best.share >= beta {
                return Ok(());
            }
        }
        for index in deferred.indices() {
            self.search_marked(busy, index, None, beta, cut_node, best)?;
            if best.share >= beta {
                break;
            }
        }
        Ok(())
    }

    /// Searches the move at `index`, its position being busy meanwhile. Its `replies` may be
    /// expanded already.
    fn search_marked(
        &mut self,
        busy: &BusyPositions,
        index: usize,
        replies: Option<MoveRange>,
        beta: u32,
        cut_node: bool,
        best: &mut BestShare,
    ) -> Result<(), Stopped> {
        let child = self.children[index];
        let key = self.table.key(child.node.number);
        busy.insert(key);
        let moves = replies.unwrap_or_else(|| self.expand(&child.node));
        let bound = self.search(&child.node, moves, child.beta(beta), cut_node == child.again);
        busy.remove(key);
        best.offer(child.share(bound?), child.house);
        Ok(())
    }

    /// Finishes the search of a move of an expected all node.
    #[inline]
    fn finish_child(
        &mut self,
        child: &Child<W>,
        pending: &PendingNode,
        beta: u32,
        best: &mut BestShare,
    ) -> Result<(), Stopped> {
        let bound = self.finish(pending, child.beta(beta), !child.again)?;
        best.offer(child.share(bound), child.house);
        Ok(())
    }

    /// Stores the best share found at a node: a lower bound if it reaches `beta`, else an upper
    /// one.
    #[inline]
    fn store(&self, number: u64, best: BestShare, beta: u32, nodes: u64) {
        self.table.store(number, best.share, best.share < beta, nodes, best.house);
    }

    /// The result of sowing `house`.
    #[inline(always)]
    pub fn successor(&self, node: &KalahNode<W>, house: usize) -> Successor<W> {
        let sown = self.context.sowing.sow(node.rows, house);
        if sown.rows.is_over() {
            return Successor::GameOver(sown.gain + sown.rows.own.total());
        }
        let rows = if sown.again { sown.rows } else { sown.rows.turned() };
        Successor::Child(Child {
            node: self.node(rows, node.seeds - sown.gain),
            house: house as u8,
            gain: sown.gain,
            again: sown.again,
        })
    }

    /// Pushes all moves and prefetches their table entries.
    #[inline]
    fn expand(&mut self, node: &KalahNode<W>) -> MoveRange {
        let first = self.children.len();
        let mut game_over = BestShare { share: 0, house: None };
        for house in node.rows.own.occupied() {
            match self.successor(node, house) {
                Successor::GameOver(share) => game_over.offer(share, house as u8),
                Successor::Child(child) => {
                    self.prefetch(&child.node);
                    self.children.push(child);
                }
            }
        }
        MoveRange { first, end: self.children.len(), game_over }
    }

    /// Move ordering: the table's move, then moving again, then taking seeds out of play, which
    /// makes for small trees; so does leaving the other player few moves, and few that move again.
    #[inline]
    pub fn move_score(&self, child: &Child<W>, table_move: Option<u8>) -> i32 {
        const TABLE_MOVE: i32 = 1 << 20;
        const AGAIN: i32 = 1000;
        const PER_SEED: i32 = 500;
        const PER_HOUSE: i32 = 88;
        const PER_FURTHER_TURN: i32 = 120;
        const PER_REPLY: i32 = 255;
        const PER_REPLY_AGAIN: i32 = 135;
        let row = child.node.rows.own;
        let replies = row.count_occupied() as i32;
        let turns = self.context.index.houses() as i32 - row.count_different(self.distances) as i32;
        TABLE_MOVE * i32::from(table_move == Some(child.house))
            + PER_SEED * child.gain as i32
            + PER_HOUSE * i32::from(child.house)
            + if child.again {
                AGAIN + PER_FURTHER_TURN * turns
            } else {
                -PER_REPLY * replies - PER_REPLY_AGAIN * turns
            }
    }

    #[inline]
    fn prefetch(&self, node: &KalahNode<W>) {
        if node.seeds <= self.table_seeds {
            if let Some(share) = self.shares.get(node.number as usize) {
                prefetch(share);
            }
        } else if node.seeds > self.context.horizon {
            self.table.prefetch(node.number);
        }
    }

    /// Orders moves by a search with the forecast where that pays, far above the endgame table: by
    /// the share they seem to bring, then by [`Self::move_score`].
    ///
    /// In proofs only: a first guess is no better than the forecast itself.
    #[inline]
    fn order_by_search(
        &mut self,
        node: &KalahNode<W>,
        beta: u32,
        open: &mut OrderedMoves,
    ) -> Result<(), Stopped> {
        const FAR: u32 = 18;
        const TURNS: u32 = 4;
        const SEEDS_PER_TURN: u32 = 2;
        const MOST_TURNS: u32 = 7;
        /// Hundredths of a seed below and above `beta` that make a difference.
        const SHORT: i32 = 500;
        const BEYOND: i32 = 700;
        const PER_HUNDREDTH: i32 = 8;
        let is_guess = self.context.horizon > 0;
        let far = self.table_seeds + FAR;
        if node.seeds < far || open.indices().nth(1).is_none() || is_guess {
            return Ok(());
        }
        let turns = (TURNS + (node.seeds - far) / SEEDS_PER_TURN).min(MOST_TURNS);
        let beta = 100 * beta as i32;
        let mut shares = ForecastWindow { low: beta - SHORT, high: beta + BEYOND };
        let mut sorted = OrderedMoves::default();
        for index in open.indices() {
            let child = &self.children[index];
            // Once a move reaches the top of the window, the others count as a little worse.
            let share = if shares.low < shares.high {
                self.ordering.share(child, turns, shares, &mut self.counter)?.min(shares.high)
            } else {
                shares.high - 1
            };
            shares.low = shares.low.max(share);
            sorted.insert(PER_HUNDREDTH * share + self.move_score(child, None), index);
        }
        *open = sorted;
        Ok(())
    }

    /// Enhanced transposition cutoffs: probes the tables for every move, until one reaches `beta`.
    /// Returns the moves that they do not decide.
    #[inline]
    fn probe_moves(
        &self,
        moves: MoveRange,
        beta: u32,
        table_move: Option<u8>,
        best: &mut BestShare,
    ) -> OrderedMoves {
        let mut open = OrderedMoves::default();
        if best.share >= beta {
            return open;
        }
        for index in moves.first..moves.end {
            let child = &self.children[index];
            let (lower, upper) = child.bounds(self.known(&child.node));
            if lower >= beta {
                best.offer(lower, child.house);
                break;
            }
            if upper < beta {
                best.offer(upper, child.house);
            } else {
                open.insert(self.move_score(child, table_move), index);
            }
        }
        open
    }

    /// The share that needs no search: from the endgame table, or the forecast in a first guess.
    #[inline(always)]
    fn static_share(&self, node: &KalahNode<W>) -> Option<u32> {
        if node.seeds <= self.table_seeds {
            Some(u32::from(self.shares[node.number as usize]))
        } else if node.seeds <= self.context.horizon {
            let seeds = node.seeds as i32;
            let share = (seeds + self.context.forecast.margin(node.rows) / 100) / 2;
            Some(share.clamp(0, seeds) as u32)
        } else {
            None
        }
    }
}
