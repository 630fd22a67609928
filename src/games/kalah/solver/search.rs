//! Proof search: can the player to move get at least so many of the seeds in play?
//!
//! A position's share is what the player to move gets of the seeds in play if both play best.
//! Stores have no part in it, so positions that differ only there are one; and being a whole
//! number of seeds it has no parity that a test could be wasted on.

use super::super::endgame::Endgames;
use super::super::endgame::index::Index;
use super::super::forecast::Forecast;
use super::super::row::{Row, Word};
use super::super::sowing::{Rows, Sowing};
use super::memo::{Known, Memo};
use super::moves::{Beginning, Begun, Best, Child, Family, Node, Open, Step};
use super::ordering_search::{Scout, Window};
use crate::limits::{NodeCounter, Stopped};
use crate::platform::memory::prefetch;

/// The tools of a search.
pub struct Tools<'a, W> {
    /// The rules.
    pub sowing: &'a Sowing<W>,
    /// Numbers for all positions that can come up.
    pub index: &'a Index,
    /// The shares of those with few seeds.
    pub endgames: &'a Endgames,
    /// The forecast for a first guess.
    pub worth: &'a Forecast,
    /// Positions with at most this many seeds are taken for what they are forecast to be: none
    /// of them in a proof, many for a first guess.
    pub horizon: u32,
}

/// One search.
pub struct Searcher<'a, W> {
    tools: Tools<'a, W>,
    /// All shares of the endgame table, and the seeds up to which it knows them.
    shares: &'a [u8],
    table_seeds: u32,
    /// What has been found out.
    pub memo: &'a mut Memo,
    /// What is left of the limits.
    pub counter: NodeCounter<'a>,
    /// The seeds that let each house just reach the store.
    distances: Row<W>,
    /// Who looks ahead where a wrong choice would cost much.
    scout: Scout<'a, W>,
    /// The moves of all nodes from the root to the current one.
    children: Vec<Child<W>>,
}

impl<'a, W: Word> Searcher<'a, W> {
    /// A search that has not begun.
    pub fn new(tools: Tools<'a, W>, memo: &'a mut Memo, counter: NodeCounter<'a>) -> Self {
        let houses = tools.index.houses() as u16;
        let distances: Vec<u16> = (1..=houses).rev().collect();
        Searcher {
            shares: tools.endgames.shares(),
            table_seeds: tools.endgames.seeds() as u32,
            distances: Row::new(&distances),
            scout: Scout::new(tools.sowing, tools.worth),
            tools,
            memo,
            counter,
            children: Vec::new(),
        }
    }

    /// The position with these houses, seen by the player to move. It is not over.
    #[inline(always)]
    pub fn node(&self, rows: Rows<W>, seeds: u32) -> Node<W> {
        let number = self.tools.index.of(rows);
        let code = if seeds <= self.table_seeds { number } else { self.memo.code(number) };
        Node { rows, seeds, code }
    }

    /// What is known about a position.
    pub fn known(&self, node: &Node<W>) -> Option<Known> {
        match self.given_share(node) {
            Some(share) => Some(Known { least: share, greatest: share, best: None }),
            None => self.memo.get(node.code),
        }
    }

    /// A bound of the mover's share after a move: at least `wanted` if the share is, and then no
    /// more than the share; below `wanted` if the share is, and then no less than the share.
    ///
    /// It is quicker if the mover is rightly `hopeful` to get what is wanted, or rightly not.
    pub fn child_bound(
        &mut self,
        child: &Child<W>,
        wanted: u32,
        hopeful: bool,
    ) -> Result<u32, Stopped> {
        let there = child.wanted(wanted);
        let seeds = child.node.seeds;
        let bound = match self.given_share(&child.node) {
            _ if there == 0 => 0,
            _ if there > seeds => seeds,
            Some(share) => share,
            None => {
                self.children.clear();
                let family = self.expand(&child.node);
                self.bound(&child.node, family, there, hopeful == child.again)?
            }
        };
        Ok(child.share(bound))
    }

    /// A bound of the node's share.
    ///
    /// If the share is at least `wanted`: `wanted <= bound <= share`.
    /// If the share is below `wanted`: `share <= bound < wanted`.
    fn bound(
        &mut self,
        node: &Node<W>,
        family: Family,
        wanted: u32,
        hopeful: bool,
    ) -> Result<u32, Stopped> {
        match self.begin(node, family, wanted)? {
            Beginning::Settled(bound) => Ok(bound),
            Beginning::Open(begun) => self.finish(&begun, wanted, hopeful),
        }
    }

    /// The part of [`Searcher::bound`] that needs no search below the node's moves.
    #[inline(always)]
    fn begin(&mut self, node: &Node<W>, family: Family, wanted: u32) -> Result<Beginning, Stopped> {
        // 1. Count, and look whether there is time left.
        self.counter.tick()?;

        // 2. Seen before?
        let nothing = Known { least: 0, greatest: node.seeds, best: None };
        let known = self.memo.get(node.code).unwrap_or(nothing);
        if known.least >= wanted {
            return Ok(Beginning::Settled(known.least));
        }
        if known.greatest < wanted {
            return Ok(Beginning::Settled(known.greatest));
        }

        // 3. What can be told of the moves without searching them?
        let mut best = family.ended;
        let mut open = self.look_up(family, wanted, known.best, &mut best);
        if best.share < wanted && known.best.is_none() {
            self.look_ahead(node, wanted, &mut open)?;
        }
        let first = open.places().next();
        Ok(match first {
            Some(place) if best.share < wanted => {
                let family = self.expand(&{ self.children[place].node });
                Beginning::Open(Begun { code: node.code, known, best, open, family })
            }
            _ => {
                self.remember(node.code, known, best, wanted, 0);
                Beginning::Settled(best.share)
            }
        })
    }

    /// The rest of [`Searcher::bound`]: the moves that need a search.
    fn finish(&mut self, begun: &Begun, wanted: u32, hopeful: bool) -> Result<u32, Stopped> {
        let nodes_before = self.counter.nodes();
        let end = self.children.len();
        let mut best = begun.best;
        if hopeful {
            self.search_one_by_one(begun, wanted, &mut best)?;
        } else {
            self.search_all(begun, wanted, &mut best)?;
        }
        self.children.truncate(end);
        let nodes = self.counter.nodes() - nodes_before;
        self.remember(begun.code, begun.known, best, wanted, nodes);
        Ok(best.share)
    }

    /// Searches moves, most promising first, until one brings what is wanted: the first one, if
    /// all is as expected.
    #[inline]
    fn search_one_by_one(
        &mut self,
        begun: &Begun,
        wanted: u32,
        best: &mut Best,
    ) -> Result<(), Stopped> {
        let mut family = Some(begun.family);
        for place in begun.open.places() {
            let child = self.children[place];
            let family = family.take().unwrap_or_else(|| self.expand(&child.node));
            let bound = self.bound(&child.node, family, child.wanted(wanted), child.again)?;
            best.offer(child.share(bound), child.house);
            if best.share >= wanted {
                break;
            }
        }
        Ok(())
    }

    /// Searches moves of which none is expected to bring what is wanted.
    ///
    /// So the search of each can be begun before that of the one before is finished, and the moves
    /// of the one after are worked out before that: what they need comes from memory meanwhile.
    #[inline]
    fn search_all(&mut self, begun: &Begun, wanted: u32, best: &mut Best) -> Result<(), Stopped> {
        let mut places = begun.open.places();
        let mut next = places.next().map(|place| (self.children[place], begun.family));
        let mut unfinished: Option<(Child<W>, Begun)> = None;
        while let Some((child, family)) = next {
            next = places.next().map(|place| {
                let child = self.children[place];
                (child, self.expand(&child.node))
            });
            let before = match self.begin(&child.node, family, child.wanted(wanted))? {
                Beginning::Open(begun) => unfinished.replace((child, begun)),
                Beginning::Settled(bound) => {
                    best.offer(child.share(bound), child.house);
                    None
                }
            };
            if let Some((child, begun)) = before {
                self.finish_child(&child, &begun, wanted, best)?;
            }
            if best.share >= wanted {
                return Ok(());
            }
        }
        match unfinished {
            Some((child, begun)) => self.finish_child(&child, &begun, wanted, best),
            None => Ok(()),
        }
    }

    /// Finishes the search of a move that is not expected to bring what is wanted.
    #[inline]
    fn finish_child(
        &mut self,
        child: &Child<W>,
        begun: &Begun,
        wanted: u32,
        best: &mut Best,
    ) -> Result<(), Stopped> {
        let bound = self.finish(begun, child.wanted(wanted), !child.again)?;
        best.offer(child.share(bound), child.house);
        Ok(())
    }

    /// Remembers the best share found at a node, which is at least `wanted` or else the most there
    /// is, and what it took to find.
    #[inline]
    fn remember(&mut self, code: u64, mut known: Known, best: Best, wanted: u32, nodes: u64) {
        if best.share >= wanted {
            known.least = best.share;
        } else {
            known.greatest = best.share;
        }
        known.best = best.house;
        self.memo.put(code, known, nodes);
    }

    /// Where the move of `house` leads.
    #[inline(always)]
    pub fn step(&self, node: &Node<W>, house: usize) -> Step<W> {
        let sown = self.tools.sowing.sow(node.rows, house);
        if sown.rows.is_over() {
            return Step::End(sown.gain + sown.rows.own.total());
        }
        let rows = if sown.again { sown.rows } else { sown.rows.turned() };
        Step::On(Child {
            node: self.node(rows, node.seeds - sown.gain),
            house: house as u8,
            gain: sown.gain,
            again: sown.again,
        })
    }

    /// All moves. What is to be looked up about them is on its way from memory then.
    #[inline]
    fn expand(&mut self, node: &Node<W>) -> Family {
        let first = self.children.len();
        let mut ended = Best { share: 0, house: None };
        for house in node.rows.own.occupied() {
            match self.step(node, house) {
                Step::End(share) => ended.offer(share, house as u8),
                Step::On(child) => {
                    self.prefetch(&child.node);
                    self.children.push(child);
                }
            }
        }
        Family { first, last: self.children.len(), ended }
    }

    /// Moving again comes first, then taking seeds out of play, which makes for small trees; so
    /// does leaving the other player few moves, and few that let him move again.
    #[inline]
    pub fn rank(&self, child: &Child<W>, first: Option<u8>) -> i32 {
        const FIRST: i32 = 1 << 20;
        const AGAIN: i32 = 1000;
        const PER_SEED: i32 = 500;
        const PER_HOUSE: i32 = 88;
        const PER_FURTHER_TURN: i32 = 120;
        const PER_REPLY: i32 = 255;
        const PER_REPLY_AGAIN: i32 = 135;
        let row = child.node.rows.own;
        let replies = row.count_occupied() as i32;
        let turns = self.tools.index.houses() as i32 - row.count_different(self.distances) as i32;
        let is_first = first == Some(child.house);
        FIRST * i32::from(is_first)
            + PER_SEED * child.gain as i32
            + PER_HOUSE * i32::from(child.house)
            + if child.again {
                AGAIN + PER_FURTHER_TURN * turns
            } else {
                -PER_REPLY * replies - PER_REPLY_AGAIN * turns
            }
    }

    #[inline]
    fn prefetch(&self, node: &Node<W>) {
        if node.seeds <= self.table_seeds {
            if let Some(share) = self.shares.get(node.code as usize) {
                prefetch(share);
            }
        } else if node.seeds > self.tools.horizon {
            self.memo.prefetch(node.code);
        }
    }

    /// Puts the moves into a better order where that pays, far above the endgame table: by what
    /// they seem to bring, and by the work they seem to make if they seem to bring the same.
    ///
    /// In proofs only, as a first guess is no better than the forecast that the scout trusts.
    #[inline]
    fn look_ahead(&mut self, node: &Node<W>, wanted: u32, open: &mut Open) -> Result<(), Stopped> {
        const FAR: u32 = 18;
        const TURNS: u32 = 4;
        const SEEDS_PER_TURN: u32 = 2;
        const MOST_TURNS: u32 = 7;
        /// Hundredths of a seed below and beyond what is wanted that make a difference.
        const SHORT: i32 = 500;
        const BEYOND: i32 = 700;
        const PER_HUNDREDTH: i32 = 8;
        let is_guess = self.tools.horizon > 0;
        let far = self.table_seeds + FAR;
        if node.seeds < far || open.places().nth(1).is_none() || is_guess {
            return Ok(());
        }
        let turns = (TURNS + (node.seeds - far) / SEEDS_PER_TURN).min(MOST_TURNS);
        let wanted = 100 * wanted as i32;
        let mut shares = Window { low: wanted - SHORT, high: wanted + BEYOND };
        let mut sorted = Open::default();
        for place in open.places() {
            let child = &self.children[place];
            // Once one is as good as can be told, the others are taken to be a little less so.
            let share = if shares.low < shares.high {
                self.scout.share(child, turns, shares, &mut self.counter)?.min(shares.high)
            } else {
                shares.high - 1
            };
            shares.low = shares.low.max(share);
            sorted.insert(PER_HUNDREDTH * share + self.rank(child, None), place);
        }
        *open = sorted;
        Ok(())
    }

    /// Finds the moves whose answer is in one of the tables, until one is good enough, and ranks
    /// the others.
    #[inline]
    fn look_up(&self, family: Family, wanted: u32, first: Option<u8>, best: &mut Best) -> Open {
        let mut open = Open::default();
        if best.share >= wanted {
            return open;
        }
        for place in family.first..family.last {
            let child = &self.children[place];
            let (least, greatest) = match self.given_share(&child.node) {
                Some(share) => (child.share(share), child.share(share)),
                None => match self.memo.get(child.node.code) {
                    Some(known) => child.bounds(known),
                    None => (child.gain, child.gain + child.node.seeds),
                },
            };
            if least >= wanted {
                best.offer(least, child.house);
                break;
            }
            if greatest < wanted {
                best.offer(greatest, child.house);
            } else {
                open.insert(self.rank(child, first), place);
            }
        }
        open
    }

    /// The share that needs no search.
    #[inline(always)]
    fn given_share(&self, node: &Node<W>) -> Option<u32> {
        if node.seeds <= self.table_seeds {
            Some(u32::from(self.shares[node.code as usize]))
        } else if node.seeds <= self.tools.horizon {
            let seeds = node.seeds as i32;
            let share = (seeds + self.tools.worth.margin(node.rows) / 100) / 2;
            Some(share.clamp(0, seeds) as u32)
        } else {
            None
        }
    }
}
