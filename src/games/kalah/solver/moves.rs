//! Positions and moves as the solver's search sees them.

use super::super::row::Word;
use super::super::sowing::Rows;
use super::memo::Known;

/// As many moves as a player can ever have.
pub const MOST_HOUSES: usize = 12;

/// A position that is not over.
#[derive(Clone, Copy)]
pub struct Node<W> {
    /// The houses.
    pub rows: Rows<W>,
    /// The seeds in them.
    pub seeds: u32,
    /// What the position is called where it is looked up: its number if the endgame table knows
    /// it, or else what the memo calls it.
    pub code: u64,
}

/// A move, and the position it leads to.
#[derive(Clone, Copy)]
pub struct Child<W> {
    /// The position, seen by who moves there.
    pub node: Node<W>,
    /// The house that was sown.
    pub house: u8,
    /// What it put into the mover's store.
    pub gain: u32,
    /// Whether the mover moves again.
    pub again: bool,
}

impl<W: Word> Child<W> {
    /// The mover's share if the share of who moves in the child is `share`.
    #[inline]
    pub fn share(&self, share: u32) -> u32 {
        self.gain + if self.again { share } else { self.node.seeds - share }
    }

    /// The share that whoever moves in the child must get for the mover to get, or to miss,
    /// `wanted`.
    #[inline]
    pub fn wanted(&self, wanted: u32) -> u32 {
        if self.again {
            wanted.saturating_sub(self.gain)
        } else {
            // The mover gets what is wanted unless the other gets one more than the rest.
            (self.gain + self.node.seeds).saturating_sub(wanted) + 1
        }
    }

    /// The least and the greatest share of the mover if `known` holds for the child.
    #[inline]
    pub fn bounds(&self, known: Known) -> (u32, u32) {
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
pub struct Best {
    /// The share.
    pub share: u32,
    /// The house to play for it.
    pub house: Option<u8>,
}

impl Best {
    #[inline]
    /// Takes a better share, or the first one.
    pub fn offer(&mut self, share: u32, house: u8) {
        if share > self.share || self.house.is_none() {
            *self = Best { share, house: Some(house) };
        }
    }
}

/// The moves of a position: a stretch of the searcher's list of children, and the best of those that end
/// the game.
#[derive(Clone, Copy)]
pub struct Family {
    /// The first place.
    pub first: usize,
    /// The place after the last one.
    pub last: usize,
    /// The best of the moves that end the game.
    pub ended: Best,
}

/// The moves that are left to be searched, by rank and place in the searcher's list.
#[derive(Default)]
pub struct Open {
    moves: [(i32, u32); MOST_HOUSES],
    count: usize,
}

impl Open {
    /// Keeps those with higher ranks first.
    #[inline]
    pub fn insert(&mut self, rank: i32, place: usize) {
        let mut hole = self.count;
        self.count += 1;
        while hole > 0 && self.moves[hole - 1].0 < rank {
            self.moves[hole] = self.moves[hole - 1];
            hole -= 1;
        }
        self.moves[hole] = (rank, place as u32);
    }

    /// The places, best first.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves[..self.count].iter().map(|&(_, place)| place as usize)
    }
}

/// How far a node is settled by what can be looked up.
pub enum Beginning {
    /// A bound of its share is all that was wanted.
    Settled(u32),
    /// Some moves are to be searched.
    Open(Begun),
}

/// A node some moves of which are to be searched.
pub struct Begun {
    /// What the memo calls the node.
    pub code: u64,
    /// What the memo knew about it.
    pub known: Known,
    /// The best of the moves that need no search.
    pub best: Best,
    /// The others.
    pub open: Open,
    /// The moves that follow the first of these.
    pub family: Family,
}
