//! How a stone changes the scores of the lines through its cell: one interface for the two
//! implementations, [`Patterns`] and [`Windows`].

use crate::game::Side;

use super::super::board::Size;
use super::patterns::Patterns;
use super::windows::Windows;

/// The stones of a position, in the form that scores another one fastest.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "one per search thread")]
pub(super) enum LineScorer {
    /// Lines of up to four.
    Patterns(Patterns),
    /// Longer lines.
    Windows(Windows),
}

impl LineScorer {
    /// The empty board. `class`: that of the lines.
    pub fn new(size: Size, class: usize) -> LineScorer {
        match Patterns::new(size, class) {
            Some(patterns) => LineScorer::Patterns(patterns),
            None => LineScorer::Windows(Windows::new(size, class)),
        }
    }

    /// What player 1 gains by a stone of `side` in the empty `cell`, in units of lines. Calls `on_threat` for each cell
    /// that would then complete a line of `side`, for some more than once.
    #[inline]
    pub fn gain(&self, cell: usize, side: Side, on_threat: impl FnMut(usize)) -> i32 {
        match self {
            LineScorer::Patterns(patterns) => patterns.gain(cell, side, on_threat),
            LineScorer::Windows(windows) => windows.gain(cell, side, on_threat),
        }
    }

    /// Places a stone of `side` in the empty `cell`.
    #[inline]
    pub fn place(&mut self, cell: usize, side: Side) {
        match self {
            LineScorer::Patterns(patterns) => patterns.toggle(cell, side),
            LineScorer::Windows(windows) => windows.place(cell, side),
        }
    }

    /// Removes all stones.
    pub fn clear(&mut self) {
        match self {
            LineScorer::Patterns(patterns) => patterns.clear(),
            LineScorer::Windows(windows) => windows.clear(),
        }
    }

    /// Removes the stone of `side` in `cell`.
    #[inline]
    pub fn remove(&mut self, cell: usize, side: Side) {
        match self {
            LineScorer::Patterns(patterns) => patterns.toggle(cell, side),
            LineScorer::Windows(windows) => windows.remove(cell, side),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use crate::game::Game;
    use crate::games::connect4::board::{Board, Column};
    use crate::games::connect4::evaluator::weights::LINE_CLASSES;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn patterns_and_windows_agree() {
        let mut rng = SmallRng::seed_from_u64(1);
        for (rows, columns, line) in [(6, 7, 4), (4, 5, 2), (7, 6, 3), (25, 25, 4), (4, 25, 4)] {
            let size = Size::new(rows, columns, line).unwrap();
            for _ in 0..20 {
                let mut board = Board::new(size);
                let class = rng.random_range(0..LINE_CLASSES);
                let mut patterns = Patterns::new(size, class).unwrap();
                let mut windows = Windows::new(size, class);
                let mut past = Vec::new();
                while board.outcome().is_none() {
                    for (_, cell) in board.open_columns() {
                        for side in [Side::P1, Side::P2] {
                            let mut threats = [BTreeSet::new(), BTreeSet::new()];
                            let [first, second] = &mut threats;
                            let gain = patterns.gain(cell, side, |threat| first.extend([threat]));
                            let expected =
                                windows.gain(cell, side, |threat| second.extend([threat]));
                            assert_eq!(gain, expected, "{board:?} {cell}");
                            assert_eq!(threats[0], threats[1], "{board:?} {cell}");
                        }
                    }
                    let open: Vec<(Column, usize)> = board.open_columns().collect();
                    let (column, cell) = open[rng.random_range(0..open.len())];
                    let side = board.side_to_move();
                    past.push((cell, side));
                    patterns.toggle(cell, side);
                    windows.place(cell, side);
                    board.play(column);
                }
                for (cell, side) in past.into_iter().rev() {
                    patterns.toggle(cell, side);
                    windows.remove(cell, side);
                }
                assert_eq!(patterns, Patterns::new(size, class).unwrap());
                assert_eq!(windows, Windows::new(size, class));
            }
        }
    }
}
