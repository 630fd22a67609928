//! The fitted weights, in the forms that the evaluation looks them up in.

use crate::game::Side;

use super::super::board::{CELLS, Size};
use super::features::{
    FOLLOW_UP_KNOTS, LINE_UNIT, TEMPO as TEMPO_FEATURE, ZUGZWANG, ZUGZWANG_KNOTS,
    follow_up_feature, good_rows, interpolate, line_feature, size_class, threat_feature,
};
use super::fitted::WEIGHTS;
use super::zugzwang::Zugzwang;

/// What the side to move is worth. It brings the scores of odd and even depths together, so that
/// aspiration windows fit from one iteration to the next.
pub(super) const TEMPO: i32 = WEIGHTS[TEMPO_FEATURE] as i32;

/// A window as the evaluation sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowState {
    /// See [`super::features::size_class`].
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
        let weight = |owner: Side| {
            let feature =
                line_feature(self.class, self.direction, missing, self.good[owner.index()]);
            owner.view(WEIGHTS[feature].into())
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
}

impl BoardWeights {
    pub fn new(size: Size) -> BoardWeights {
        let by_cells = |first: usize, knots: &[usize]| {
            let weight = |cells| {
                let (above, share) = interpolate(knots, cells);
                let [low, high] = [above - 1, above].map(|knot| f32::from(WEIGHTS[first + knot]));
                (low + share * (high - low)).round() as i16
            };
            (0..=size.cells()).map(weight).collect()
        };
        BoardWeights {
            threats: [Side::P1, Side::P2].map(|side| by_cell(size, side)),
            zugzwang: by_cells(ZUGZWANG, &ZUGZWANG_KNOTS),
            follow_up: by_cells(follow_up_feature(size), &FOLLOW_UP_KNOTS),
        }
    }

    /// The weight, for player 1, of a threat of `side` in `cell`.
    #[inline]
    pub fn threat(&self, cell: usize, side: Side) -> i32 {
        side.view(self.threats[side.index()][cell].into())
    }

    /// What this zugzwang is worth to player 1 with so many empty cells.
    #[inline]
    pub fn zugzwang(&self, zugzwang: Zugzwang, empty: usize) -> i32 {
        let Some(winner) = zugzwang.winner else {
            return 0;
        };
        winner.view(self.zugzwang[zugzwang.free_cells(empty)].into())
    }

    /// What so many empty cells are worth to player 1: on some boards one side can follow up.
    #[inline]
    pub fn follow_up(&self, empty: usize) -> i32 {
        self.follow_up[empty].into()
    }
}

fn by_cell(size: Size, side: Side) -> Vec<i16> {
    let mut weights = vec![0; CELLS];
    for column in 0..size.columns {
        for row in 0..size.rows {
            let good = row % 2 == good_rows(size, side);
            weights[size.cell(column, row)] = WEIGHTS[threat_feature(size_class(size), row, good)];
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
    fn weights_between_knots_are_interpolated() {
        let size = Size::new(25, 25, 4).unwrap();
        let weights = BoardWeights::new(size);
        let knot = |index: usize| i32::from(WEIGHTS[ZUGZWANG + index]);
        let at = |cells: usize| i32::from(weights.zugzwang[cells]);
        assert_eq!(at(0), knot(0));
        assert_eq!(at(12), knot(2));
        assert!((2 * at(16) - knot(2) - knot(3)).abs() <= 1);
    }
}
