//! Lines of any length: a stone is scored by visiting every window through its cell.

use std::sync::Arc;

use once_cell::sync::Lazy;

use crate::game::Side;

use super::super::board::{CELLS, SIZE, Size};
use super::features::{DIRECTIONS, good_rows};
use super::weights::{LINE_CLASSES, WindowState};

/// Cells of the longest line, and none.
const COUNTS: usize = *SIZE.end() + 1;
/// The states of windows without stones, by direction, empty cells, and those of them in player 1's
/// good rows.
const EMPTY_STATES: usize = DIRECTIONS * COUNTS * COUNTS;
/// The same for windows in which neither side, player 1, player 2 or both have stones.
const STATES: usize = 4 * EMPTY_STATES;

/// A place for a winning line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct LineWindow {
    /// The number of its state, but for whose stones are in it.
    state: u16,
    /// The stones of each side.
    stones: [u8; 2],
    /// The sum of its empty cells: the cell itself once only one is empty.
    empty_cells: u16,
}

impl LineWindow {
    fn state(self) -> usize {
        let owners = usize::from(self.stones[0] > 0) + 2 * usize::from(self.stones[1] > 0);
        usize::from(self.state) + EMPTY_STATES * owners
    }
}

/// What a stone takes off the number of a window's state, in a row that is good for `good_for`.
fn state_step(good_for: Side) -> u16 {
    COUNTS as u16 + u16::from(good_for == Side::P1)
}

/// What player 1 gains by a stone of `side` in a window with this state.
fn state_gain(class: usize, state: usize, side: Side, good_for: Side) -> i32 {
    let (missing, p1_good) = (state / COUNTS % COUNTS, state % COUNTS);
    let Some(p2_good) = missing.checked_sub(p1_good) else {
        return 0;
    };
    let good = [p1_good, p2_good];
    if good[good_for.index()] == 0 {
        return 0;
    }
    let direction = state / (COUNTS * COUNTS) % DIRECTIONS;
    let owners = state / EMPTY_STATES;
    // One stone weighs as many as any other number.
    let before = WindowState { class, direction, stones: [owners % 2, owners / 2], good };
    before.with_stone(side, good_for).weight() - before.weight()
}

/// The windows of one board size.
#[derive(Debug, PartialEq, Eq)]
struct WindowTable {
    line: usize,
    /// The windows of the empty board.
    empty: Vec<LineWindow>,
    /// By cell: the numbers of the windows through it.
    through: Vec<Vec<u16>>,
    /// By cell: the side whose good row it is in.
    good_for: Vec<Side>,
    gain: &'static Gains,
}

/// By the side whose good row a stone is in, its side, and the state of a window: what player 1
/// gains.
type Gains = [[Vec<i16>; 2]; 2];

/// By class, made once: they have more entries than a short search has nodes.
static GAINS: [Lazy<Gains>; LINE_CLASSES] = [
    Lazy::new(|| gains(0)),
    Lazy::new(|| gains(1)),
    Lazy::new(|| gains(2)),
    Lazy::new(|| gains(3)),
];

fn gains(class: usize) -> Gains {
    [Side::P1, Side::P2].map(|good_for| {
        [Side::P1, Side::P2].map(|side| {
            let gain = |state| state_gain(class, state, side, good_for) as i16;
            (0..STATES).map(gain).collect()
        })
    })
}

/// The stones of a position, window by window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    windows: Vec<LineWindow>,
    table: Arc<WindowTable>,
}

impl Windows {
    /// The empty board. `class`: that of the lines.
    pub fn new(size: Size, class: usize) -> Windows {
        let mut through = vec![Vec::new(); CELLS];
        let mut good_for = vec![Side::P1; CELLS];
        let mut empty = Vec::new();
        for (number, (direction, cells)) in windows_of(size).into_iter().enumerate() {
            let mut state = direction.min(DIRECTIONS - 1) * COUNTS * COUNTS;
            let mut empty_cells = 0;
            for (column, row) in cells {
                let cell = size.cell(column, row);
                let p1_good = row % 2 == good_rows(size, Side::P1);
                good_for[cell] = if p1_good { Side::P1 } else { Side::P2 };
                state += usize::from(state_step(good_for[cell]));
                empty_cells += cell as u16;
                through[cell].push(number as u16);
            }
            empty.push(LineWindow { state: state as u16, stones: [0; 2], empty_cells });
        }
        let gain = &*GAINS[class];
        Windows {
            windows: empty.clone(),
            table: Arc::new(WindowTable { line: size.line, empty, through, good_for, gain }),
        }
    }

    /// See [`super::line_scorer::LineScorer::gain`].
    pub fn gain(&self, cell: usize, side: Side, mut on_threat: impl FnMut(usize)) -> i32 {
        let two_missing = match side {
            Side::P1 => [self.table.line as u8 - 2, 0],
            Side::P2 => [0, self.table.line as u8 - 2],
        };
        let gains = &self.table.gain[self.table.good_for[cell].index()][side.index()];
        let mut gain = 0;
        for &number in &self.table.through[cell] {
            let window = self.windows[usize::from(number)];
            gain += i32::from(gains[window.state()]);
            if window.stones == two_missing {
                on_threat(usize::from(window.empty_cells) - cell);
            }
        }
        gain
    }

    /// Places a stone of `side` in the empty `cell`.
    pub fn place(&mut self, cell: usize, side: Side) {
        let step = state_step(self.table.good_for[cell]);
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones[side.index()] += 1;
            window.state -= step;
            window.empty_cells -= cell as u16;
        }
    }

    /// Removes all stones.
    pub fn clear(&mut self) {
        self.windows.clone_from(&self.table.empty);
    }

    /// Removes the stone of `side` in `cell`.
    pub fn remove(&mut self, cell: usize, side: Side) {
        let step = state_step(self.table.good_for[cell]);
        for &number in &self.table.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones[side.index()] -= 1;
            window.state += step;
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
        let mut windows = Windows::new(size(4, 4, 4), 0);
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
        assert_eq!(windows, Windows::new(size(4, 4, 4), 0));
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
