//! What a stone does to the lines through its cell.

use crate::game::Side;

use super::super::board::Size;
use super::patterns::Patterns;
use super::windows::Windows;

/// Keeps the stones of a position in the form that answers fastest what another one does.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there is one for each thread of a search")]
pub(super) enum Counter {
    /// For lines of up to four.
    Patterns(Patterns),
    /// For longer ones.
    Windows(Windows),
}

impl Counter {
    /// The empty board.
    pub fn new(size: Size) -> Counter {
        match Patterns::new(size) {
            Some(patterns) => Counter::Patterns(patterns),
            None => Counter::Windows(Windows::new(size)),
        }
    }

    /// How much player 1 gains by a stone of `side` in the empty `cell`. Calls `threat` for each
    /// cell that would then complete a line of `side`, for some more than once.
    #[inline]
    pub fn effect(&self, cell: usize, side: Side, threat: impl FnMut(usize)) -> i32 {
        match self {
            Counter::Patterns(patterns) => patterns.effect(cell, side, threat),
            Counter::Windows(windows) => windows.effect(cell, side, threat),
        }
    }

    /// Puts a stone of `side` into the empty `cell`.
    #[inline]
    pub fn fill(&mut self, cell: usize, side: Side) {
        match self {
            Counter::Patterns(patterns) => patterns.toggle(cell, side),
            Counter::Windows(windows) => windows.fill(cell, side),
        }
    }

    /// Takes all stones away.
    pub fn clear_all(&mut self) {
        match self {
            Counter::Patterns(patterns) => patterns.clear_all(),
            Counter::Windows(windows) => windows.clear_all(),
        }
    }

    /// Takes it away again.
    #[inline]
    pub fn clear(&mut self, cell: usize, side: Side) {
        match self {
            Counter::Patterns(patterns) => patterns.toggle(cell, side),
            Counter::Windows(windows) => windows.clear(cell, side),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::game::Game;
    use crate::games::connect4::board::{Board, Column};
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn patterns_and_windows_tell_the_same() {
        let mut rng = SmallRng::seed_from_u64(1);
        for (rows, columns, line) in [(6, 7, 4), (4, 5, 2), (7, 6, 3), (25, 25, 4), (4, 25, 4)] {
            let size = Size::new(rows, columns, line).unwrap();
            for _ in 0..20 {
                let mut board = Board::new(size);
                let mut patterns = Patterns::new(size).unwrap();
                let mut windows = Windows::new(size);
                let mut past = Vec::new();
                while board.outcome().is_none() {
                    for (_, cell) in board.open_columns() {
                        for side in [Side::P1, Side::P2] {
                            let mut cells = [BTreeSet::new(), BTreeSet::new()];
                            let [told_cells, true_cells] = &mut cells;
                            let told = patterns.effect(cell, side, |c| told_cells.extend([c]));
                            let gain = windows.effect(cell, side, |c| true_cells.extend([c]));
                            assert_eq!(told, gain, "{board:?} {cell}");
                            assert_eq!(cells[0], cells[1], "{board:?} {cell}");
                        }
                    }
                    let open: Vec<(Column, usize)> = board.open_columns().collect();
                    let (column, cell) = open[rng.random_range(0..open.len())];
                    let side = board.side_to_move();
                    past.push((cell, side));
                    patterns.toggle(cell, side);
                    windows.fill(cell, side);
                    board.play(column);
                }
                for (cell, side) in past.into_iter().rev() {
                    patterns.toggle(cell, side);
                    windows.clear(cell, side);
                }
                assert_eq!(patterns, Patterns::new(size).unwrap());
                assert_eq!(windows, Windows::new(size));
            }
        }
    }
}
