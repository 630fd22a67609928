//! The layout of a board and the cell masks that follow from it.
//!
//! Cells are numbered column by column from the bottom up, with one sentinel
//! row above the top that is always empty. For 6 rows and 7 columns:
//!
//! ```text
//!    6 13 20 27 34 41 48   <- sentinel row
//!   +--------------------+
//!   |5 12 19 26 33 40 47 |
//!   |4 11 18 25 32 39 46 |
//!   |3 10 17 24 31 38 45 |
//!   |2  9 16 23 30 37 44 |
//!   |1  8 15 22 29 36 43 |
//!   |0  7 14 21 28 35 42 |
//!   +--------------------+
//! ```
//!
//! The sentinel makes a shift by any line direction fall off the board instead
//! of wrapping into the next column, and gives additions room for their carry.

use super::bitboard::{BLOCK, Bitboard, KeyWord, LaneBlock};

/// Dimensions of a board and its cell masks, as bits of `W`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BoardLayout<W> {
    /// Rows, without the sentinel.
    pub rows: u32,
    /// Columns.
    pub columns: u32,
    /// Stones in a winning line, at least 2.
    pub line: u32,
    /// Every cell, without the sentinels.
    pub board: W,
    /// The lowest cell of every column.
    pub bottom: W,
    /// Cells with an even number of cells above them in their column: the top
    /// row, the third from the top, and so on.
    pub even_from_top: W,
}

impl<W: Bitboard> BoardLayout<W> {
    /// The layout of a board; it must fit the bitboard: (rows + 1) * columns <= bits.
    pub fn new(rows: u32, columns: u32, line: u32) -> Self {
        debug_assert!((rows + 1) * columns <= W::BITS);
        let wide = wide_layout(rows, columns, line);
        let narrow = |cells| W::from_word(W::Word::truncate(cells));
        Self {
            rows,
            columns,
            line,
            board: narrow(wide.board),
            bottom: narrow(wide.bottom),
            even_from_top: narrow(wide.even_from_top),
        }
    }

    /// Bits per column, which is also the shift of one column to the right.
    #[inline(always)]
    pub fn stride(&self) -> u32 {
        self.rows + 1
    }

    /// Bits a position's key occupies.
    #[inline(always)]
    pub fn key_bits(&self) -> u32 {
        self.stride() * self.columns
    }

    /// The bit distances between neighbours on a line: vertical, the two
    /// diagonals and horizontal.
    #[inline(always)]
    pub fn directions(&self) -> [u32; 4] {
        [1, self.stride() - 1, self.stride(), self.stride() + 1]
    }

    /// Every cell of one column.
    #[inline(always)]
    pub fn column(&self, column: u32) -> W {
        W::from_word(self.first_column() << (column * self.stride()))
    }

    /// Column that holds the lowest member of `cell`.
    #[inline(always)]
    pub fn column_index(&self, cell: W) -> u32 {
        cell.lowest_index() / self.stride()
    }

    /// Cells where a stone can fall now. `occupied` plus one in every column
    /// carries up to the first empty cell.
    #[inline(always)]
    pub fn playable(&self, occupied: W) -> W {
        occupied.plus(self.bottom) & self.board
    }

    /// The members of `cells` and everything above them in their columns.
    ///
    /// Adding the lowest member to a full column turns every bit from there up
    /// to zero and carries into the sentinel; higher members of the same column
    /// come back as themselves and are joined again at the end.
    #[inline(always)]
    pub fn at_or_above(&self, cells: W) -> W {
        (self.board & !self.board.plus(cells)) | cells
    }

    /// The cells with at least `count` cells above them in their column.
    #[inline(always)]
    pub fn with_cells_above(&self, count: u32) -> W {
        match self.rows.saturating_sub(count) {
            0 => W::ZERO,
            height => (self.bottom << height).minus(self.bottom),
        }
    }

    /// How near the middle a column is, larger is nearer.
    #[inline(always)]
    pub fn centrality(&self, column: u32) -> i32 {
        let (column, last) = (column as i32, self.columns as i32 - 1);
        last - (2 * column - last).abs()
    }

    /// A position's key seen in a mirror.
    pub fn mirror(&self, key: W::Word) -> W::Word {
        let column = self.first_column() | (self.first_column() << 1);
        (0..self.columns).fold(W::Word::default(), |image, index| {
            let shift = index * self.stride();
            let back = (self.columns - 1 - index) * self.stride();
            image | (((key >> shift) & column) << back)
        })
    }

    #[inline(always)]
    fn first_column(&self) -> W::Word {
        W::Word::truncate((1 << self.rows) - 1)
    }
}

/// The masks in the widest bitboard, computable at compile time.
const fn wide_layout(rows: u32, columns: u32, line: u32) -> BoardLayout<u128> {
    let column = (1u128 << rows) - 1;
    let mut even_column = 0;
    let mut row = rows;
    while row > 0 {
        even_column |= 1 << (row - 1);
        row = row.saturating_sub(2);
    }
    let mut bottom = 0;
    let mut index = 0;
    while index < columns {
        bottom |= 1 << (index * (rows + 1));
        index += 1;
    }
    let (board, even_from_top) = (bottom * column, bottom * even_column);
    BoardLayout { rows, columns, line, board, bottom, even_from_top }
}

/// How the search learns the layout of its board: as constants or as data. And
/// how it spreads the children of a node over vector lanes.
pub trait BoardGeometry: Copy + Send + Sync {
    /// The bitboard type.
    type Bits: Bitboard;
    /// True if no node has more children than a block has lanes.
    const ONE_BLOCK: bool;

    /// The layout itself.
    fn layout(&self) -> BoardLayout<Self::Bits>;
    /// The lane of the child after `stone`, a member of `candidates`. Lanes are in the
    /// order of columns.
    fn lane(&self, candidates: Self::Bits, stone: Self::Bits) -> usize;
    /// The `candidates`, each in its lane; no stone in the other lanes. There must be
    /// enough lanes.
    fn stones<const BLOCKS: usize>(&self, candidates: Self::Bits) -> [BlockOf<Self>; BLOCKS];
}

/// A block of sets of cells.
pub type BlockOf<G> = <<G as BoardGeometry>::Bits as Bitboard>::Block;
/// A position's key as an integer.
pub type WordOf<G> = <<G as BoardGeometry>::Bits as Bitboard>::Word;

/// A layout known at compile time, of at most 8 columns and for lines of four, which lets every
/// mask and shift be a constant. The lane of a move is its column.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<const ROWS: usize, const COLUMNS: usize>;

impl<const ROWS: usize, const COLUMNS: usize> Fixed<ROWS, COLUMNS> {
    const LAYOUT: BoardLayout<u64> = {
        assert!(COLUMNS <= BLOCK && (ROWS + 1) * BLOCK <= 64);
        let wide = wide_layout(ROWS as u32, COLUMNS as u32, 4);
        BoardLayout {
            rows: wide.rows,
            columns: wide.columns,
            line: wide.line,
            board: wide.board as u64,
            bottom: wide.bottom as u64,
            even_from_top: wide.even_from_top as u64,
        }
    };
}

impl<const ROWS: usize, const COLUMNS: usize> BoardGeometry for Fixed<ROWS, COLUMNS> {
    type Bits = u64;
    const ONE_BLOCK: bool = true;

    #[inline(always)]
    fn layout(&self) -> BoardLayout<u64> {
        Self::LAYOUT
    }
    #[inline(always)]
    fn lane(&self, _candidates: u64, stone: u64) -> usize {
        Self::LAYOUT.column_index(stone) as usize
    }
    #[inline(always)]
    fn stones<const BLOCKS: usize>(&self, candidates: u64) -> [[u64; BLOCK]; BLOCKS] {
        let mut stones = [candidates; BLOCK];
        for (lane, stone) in (0..).zip(&mut stones) {
            *stone &= Self::LAYOUT.column(lane);
        }
        [stones; BLOCKS]
    }
}

/// A layout known at run time, but for the length of a winning line if `LINE` is not 0. Lanes
/// are the candidates counted from the left: most positions leave fewer moves to choose
/// from than a wide board has columns.
#[derive(Clone, Copy, Debug)]
pub struct Measured<W, const LINE: u32>(BoardLayout<W>);

impl<W: Bitboard, const LINE: u32> Measured<W, LINE> {
    /// The geometry of a layout.
    pub fn new(layout: BoardLayout<W>) -> Self {
        debug_assert!(LINE == 0 || LINE == layout.line);
        Self(layout)
    }
}

impl<W: Bitboard, const LINE: u32> BoardGeometry for Measured<W, LINE> {
    type Bits = W;
    const ONE_BLOCK: bool = false;

    #[inline(always)]
    fn layout(&self) -> BoardLayout<W> {
        BoardLayout { line: if LINE == 0 { self.0.line } else { LINE }, ..self.0 }
    }
    #[inline(always)]
    fn lane(&self, candidates: W, stone: W) -> usize {
        (candidates & stone.minus(W::from_word(W::Word::truncate(1)))).count() as usize
    }
    #[inline(always)]
    fn stones<const BLOCKS: usize>(&self, candidates: W) -> [W::Block; BLOCKS] {
        let mut stones = [W::Block::splat(W::ZERO); BLOCKS];
        for (lane, stone) in candidates.members().enumerate() {
            stones[lane / BLOCK].set(lane % BLOCK, stone);
        }
        stones
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compile_time_and_run_time_agree() {
        assert_eq!(Fixed::<6, 7>.layout(), BoardLayout::new(6, 7, 4));
        assert_eq!(Fixed::<5, 8>.layout(), BoardLayout::new(5, 8, 4));
    }

    #[test]
    fn masks_are_what_they_say() {
        for (rows, columns) in [(4, 4), (5, 8), (6, 7), (7, 8)] {
            let layout = BoardLayout::<u64>::new(rows, columns, 4);
            let cell = |column: u32, row: u32| 1u64 << (column * layout.stride() + row);
            for column in 0..columns {
                for row in 0..rows {
                    let one = cell(column, row);
                    let up: u64 = (row..rows).map(|above| cell(column, above)).sum();
                    assert_eq!(layout.at_or_above(one), up);
                    assert_eq!(layout.at_or_above(up), up);
                    assert_eq!(layout.even_from_top & one != 0, (rows - 1 - row) % 2 == 0);
                    assert_eq!(layout.mirror(one), cell(columns - 1 - column, row));
                    assert_eq!(layout.column_index(one), column);
                    for count in 0..rows + 3 {
                        assert_eq!(layout.with_cells_above(count) & one != 0, row + count < rows);
                    }
                }
            }
        }
    }
}
