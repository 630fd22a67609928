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
//! All functions work on every lane of the children at once and without branches,
//! so that they become vector code. Every node here is quiet: no threat of either
//! side is playable.

use super::bitboard::Bitboard;
use super::children::Children;
use super::geometry::{BoardGeometry, BoardLayout};
use super::score::SolverScore;
use super::threats::line_ends;

/// Stones and threats of both sides in one lane.
#[derive(Clone, Copy)]
pub struct Sides<W> {
    /// Stones of the closing side.
    pub closing: W,
    /// Stones of the opposing side.
    pub opposing: W,
    /// Threats of the closing side.
    pub closing_threats: W,
    /// Threats of the opposing side.
    pub opposing_threats: W,
}

/// A bitboard for each lane, of which only counts whether it is empty.
type Flags<G> = <G as BoardGeometry>::PerColumn<<G as BoardGeometry>::Bits>;

/// Static bounds of every child: does the closing side score `goal`?
pub struct StaticBounds<'a, G: BoardGeometry> {
    /// The board.
    pub geometry: G,
    /// The positions.
    pub children: &'a Children<G>,
    /// True if "mine" in the children is the closing side's.
    pub mine_is_closing: bool,
    /// The score, seen from the closing side.
    pub goal: SolverScore,
}

impl<G: BoardGeometry> StaticBounds<'_, G> {
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
    pub fn not_sure_by_follow_up(&self) -> Flags<G> {
        let layout = self.geometry.layout();
        let mut flags = G::per_column(G::Bits::ZERO);
        let lanes = flags.as_mut();
        for (lane, flag) in lanes.iter_mut().enumerate().take(self.geometry.lanes()) {
            *flag = line_ends(&layout, reach_of_opposing(&layout, self.sides(lane)));
        }
        if self.goal > 0 {
            let in_time = layout.with_cells_above(2 * (self.goal as u32 - 1));
            for (lane, flag) in lanes.iter_mut().enumerate().take(self.geometry.lanes()) {
                let lines = line_ends(
                    &layout,
                    sure_of_closing(&layout, self.sides(lane))
                        & (in_time | self.sides(lane).closing),
                );
                *flag |= if lines.is_empty() { layout.board } else { G::Bits::ZERO };
            }
        }
        flags
    }

    /// Not empty in lanes where the closing side cannot score `goal > 0`, because
    /// its stones and all empty cells together hold no line.
    #[inline(always)]
    pub fn out_of_lines(&self) -> Flags<G> {
        let layout = self.geometry.layout();
        let mut flags = G::per_column(G::Bits::ZERO);
        for (lane, flag) in flags.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
            let lines = line_ends(&layout, layout.board & !self.sides(lane).opposing);
            *flag = if lines.is_empty() { layout.board } else { G::Bits::ZERO };
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
    pub fn lost_by_zugzwang(&self) -> Flags<G> {
        let layout = self.geometry.layout();
        let in_time =
            layout.with_cells_above(2 * self.goal.min(0).unsigned_abs()) & !layout.even_from_top;
        let mut threats = G::per_column(G::Bits::ZERO);
        let mut somewhere = G::Bits::ZERO;
        for (lane, found) in threats.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
            *found = self.sides(lane).opposing_threats & in_time;
            somewhere |= *found;
        }
        let mut flags = G::per_column(G::Bits::ZERO);
        while !somewhere.is_empty() {
            let column = layout.column(layout.column_index(somewhere));
            somewhere &= !column;
            for (lane, flag) in flags.as_mut().iter_mut().enumerate().take(self.geometry.lanes()) {
                let threat = (threats.as_ref()[lane] & column).lowest();
                let lines =
                    line_ends(&layout, reach_of_closing(&layout, self.sides(lane), threat, column));
                *flag |= if lines.is_empty() { threat } else { G::Bits::ZERO };
            }
        }
        flags
    }

    #[inline(always)]
    fn sides(&self, lane: usize) -> Sides<G::Bits> {
        self.children.sides(lane, self.mine_is_closing)
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
fn reach_of_closing<W: Bitboard>(
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
