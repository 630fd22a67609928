//! The board as a word: one bit for each cell, the neighbours of cells, and threes.
//!
//! ```text
//! 24 25 26 27 28 29      row 5
//! 18 19 20 21 22 23
//! 12 13 14 15 16 17
//!  6  7  8  9 10 11
//!  0  1  2  3  4  5      row 1
//!  a  b  c  d  e  f
//! ```

/// Cells in a column.
pub const ROWS: usize = 5;
/// Cells in a row.
pub const COLUMNS: usize = 6;
/// All cells.
pub const CELLS: usize = ROWS * COLUMNS;
/// Every cell.
pub const BOARD: u32 = (1 << CELLS) - 1;
const COLUMN_A: u32 = 0x0104_1041;
const COLUMN_F: u32 = COLUMN_A << 5;

/// The four ways to step, in the order of the arrays by direction.
pub const DIRECTIONS: usize = 4;
/// What a step in each direction adds to a cell's number: left, right, down, up.
pub const STEPS: [i8; DIRECTIONS] = [-1, 1, -(COLUMNS as i8), COLUMNS as i8];

/// Each cell of a set moved one step; what leaves the board vanishes.
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

/// The cells that touch one of `cells`.
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

/// How many cells the sets have within `mask`, counted anew in each set.
pub fn count_all(sets: [u32; DIRECTIONS], mask: u32) -> u32 {
    // Two sets fill a word, which is counted as fast as one.
    let pair = |low: u32, high: u32| u64::from(low & mask) | u64::from(high & mask) << 32;
    pair(sets[0], sets[1]).count_ones() + pair(sets[2], sets[3]).count_ones()
}

/// For each direction: the cells, filled or not, where a stone of the set arrives with one step
/// in that direction.
pub fn arrivals(stones: u32) -> [u32; DIRECTIONS] {
    [left(stones), right(stones), down(stones), up(stones)]
}

/// Where stones make threes.
pub struct Threes {
    /// For each direction: the cells of [`arrivals`] where the stone that arrives stands in a
    /// run of exactly three, in its row or its column.
    pub arrivals: [u32; DIRECTIONS],
    /// The cells, filled or not, where a stone arriving across a row or a column makes a run of
    /// exactly three there, whether or not there is a stone to arrive.
    pub gaps: u32,
}

impl Threes {
    /// A stone that steps along a line leaves its place in that line empty, so all of the run
    /// lies ahead; one that steps across joins what lies on either side.
    pub fn of(stones: u32) -> Threes {
        let row = Line::new(stones, left, right);
        let column = Line::new(stones, down, up);
        let (into_row, into_column) = (row.across(), column.across());
        let arrivals = [
            row.next[1] & (row.two_before | into_column),
            row.next[0] & (row.two_behind | into_column),
            column.next[1] & (column.two_before | into_row),
            column.next[0] & (column.two_behind | into_row),
        ];
        Threes { arrivals, gaps: into_row | into_column }
    }
}

/// The cells by what lies beside them in a row or in a column. *Before* a cell is towards the
/// lower numbers, *behind* it towards the higher.
struct Line {
    /// A stone is next before; next behind.
    next: [u32; 2],
    /// Exactly two stones in a run before the cell.
    two_before: u32,
    /// Exactly two stones in a run behind the cell.
    two_behind: u32,
    /// Exactly one stone in a run on either side.
    one_each: u32,
}

impl Line {
    /// `to_before` moves cells towards lower numbers, `to_behind` towards higher ones.
    fn new(stones: u32, to_before: fn(u32) -> u32, to_behind: fn(u32) -> u32) -> Line {
        let before = to_behind(stones);
        let before2 = to_behind(before);
        let before3 = to_behind(before2);
        let behind = to_before(stones);
        let behind2 = to_before(behind);
        let behind3 = to_before(behind2);
        Line {
            next: [before, behind],
            two_before: before & before2 & !before3,
            two_behind: behind & behind2 & !behind3,
            one_each: before & behind & !before2 & !behind2,
        }
    }

    /// The cells where a stone arriving from outside the line makes a run of exactly three.
    fn across(&self) -> u32 {
        (self.two_before & !self.next[1]) | (self.two_behind & !self.next[0]) | self.one_each
    }
}

/// The stones that stand in a run of exactly three.
pub fn in_threes(stones: u32) -> u32 {
    let threes = |to_before: fn(u32) -> u32, to_behind: fn(u32) -> u32| {
        let (second, third) = (to_before(stones), to_before(to_before(stones)));
        let longer = to_behind(stones) | to_before(third);
        let first = stones & second & third & !longer;
        first | to_behind(first | to_behind(first))
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
    fn threes_are_found_exactly_where_they_are() {
        let mut rng = SmallRng::seed_from_u64(3);
        for _ in 0..20_000 {
            let stones = rng.random::<u32>() & rng.random::<u32>() & BOARD;
            let standing = (0..CELLS)
                .filter(|&cell| stones >> cell & 1 == 1 && runs(stones, cell).contains(&3))
                .fold(0, |cells, cell| cells | 1 << cell);
            assert_eq!(in_threes(stones), standing);
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
    fn steps_stay_on_the_board() {
        let corners = 1 | 1 << 5 | 1 << 24 | 1 << 29;
        assert_eq!(around(corners).count_ones(), 8);
        assert_eq!(around(1), 1 << 1 | 1 << 6);
        assert_eq!(around(BOARD), BOARD);
        assert_eq!(each(BOARD).count(), CELLS);
    }
}
