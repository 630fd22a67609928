//! Bounds that need no search: lines out of reach, and the two follow-up
//! strategies.
//!
//! # Following up
//!
//! One side, the *follower*, answers the moves of the other one, the *leader*,
//! who is to move. Let the *field* be an even number of empty cells which, in
//! each column, are the lowest empty ones up to some height. Call a column even
//! or odd by its number of field cells; the number of odd columns is even. The
//! follower answers a stone in the field
//! - in an even column with the cell above it, which is in the field;
//! - in an odd column, which makes it even, with the lowest field cell of another
//!   odd column. There is one, since their number was even.
//!
//! After each answer the number of field cells is even again. So in each column
//! the leader gets at most the cell that is *playable now*, and cells with an odd
//! number of field cells above them. These and the leader's stones are *the
//! leader's reach*: with no line inside it, the leader makes none in the field.
//! All other field cells are *sure* for the follower, once they are played.
//!
//! If the follower is to move, the field being odd, it takes the lowest cell of
//! an odd column first, and the rest holds as it stands.
//!
//! A sure cell where the follower has a threat ends the game when it is played,
//! so the leader never gets to the cells above it: they leave the reach.
//!
//! Nothing here needs equal numbers of stones; only the parity of the number of
//! empty cells counts. The *last* side is the one that would place the last
//! stone of a full board: the side to move if that number is odd. It stays the
//! same throughout a game. The other one is the *first* side.
//!
//! All functions work on every lane of a brood at once and without branches, so
//! that they become vector code. Every node here is quiet: no threat of either
//! side is playable.

use super::children::Children;
use super::geometry::{Geometry, Shape};
use super::score::Score;
use super::threats::line_ends;
use super::word::Word;

/// Stones and threats of both sides in one lane.
#[derive(Clone, Copy)]
pub struct Sides<W> {
    /// Stones of the last side.
    pub last: W,
    /// Stones of the first side.
    pub first: W,
    /// Threats of the last side.
    pub last_threats: W,
    /// Threats of the first side.
    pub first_threats: W,
}

/// A word for each lane; whether it is empty is the answer.
type Flags<G> = <G as Geometry>::PerColumn<<G as Geometry>::Word>;

/// The question put to every lane of a brood: does the last side score `goal`?
pub struct StaticBounds<'a, G: Geometry> {
    /// The board.
    pub geometry: G,
    /// The positions.
    pub children: &'a Children<G>,
    /// True if "mine" in the brood is the last side's.
    pub mine_is_last: bool,
    /// The score, seen from the last side.
    pub goal: Score,
}

impl<G: Geometry> StaticBounds<'_, G> {
    /// Empty in lanes where the last side is sure of a score of `goal`, and of a
    /// draw if that is more, by following up on the whole board.
    ///
    /// The field is the whole board, of even size when the first side is to move.
    /// Without a line in its reach the first side does not win: that is a draw.
    ///
    /// For `goal > 0` the sure cells and the stones of the last side must also
    /// hold a line, whose cells have at least `2 (goal - 1)` cells above them.
    /// If the board fills up to the last cell of that line, those above it are
    /// empty, and the win is worth `goal`. If the game ends earlier, the last
    /// side wins too, and some cell of the line is still empty: with another
    /// column's cells above it, or, in the same column, above the cell just
    /// played; either way as many cells are empty.
    #[inline(always)]
    pub fn not_sure_by_follow_up(&self) -> Flags<G> {
        let shape = self.geometry.shape();
        let mut flags = G::per_column(G::Word::ZERO);
        let lanes = flags.as_mut();
        for (lane, flag) in lanes.iter_mut().enumerate().take(self.geometry.lanes()) {
            *flag = line_ends(&shape, reach_of_first(&shape, self.sides(lane)));
        }
        if self.goal > 0 {
            let in_time = shape.with_cells_above(2 * (self.goal as u32 - 1));
            for (lane, flag) in lanes.iter_mut().enumerate().take(self.geometry.lanes()) {
                let lines = line_ends(
                    &shape,
                    sure_of_last(&shape, self.sides(lane)) & (in_time | self.sides(lane).last),
                );
                *flag |= if lines.is_empty() { shape.board } else { G::Word::ZERO };
            }
        }
        flags
    }

    /// Not empty in lanes where the last side cannot score `goal > 0`, because
    /// its stones and all empty cells together hold no line.
    #[inline(always)]
    pub fn out_of_lines(&self) -> Flags<G> {
        let shape = self.geometry.shape();
        let mut flags = G::per_column(G::Word::ZERO);
        for (lane, flag) in flags.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
            let lines = line_ends(&shape, shape.board & !self.sides(lane).first);
            *flag = if lines.is_empty() { shape.board } else { G::Word::ZERO };
        }
        flags
    }

    /// Not empty in lanes where the first side is sure of a score of `1 - goal`,
    /// and of a win if that is more, through zugzwang.
    ///
    /// Let the first side have a threat `T` with an odd number of cells above it,
    /// not playable. The field is all but the cell below `T`, `T` and what is
    /// above: `d + 2` cells are missing, `d` odd, so the field is even exactly
    /// when the last side is to move. The first side follows up. When the field
    /// is full, the last side has to play below `T`, and `T` wins; if it does so
    /// earlier, `T` wins earlier. At least the `d` cells above `T` are then empty.
    ///
    /// In the column of `T` the top field cell is two below `T`, so the parity of
    /// the sure cells is the opposite of that in the other columns, and the cell
    /// below `T` is in the leader's reach.
    #[inline(always)]
    pub fn lost_by_zugzwang(&self) -> Flags<G> {
        let shape = self.geometry.shape();
        let in_time =
            shape.with_cells_above(2 * self.goal.min(0).unsigned_abs()) & !shape.even_from_top;
        let mut threats = G::per_column(G::Word::ZERO);
        let mut somewhere = G::Word::ZERO;
        for (lane, found) in threats.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
            *found = self.sides(lane).first_threats & in_time;
            somewhere |= *found;
        }
        let mut flags = G::per_column(G::Word::ZERO);
        while !somewhere.is_empty() {
            let column = shape.column(shape.column_index(somewhere));
            somewhere &= !column;
            for (lane, flag) in flags.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
                let threat = (threats.as_ref()[lane] & column).lowest();
                let lines =
                    line_ends(&shape, reach_of_last(&shape, self.sides(lane), threat, column));
                *flag |= if lines.is_empty() { threat } else { G::Word::ZERO };
            }
        }
        flags
    }

    #[inline(always)]
    fn sides(&self, lane: usize) -> Sides<G::Word> {
        self.children.sides(lane, self.mine_is_last)
    }
}

/// The first side's reach when the last side follows up on the whole board.
#[inline(always)]
fn reach_of_first<W: Word>(shape: &Shape<W>, sides: Sides<W>) -> W {
    let empty = shape.board & !(sides.last | sides.first);
    let sure = empty & sure_of_last(shape, sides);
    let beyond = shape.at_or_above(sides.last_threats & sure);
    sides.first | (empty & !sure & !beyond)
}

/// The stones and the sure cells of the last side when it follows up on the
/// whole board.
#[inline(always)]
fn sure_of_last<W: Word>(shape: &Shape<W>, sides: Sides<W>) -> W {
    let playable = shape.playable(sides.last | sides.first);
    sides.last | (shape.even_from_top & !sides.first & !playable)
}

/// The last side's reach when the first side follows up around `threat`, the
/// lowest with an odd number of cells above it in `column`.
#[inline(always)]
fn reach_of_last<W: Word>(shape: &Shape<W>, sides: Sides<W>, threat: W, column: W) -> W {
    let empty = shape.board & !(sides.last | sides.first);
    let hidden = !shape.playable(sides.last | sides.first);
    let sure_here = hidden & !shape.even_from_top;
    let sure_elsewhere = hidden & shape.even_from_top;
    let beyond = shape.at_or_above(sides.first_threats & sure_elsewhere & !column);
    let above = shape.at_or_above(threat);
    sides.last | (empty & !above & ((column & !sure_here) | (!column & !sure_elsewhere & !beyond)))
}
