//! Bounds that need no search: claim-even (follow-up), zugzwang control by an odd
//! threat, and sides that can make no line any more.
//!
//! # Following up
//!
//! Allis' claim-even is the case of even columns only.
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
//! empty cells counts. The *closing* side is the one that would place the last
//! stone of a full board: the side to move if that number is odd. It stays the
//! same throughout a game: the second player on boards with an even number of
//! cells, the first player on the others. The other one is the *opposing* side.
//!
//! Nor does anything depend on the length of a line: a line is a set of cells that
//! wins, and the rules only ask whether a reach or the sure cells hold one.
//!
//! All functions work on every lane of the children at once and without branches,
//! so that they become vector code. Every node here is quiet: no threat of either
//! side is playable.

use super::bitboard::{BLOCK, Bitboard, LaneBlock};
use super::children::{Children, Flags};
use super::geometry::{BlockOf, BoardGeometry, BoardLayout};
use super::score::SolverScore;
use super::sides::Sides;
use super::threats::line_ends;

/// Static bounds of every child: does the closing side score `goal`?
pub struct StaticBounds<'a, G: BoardGeometry, const B: usize> {
    /// The board.
    pub geometry: G,
    /// The positions.
    pub children: &'a Children<G, B>,
    /// The score, seen from the closing side.
    pub goal: SolverScore,
}

impl<G: BoardGeometry, const B: usize> StaticBounds<'_, G, B> {
    /// Claim-even: empty in lanes where the closing side is sure of a score of `goal`,
    /// and of a draw if that is more, by following up on the whole board.
    ///
    /// The field is the whole board, of even size when the opposing side is to move.
    /// Without a line in its reach the opposing side does not win: that is a draw.
    ///
    /// For `goal > 0` the sure cells and the stones of the closing side must also
    /// hold a line, whose cells have at least `2 (goal - 1)` cells above them.
    /// If the board fills up to the last cell of that line, those above it are
    /// empty, and the win scores `goal`. If the game ends earlier, the
    /// closing side wins too, and some cell of the line is still empty: with another
    /// column's cells above it, or, in the same column, above the cell just
    /// played; either way as many cells are empty.
    #[inline(always)]
    pub fn not_sure_by_follow_up(&self) -> Flags<B> {
        let layout = self.geometry.layout();
        let mut flags = [[0; BLOCK]; B];
        for (flags, sides) in flags.iter_mut().zip(self.blocks()) {
            for (lane, flag) in flags.iter_mut().enumerate() {
                let reach = reach_of_opposing(&layout, sides.lane(lane));
                *flag = line_ends(&layout, reach).flag();
            }
        }
        if self.goal > 0 {
            let in_time = layout.with_cells_above(2 * (self.goal as u32 - 1));
            for (flags, sides) in flags.iter_mut().zip(self.blocks()) {
                for (lane, flag) in flags.iter_mut().enumerate() {
                    let sides = sides.lane(lane);
                    let sure = sure_of_closing(&layout, sides) & (in_time | sides.closing);
                    *flag |= if line_ends(&layout, sure).is_empty() { 1 } else { 0 };
                }
            }
        }
        flags
    }

    /// Not empty in lanes where the closing side cannot score `goal > 0`, because
    /// its stones and all empty cells together hold no line.
    #[inline(always)]
    pub fn out_of_lines(&self) -> Flags<B> {
        let layout = self.geometry.layout();
        let mut flags = [[0; BLOCK]; B];
        for (flags, sides) in flags.iter_mut().zip(self.blocks()) {
            for (lane, flag) in flags.iter_mut().enumerate() {
                let lines = line_ends(&layout, layout.board & !sides.lane(lane).opposing);
                *flag = if lines.is_empty() { 1 } else { 0 };
            }
        }
        flags
    }

    /// Zugzwang control: not empty in lanes where the opposing side is sure of a score
    /// of `1 - goal`, and of a win if that is more, by an odd threat.
    ///
    /// Let the opposing side have a threat `T` with an odd number of cells above it,
    /// not playable. The field is all but the cell below `T`, `T` and what is
    /// above: `d + 2` cells are missing, `d` odd, so the field is even exactly
    /// when the closing side is to move. The opposing side follows up. When the field
    /// is full, the closing side has to play below `T`, and `T` wins; if it does so
    /// earlier, `T` wins earlier. At least the `d` cells above `T` are then empty.
    ///
    /// In the column of `T` the top field cell is two below `T`, so the parity of
    /// the sure cells is the opposite of that in the other columns, and the cell
    /// below `T` is in the leader's reach.
    #[inline(always)]
    pub fn lost_by_zugzwang(&self) -> Flags<B> {
        let layout = self.geometry.layout();
        let in_time =
            layout.with_cells_above(2 * self.goal.min(0).unsigned_abs()) & !layout.even_from_top;
        let mut flags = [[0; BLOCK]; B];
        for (flags, sides) in flags.iter_mut().zip(self.blocks()) {
            let mut somewhere = G::Bits::ZERO;
            for lane in 0..BLOCK {
                somewhere |= sides.opposing_threats.get(lane) & in_time;
            }
            while !somewhere.is_empty() {
                let column = layout.column(layout.column_index(somewhere));
                somewhere &= !column;
                for (lane, flag) in flags.iter_mut().enumerate() {
                    let sides = sides.lane(lane);
                    let threat = (sides.opposing_threats & in_time & column).lowest();
                    let reach = reach_of_closing(&layout, sides, threat, column);
                    let lines = line_ends(&layout, reach);
                    *flag |= if lines.is_empty() { threat.flag() } else { 0 };
                }
            }
        }
        flags
    }

    /// Stones and threats of the blocks in use.
    #[inline(always)]
    fn blocks(&self) -> &[Sides<BlockOf<G>>] {
        &self.children.sides[..self.children.blocks]
    }
}

/// The opposing side's reach when the closing side follows up on the whole board.
#[inline(always)]
fn reach_of_opposing<W: Bitboard>(layout: &BoardLayout<W>, sides: Sides<W>) -> W {
    let empty = layout.board & !(sides.closing | sides.opposing);
    let sure = empty & sure_of_closing(layout, sides);
    let beyond = layout.at_or_above(sides.closing_threats & sure);
    sides.opposing | (empty & !sure & !beyond)
}

/// The stones and the sure cells of the closing side when it follows up on the
/// whole board.
#[inline(always)]
fn sure_of_closing<W: Bitboard>(layout: &BoardLayout<W>, sides: Sides<W>) -> W {
    let playable = layout.playable(sides.closing | sides.opposing);
    sides.closing | (layout.even_from_top & !sides.opposing & !playable)
}

/// The closing side's reach when the opposing side follows up around `threat`, the
/// lowest with an odd number of cells above it in `column`.
#[inline(always)]
pub fn reach_of_closing<W: Bitboard>(
    layout: &BoardLayout<W>,
    sides: Sides<W>,
    threat: W,
    column: W,
) -> W {
    let empty = layout.board & !(sides.closing | sides.opposing);
    let hidden = !layout.playable(sides.closing | sides.opposing);
    let sure_here = hidden & !layout.even_from_top;
    let sure_elsewhere = hidden & layout.even_from_top;
    let beyond = layout.at_or_above(sides.opposing_threats & sure_elsewhere & !column);
    let above = layout.at_or_above(threat);
    sides.closing
        | (empty & !above & ((column & !sure_here) | (!column & !sure_elsewhere & !beyond)))
}
