//! Bitboards: one bit per cell, neighbours, and runs of three.
//!
//! ```text
//! 24 25 26 27 28 29      row 5
//! 18 19 20 21 22 23
//! 12 13 14 15 16 17
//!  6  7  8  9 10 11
//!  0  1  2  3  4  5      row 1
//!  a  b  c  d  e  f
//! ```

/// The number of rows.
pub const ROWS: usize = 5;
/// The number of columns.
pub const COLUMNS: usize = 6;
/// The number of cells.
pub const CELLS: usize = ROWS * COLUMNS;
/// Every cell.
pub const BOARD: u32 = (1 << CELLS) - 1;
const COLUMN_A: u32 = 0x0104_1041;
const COLUMN_F: u32 = COLUMN_A << 5;

/// The number of directions.
pub const DIRECTIONS: usize = 4;
/// By direction, left, right, down and up: what a step adds to a cell's number.
pub const STEPS: [i8; DIRECTIONS] = [-1, 1, -(COLUMNS as i8), COLUMNS as i8];

/// Shifts a set of cells by one step; cells that would leave the board vanish.
pub fn left(cells: u32) -> u32 {
    (cells & !COLUMN_A) >> 1
}

/// As [`left`].
pub fn right(cells: u32) -> u32 {
    (cells & !COLUMN_F) << 1
}

/// As [`left`].
pub fn down(cells: u32) -> u32 {
    cells >> COLUMNS
}

/// As [`left`].
pub fn up(cells: u32) -> u32 {
    cells << COLUMNS & BOARD
}

/// The cells adjacent to one of `cells`, not diagonally.
pub fn around(cells: u32) -> u32 {
    left(cells) | right(cells) | down(cells) | up(cells)
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

/// By direction: the cells, filled or not, where one of `stones` arrives with a step that way.
pub fn arrivals(stones: u32) -> [u32; DIRECTIONS] {
    [left(stones), right(stones), down(stones), up(stones)]
}

/// The cells where a step makes a three: a run of exactly three in a row or a column.
pub struct Threes {
    /// By direction: the cells of [`arrivals`] where the arriving stone makes a three.
    pub arrivals: [u32; DIRECTIONS],
    /// The cells, filled or not, where a stone entering a row or column from outside would make a
    /// three in it, whether or not any stone can.
    pub gaps: u32,
}

impl Threes {
    /// A stone that steps along a line vacates the cell behind it, so the rest of the run lies
    /// ahead; one that enters a line from outside joins the runs on both sides.
    pub fn of(stones: u32) -> Threes {
        let row = AxisRuns::new(stones, left, right);
        let column = AxisRuns::new(stones, down, up);
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
    fn new(stones: u32, lower: fn(u32) -> u32, higher: fn(u32) -> u32) -> AxisRuns {
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

/// The stones that are part of a three.
pub fn in_threes(stones: u32) -> u32 {
    let threes = |lower: fn(u32) -> u32, higher: fn(u32) -> u32| {
        let (second, third) = (lower(stones), lower(lower(stones)));
        let longer = higher(stones) | lower(third);
        let first = stones & second & third & !longer;
        first | higher(first | higher(first))
    };
    threes(left, right) | threes(down, up)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    /// The length of the run through `cell` along a column and a row, cell by cell.
    fn runs(stones: u32, cell: usize) -> [usize; 2] {
        let (column, row) = ((cell % COLUMNS) as isize, (cell / COLUMNS) as isize);
        [(1, 0), (0, 1)].map(|(right, up)| {
            let filled = |distance: isize| {
                let (column, row) = (column + distance * right, row + distance * up);
                (0..COLUMNS as isize).contains(&column)
                    && (0..ROWS as isize).contains(&row)
                    && stones >> (row * COLUMNS as isize + column) & 1 == 1
            };
            let ahead = (1..6).take_while(|&distance| filled(distance)).count();
            let behind = (1..6).take_while(|&distance| filled(-distance)).count();
            1 + ahead + behind
        })
    }

    #[test]
    fn threes_are_detected_as_cell_by_cell() {
        let mut rng = SmallRng::seed_from_u64(3);
        for _ in 0..20_000 {
            let stones = rng.random::<u32>() & rng.random::<u32>() & BOARD;
            let expected = (0..CELLS)
                .filter(|&cell| stones >> cell & 1 == 1 && runs(stones, cell).contains(&3))
                .fold(0, |cells, cell| cells | 1 << cell);
            assert_eq!(in_threes(stones), expected);
            let found = Threes::of(stones).arrivals;
            for (direction, cells) in arrivals(stones).into_iter().enumerate() {
                for cell in each(cells & !stones) {
                    let from = cell as i8 - STEPS[direction];
                    let moved = stones & !(1 << from) | 1 << cell;
                    let three = runs(moved, cell.into()).contains(&3);
                    assert_eq!(found[direction] >> cell & 1 == 1, three);
                }
                assert_eq!(found[direction] & !cells, 0);
            }
        }
    }

    #[test]
    fn neighbours_are_on_the_board() {
        let corners = 1 | 1 << 5 | 1 << 24 | 1 << 29;
        assert_eq!(around(corners).count_ones(), 8);
        assert_eq!(around(1), 1 << 1 | 1 << 6);
        assert_eq!(around(BOARD), BOARD);
        assert_eq!(each(BOARD).count(), CELLS);
    }
}
