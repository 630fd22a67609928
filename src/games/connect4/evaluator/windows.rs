//! Lines of any length: a stone is scored by visiting every window through its cell.

use std::sync::Arc;

use crate::game::Side;

use super::super::board::{CELLS, Size};
use super::weights::window_gain;

/// The weight of a stone of player 2 in a packed stone count; player 1's weighs 1.
const P2_STONE: u16 = 32;
/// More than any packed count of the at most 25 stones of a line.
const COUNTS: usize = 1024;

/// A place for a winning line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LineWindow {
    /// Packed count: player 1's stones + 32 x player 2's stones.
    stones: u16,
    /// The sum of its empty cells: the cell itself once only one is empty.
    empty_cells: u16,
}

fn packed_stone(side: Side) -> u16 {
    match side {
        Side::P1 => 1,
        Side::P2 => P2_STONE,
    }
}

/// The windows of one board size and their gains.
#[derive(Debug, PartialEq, Eq)]
struct WindowTable {
    line: usize,
    /// The windows of the empty board.
    empty: Vec<LineWindow>,
    /// By cell: the numbers of the windows through it.
    through: Vec<Vec<u16>>,
    /// By side and packed count: what player 1 gains by another stone of that side.
    gain: [Vec<i32>; 2],
}

/// The stones of a position, window by window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    windows: Vec<LineWindow>,
    table: Arc<WindowTable>,
}

impl Windows {
    /// The empty board.
    pub fn new(size: Size) -> Windows {
        let cells = windows_of(size);
        let mut through = vec![Vec::new(); CELLS];
        for (number, cells) in cells.iter().enumerate() {
            for &cell in cells {
                through[cell].push(number as u16);
            }
        }
        let gain = [Side::P1, Side::P2].map(|side| {
            let p2 = usize::from(P2_STONE);
            (0..COUNTS).map(|count| window_gain(size.line, count % p2, count / p2, side)).collect()
        });
        let empty = |cells: &Vec<usize>| LineWindow {
            stones: 0,
            empty_cells: cells.iter().sum::<usize>() as u16,
        };
        let empty: Vec<LineWindow> = cells.iter().map(empty).collect();
        Windows {
            windows: empty.clone(),
            table: Arc::new(WindowTable { line: size.line, empty, through, gain }),
        }
    }

    /// See [`super::line_scorer::LineScorer::gain`].
    pub fn gain(&self, cell: usize, side: Side, mut on_threat: impl FnMut(usize)) -> i32 {
        let two_missing = packed_stone(side) * (self.table.line as u16 - 2);
        let mut gain = 0;
        for &number in &self.table.through[cell] {
            let window = self.windows[usize::from(number)];
            gain += self.table.gain[side.index()][usize::from(window.stones)];
            if window.stones == two_missing {
                on_threat(usize::from(window.empty_cells) - cell);
            }
        }
        gain
    }

    /// Places a stone of `side` in the empty `cell`.
    pub fn place(&mut self, cell: usize, side: Side) {
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones += packed_stone(side);
            window.empty_cells -= cell as u16;
        }
    }

    /// Removes all stones.
    pub fn clear(&mut self) {
        self.windows.clone_from(&self.table.empty);
    }

    /// Removes the stone of `side` in `cell`.
    pub fn remove(&mut self, cell: usize, side: Side) {
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones -= packed_stone(side);
            window.empty_cells += cell as u16;
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn size(rows: usize, columns: usize, line: usize) -> Size {
        Size::new(rows, columns, line).unwrap()
    }

    #[test]
    fn every_line_has_a_window() {
        assert_eq!(windows_of(size(4, 4, 4)).len(), 10);
        assert_eq!(windows_of(size(6, 7, 4)).len(), 69);
    }

    #[test]
    fn a_window_knows_its_last_empty_cell() {
        let mut windows = Windows::new(size(4, 4, 4));
        let cells: Vec<usize> = windows_of(size(4, 4, 4))[0].clone();
        for &cell in &cells[2..] {
            windows.place(cell, Side::P2);
        }
        let mut threats = Vec::new();
        windows.gain(cells[1], Side::P2, |threat| threats.push(threat));
        assert_eq!(threats, [cells[0]]);
        for &cell in &cells[2..] {
            windows.remove(cell, Side::P2);
        }
        assert_eq!(windows, Windows::new(size(4, 4, 4)));
    }

    #[test]
    fn the_cell_sum_of_the_longest_line_fits() {
        let most = windows_of(size(25, 25, 25)).iter().map(|cells| cells.iter().sum()).max();
        assert!(most <= Some(usize::from(u16::MAX)));
    }
}
