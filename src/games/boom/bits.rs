//! Bitboards: one bit per cell, eight per column.
//!
//! ```text
//!  7 15 23 31 39 47 55      sentinels
//!  6 14 22 30 38 46 54      row 7
//!  :  :  :  :  :  :  :
//!  0  8 16 24 32 40 48      row 1
//! ```
//!
//! A neighbour in any direction is a fixed shift away, and no line leaves the board without crossing
//! a sentinel, which is never filled.

/// The number of rows and of columns.
pub const SIZE: usize = 7;
/// The shifts to the next cell: up, right, diagonally up, diagonally down.
pub const DIRECTIONS: [u32; 4] = [1, 8, 9, 7];
/// The lowest row.
pub const BOTTOM: u64 = 0x0001_0101_0101_0101;
/// Every cell.
pub const BOARD: u64 = BOTTOM * 0x7f;
const COLUMN: u64 = 0x7f;

/// The cell in `column` and `row`, both counted from 0.
pub fn cell(column: usize, row: usize) -> u64 {
    1 << (8 * column + row)
}

/// The lines of one direction, given by their first cells, with one, two and three of `stones`.
pub fn lines_by_count(stones: u64, step: u32) -> [u64; 3] {
    // Numbers of stones in the lower and the higher half of each line.
    let (low_one, low_two) = (stones ^ stones >> step, stones & stones >> step);
    let (high_one, high_two) = (low_one >> (2 * step), low_two >> (2 * step));
    let one = (low_one ^ high_one) & !(low_two | high_two);
    let two = (low_one & high_one)
        | (low_two & !(high_one | high_two))
        | (high_two & !(low_one | low_two));
    let three = (low_one & high_two) | (low_two & high_one);
    [one, two, three]
}

/// The lines of one direction, given by their first cells, that consist of these `cells` alone.
pub fn lines_within(cells: u64, step: u32) -> u64 {
    let pairs = cells & cells >> step;
    pairs & pairs >> (2 * step)
}

/// All cells of `row`.
pub fn row(row: usize) -> u64 {
    BOTTOM << row
}

/// All cells of `column`.
pub fn column(column: usize) -> u64 {
    COLUMN << (8 * column)
}

/// The column of a single cell.
pub fn column_of(cell: u64) -> usize {
    cell.trailing_zeros() as usize / 8
}

/// The row of a single cell.
pub fn row_of(cell: u64) -> usize {
    cell.trailing_zeros() as usize % 8
}

/// All columns that contain one of `cells`.
pub fn columns_of(cells: u64) -> u64 {
    // Each column is a byte: fold it into its lowest bit, then spread that bit.
    let folded = cells | cells >> 4;
    let folded = folded | folded >> 2;
    let lowest = (folded | folded >> 1) & BOTTOM;
    lowest * COLUMN
}

/// The cells of a set, one by one.
pub fn each(mut cells: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = cells & cells.wrapping_neg();
        cells ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Whether `stones` contain four in a line.
pub fn has_line(stones: u64) -> bool {
    DIRECTIONS.iter().any(|&step| {
        let pairs = stones & stones >> step;
        pairs & pairs >> (2 * step) != 0
    })
}

/// The cells, filled or not, that complete a line with three of `stones`.
pub fn completing(stones: u64) -> u64 {
    let cells = DIRECTIONS.iter().fold(0, |cells, &step| {
        let pair_above = stones >> step & stones >> (2 * step);
        let pair_below = stones << step & stones << (2 * step);
        cells
            | pair_above & (stones << step | stones >> (3 * step))
            | pair_below & (stones >> step | stones << (3 * step))
    });
    cells & BOARD
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells of every possible line.
    fn lines() -> Vec<u64> {
        let size = SIZE as isize;
        let mut lines = Vec::new();
        for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            for start in 0..size * size {
                let (first, lowest) = (start % size, start / size);
                let cells: Vec<(isize, isize)> =
                    (0..4).map(|k| (first + right * k, lowest + up * k)).collect();
                if cells.iter().all(|&(c, r)| (0..size).contains(&c) && (0..size).contains(&r)) {
                    lines.push(
                        cells.iter().fold(0, |line, &(c, r)| line | cell(c as usize, r as usize)),
                    );
                }
            }
        }
        lines
    }

    /// Each of the 16 ways to fill a line counts as one, two or three stones, or as none of these.
    #[test]
    fn the_stones_of_a_line_are_counted_wherever_they_are() {
        for step in DIRECTIONS {
            let first = cell(2, 3);
            for filled in 0..16u32 {
                let places = (0..4).filter(|place| filled >> place & 1 == 1);
                let stones = places.fold(0, |stones, place| stones | first << (place * step));
                let counted = lines_by_count(stones, step).map(|lines| lines & first != 0);
                assert_eq!(
                    counted,
                    [1, 2, 3].map(|count| filled.count_ones() == count),
                    "{filled}"
                );
            }
        }
    }

    #[test]
    fn lines_are_detected_as_cell_by_cell() {
        let lines = lines();
        assert_eq!(lines.len(), 88);
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        for round in 0..5000 {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            let sparse = if round % 2 == 0 { random.rotate_left(23) } else { !0 };
            let stones = random & sparse & BOARD;
            let complete = lines.iter().any(|line| stones & line == *line);
            assert_eq!(has_line(stones), complete);
            let missing = lines.iter().fold(0, |cells, line| {
                let present = (stones & line).count_ones();
                let ends = if present >= 3 { *line } else { 0 };
                cells | (ends & !stones)
            });
            assert_eq!(completing(stones) & !stones, missing);
        }
    }

    #[test]
    fn columns_and_cells_convert_both_ways() {
        assert_eq!(columns_of(cell(2, 5) | cell(6, 0) | cell(6, 6)), column(2) | column(6));
        assert_eq!(columns_of(0), 0);
        assert_eq!(columns_of(BOARD), BOARD);
        assert_eq!((column_of(cell(3, 4)), row_of(cell(3, 4))), (3, 4));
        assert_eq!(each(BOARD).count(), 49);
    }
}
