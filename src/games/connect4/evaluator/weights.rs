//! The fitted weights, in the forms that the evaluation looks them up in.

use crate::game::{Side, WeightSet};

use super::super::board::{CELLS, Size};
use super::features::{
    FOLLOW_UP_KNOTS, LINE_UNIT, SIZE_CLASSES, TEMPO, ZUGZWANG, ZUGZWANG_KNOTS, follow_up_feature,
    good_rows, interpolate, line_feature, size_class, threat_feature,
};
use super::fitted::WEIGHTS;
use super::zugzwang::Zugzwang;

/// The number of classes of lines: those of fitted weights, and the classic one.
pub(super) const LINE_CLASSES: usize = SIZE_CLASSES + 1;
const CLASSIC: usize = SIZE_CLASSES;

/// The class of the lines on boards of this size.
pub(super) fn line_class(size: Size, set: WeightSet) -> usize {
    match set {
        WeightSet::Fitted => size_class(size),
        WeightSet::Classic => CLASSIC,
    }
}

/// The classic weight of a line with this many missing stones.
fn classic_line(missing: usize) -> i32 {
    match missing {
        1 => 14,
        2 => 7,
        3 => 2,
        _ => 1,
    }
}

/// The classic weight of a threat in this row: higher in rows that are good for its owner, and the
/// lower the row.
fn classic_threat(size: Size, row: usize, good: bool) -> i16 {
    let base = if good { 60 } else { 15 };
    base + 4 * (size.rows - row).min(8) as i16
}

const CLASSIC_TEMPO: i16 = 8;

/// A window as the evaluation sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowState {
    /// See [`line_class`].
    pub class: usize,
    /// Up, sideways or diagonal.
    pub direction: usize,
    /// The stones of each side.
    pub stones: [usize; 2],
    /// The number of empty cells in the good rows of each side.
    pub good: [usize; 2],
}

impl WindowState {
    /// The same window of `line` cells with another stone of `side`, in a row that is good for
    /// `good_for`.
    pub fn with_stone(mut self, side: Side, good_for: Side) -> WindowState {
        self.stones[side.index()] += 1;
        self.good[good_for.index()] -= 1;
        self
    }

    /// The weight for player 1, in [`LINE_UNIT`]s: nothing if both players have stones in it, or if
    /// it is full, which ends the game.
    pub fn weight(self) -> i32 {
        let missing = self.good[0] + self.good[1];
        let weight = |owner: Side| match self.class {
            CLASSIC => owner.view(LINE_UNIT * classic_line(missing)),
            class => {
                let feature =
                    line_feature(class, self.direction, missing, self.good[owner.index()]);
                owner.view(WEIGHTS[feature].into())
            }
        };
        match self.stones {
            _ if missing == 0 => 0,
            [own, 0] if own > 0 => weight(Side::P1),
            [0, own] if own > 0 => weight(Side::P2),
            _ => 0,
        }
    }
}

/// Points from [`LINE_UNIT`]s.
#[inline]
pub(super) fn line_points(units: i32) -> i32 {
    units / LINE_UNIT
}

/// The weights for boards of one size.
#[derive(Debug)]
pub(super) struct BoardWeights {
    /// The weight of a threat for its owner, by side and cell.
    threats: [Vec<i16>; 2],
    /// By the number of cells left before it: what winning the zugzwang is worth.
    zugzwang: Vec<i16>,
    /// By the number of empty cells: what player 1 is worth.
    follow_up: Vec<i16>,
    tempo: i16,
}

impl BoardWeights {
    pub fn new(size: Size, set: WeightSet) -> BoardWeights {
        let threats = [Side::P1, Side::P2].map(|side| by_cell(size, side, set));
        if set == WeightSet::Classic {
            let none = vec![0; size.cells() + 1];
            return BoardWeights {
                threats,
                zugzwang: none.clone(),
                follow_up: none,
                tempo: CLASSIC_TEMPO,
            };
        }
        let by_cells = |first: usize, knots: &[usize]| {
            let weight = |cells| {
                let (above, share) = interpolate(knots, cells);
                let [low, high] = [above - 1, above].map(|knot| f32::from(WEIGHTS[first + knot]));
                (low + share * (high - low)).round() as i16
            };
            (0..=size.cells()).map(weight).collect()
        };
        BoardWeights {
            threats,
            zugzwang: by_cells(ZUGZWANG, &ZUGZWANG_KNOTS),
            follow_up: by_cells(follow_up_feature(size), &FOLLOW_UP_KNOTS),
            tempo: WEIGHTS[TEMPO],
        }
    }

    /// What the side to move is worth. It brings the scores of odd and even depths together, so that
    /// aspiration windows fit from one iteration to the next.
    #[inline]
    pub fn tempo(&self) -> i32 {
        self.tempo.into()
    }

    /// The weight, for player 1, of a threat of `side` in `cell`.
    #[inline]
    pub fn threat(&self, cell: usize, side: Side) -> i32 {
        side.view(self.threats[side.index()][cell].into())
    }

    /// What this zugzwang is worth to player 1 with this many empty cells.
    #[inline]
    pub fn zugzwang(&self, zugzwang: Zugzwang, empty: usize) -> i32 {
        let Some(winner) = zugzwang.winner else {
            return 0;
        };
        winner.view(self.zugzwang[zugzwang.free_cells(empty)].into())
    }

    /// What this many empty cells are worth to player 1: on some boards one side can follow up.
    #[inline]
    pub fn follow_up(&self, empty: usize) -> i32 {
        self.follow_up[empty].into()
    }
}

fn by_cell(size: Size, side: Side, set: WeightSet) -> Vec<i16> {
    let mut weights = vec![0; CELLS];
    for column in 0..size.columns {
        for row in 0..size.rows {
            let good = row % 2 == good_rows(size, side);
            weights[size.cell(column, row)] = match set {
                WeightSet::Fitted => WEIGHTS[threat_feature(size_class(size), row, good)],
                WeightSet::Classic => classic_threat(size, row, good),
            };
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixed_or_full_window_has_no_weight() {
        let window = WindowState { class: 0, direction: 1, stones: [2, 0], good: [2, 0] };
        assert_ne!(window.weight(), 0);
        let mirrored = WindowState { stones: [0, 2], good: [0, 2], ..window };
        assert_eq!(window.weight(), -mirrored.weight());
        assert_eq!(window.with_stone(Side::P2, Side::P1).weight(), 0);
        let full = window.with_stone(Side::P1, Side::P1).with_stone(Side::P1, Side::P1);
        assert_eq!(full.weight(), 0);
    }

    #[test]
    fn classic_weights_count_missing_stones_and_rows() {
        let line = |own: usize| WindowState {
            class: CLASSIC,
            direction: 2,
            stones: [0, own],
            good: [4 - own, 0],
        };
        assert_eq!([1, 2, 3].map(|own| line(own).weight() / LINE_UNIT), [-2, -7, -14]);
        let size = Size::new(6, 7, 4).unwrap();
        let weights = BoardWeights::new(size, WeightSet::Classic);
        let threat = |row, side| weights.threat(size.cell(3, row), side);
        assert_eq!([0, 1, 5].map(|row| threat(row, Side::P1)), [84, 35, 19]);
        assert_eq!([1, 2].map(|row| threat(row, Side::P2)), [-80, -31]);
        assert_eq!(weights.tempo(), 8);
        assert_eq!(weights.follow_up(20), 0);
    }

    #[test]
    fn weights_between_knots_are_interpolated() {
        let size = Size::new(25, 25, 4).unwrap();
        let weights = BoardWeights::new(size, WeightSet::Fitted);
        let knot = |index: usize| i32::from(WEIGHTS[ZUGZWANG + index]);
        let at = |cells: usize| i32::from(weights.zugzwang[cells]);
        assert_eq!(at(0), knot(0));
        assert_eq!(at(12), knot(2));
        assert!((2 * at(16) - knot(2) - knot(3)).abs() <= 1);
    }
}
