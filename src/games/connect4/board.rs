//! The rules of Connect Four: position, make and unmake of moves, and win detection.
//!
//! One mailbox layout serves every size. Cells are bytes, column by column from the bottom, with
//! sentinels that are never filled: one cell on top of each column, and a column on either side.
//!
//! ```text
//!      7  14  21  28  35  42  49  56  63      sentinels
//!      6  13  20  27  34  41  48  55  62      row 6
//!      :   :   :   :   :   :   :   :   :
//!      1   8  15  22  29  36  43  50  57      row 1
//!      ^                                ^
//!      sentinels                sentinels
//! ```
//!
//! A neighbour in any of the four directions is a fixed step away, and a run of stones ends at a
//! sentinel before it could leave the board.

use once_cell::sync::Lazy;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

use crate::game::{Game, Outcome, Side};

/// The valid numbers of rows and of columns.
pub const SIZE: std::ops::RangeInclusive<usize> = 4..=25;
/// Room for 25 columns of 25 rows and their sentinels.
pub(super) const CELLS: usize = 27 * 26 + 2;
const EMPTY: u8 = 0;

/// Zobrist keys.
struct Keys {
    /// By side and cell.
    stone: [[u64; CELLS]; 2],
    /// For player 2 to move.
    side: u64,
}

static KEYS: Lazy<Box<Keys>> = Lazy::new(|| {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(0x7261_746c_6c61);
    let mut keys = Box::new(Keys { stone: [[0; CELLS]; 2], side: rng.random() });
    keys.stone.iter_mut().for_each(|side| rng.fill(&mut side[..]));
    keys
});

/// Rows, columns and the number of stones in a winning line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Cells in a column.
    pub rows: usize,
    /// Cells in a row.
    pub columns: usize,
    /// Stones in a winning line.
    pub line: usize,
}

impl Size {
    /// Checks the limits.
    pub fn new(rows: usize, columns: usize, line: usize) -> Result<Size, String> {
        let (low, high) = (*SIZE.start(), *SIZE.end());
        if !SIZE.contains(&rows) || !SIZE.contains(&columns) {
            return Err(format!(
                "rows and columns must be {low}..{high} (got {rows} and {columns})"
            ));
        }
        let longest = rows.max(columns);
        if !(2..=longest).contains(&line) {
            return Err(format!(
                "the line must be 2..{longest} with {rows} rows and {columns} columns (got {line})"
            ));
        }
        Ok(Size { rows, columns, line })
    }

    /// The number of cells.
    pub fn cells(self) -> usize {
        self.rows * self.columns
    }

    /// The step from a cell to its right neighbour.
    fn stride(self) -> usize {
        self.rows + 1
    }

    /// The steps in the four directions: up, right, diagonally up, diagonally down.
    pub(super) fn directions(self) -> [usize; 4] {
        let stride = self.stride();
        [1, stride, stride + 1, stride - 1]
    }

    /// The cell in `column` and `row`, both counted from 0.
    pub(super) fn cell(self, column: usize, row: usize) -> usize {
        (column + 1) * self.stride() + 1 + row
    }

    /// The column and the row of a cell of the board: the inverse of [`Size::cell`].
    pub(super) fn place_of(self, cell: usize) -> (usize, usize) {
        ((cell - 1) / self.stride() - 1, (cell - 1) % self.stride())
    }
}

/// A column, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column(pub u8);

/// A position: stones, side to move and outcome.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    size: Size,
    /// `EMPTY`, or 1 + the index of the stone's side.
    cells: [u8; CELLS],
    /// The cell where the next stone of each column lands.
    landing: [u16; 25],
    stones: usize,
    side: Side,
    outcome: Option<Outcome>,
    key: u64,
}

impl Board {
    /// The empty board, player 1 to move.
    pub fn new(size: Size) -> Board {
        let mut landing = [0; 25];
        for (column, cell) in landing.iter_mut().enumerate().take(size.columns) {
            *cell = size.cell(column, 0) as u16;
        }
        Board {
            size,
            cells: [EMPTY; CELLS],
            landing,
            stones: 0,
            side: Side::P1,
            outcome: None,
            key: 0,
        }
    }

    /// A position from its columns, each listed from the bottom, and the side to move.
    ///
    /// Any numbers of stones will do, but at most one side may have a line.
    pub fn from_columns(size: Size, columns: &[Vec<Side>], side: Side) -> Result<Board, String> {
        let mut board = Board::new(size);
        let mut lines = [false; 2];
        for (column, stones) in columns.iter().enumerate() {
            for &stone in stones {
                let cell = board.landing_cell(column);
                board.drop_stone(column, stone);
                lines[stone.index()] |= board.makes_line(cell, stone);
            }
        }
        board.set_side(side);
        board.outcome = match lines {
            [true, true] => return Err("both players have a line (at most one can)".to_owned()),
            [true, false] => Some(Outcome::Win(Side::P1)),
            [false, true] => Some(Outcome::Win(Side::P2)),
            [false, false] if board.is_full() => Some(Outcome::Draw),
            [false, false] => None,
        };
        Ok(board)
    }

    /// The size of the board and the length of a winning line.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The number of stones on the board.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// The owner of the stone in `column` and `row`, both counted from 0.
    pub fn stone(&self, column: usize, row: usize) -> Option<Side> {
        self.stone_in(self.size.cell(column, row))
    }

    /// The owner of the stone in `cell`.
    pub(super) fn stone_in(&self, cell: usize) -> Option<Side> {
        match self.cells[cell] {
            EMPTY => None,
            1 => Some(Side::P1),
            _ => Some(Side::P2),
        }
    }

    /// The number of stones in `column`.
    pub fn height(&self, column: usize) -> usize {
        self.landing_cell(column) - self.size.cell(column, 0)
    }

    /// Whether `column` takes no more stones.
    pub fn is_column_full(&self, column: usize) -> bool {
        self.height(column) == self.size.rows
    }

    /// The columns that are not full, left to right, each with its landing cell.
    pub(super) fn open_columns(&self) -> impl Iterator<Item = (Column, usize)> + '_ {
        let mut full = self.size.cell(0, self.size.rows);
        let landings = self.landing[..self.size.columns].iter().enumerate();
        landings.filter_map(move |(column, &cell)| {
            let is_open = usize::from(cell) != full;
            full += self.size.stride();
            is_open.then_some((Column(column as u8), usize::from(cell)))
        })
    }

    /// Whether the next stone in its column lands in `cell`.
    pub(super) fn is_landing(&self, cell: usize) -> bool {
        let (column, _) = self.size.place_of(cell);
        self.landing_cell(column) == cell
    }

    /// The cell where the next stone in `column` lands.
    pub(super) fn landing_cell(&self, column: usize) -> usize {
        usize::from(self.landing[column])
    }

    /// The length of the longest run through `cell` if it holds a stone of `side`.
    pub(super) fn longest_line(&self, cell: usize, side: Side) -> usize {
        let directions = self.size.directions().into_iter();
        directions.map(|step| self.run(cell, step, side)).max().unwrap_or(1)
    }

    /// The lengths of the four runs of `side` that start in `cell`, which holds its stone.
    pub(super) fn runs_from(&self, cell: usize, side: Side) -> impl Iterator<Item = usize> + '_ {
        let directions = self.size.directions().into_iter();
        directions.map(move |step| {
            let cells = (cell..).step_by(step);
            cells.take_while(|&next| self.cells[next] == stone_of(side)).count()
        })
    }

    /// The length of the run through `cell` along `step` if `cell` holds a stone of `side`.
    fn run(&self, cell: usize, step: usize, side: Side) -> usize {
        let stone = stone_of(side);
        let mut length = 1;
        let mut next = cell + step;
        while self.cells[next] == stone {
            length += 1;
            next += step;
        }
        next = cell - step;
        while self.cells[next] == stone {
            length += 1;
            next -= step;
        }
        length
    }

    /// Whether a stone of `side` in `cell` is part of a winning line.
    pub(super) fn makes_line(&self, cell: usize, side: Side) -> bool {
        let line = self.size.line;
        let directions = self.size.directions();
        directions.into_iter().any(|step| self.run(cell, step, side) >= line)
    }

    fn is_full(&self) -> bool {
        self.stones == self.size.cells()
    }

    fn set_side(&mut self, side: Side) {
        if self.side != side {
            self.side = side;
            self.key ^= KEYS.side;
        }
    }

    /// Drops a stone of `side`, which need not be the side to move.
    fn drop_stone(&mut self, column: usize, side: Side) {
        let cell = self.landing_cell(column);
        self.cells[cell] = stone_of(side);
        self.landing[column] += 1;
        self.stones += 1;
        self.key ^= KEYS.stone[side.index()][cell];
    }
}

fn stone_of(side: Side) -> u8 {
    1 + side.index() as u8
}

impl Game for Board {
    type Move = Column;
    type Undo = ();

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    fn legal_moves(&self, moves: &mut Vec<Column>) {
        if self.outcome.is_none() {
            moves.extend(self.open_columns().map(|(column, _)| column));
        }
    }

    fn play(&mut self, Column(column): Column) {
        let column = usize::from(column);
        debug_assert!(self.outcome.is_none() && !self.is_column_full(column));
        let mover = self.side;
        let cell = self.landing_cell(column);
        self.drop_stone(column, mover);
        self.set_side(!mover);
        if self.makes_line(cell, mover) {
            self.outcome = Some(Outcome::Win(mover));
        } else if self.is_full() {
            self.outcome = Some(Outcome::Draw);
        }
    }

    fn undo(&mut self, Column(column): Column, (): ()) {
        let column = usize::from(column);
        let mover = !self.side;
        self.landing[column] -= 1;
        let cell = self.landing_cell(column);
        self.cells[cell] = EMPTY;
        self.stones -= 1;
        self.key ^= KEYS.stone[mover.index()][cell];
        self.set_side(mover);
        self.outcome = None;
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn key_after(&self, Column(column): Column) -> Option<u64> {
        let cell = self.landing_cell(usize::from(column));
        Some(self.key ^ KEYS.side ^ KEYS.stone[self.side.index()][cell])
    }

    fn key_from_scratch(&self) -> u64 {
        let stones = (0..CELLS).filter_map(|cell| {
            let side = self.stone_in(cell)?;
            Some(KEYS.stone[side.index()][cell])
        });
        let side = if self.side == Side::P2 { KEYS.side } else { 0 };
        stones.fold(side, |key, stone| key ^ stone)
    }

    fn code(Column(column): Column) -> u16 {
        u16::from(column)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: usize, columns: usize, line: usize) -> Board {
        Board::new(Size::new(rows, columns, line).unwrap())
    }

    fn played(mut board: Board, columns: &[u8]) -> Board {
        for &column in columns {
            assert_eq!(board.outcome(), None, "over before column {column}");
            board.play(Column(column - 1));
        }
        board
    }

    #[test]
    fn lines_in_all_four_directions_win() {
        let p1_wins = Some(Outcome::Win(Side::P1));
        for moves in [
            &[1, 2, 1, 2, 1, 2, 1][..],
            &[1, 1, 2, 2, 3, 3, 4],
            &[1, 2, 2, 3, 3, 4, 3, 4, 4, 6, 4],
            &[7, 6, 6, 5, 5, 4, 5, 4, 4, 2, 4],
        ] {
            assert_eq!(played(board(6, 7, 4), moves).outcome(), p1_wins, "{moves:?}");
        }
    }

    #[test]
    fn a_line_longer_than_required_wins_too() {
        let over = played(board(6, 7, 4), &[1, 1, 2, 2, 3, 3, 5, 5, 6, 6, 4]);
        assert_eq!(over.outcome(), Some(Outcome::Win(Side::P1)));
        assert_eq!(over.longest_line(over.size.cell(3, 0), Side::P1), 6);
    }

    #[test]
    fn lines_do_not_wrap_around_the_edge() {
        let open = played(board(4, 4, 4), &[1, 2, 1, 2, 2, 1, 3]);
        assert_eq!(open.outcome(), None);
        // The top of one column and the bottom of the next are not neighbours.
        let open = played(board(4, 4, 3), &[1, 1, 1, 1, 2, 3, 4]);
        assert_eq!(open.outcome(), None);
    }

    #[test]
    fn the_line_length_is_respected() {
        let three = played(board(6, 7, 3), &[1, 1, 2, 2, 3]);
        assert_eq!(three.outcome(), Some(Outcome::Win(Side::P1)));
        let five = played(board(6, 7, 5), &[1, 1, 2, 2, 3, 3, 4]);
        assert_eq!(five.outcome(), None);
    }

    #[test]
    fn a_full_board_without_a_line_is_a_draw() {
        let order = [1, 2, 1, 2, 2, 1, 2, 1, 3, 4, 3, 4, 4, 3, 4, 3];
        assert_eq!(played(board(4, 4, 4), &order).outcome(), Some(Outcome::Draw));
    }

    #[test]
    fn sizes_out_of_range_are_refused_with_the_valid_range() {
        assert!(Size::new(3, 7, 4).unwrap_err().contains("must be 4..25 (got 3 and 7)"));
        assert!(Size::new(6, 26, 4).unwrap_err().contains("must be 4..25 (got 6 and 26)"));
        assert!(Size::new(6, 7, 8).unwrap_err().contains("must be 2..7"));
        assert!(Size::new(25, 25, 25).is_ok());
    }

    #[test]
    fn the_largest_board_fits_its_array() {
        let size = Size::new(25, 25, 4).unwrap();
        assert!(size.cell(24, 24) + size.stride() + 1 < CELLS);
        assert!(size.cell(0, 0) > size.stride());
    }
}
