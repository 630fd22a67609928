//! Boards as bitboards: one bit per cell, neighbours, and runs of three.
//!
//! ```text
//! 24 25 26 27 28 29      row 5
//! 18 19 20 21 22 23
//! 12 13 14 15 16 17
//!  6  7  8  9 10 11
//!  0  1  2  3  4  5      row 1
//!  a  b  c  d  e  f
//! ```
//!
//! What depends on the numbers of rows and columns is a method of [`Shape`]. The usual board has a
//! type of its own, for which every shift and mask is a constant; all others share [`AnyShape`].

use std::fmt::Debug;
use std::ops::RangeInclusive;

/// The most cells of a board: bits in a word.
pub const MOST_CELLS: usize = 32;
/// The numbers of rows and of columns.
const SIDES: RangeInclusive<usize> = 2..=9;
/// The length of the line that captures, and so the fewest stones that are of use.
pub const THREE: usize = 3;

/// The number of directions: left, right, down and up.
pub const DIRECTIONS: usize = 4;

/// What `newgame` takes: the size of the board, and how many stones each player has.
pub trait Shape: Copy + Debug + PartialEq + Send + Sync + 'static {
    /// The number of rows.
    fn rows(self) -> usize;
    /// The number of columns.
    fn columns(self) -> usize;
    /// The number of stones each player has.
    fn stones(self) -> u32;
    /// Every cell.
    fn board(self) -> u32;
    /// The cells of column a.
    fn first_column(self) -> u32;

    /// The number of cells.
    fn cells(self) -> usize {
        self.rows() * self.columns()
    }

    /// The same shape as a value.
    fn any(self) -> AnyShape {
        AnyShape {
            rows: self.rows() as u8,
            columns: self.columns() as u8,
            stones: self.stones() as u8,
            board: self.board(),
            first_column: self.first_column(),
        }
    }

    /// By direction: what a step adds to a cell's number.
    fn steps(self) -> [i8; DIRECTIONS] {
        [-1, 1, -(self.columns() as i8), self.columns() as i8]
    }

    /// Shifts a set of cells by one step; cells that would leave the board vanish.
    fn left(self, cells: u32) -> u32 {
        (cells & !self.first_column()) >> 1
    }

    /// As [`Shape::left`].
    fn right(self, cells: u32) -> u32 {
        (cells & !(self.first_column() << (self.columns() - 1))) << 1
    }

    /// As [`Shape::left`].
    fn down(self, cells: u32) -> u32 {
        cells >> self.columns()
    }

    /// As [`Shape::left`].
    fn up(self, cells: u32) -> u32 {
        cells << self.columns() & self.board()
    }

    /// The cells adjacent to one of `cells`, not diagonally.
    fn around(self, cells: u32) -> u32 {
        self.left(cells) | self.right(cells) | self.down(cells) | self.up(cells)
    }

    /// By direction: the cells, filled or not, where one of `stones` arrives with a step that way.
    fn arrivals(self, stones: u32) -> [u32; DIRECTIONS] {
        [self.left(stones), self.right(stones), self.down(stones), self.up(stones)]
    }

    /// The stones that are part of a three.
    fn in_threes(self, stones: u32) -> u32 {
        threes(stones, |cells| self.left(cells), |cells| self.right(cells))
            | threes(stones, |cells| self.down(cells), |cells| self.up(cells))
    }
}

/// 5 rows, 6 columns and 12 stones each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard;

impl Shape for Standard {
    fn rows(self) -> usize {
        5
    }

    fn columns(self) -> usize {
        6
    }

    fn stones(self) -> u32 {
        12
    }

    fn board(self) -> u32 {
        (1 << 30) - 1
    }

    fn first_column(self) -> u32 {
        0x0104_1041
    }
}

/// Any board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AnyShape {
    rows: u8,
    columns: u8,
    stones: u8,
    board: u32,
    first_column: u32,
}

impl AnyShape {
    /// Checks the limits.
    pub fn new(rows: usize, columns: usize, stones: usize) -> Result<AnyShape, String> {
        let (low, high) = (*SIDES.start(), *SIDES.end());
        if !SIDES.contains(&rows) || !SIDES.contains(&columns) {
            return Err(format!(
                "rows and columns must be {low}..{high} (got {rows} and {columns})"
            ));
        }
        if rows.max(columns) < THREE {
            return Err(format!(
                "expected at least {THREE} rows or {THREE} columns, got {rows} and {columns}"
            ));
        }
        let cells = rows * columns;
        if cells > MOST_CELLS {
            return Err(format!(
                "the board must have at most {MOST_CELLS} cells ({rows} rows of {columns} are {cells})"
            ));
        }
        // More stones cannot be dropped without touching.
        let most = cells.div_ceil(2);
        if !(THREE..=most).contains(&stones) {
            return Err(format!(
                "the stones must be {THREE}..{most} with {rows} rows and {columns} columns \
                 (got {stones})"
            ));
        }
        Ok(AnyShape {
            rows: rows as u8,
            columns: columns as u8,
            stones: stones as u8,
            board: u32::MAX >> (MOST_CELLS - cells),
            first_column: (0..rows).fold(0, |column, row| column | 1 << (row * columns)),
        })
    }
}

impl Shape for AnyShape {
    fn rows(self) -> usize {
        self.rows.into()
    }

    fn columns(self) -> usize {
        self.columns.into()
    }

    fn stones(self) -> u32 {
        self.stones.into()
    }

    fn board(self) -> u32 {
        self.board
    }

    fn first_column(self) -> u32 {
        self.first_column
    }
}

/// The numbers of the cells of a set, lowest first.
pub fn each(mut cells: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = cells.trailing_zeros() as u8;
        let any = cells != 0;
        cells &= cells.wrapping_sub(1);
        any.then_some(cell)
    })
}

/// The number of cells within `mask`, summed over the sets.
pub fn count_all(sets: [u32; DIRECTIONS], mask: u32) -> u32 {
    // Two sets share a word, so that two population counts suffice.
    let pair = |low: u32, high: u32| u64::from(low & mask) | u64::from(high & mask) << 32;
    pair(sets[0], sets[1]).count_ones() + pair(sets[2], sets[3]).count_ones()
}

/// The cells where a step makes a three: a run of exactly three in a row or a column.
pub struct Threes {
    /// By direction: the cells of [`Shape::arrivals`] where the arriving stone makes a three.
    pub arrivals: [u32; DIRECTIONS],
    /// The cells, filled or not, where a stone entering a row or column from outside would make a
    /// three in it, whether or not any stone can.
    pub gaps: u32,
}

impl Threes {
    /// A stone that steps along a line vacates the cell behind it, so the rest of the run lies
    /// ahead; one that enters a line from outside joins the runs on both sides.
    pub fn of<S: Shape>(shape: S, stones: u32) -> Threes {
        let row = AxisRuns::new(stones, |cells| shape.left(cells), |cells| shape.right(cells));
        let column = AxisRuns::new(stones, |cells| shape.down(cells), |cells| shape.up(cells));
        let (into_row, into_column) = (row.entries(), column.entries());
        let arrivals = [
            row.next[1] & (row.two_below | into_column),
            row.next[0] & (row.two_above | into_column),
            column.next[1] & (column.two_below | into_row),
            column.next[0] & (column.two_above | into_row),
        ];
        Threes { arrivals, gaps: into_row | into_column }
    }
}

/// The cells by the runs of stones next to them along one axis: *below* towards the lower cell
/// numbers, *above* towards the higher ones.
struct AxisRuns {
    /// A stone directly below; directly above.
    next: [u32; 2],
    /// A run of exactly two below.
    two_below: u32,
    /// A run of exactly two above.
    two_above: u32,
    /// A single stone on either side.
    one_each: u32,
}

impl AxisRuns {
    /// `lower` shifts cells towards lower numbers, `higher` towards higher ones.
    fn new(stones: u32, lower: impl Fn(u32) -> u32, higher: impl Fn(u32) -> u32) -> AxisRuns {
        let below = higher(stones);
        let below2 = higher(below);
        let below3 = higher(below2);
        let above = lower(stones);
        let above2 = lower(above);
        let above3 = lower(above2);
        AxisRuns {
            next: [below, above],
            two_below: below & below2 & !below3,
            two_above: above & above2 & !above3,
            one_each: below & above & !below2 & !above2,
        }
    }

    /// The cells where a stone entering from outside this axis makes a three.
    fn entries(&self) -> u32 {
        (self.two_below & !self.next[1]) | (self.two_above & !self.next[0]) | self.one_each
    }
}

/// The stones that are part of a three along one axis.
fn threes(stones: u32, lower: impl Fn(u32) -> u32, higher: impl Fn(u32) -> u32) -> u32 {
    let (second, third) = (lower(stones), lower(lower(stones)));
    let longer = higher(stones) | lower(third);
    let first = stones & second & third & !longer;
    first | higher(first | higher(first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// Every shape, each with the fewest stones.
    fn shapes() -> impl Iterator<Item = AnyShape> {
        let sizes = SIDES.flat_map(|rows| SIDES.map(move |columns| (rows, columns)));
        sizes.filter_map(|(rows, columns)| AnyShape::new(rows, columns, THREE).ok())
    }

    /// The length of the run through `cell` along a column and a row, cell by cell.
    fn runs(shape: impl Shape, stones: u32, cell: usize) -> [usize; 2] {
        let (rows, columns) = (shape.rows() as isize, shape.columns() as isize);
        let (column, row) = (cell as isize % columns, cell as isize / columns);
        [(1, 0), (0, 1)].map(|(right, up)| {
            let filled = |distance: isize| {
                let (column, row) = (column + distance * right, row + distance * up);
                (0..columns).contains(&column)
                    && (0..rows).contains(&row)
                    && stones >> (row * columns + column) & 1 == 1
            };
            let ahead = (1..10).take_while(|&distance| filled(distance)).count();
            let behind = (1..10).take_while(|&distance| filled(-distance)).count();
            1 + ahead + behind
        })
    }

    fn check_threes(shape: impl Shape, stones: u32) {
        let expected = (0..shape.cells())
            .filter(|&cell| stones >> cell & 1 == 1 && runs(shape, stones, cell).contains(&3))
            .fold(0, |cells, cell| cells | 1 << cell);
        assert_eq!(shape.in_threes(stones), expected);
        let found = Threes::of(shape, stones).arrivals;
        for (direction, cells) in shape.arrivals(stones).into_iter().enumerate() {
            for cell in each(cells & !stones) {
                let from = cell as i8 - shape.steps()[direction];
                let moved = stones & !(1 << from) | 1 << cell;
                let three = runs(shape, moved, cell.into()).contains(&3);
                assert_eq!(found[direction] >> cell & 1 == 1, three);
            }
            assert_eq!(found[direction] & !cells, 0);
        }
    }

    #[test]
    fn threes_are_detected_as_cell_by_cell() {
        let mut rng = SmallRng::seed_from_u64(3);
        let mut random = || rng.random::<u32>() & rng.random::<u32>();
        for _ in 0..20_000 {
            check_threes(Standard, random() & Standard.board());
        }
        for shape in shapes() {
            for _ in 0..1000 {
                check_threes(shape, random() & shape.board());
            }
        }
    }

    #[test]
    fn neighbours_are_on_the_board() {
        let corners = 1 | 1 << 5 | 1 << 24 | 1 << 29;
        assert_eq!(Standard.around(corners).count_ones(), 8);
        assert_eq!(Standard.around(1), 1 << 1 | 1 << 6);
        for shape in shapes() {
            let (rows, columns) = (shape.rows(), shape.columns());
            for cell in 0..shape.cells() {
                let (row, column) = (cell / columns, cell % columns);
                let expected = (0..shape.cells()).filter(|other| {
                    row.abs_diff(other / columns) + column.abs_diff(other % columns) == 1
                });
                let expected = expected.fold(0, |cells, cell| cells | 1 << cell);
                assert_eq!(shape.around(1 << cell), expected, "{rows}x{columns}");
            }
            assert_eq!(each(shape.board()).count(), rows * columns);
        }
    }

    #[test]
    fn the_usual_board_is_one_of_all() {
        assert_eq!(AnyShape::new(5, 6, 12), Ok(Standard.any()));
        assert_eq!(shapes().count(), 39);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        for (size, part) in [
            ((1, 6, 3), "rows and columns must be 2..9 (got 1 and 6)"),
            ((3, 10, 3), "rows and columns must be 2..9 (got 3 and 10)"),
            ((2, 2, 3), "expected at least 3 rows or 3 columns, got 2 and 2"),
            ((6, 6, 12), "at most 32 cells (6 rows of 6 are 36)"),
            ((5, 6, 16), "the stones must be 3..15 with 5 rows and 6 columns (got 16)"),
            ((3, 3, 2), "the stones must be 3..5 with 3 rows and 3 columns (got 2)"),
        ] {
            let error = AnyShape::new(size.0, size.1, size.2).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
