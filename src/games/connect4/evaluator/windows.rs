//! Lines of any length: a stone is scored by visiting every window through its cell.

use std::sync::Arc;

use crate::game::Side;

use super::super::board::{CELLS, Size};
use super::features::{good_rows, size_class};
use super::weights::WindowState;

/// A place for a winning line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineWindow {
    /// Up, sideways or diagonal.
    direction: u8,
    /// The stones of each side.
    stones: [u8; 2],
    /// The number of empty cells in the good rows of each side.
    good: [u8; 2],
    /// The sum of its empty cells: the cell itself once only one is empty.
    empty_cells: u16,
}

impl LineWindow {
    fn state(self, class: usize) -> WindowState {
        WindowState {
            class,
            direction: self.direction.into(),
            stones: self.stones.map(usize::from),
            good: self.good.map(usize::from),
        }
    }
}

/// The windows of one board size.
#[derive(Debug, PartialEq, Eq)]
struct WindowTable {
    line: usize,
    /// See [`size_class`].
    class: usize,
    /// The windows of the empty board.
    empty: Vec<LineWindow>,
    /// By cell: the numbers of the windows through it.
    through: Vec<Vec<u16>>,
    /// By cell: the side whose good row it is in.
    good_for: Vec<Side>,
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
        let mut through = vec![Vec::new(); CELLS];
        let mut good_for = vec![Side::P1; CELLS];
        let mut empty = Vec::new();
        for (number, (direction, cells)) in windows_of(size).into_iter().enumerate() {
            let mut good = [0; 2];
            let mut empty_cells = 0;
            for (column, row) in cells {
                let cell = size.cell(column, row);
                let side = usize::from(row % 2 != good_rows(size, Side::P1));
                good[side] += 1;
                good_for[cell] = [Side::P1, Side::P2][side];
                empty_cells += cell as u16;
                through[cell].push(number as u16);
            }
            let direction = direction.min(2) as u8;
            empty.push(LineWindow { direction, stones: [0; 2], good, empty_cells });
        }
        Windows {
            windows: empty.clone(),
            table: Arc::new(WindowTable {
                line: size.line,
                class: size_class(size),
                empty,
                through,
                good_for,
            }),
        }
    }

    /// See [`super::line_scorer::LineScorer::gain`].
    pub fn gain(&self, cell: usize, side: Side, mut on_threat: impl FnMut(usize)) -> i32 {
        let (me, opponent) = (side.index(), (!side).index());
        let good_for = self.table.good_for[cell];
        let mut gain = 0;
        for &number in &self.table.through[cell] {
            let window = self.windows[usize::from(number)];
            if window.stones[0] > 0 && window.stones[1] > 0 {
                continue;
            }
            let before = window.state(self.table.class);
            gain += before.with_stone(side, good_for).weight() - before.weight();
            if window.stones[opponent] == 0
                && usize::from(window.stones[me]) + 2 == self.table.line
            {
                on_threat(usize::from(window.empty_cells) - cell);
            }
        }
        gain
    }

    /// Places a stone of `side` in the empty `cell`.
    pub fn place(&mut self, cell: usize, side: Side) {
        let good_for = self.table.good_for[cell];
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones[side.index()] += 1;
            window.good[good_for.index()] -= 1;
            window.empty_cells -= cell as u16;
        }
    }

    /// Removes all stones.
    pub fn clear(&mut self) {
        self.windows.clone_from(&self.table.empty);
    }

    /// Removes the stone of `side` in `cell`.
    pub fn remove(&mut self, cell: usize, side: Side) {
        let good_for = self.table.good_for[cell];
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones[side.index()] -= 1;
            window.good[good_for.index()] += 1;
            window.empty_cells += cell as u16;
        }
    }
}

/// Every possible line: the number of its direction (up, sideways, diagonally up and down) and its
/// cells as columns and rows.
pub(super) fn windows_of(size: Size) -> Vec<(usize, Vec<(usize, usize)>)> {
    let reach = size.line as isize - 1;
    let mut windows = Vec::new();
    for (direction, (right, up)) in [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().enumerate() {
        for column in 0..size.columns as isize {
            for row in 0..size.rows as isize {
                let (last_column, last_row) = (column + right * reach, row + up * reach);
                let fits = last_column < size.columns as isize
                    && (0..size.rows as isize).contains(&last_row);
                if fits {
                    let cell = |k| ((column + right * k) as usize, (row + up * k) as usize);
                    windows.push((direction, (0..=reach).map(cell).collect()));
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
        let (_, cells) = windows_of(size(4, 4, 4)).swap_remove(0);
        let cells: Vec<usize> =
            cells.into_iter().map(|(column, row)| size(4, 4, 4).cell(column, row)).collect();
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
        let longest = size(25, 25, 25);
        let sum = |cells: &[(usize, usize)]| -> usize {
            cells.iter().map(|&(column, row)| longest.cell(column, row)).sum()
        };
        let most = windows_of(longest).iter().map(|(_, cells)| sum(cells)).max();
        assert!(most <= Some(usize::from(u16::MAX)));
    }
}
