//! What lines and threats are worth.

use crate::game::Side;

use super::super::board::{CELLS, Size};

/// What a window of `line` cells is worth to player 1 with that many stones of either player:
/// nothing once both have a stone in it, nor when it is full, as then the game is over.
pub(super) fn window_weight(line: usize, p1: usize, p2: usize) -> i32 {
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

/// What player 1 gains when a stone of `side` comes to such a window.
pub(super) fn window_gain(line: usize, p1: usize, p2: usize, side: Side) -> i32 {
    let after = match side {
        Side::P1 => window_weight(line, p1 + 1, p2),
        Side::P2 => window_weight(line, p1, p2 + 1),
    };
    after - window_weight(line, p1, p2)
}

/// What a threat in each cell is worth to its owner.
#[derive(Debug)]
pub(super) struct ThreatWeights([Vec<i16>; 2]);

impl ThreatWeights {
    pub fn new(size: Size) -> ThreatWeights {
        ThreatWeights([Side::P1, Side::P2].map(|side| by_cell(size, side)))
    }

    /// What a threat of `side` in `cell` is worth to player 1.
    #[inline]
    pub fn to_p1(&self, cell: usize, side: Side) -> i32 {
        side.view(self.0[side.index()][cell].into())
    }
}

fn by_cell(size: Size, side: Side) -> Vec<i16> {
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

    #[test]
    fn a_mixed_window_is_worth_nothing() {
        assert_eq!(window_weight(4, 2, 0), 7);
        assert_eq!(window_weight(4, 0, 2), -7);
        assert_eq!(window_weight(4, 1, 1), 0);
        assert_eq!(window_gain(4, 2, 0, Side::P2), -7);
    }

    #[test]
    fn the_rows_that_a_side_gets_in_the_end() {
        let size = |rows, columns| Size::new(rows, columns, 4).unwrap();
        assert_eq!(owned_parity(size(6, 7), Side::P1), 0);
        assert_eq!(owned_parity(size(6, 7), Side::P2), 1);
        assert_eq!(owned_parity(size(7, 8), Side::P1), 1);
        assert_eq!(owned_parity(size(7, 7), Side::P1), 0);
    }
}
