//! Proof search: can the player to move get at least so many of the seeds in play?
//!
//! A position's share is what the player to move gets of the seeds in play if both play best.
//! Stores have no part in it, so positions that differ only there are one; and being a whole
//! number of seeds it has no parity that a test could be wasted on.

use super::super::endgame::Endgames;
use super::super::endgame::index::Index;
use super::super::row::Word;
use super::super::sowing::{Rows, Sowing};
use super::super::worth::Worth;
use super::memo::{Known, Memo};
use crate::search::limits::{Meter, Stopped};

const MOST_HOUSES: usize = 12;

/// A position that is not over.
#[derive(Clone, Copy, Default)]
pub struct Node<W> {
    /// The houses.
    pub rows: Rows<W>,
    /// The seeds in them.
    pub seeds: u32,
    /// The position's number.
    pub number: u64,
}

/// A move, and the position it leads to.
#[derive(Clone, Copy, Default)]
pub struct Child<W> {
    /// The position, seen by who moves there.
    pub node: Node<W>,
    /// The house that was sown.
    pub house: u8,
    /// What it put into the mover's store.
    pub gain: u32,
    /// Whether the mover moves again.
    pub again: bool,
    /// How soon to try it: higher first.
    rank: i32,
}

impl<W: Word> Child<W> {
    /// The mover's share if the share of who moves in the child is `share`.
    #[inline]
    pub fn share(&self, share: u32) -> u32 {
        self.gain + if self.again { share } else { self.node.seeds - share }
    }

    /// The least and the greatest share of the mover if `known` holds for the child.
    #[inline]
    fn bounds(&self, known: Known) -> (u32, u32) {
        let (a, b) = (self.share(known.least), self.share(known.greatest));
        (a.min(b), a.max(b))
    }
}

/// What a move leads to.
pub enum Step<W> {
    /// The end of the game, with this share for the mover.
    End(u32),
    /// Another position.
    On(Child<W>),
}

/// The best share found so far at a node, and the move it takes.
#[derive(Clone, Copy)]
struct Best {
    share: u32,
    house: Option<u8>,
}

impl Best {
    #[inline]
    fn offer(&mut self, share: u32, house: u8) {
        if share > self.share || self.house.is_none() {
            *self = Best { share, house: Some(house) };
        }
    }
}

/// The moves that are left to be searched.
struct Open<W> {
    children: [Child<W>; MOST_HOUSES],
    count: usize,
}

impl<W: Word> Open<W> {
    #[inline]
    fn push(&mut self, child: Child<W>) {
        self.children[self.count] = child;
        self.count += 1;
    }

    /// Takes out the child with the highest rank.
    #[inline]
    fn pop(&mut self) -> Option<Child<W>> {
        let open = &mut self.children[..self.count];
        let best = (0..open.len()).max_by_key(|&index| open[index].rank)?;
        self.count -= 1;
        open.swap(best, self.count);
        Some(self.children[self.count])
    }
}

/// One search with its tools.
pub struct Searcher<'a, W> {
    /// The rules.
    pub sowing: &'a Sowing<W>,
    /// Numbers for all positions that can come up.
    pub index: &'a Index,
    /// The shares of those with few seeds.
    pub endgames: &'a Endgames,
    /// What has been found out.
    pub memo: &'a Memo,
    /// The forecast that orders moves.
    pub worth: &'a Worth,
    /// Positions with at most this many seeds are taken for what they are forecast to be: none
    /// of them in a proof, many for a first guess.
    pub horizon: u32,
    /// What is left of the limits.
    pub meter: Meter<'a>,
}

impl<W: Word> Searcher<'_, W> {
    /// A bound of the node's share.
    ///
    /// If the share is at least `wanted`: `wanted <= bound <= share`.
    /// If the share is below `wanted`: `share <= bound < wanted`.
    pub fn bound(&mut self, node: Node<W>, wanted: u32) -> Result<u32, Stopped> {
        // 1. Count, and look whether there is time left.
        self.meter.visit()?;

        // 2. Seen before?
        let mut known = self.memo.get(node.number).unwrap_or(Known {
            least: 0,
            greatest: node.seeds,
            best: None,
        });
        if known.least >= wanted {
            return Ok(known.least);
        }
        if known.greatest < wanted {
            return Ok(known.greatest);
        }

        // 3. What can be told of the moves without searching them?
        let nodes_before = self.meter.nodes();
        let mut best = Best { share: 0, house: None };
        let mut open = self.expand(node, &mut best);
        if best.share < wanted {
            self.look_up(&mut open, wanted, known.best, &mut best);
        }

        // 4. The others, most promising first.
        while best.share < wanted
            && let Some(child) = open.pop()
        {
            best.offer(self.child_bound(&child, wanted)?, child.house);
        }

        // 5. Remember.
        if best.share >= wanted {
            known.least = best.share;
        } else {
            known.greatest = best.share;
        }
        known.best = best.house;
        let nodes = self.meter.nodes() - nodes_before;
        self.memo.put(node.number, known, nodes);
        Ok(best.share)
    }

    /// As [`Searcher::bound`], of the mover's share after a move: the question and the answer
    /// change sides together, or not at all.
    pub fn child_bound(&mut self, child: &Child<W>, wanted: u32) -> Result<u32, Stopped> {
        let all = child.gain + child.node.seeds;
        let there = if child.again {
            wanted.saturating_sub(child.gain)
        } else {
            // The mover gets what is wanted unless the other gets one more than the rest.
            all.saturating_sub(wanted) + 1
        };
        let bound = match child.node.seeds {
            _ if there == 0 => 0,
            seeds if there > seeds => seeds,
            seeds if seeds as usize <= self.endgames.seeds() => {
                self.endgames.share(child.node.number)
            }
            _ => self.bound(child.node, there)?,
        };
        Ok(child.share(bound))
    }

    /// Where the move of `house` leads.
    #[inline]
    pub fn step(&self, node: &Node<W>, house: usize) -> Step<W> {
        let sown = self.sowing.sow(node.rows, house);
        if sown.rows.is_over() {
            return Step::End(sown.gain + sown.rows.own.total());
        }
        let rows = if sown.again { sown.rows } else { sown.rows.turned() };
        Step::On(Child {
            node: Node { rows, seeds: node.seeds - sown.gain, number: self.index.of(rows) },
            house: house as u8,
            gain: sown.gain,
            again: sown.again,
            rank: 0,
        })
    }

    /// All moves that do not end the game; those that do are offered to `best`.
    #[inline]
    fn expand(&self, node: Node<W>, best: &mut Best) -> Open<W> {
        let mut open = Open { children: [Child::default(); MOST_HOUSES], count: 0 };
        for house in 0..self.index.houses() {
            if node.rows.own.get(house) == 0 {
                continue;
            }
            match self.step(&node, house) {
                Step::End(share) => best.offer(share, house as u8),
                Step::On(child) => {
                    self.prefetch(&child.node);
                    open.push(child);
                }
            }
        }
        open
    }

    /// Moving again comes first, then taking seeds out of play, which makes for small trees;
    /// the forecast decides between equals.
    #[inline]
    pub fn rank(&self, child: &Child<W>, first: Option<u8>) -> i32 {
        const FIRST: i32 = 1 << 20;
        const AGAIN: i32 = 1000;
        const PER_SEED: i32 = 200;
        const PER_HOUSE: i32 = 100;
        let forecast = self.worth.margin(child.node.rows) / 5;
        let is_first = first == Some(child.house);
        FIRST * i32::from(is_first)
            + PER_SEED * child.gain as i32
            + PER_HOUSE * i32::from(child.house)
            + if child.again { AGAIN + forecast } else { -forecast }
    }

    #[inline]
    fn prefetch(&self, node: &Node<W>) {
        if node.seeds as usize <= self.endgames.seeds() {
            self.endgames.prefetch(node.number);
        } else if node.seeds > self.horizon {
            self.memo.prefetch(node.number);
        }
    }

    /// Takes from `open` the moves whose answer is in one of the tables, until one is good
    /// enough, and ranks the others.
    #[inline]
    fn look_up(&self, open: &mut Open<W>, wanted: u32, first: Option<u8>, best: &mut Best) {
        let count = std::mem::take(&mut open.count);
        for index in 0..count {
            let mut child = open.children[index];
            let (least, greatest) = match self.known_share(&child.node) {
                Some(share) => (child.share(share), child.share(share)),
                None => match self.memo.get(child.node.number) {
                    Some(known) => child.bounds(known),
                    None => (child.gain, child.gain + child.node.seeds),
                },
            };
            if least >= wanted {
                best.offer(least, child.house);
                return;
            }
            if greatest < wanted {
                best.offer(greatest, child.house);
            } else {
                child.rank = self.rank(&child, first);
                open.push(child);
            }
        }
    }

    /// The share that needs no search.
    #[inline]
    fn known_share(&self, node: &Node<W>) -> Option<u32> {
        if node.seeds as usize <= self.endgames.seeds() {
            Some(self.endgames.share(node.number))
        } else if node.seeds <= self.horizon {
            let seeds = node.seeds as i32;
            let share = (seeds + self.worth.margin(node.rows) / 100) / 2;
            Some(share.clamp(0, seeds) as u32)
        } else {
            None
        }
    }
}
