//! Positions and moves as the solver's search sees them.

use super::super::row::Word;
use super::super::sowing::Rows;
use super::table::KnownShare;

/// The most moves a player can have.
pub const MOST_HOUSES: usize = 12;

/// A position that is not over.
#[derive(Clone, Copy)]
pub struct KalahNode<W> {
    /// The houses.
    pub rows: Rows<W>,
    /// The seeds in play.
    pub seeds: u32,
    /// The position's number, the key of endgame table and transposition table.
    pub number: u64,
}

/// A move, and the position it leads to.
#[derive(Clone, Copy)]
pub struct Child<W> {
    /// The position, from the view of its side to move.
    pub node: KalahNode<W>,
    /// The house that was sown.
    pub house: u8,
    /// The seeds that the move put into the mover's store.
    pub gain: u32,
    /// Whether the mover moves again.
    pub again: bool,
}

impl<W: Word> Child<W> {
    /// The mover's share if `share` is that of the side to move in the child.
    #[inline]
    pub fn share(&self, share: u32) -> u32 {
        self.gain + if self.again { share } else { self.node.seeds - share }
    }

    /// The mover's `beta` as one of the child. The mover gets its `beta` if it moves again and the
    /// child's share reaches this one, or if the other side moves and the share stays below it.
    #[inline]
    pub fn beta(&self, beta: u32) -> u32 {
        if self.again {
            beta.saturating_sub(self.gain)
        } else {
            // The mover fails if the other side gets one more than what `beta` leaves.
            (self.gain + self.node.seeds).saturating_sub(beta) + 1
        }
    }

    /// Lower and upper bound of the mover's share, given those of the child.
    #[inline]
    pub fn bounds(&self, known: KnownShare) -> (u32, u32) {
        let (a, b) = (self.share(known.lower), self.share(known.upper));
        (a.min(b), a.max(b))
    }
}

/// What a move leads to.
pub enum Successor<W> {
    /// The end of the game, with this share for the mover.
    GameOver(u32),
    /// Another position.
    Child(Child<W>),
}

/// The best share found so far at a node, and its move.
#[derive(Clone, Copy)]
pub struct BestShare {
    /// The share.
    pub share: u32,
    /// The house to play for it.
    pub house: Option<u8>,
}

impl BestShare {
    /// Replaces the best share by a better one, or by the first.
    #[inline]
    pub fn offer(&mut self, share: u32, house: u8) {
        if share > self.share || self.house.is_none() {
            *self = BestShare { share, house: Some(house) };
        }
    }
}

/// The moves of a position: a range of the search's stack of children, and the best of the moves
/// that end the game.
#[derive(Clone, Copy)]
pub struct MoveRange {
    /// The first index.
    pub first: usize,
    /// The index after the last one.
    pub end: usize,
    /// The best of the moves that end the game.
    pub game_over: BestShare,
}

/// Moves in the order to search them: scores and indices of the stack of children.
#[derive(Default)]
pub struct OrderedMoves {
    moves: [(i32, u32); MOST_HOUSES],
    count: usize,
}

impl OrderedMoves {
    /// Inserts a move behind those with the same score or a higher one.
    #[inline]
    pub fn insert(&mut self, score: i32, index: usize) {
        let mut hole = self.count;
        self.count += 1;
        while hole > 0 && self.moves[hole - 1].0 < score {
            self.moves[hole] = self.moves[hole - 1];
            hole -= 1;
        }
        self.moves[hole] = (score, index as u32);
    }

    /// The indices, best first.
    #[inline]
    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.moves[..self.count].iter().map(|&(_, index)| index as usize)
    }
}

/// A node after its moves were probed.
pub enum NodeState {
    /// A bound of its share that decides the null window.
    Decided(u32),
    /// Some moves need a search.
    Pending(PendingNode),
}

/// A node with moves left to search.
pub struct PendingNode {
    /// The number of the node.
    pub number: u64,
    /// Its seeds in play.
    pub seeds: u32,
    /// The best of the moves that need no search.
    pub best: BestShare,
    /// The moves that need one.
    pub open: OrderedMoves,
    /// The moves of the position after the first of these.
    pub replies: MoveRange,
}
