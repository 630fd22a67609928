//! Winning lines: which sets of cells hold one, and which cells would finish one.

use super::bitboard::Bitboard;
use super::geometry::BoardLayout;

/// Not empty if and only if `cells` holds a winning line: one end of each.
#[inline(always)]
pub fn line_ends<W: Bitboard>(layout: &BoardLayout<W>, cells: W) -> W {
    let mut found = W::ZERO;
    for step in layout.directions() {
        // Two runs that overlap or touch are one longer run.
        let pairs = cells & (cells >> step);
        let fours = pairs & (pairs >> (2 * step));
        found |= match layout.line {
            3 => pairs & (pairs >> step),
            4 => fours,
            5 => fours & (fours >> step),
            6 => fours & (fours >> (2 * step)),
            line => long_runs(pairs, step, line),
        };
    }
    found
}

/// One end of each run of `line` cells, by those of two. Apart from the code of the usual lines:
/// a loop would keep that from becoming vector code.
#[inline(never)]
fn long_runs<W: Bitboard>(pairs: W, step: u32, line: u32) -> W {
    (2..line).fold(pairs, |runs, _| runs & (runs >> step))
}

/// True if `cells` holds a winning line.
#[inline(always)]
pub fn has_line<W: Bitboard>(layout: &BoardLayout<W>, cells: W) -> bool {
    !line_ends(layout, cells).is_empty()
}

/// Cells, occupied by others or not, sentinels included, that would complete a line
/// of `stones`.
#[inline(always)]
pub fn completions<W: Bitboard>(layout: &BoardLayout<W>, stones: W) -> W {
    let mut found = match layout.line {
        3 => (stones << 1) & (stones << 2),
        4 => (stones << 1) & (stones << 2) & (stones << 3),
        5 => (stones << 1) & (stones << 2) & (stones << 3) & (stones << 4),
        6 => (stones << 1) & (stones << 2) & (stones << 3) & (stones << 4) & (stones << 5),
        line => (1..line).fold(!W::ZERO, |found, below| found & (stones << below)),
    };
    let [_, falling, across, rising] = layout.directions();
    for step in [falling, across, rising] {
        found |= match layout.line {
            4 => gaps_in_four(stones, step),
            3 | 5 | 6 => gaps(stones, step, layout.line),
            line => gaps_in_long(stones, step, line),
        };
    }
    found
}

/// [`gaps`] in a line of four, in fewer instructions.
#[inline(always)]
fn gaps_in_four<W: Bitboard>(stones: W, step: u32) -> W {
    let left = stones << step;
    let right = stones >> step;
    let pair_left = left & (stones << (2 * step));
    let pair_right = right & (stones >> (2 * step));
    (pair_left & ((stones << (2 * step) << step) | right))
        | (pair_right & ((stones >> (2 * step) >> step) | left))
}

/// The cells in one direction that complete a line of three to six: the one cell without a
/// stone in a window of this many cells.
#[inline(always)]
fn gaps<W: Bitboard>(stones: W, step: u32, line: u32) -> W {
    let mut windows = LineWindows::of_one(stones).wider(step).wider(step);
    windows = if line > 3 { windows.wider(step) } else { windows };
    windows = if line > 4 { windows.wider(step) } else { windows };
    windows = if line > 5 { windows.wider(step) } else { windows };
    let mut cells = windows.one;
    cells |= cells << step;
    cells |= windows.one << (2 * step);
    cells = if line > 3 { cells | (cells << step) } else { cells };
    cells = if line > 4 { cells | (cells << step) } else { cells };
    cells = if line > 5 { cells | (cells << step) } else { cells };
    cells & !stones
}

/// [`gaps`] in a line of any length.
#[inline(never)]
fn gaps_in_long<W: Bitboard>(stones: W, step: u32, line: u32) -> W {
    let windows = (1..line).fold(LineWindows::of_one(stones), |windows, _| windows.wider(step));
    let cells = (1..line).fold(windows.one, |cells, _| cells | (cells << step));
    cells & !stones
}

/// LineWindows of some cells in one direction, by their first cell.
#[derive(Clone, Copy)]
struct LineWindows<W> {
    /// All cells have stones.
    none: W,
    /// All cells but one have stones.
    one: W,
    /// The last cell has a stone.
    last: W,
}

impl<W: Bitboard> LineWindows<W> {
    #[inline(always)]
    fn of_one(stones: W) -> Self {
        Self { none: stones, one: !stones, last: stones }
    }

    /// Wider by one cell.
    #[inline(always)]
    fn wider(self, step: u32) -> Self {
        let last = self.last >> step;
        Self { none: self.none & last, one: (self.one & last) | (self.none & !last), last }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bitboard::{Halves, KeyWord};
    use super::super::tests::Xorshift;
    use super::*;

    /// Every line of a board, as bits.
    fn lines(rows: u32, columns: u32, line: u32) -> Vec<u128> {
        let mut lines = Vec::new();
        let last = |start: u32, step: i32| start as i32 + step * (line as i32 - 1);
        for (right, up) in [(0, 1), (1, -1), (1, 0), (1, 1)] {
            for column in 0..columns {
                for row in 0..rows {
                    let on_board = (0..columns as i32).contains(&last(column, right))
                        && (0..rows as i32).contains(&last(row, up));
                    let cell = |index: i32| {
                        let (column, row) =
                            (column as i32 + right * index, row as i32 + up * index);
                        1u128 << (column * (rows as i32 + 1) + row)
                    };
                    if on_board {
                        lines.push((0..line as i32).map(cell).sum());
                    }
                }
            }
        }
        lines
    }

    fn check<W: Bitboard>(rows: u32, columns: u32, line: u32, random: &mut Xorshift) {
        let layout = BoardLayout::<W>::new(rows, columns, line);
        let lines = lines(rows, columns, line);
        let cells = (rows + 1) * columns;
        let on_board = |&cell: &u32| cell % (rows + 1) < rows;
        for round in 0..30 {
            // Dense enough for long lines.
            let share = [2, 4, 10][round % 3];
            let mut stones = (0..cells)
                .filter(on_board)
                .filter(|_| random.below(share) != 0)
                .fold(0u128, |stones, cell| stones | 1 << cell);
            if round % 2 == 0 && !lines.is_empty() {
                let line = lines[random.below(lines.len() as u32) as usize];
                stones |= line;
                if round % 4 == 0 {
                    stones &= !(line & line.wrapping_neg());
                }
            }
            let set = W::from_word(W::Word::truncate(stones));
            let holds_line = lines.iter().any(|line| line & !stones == 0);
            assert_eq!(has_line(&layout, set), holds_line, "{rows}x{columns} {line} {stones:b}");
            // Below a stone there is no empty cell: a vertical line is completed at its top.
            let is_vertical = |line: u128| line & (line >> 1) != 0;
            let completing = |cell: &u32| {
                let cell = 1u128 << cell;
                let completes = |&line: &u128| {
                    line & !stones == cell && (!is_vertical(line) || line & (cell << 1) == 0)
                };
                lines.iter().any(completes)
            };
            let expected = (0..cells)
                .filter(on_board)
                .filter(completing)
                .fold(0, |found, cell| found | 1 << cell);
            let expected = W::from_word(W::Word::truncate(expected));
            let found = completions(&layout, set) & layout.board & !set;
            assert_eq!(found, expected, "{rows}x{columns} {line} {stones:b}");
            for step in layout.directions().into_iter().filter(|_| line == 4) {
                let found = gaps_in_four(set, step) & !set;
                assert_eq!(found, gaps(set, step, line), "{rows}x{columns} {stones:b}");
                assert_eq!(found, gaps_in_long(set, step, line), "{rows}x{columns} {stones:b}");
            }
        }
    }

    #[test]
    fn lines_of_every_length_are_found_and_completed() {
        let mut random = Xorshift(71);
        for rows in 4..=25 {
            for columns in (4..=25).filter(|columns| (rows + 1) * columns <= u128::BITS) {
                for line in 2..=rows.max(columns) {
                    check::<Halves>(rows, columns, line, &mut random);
                    if (rows + 1) * columns <= u64::BITS {
                        check::<u64>(rows, columns, line, &mut random);
                    }
                }
            }
        }
    }
}
