//! Lines of any length: every window that holds the cell is looked at.

use std::sync::Arc;

use crate::game::Side;

use super::super::board::{CELLS, Size};
use super::weights::window_gain;

/// In a window's stone counts, one stone of player 1 counts 1 and one of player 2 this much.
const P2_STONE: u16 = 32;
/// More than any such count of the at most 25 stones of a line.
const COUNTS: usize = 1024;

/// A place for a winning line: the stones it holds and the sum of its empty cells' numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Window {
    /// Player 1's stones + 32 x player 2's stones.
    stones: u16,
    /// Once a single cell is empty this *is* the cell.
    empty_cells: u16,
}

fn stone_of(side: Side) -> u16 {
    match side {
        Side::P1 => 1,
        Side::P2 => P2_STONE,
    }
}

/// The windows of one board size, and what stones gain in them.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    line: usize,
    /// The windows of the empty board.
    empty: Vec<Window>,
    /// The numbers of the windows through each cell.
    through: Vec<Vec<u16>>,
    /// What player 1 gains when a stone of a side comes to a window with these stone counts.
    gain: [Vec<i32>; 2],
}

/// The stones of a position, window by window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Windows {
    windows: Vec<Window>,
    plan: Arc<Plan>,
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
        let empty = |cells: &Vec<usize>| Window {
            stones: 0,
            empty_cells: cells.iter().sum::<usize>() as u16,
        };
        let empty: Vec<Window> = cells.iter().map(empty).collect();
        Windows {
            windows: empty.clone(),
            plan: Arc::new(Plan { line: size.line, empty, through, gain }),
        }
    }

    /// See [`super::counter::Counter::effect`].
    pub fn effect(&self, cell: usize, side: Side, mut threat: impl FnMut(usize)) -> i32 {
        let two_missing = stone_of(side) * (self.plan.line as u16 - 2);
        let mut gain = 0;
        for &number in &self.plan.through[cell] {
            let window = self.windows[usize::from(number)];
            gain += self.plan.gain[side.index()][usize::from(window.stones)];
            if window.stones == two_missing {
                threat(usize::from(window.empty_cells) - cell);
            }
        }
        gain
    }

    /// Puts a stone of `side` into the empty `cell`.
    pub fn fill(&mut self, cell: usize, side: Side) {
        for &number in &self.plan.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones += stone_of(side);
            window.empty_cells -= cell as u16;
        }
    }

    /// Takes all stones away.
    pub fn clear_all(&mut self) {
        self.windows.clone_from(&self.plan.empty);
    }

    /// Takes it away again.
    pub fn clear(&mut self, cell: usize, side: Side) {
        for &number in &self.plan.through[cell] {
            let window = &mut self.windows[usize::from(number)];
            window.stones -= stone_of(side);
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
    fn all_windows_are_there() {
        assert_eq!(windows_of(size(4, 4, 4)).len(), 10);
        assert_eq!(windows_of(size(6, 7, 4)).len(), 69);
    }

    #[test]
    fn a_window_knows_its_last_cell() {
        let mut windows = Windows::new(size(4, 4, 4));
        let cells: Vec<usize> = windows_of(size(4, 4, 4))[0].clone();
        for &cell in &cells[2..] {
            windows.fill(cell, Side::P2);
        }
        let mut threats = Vec::new();
        windows.effect(cells[1], Side::P2, |threat| threats.push(threat));
        assert_eq!(threats, [cells[0]]);
        for &cell in &cells[2..] {
            windows.clear(cell, Side::P2);
        }
        assert_eq!(windows, Windows::new(size(4, 4, 4)));
    }

    #[test]
    fn the_numbers_of_the_cells_of_the_longest_line_fit() {
        let most = windows_of(size(25, 25, 25)).iter().map(|cells| cells.iter().sum()).max();
        assert!(most <= Some(usize::from(u16::MAX)));
    }
}
