//! A position as the search carries it, and forced moves.
//!
//! Pascal Pons' `Position` keeps the mover's stones and a mask of all stones; a node
//! keeps both sides and their threats. `key` is the same as his.

use super::bitboard::Bitboard;
use super::geometry::BoardLayout;
use super::score::{SolverScore, loss_next};
use super::threats::completions;

/// Stones and threats of both sides.
///
/// Invariants: the threats of a side are exactly the empty cells where it would
/// complete a line, and the side to move has none that it can play now.
#[derive(Clone, Copy, Debug, Default)]
pub struct Node<W> {
    /// Stones of the side to move.
    pub mover: W,
    /// Stones of the other side.
    pub other: W,
    /// Empty cells that complete a line of the side to move.
    pub mover_threats: W,
    /// Empty cells that complete a line of the other side.
    pub other_threats: W,
    /// Number of empty cells.
    pub empties: u32,
}

/// Where a sequence of forced moves ends.
pub enum Playout<W> {
    /// The side to move at the end has this score; true if that is the side
    /// which was to move at the start.
    Decided(SolverScore, bool),
    /// The side to move at the end has a real choice; true as above.
    Quiet(Node<W>, bool),
}

impl<W: Bitboard> Node<W> {
    /// The node of a position; the first invariant holds, the second may not.
    pub fn new(layout: &BoardLayout<W>, mover: W, other: W) -> Self {
        let empty = layout.board & !(mover | other);
        Self {
            mover,
            other,
            mover_threats: completions(layout, mover) & empty,
            other_threats: completions(layout, other) & empty,
            empties: empty.count(),
        }
    }

    /// All stones.
    #[inline(always)]
    pub fn occupied(&self) -> W {
        self.mover | self.other
    }

    /// The position as a number: in each column, of `h` stones, the pattern of
    /// the mover's stones plus `2^h - 1`. Values of different heights do not
    /// overlap, so different positions have different keys.
    #[inline(always)]
    pub fn key(&self) -> W {
        self.mover.plus(self.occupied())
    }

    /// The moves that do not lose to the next stone (Pons: possible non-losing moves).
    ///
    /// An empty set: the other side wins with its next stone, or the board is
    /// full. One member: every other move loses to the next stone, the worst of
    /// all results, so the score is that of the one move.
    #[inline(always)]
    pub fn candidates(&self, layout: &BoardLayout<W>) -> W {
        let playable = layout.playable(self.occupied());
        let safe = playable & !(self.other_threats >> 1);
        let urgent = playable & self.other_threats;
        let allowed = if urgent.is_empty() { safe } else { urgent & safe };
        if urgent.without_lowest().is_empty() { allowed } else { W::ZERO }
    }

    /// The node after `stone`, a candidate of this one, whose completions of
    /// the extended mover are given. The invariants hold: the other side's only
    /// new playable cell lies above a safe stone.
    #[inline(always)]
    pub fn after(&self, layout: &BoardLayout<W>, stone: W, completions_after: W) -> Self {
        let mover = self.mover | stone;
        let empty = layout.board & !(mover | self.other);
        Self {
            mover: self.other,
            other: mover,
            mover_threats: self.other_threats & !stone,
            other_threats: completions_after & empty,
            empties: self.empties - 1,
        }
    }

    /// Plays forced moves: as long as there is only one candidate.
    #[inline(always)]
    pub fn play_forced(mut self, layout: &BoardLayout<W>) -> Playout<W> {
        let mut same_side = true;
        loop {
            let candidates = self.candidates(layout);
            if candidates.is_empty() {
                return Playout::Decided(loss_next(self.empties), same_side);
            }
            if candidates.has_several() {
                return Playout::Quiet(self, same_side);
            }
            self = self.after(layout, candidates, completions(layout, self.mover | candidates));
            same_side = !same_side;
        }
    }
}
