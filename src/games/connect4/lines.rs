//! Where lines can be, and what they are worth: tables built once for each board size.

use super::board::{CELLS, Size};
use crate::game::Side;

/// At least the number of windows on any board: 2352 on 25x25 with lines of two.
pub(super) const WINDOWS: usize = 4096;
/// In a window's stone counts, one stone of player 1 counts 1 and one of player 2 this much.
const P2_STONE: u16 = 32;
/// More than any such count of the at most 25 stones of a line.
const COUNTS: usize = 1024;

/// A place for a winning line: the stones it holds and the sum of its empty cells' numbers.
///
/// ```text
/// bit 0..16  player 1's stones + 32 x player 2's stones      16..32  sum of the empty cells
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Window(u32);

impl Window {
    /// What changes when `side` fills `cell`: to be added, or taken away again.
    #[inline]
    fn step(cell: usize, side: Side) -> u32 {
        u32::from(stone_of(side)).wrapping_sub((cell as u32) << 16)
    }

    #[inline]
    pub fn stones(self) -> u16 {
        self.0 as u16
    }

    /// The empty cell, if there is just one.
    #[inline]
    pub fn empty_cell(self) -> usize {
        (self.0 >> 16) as usize
    }

    #[inline]
    pub fn fill(&mut self, cell: usize, side: Side) {
        self.0 = self.0.wrapping_add(Window::step(cell, side));
    }

    #[inline]
    pub fn clear(&mut self, cell: usize, side: Side) {
        self.0 = self.0.wrapping_sub(Window::step(cell, side));
    }
}

fn stone_of(side: Side) -> u16 {
    match side {
        Side::P1 => 1,
        Side::P2 => P2_STONE,
    }
}

/// The windows of one board size, and what they are worth.
#[derive(Debug)]
pub(super) struct Lines {
    size: Size,
    /// The windows through each cell: `through[first[cell]..first[cell + 1]]`.
    first: Vec<u32>,
    through: Vec<u16>,
    /// All windows, empty.
    pub empty: Box<[Window; WINDOWS]>,
    /// What player 1 gains when a stone of a side comes to a window with these stone counts.
    gain: Box<[[i16; COUNTS]; 2]>,
    /// What a threat in each cell is worth to its owner.
    threat_worth: [Vec<i16>; 2],
}

impl Lines {
    pub fn new(size: Size) -> Lines {
        let windows = windows_of(size);
        let mut empty = Box::new([Window::default(); WINDOWS]);
        let mut through_cell = vec![Vec::new(); CELLS];
        for (number, cells) in windows.iter().enumerate() {
            empty[number] = Window((cells.iter().sum::<usize>() as u32) << 16);
            for &cell in cells {
                through_cell[cell].push(number as u16);
            }
        }
        let mut first = vec![0];
        for windows in &through_cell {
            first.push(first[first.len() - 1] + windows.len() as u32);
        }
        Lines {
            size,
            first,
            through: through_cell.concat(),
            empty,
            gain: Box::new([Side::P1, Side::P2].map(|side| gain(size.line, side))),
            threat_worth: [Side::P1, Side::P2].map(|side| threat_worth(size, side)),
        }
    }

    pub fn size(&self) -> Size {
        self.size
    }

    /// The numbers of the windows through `cell`.
    #[inline]
    pub fn through(&self, cell: usize) -> &[u16] {
        &self.through[self.first[cell] as usize..self.first[cell + 1] as usize]
    }

    /// What player 1 gains when a stone of `side` comes to `window`.
    #[inline]
    pub fn gain(&self, window: Window, side: Side) -> i32 {
        self.gain[side.index()][usize::from(window.stones()) % COUNTS].into()
    }

    /// The stone count of a window of `side` that lacks one stone.
    #[inline]
    pub fn one_missing(&self, side: Side) -> u16 {
        stone_of(side) * (self.size.line as u16 - 1)
    }

    /// What a threat of `side` in `cell` is worth to player 1.
    #[inline]
    pub fn threat_worth(&self, cell: usize, side: Side) -> i32 {
        side.view(self.threat_worth[side.index()][cell].into())
    }
}

/// The cells of every possible line.
fn windows_of(size: Size) -> Vec<Vec<usize>> {
    let reach = size.line as isize - 1;
    let mut windows = Vec::new();
    for (right, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
        for column in 0..size.columns as isize {
            for row in 0..size.rows as isize {
                let (last_column, last_row) = (column + right * reach, row + up * reach);
                let fits = last_column < size.columns as isize
                    && (0..size.rows as isize).contains(&last_row);
                if fits {
                    let cell =
                        |k| size.cell((column + right * k) as usize, (row + up * k) as usize);
                    windows.push((0..=reach).map(cell).collect());
                }
            }
        }
    }
    windows
}

/// What a window is worth to player 1: nothing once both sides have a stone in it, nor when it
/// is full, as then the game is over.
fn window_worth(line: usize, stones: usize) -> i16 {
    let (p1, p2) = (stones % P2_STONE as usize, stones / P2_STONE as usize);
    let worth = match line.saturating_sub(p1 + p2) {
        0 => 0,
        1 => 14,
        2 => 7,
        3 => 2,
        _ => 1,
    };
    match (p1, p2) {
        (0, 0) => 0,
        (_, 0) => worth,
        (0, _) => -worth,
        _ => 0,
    }
}

fn gain(line: usize, side: Side) -> [i16; COUNTS] {
    std::array::from_fn(|stones| {
        let after = stones + usize::from(stone_of(side));
        window_worth(line, after) - window_worth(line, stones)
    })
}

fn threat_worth(size: Size, side: Side) -> Vec<i16> {
    let mut worth = vec![0; CELLS];
    for column in 0..size.columns {
        for row in 0..size.rows {
            let base = if row % 2 == owned_parity(size, side) { 60 } else { 15 };
            let low_bonus = 4 * (size.rows - row).min(8);
            worth[size.cell(column, row)] = (base + low_bonus) as i16;
        }
    }
    worth
}

/// 0 if `side` profits from threats in the rows 1, 3, 5 …, 1 for the rows 2, 4, 6 …
///
/// When every other column is full, the last one is filled from below by the players in turn.
/// If an even number of stones lies in the other columns, player 1 starts it and gets its rows
/// 1, 3, 5 …
fn owned_parity(size: Size, side: Side) -> usize {
    let others = size.rows * (size.columns - 1);
    (others + side.index()) % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rows: usize, columns: usize, line: usize) -> Size {
        Size::new(rows, columns, line).unwrap()
    }

    #[test]
    fn the_classic_board_has_69_lines() {
        assert_eq!(windows_of(size(6, 7, 4)).len(), 69);
        assert!(windows_of(size(25, 25, 2)).len() <= WINDOWS);
    }

    #[test]
    fn a_window_counts_stones_and_knows_its_last_cell() {
        let lines = Lines::new(size(4, 4, 4));
        let cells: Vec<usize> = windows_of(size(4, 4, 4))[0].clone();
        let mut window = lines.empty[0];
        for &cell in &cells[1..] {
            window.fill(cell, Side::P2);
        }
        assert_eq!(window.stones(), lines.one_missing(Side::P2));
        assert_eq!(window.empty_cell(), cells[0]);
        for &cell in &cells[1..] {
            window.clear(cell, Side::P2);
        }
        assert_eq!(window, lines.empty[0]);
    }

    #[test]
    fn a_mixed_window_is_worth_nothing() {
        assert_eq!(window_worth(4, 2), 7);
        assert_eq!(window_worth(4, 2 * P2_STONE as usize), -7);
        assert_eq!(window_worth(4, 2 + P2_STONE as usize), 0);
        assert_eq!(gain(4, Side::P2)[2], -7);
    }

    #[test]
    fn the_rows_that_a_side_gets_in_the_end() {
        assert_eq!(owned_parity(size(6, 7, 4), Side::P1), 0);
        assert_eq!(owned_parity(size(6, 7, 4), Side::P2), 1);
        assert_eq!(owned_parity(size(7, 8, 4), Side::P1), 1);
        assert_eq!(owned_parity(size(7, 7, 4), Side::P1), 0);
    }
}
