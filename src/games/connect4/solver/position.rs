//! Positions of the solver's interface: any grid that gravity allows.
//!
//! Knows the rules of the game; knows nothing of search.

use std::fmt;

use super::bitboard::{Bitboard, Halves, KeyWord};
use super::geometry::BoardLayout;
use super::threats::has_line;

/// Fewest rows or columns.
pub const MIN_SIDE: u32 = 4;
/// Most rows or columns.
pub const MAX_SIDE: u32 = 25;
/// Fewest stones in a winning line.
pub const MIN_LINE: u32 = 2;
/// Most bits, sentinel row included.
pub const MAX_BITS: u32 = 128;

/// A grid of stones and the side to move. Any stone counts are allowed: a position need not arise
/// from alternating play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    rows: u32,
    columns: u32,
    /// Stones in a winning line.
    line: u32,
    /// Stones of the side to move, in the bit layout that `geometry` draws.
    mover: u128,
    /// Stones of the other side.
    other: u128,
}

/// Why something is not a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// Rows or columns out of range, or more cells than 128 bits hold.
    Size,
    /// A line of fewer than two stones, or longer than both sides of the board.
    Line,
    /// A stone off the board, two stones in one cell, or a stone in the air.
    Stones,
    /// Both sides have a line.
    TwoWinners,
    /// The move with this index names a column off the board.
    NoSuchColumn(usize),
    /// The move with this index goes to a full column.
    ColumnFull(usize),
    /// The move with this index comes after the end of the game.
    GameOver(usize),
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => write!(
                f,
                "rows and columns must be {MIN_SIDE} to {MAX_SIDE} with (rows + 1) * columns <= {MAX_BITS}"
            ),
            Self::Line => write!(
                f,
                "a line must be at least {MIN_LINE} and at most as long as the board is wide or high"
            ),
            Self::Stones => f.write_str("stones overlap, hang in the air or lie off the board"),
            Self::TwoWinners => f.write_str("both sides have a winning line"),
            Self::NoSuchColumn(index) => write!(f, "move {}: no such column", index + 1),
            Self::ColumnFull(index) => write!(f, "move {}: the column is full", index + 1),
            Self::GameOver(index) => write!(f, "move {}: the game is already over", index + 1),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// The empty board, for lines of four.
    pub fn new(rows: u32, columns: u32) -> Result<Self, PositionError> {
        Self::with_line(rows, columns, 4)
    }

    /// The empty board, for lines of `line` stones.
    pub fn with_line(rows: u32, columns: u32, line: u32) -> Result<Self, PositionError> {
        let sides = MIN_SIDE..=MAX_SIDE;
        let fits =
            sides.contains(&rows) && sides.contains(&columns) && (rows + 1) * columns <= MAX_BITS;
        if !fits {
            return Err(PositionError::Size);
        }
        if !(MIN_LINE..=rows.max(columns)).contains(&line) {
            return Err(PositionError::Line);
        }
        Ok(Self { rows, columns, line, mover: 0, other: 0 })
    }

    /// The position after `moves` (columns from 0) on an empty board.
    pub fn from_moves(
        rows: u32,
        columns: u32,
        moves: impl IntoIterator<Item = u32>,
    ) -> Result<Self, PositionError> {
        let mut position = Self::new(rows, columns)?;
        for (index, column) in moves.into_iter().enumerate() {
            if column >= columns {
                return Err(PositionError::NoSuchColumn(index));
            }
            if position.winner().is_some() {
                return Err(PositionError::GameOver(index));
            }
            position = position.play(column).ok_or(PositionError::ColumnFull(index))?;
        }
        Ok(position)
    }

    /// The position on the same board with the stones `mover` of the side to move and `other` of
    /// its opponent: bit `column * (rows + 1) + row`, rows counted from the bottom.
    pub fn with_stones(&self, mover: u128, other: u128) -> Result<Self, PositionError> {
        let position = Self { mover, other, ..*self };
        let layout = position.layout();
        let (mover, other) = position.stones::<Halves>();
        let occupied = mover | other;
        let floating = occupied & !(layout.bottom | (occupied << 1));
        let wrong = (mover & other) | (occupied & !layout.board) | floating;
        if !wrong.is_empty() {
            return Err(PositionError::Stones);
        }
        if has_line(&layout, mover) && has_line(&layout, other) {
            return Err(PositionError::TwoWinners);
        }
        Ok(position)
    }

    /// The position after the side to move drops a stone, or `None` if the
    /// column is full or off the board.
    pub fn play(&self, column: u32) -> Option<Self> {
        if column >= self.columns {
            return None;
        }
        let layout = self.layout();
        let stone = (self.playable() & layout.column(column)).word();
        (stone != 0).then_some(Self { mover: self.other, other: self.mover | stone, ..*self })
    }

    /// The inverse of [`Position::with_stones`]: the stones of the side to move and of its opponent.
    pub fn to_stones(&self) -> (u128, u128) {
        (self.mover, self.other)
    }

    /// The mirror image, with left and right exchanged; it has the same score.
    pub fn mirrored(&self) -> Self {
        let height = self.rows + 1;
        let column_mask = (1u128 << height) - 1;
        let flip = |stones: u128| {
            (0..self.columns).fold(0, |flipped, column| {
                let cells = stones >> (column * height) & column_mask;
                flipped | cells << ((self.columns - 1 - column) * height)
            })
        };
        Self { mover: flip(self.mover), other: flip(self.other), ..*self }
    }

    /// The same grid with the turn passed to the other side.
    pub fn swapped(&self) -> Self {
        Self { mover: self.other, other: self.mover, ..*self }
    }

    /// Rows of the board.
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// Columns of the board.
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Stones in a winning line.
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Number of empty cells.
    pub fn empties(&self) -> u32 {
        self.rows * self.columns - (self.mover | self.other).count_ones()
    }

    /// Who has a line: `Some(true)` the side to move, `Some(false)` the other.
    pub fn winner(&self) -> Option<bool> {
        let layout = self.layout();
        let (mover, other) = self.stones::<Halves>();
        if has_line(&layout, other) {
            Some(false)
        } else {
            has_line(&layout, mover).then_some(true)
        }
    }

    /// The columns that are not full; none once the game is over.
    pub fn legal_columns(&self) -> impl Iterator<Item = u32> + use<> {
        let layout = self.layout();
        let open = if self.winner().is_none() { self.playable() } else { Halves::ZERO };
        (0..self.columns).filter(move |&column| !(open & layout.column(column)).is_empty())
    }

    /// Stones of the side to move and of the other side, as bits of `W`.
    pub(super) fn stones<W: Bitboard>(&self) -> (W, W) {
        let narrow = |stones| W::from_word(W::Word::truncate(stones));
        (narrow(self.mover), narrow(self.other))
    }

    fn playable(&self) -> Halves {
        let (mover, other) = self.stones::<Halves>();
        self.layout().playable(mover | other)
    }

    pub(super) fn layout(&self) -> BoardLayout<Halves> {
        BoardLayout::new(self.rows, self.columns, self.line)
    }
}
