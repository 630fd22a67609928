//! The weights of lines and threats.

use crate::game::Side;

use super::super::board::{CELLS, Size};

/// The weight, for player 1, of a window of `line` cells with these numbers of stones: nothing if
/// both players have stones in it, or if it is full, which ends the game.
pub(super) fn window_weight(line: usize, p1: usize, p2: usize) -> i32 {
    let weight = match line.saturating_sub(p1 + p2) {
        0 => 0,
        1 => 14,
        2 => 7,
        3 => 2,
        _ => 1,
    };
    match (p1, p2) {
        (0, 0) => 0,
        (_, 0) => weight,
        (0, _) => -weight,
        _ => 0,
    }
}

/// What player 1 gains by another stone of `side` in such a window.
pub(super) fn window_gain(line: usize, p1: usize, p2: usize, side: Side) -> i32 {
    let after = match side {
        Side::P1 => window_weight(line, p1 + 1, p2),
        Side::P2 => window_weight(line, p1, p2 + 1),
    };
    after - window_weight(line, p1, p2)
}

/// The weight of a threat for its owner, by side and cell.
#[derive(Debug)]
pub(super) struct ThreatWeights([Vec<i16>; 2]);

impl ThreatWeights {
    pub fn new(size: Size) -> ThreatWeights {
        ThreatWeights([Side::P1, Side::P2].map(|side| by_cell(size, side)))
    }

    /// The weight, for player 1, of a threat of `side` in `cell`.
    #[inline]
    pub fn for_p1(&self, cell: usize, side: Side) -> i32 {
        side.view(self.0[side.index()][cell].into())
    }
}

fn by_cell(size: Size, side: Side) -> Vec<i16> {
    let mut weights = vec![0; CELLS];
    for column in 0..size.columns {
        for row in 0..size.rows {
            let base = if row % 2 == zugzwang_parity(size, side) { 60 } else { 15 };
            let low_bonus = 4 * (size.rows - row).min(8);
            weights[size.cell(column, row)] = (base + low_bonus) as i16;
        }
    }
    weights
}

/// The parity of the rows, counted from 0, in which `side` profits from threats under zugzwang.
///
/// Once all other columns are full, the players fill the last one in turn from the bottom. If the
/// others hold an even number of stones, player 1 starts it and gets the odd rows 1, 3, 5 …, and
/// player 2 the even ones (claim-even).
fn zugzwang_parity(size: Size, side: Side) -> usize {
    let others = size.rows * (size.columns - 1);
    (others + side.index()) % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mixed_window_has_no_weight() {
        assert_eq!(window_weight(4, 2, 0), 7);
        assert_eq!(window_weight(4, 0, 2), -7);
        assert_eq!(window_weight(4, 1, 1), 0);
        assert_eq!(window_gain(4, 2, 0, Side::P2), -7);
    }

    #[test]
    fn player_1_gets_the_odd_rows_if_the_other_columns_hold_an_even_number() {
        let size = |rows, columns| Size::new(rows, columns, 4).unwrap();
        assert_eq!(zugzwang_parity(size(6, 7), Side::P1), 0);
        assert_eq!(zugzwang_parity(size(6, 7), Side::P2), 1);
        assert_eq!(zugzwang_parity(size(7, 8), Side::P1), 1);
        assert_eq!(zugzwang_parity(size(7, 7), Side::P1), 0);
    }
}
