//! Who wins if nobody can make another line: the fight for the last free cells.
//!
//! A cell below a threat is poison for the other side. When only such cells are left, the side to
//! move must give something up: one of its own threats, which the other side then blocks, or the
//! game. Whose turn that is depends on the number of cells left below and beside the threats, and on
//! nothing else: moves in between do not change it.

use crate::game::Side;

/// The threats in one column: a bit for each row, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThreatColumn(pub [u32; 2]);

impl ThreatColumn {
    /// Adds a threat of `side`.
    pub fn add(&mut self, side: Side, row: usize) {
        self.0[side.index()] |= 1 << row;
    }

    /// Removes a threat of `side`.
    pub fn remove(&mut self, side: Side, row: usize) {
        self.0[side.index()] &= !(1 << row);
    }

    /// Whether `side` has a threat in `row`.
    pub fn has(self, side: Side, row: usize) -> bool {
        self.0[side.index()] >> row & 1 == 1
    }

    /// Whether neither side has a threat.
    pub fn is_empty(self) -> bool {
        self.0 == [0, 0]
    }

    /// The row of the lowest threat, if there is one.
    fn lowest(self) -> usize {
        (self.0[0] | self.0[1]).trailing_zeros() as usize
    }

    /// Removes all threats up to `row`.
    fn clear_to(&mut self, row: usize) {
        self.0 = self.0.map(|rows| rows & !((2 << row) - 1));
    }

    /// `side` plays below its lowest threat and has it blocked; further threats right above are
    /// carried out or blocked at once. The winner, if one of them wins.
    fn give_up(&mut self, side: Side) -> Option<Side> {
        let mut row = self.lowest();
        let mut mover = side;
        loop {
            self.clear_to(row);
            row += 1;
            if self.has(mover, row) {
                return Some(mover);
            }
            if !self.has(!mover, row) {
                return None;
            }
            mover = !mover;
        }
    }
}

/// The outcome of the fight.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Zugzwang {
    /// Who wins it, if it is not a draw.
    pub winner: Option<Side>,
    /// The number of cells that cannot be filled before it.
    blocked: usize,
}

impl Zugzwang {
    /// The outcome with these columns, which are used up. `parity`: that of the number of empty cells
    /// plus the index of the side to move, which no move changes.
    pub fn new(columns: &mut [ThreatColumn], rows: usize, parity: usize) -> Zugzwang {
        let mut first = None;
        loop {
            let mut blocked = 0;
            let mut candidate: [Option<usize>; 2] = [None; 2];
            let mut any = false;
            for (index, column) in columns.iter().enumerate() {
                if column.is_empty() {
                    continue;
                }
                any = true;
                let lowest = column.lowest();
                blocked += rows + 1 - lowest;
                match [Side::P1, Side::P2].map(|side| column.has(side, lowest)) {
                    [true, false] => candidate[0] = Some(index),
                    [false, true] => candidate[1] = Some(index),
                    _ => {}
                }
            }
            let first = *first.get_or_insert(blocked);
            let outcome = |winner| Zugzwang { winner, blocked: first };
            if !any {
                return outcome(None);
            }
            let to_move = if (parity + blocked).is_multiple_of(2) { Side::P1 } else { Side::P2 };
            let Some(own) = candidate[to_move.index()] else {
                return outcome(Some(!to_move));
            };
            if let Some(winner) = columns[own].give_up(to_move) {
                return outcome(Some(winner));
            }
        }
    }

    /// How many of the empty cells can be filled before it comes to the fight.
    #[inline]
    pub fn free_cells(self, empty: usize) -> usize {
        empty.saturating_sub(self.blocked)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Threats by column, as rows counted from 1 of player 1 and player 2.
    fn winner(columns: &[(&[usize], &[usize])], rows: usize, parity: usize) -> Option<Side> {
        let mut threats: Vec<ThreatColumn> = Vec::new();
        for (p1, p2) in columns {
            let mut column = ThreatColumn::default();
            p1.iter().for_each(|row| column.add(Side::P1, row - 1));
            p2.iter().for_each(|row| column.add(Side::P2, row - 1));
            threats.push(column);
        }
        Zugzwang::new(&mut threats, rows, parity).winner
    }

    #[test]
    fn on_six_rows_player_1_needs_odd_threats_and_player_2_even_ones() {
        assert_eq!(winner(&[], 6, 0), None);
        assert_eq!(winner(&[(&[3], &[])], 6, 0), Some(Side::P1));
        assert_eq!(winner(&[(&[4], &[])], 6, 0), None);
        assert_eq!(winner(&[(&[], &[4])], 6, 0), Some(Side::P2));
        assert_eq!(winner(&[(&[], &[3])], 6, 0), None);
    }

    #[test]
    fn the_lower_threat_in_a_column_counts() {
        assert_eq!(winner(&[(&[5], &[4])], 6, 0), Some(Side::P2));
        assert_eq!(winner(&[(&[3], &[4])], 6, 0), Some(Side::P1));
        // Its own threat in row 3 is given up, and the one in row 5 stays.
        assert_eq!(winner(&[(&[5], &[3])], 6, 0), Some(Side::P1));
    }

    #[test]
    fn two_threats_on_top_of_each_other_win() {
        assert_eq!(winner(&[(&[4, 5], &[])], 6, 0), Some(Side::P1));
        assert_eq!(winner(&[(&[3, 4], &[])], 6, 0), Some(Side::P1));
    }

    #[test]
    fn threats_in_different_columns_change_whose_turn_it_is() {
        // An odd threat of player 1 beats an even one of player 2 elsewhere.
        assert_eq!(winner(&[(&[3], &[]), (&[], &[4])], 6, 0), Some(Side::P1));
        // Two odd threats of different sides: player 1's is lost.
        assert_eq!(winner(&[(&[3], &[]), (&[], &[3])], 6, 0), None);
    }

    #[test]
    fn cells_above_a_threat_are_not_free() {
        let mut columns = [ThreatColumn::default(); 2];
        columns[1].add(Side::P1, 2);
        let zugzwang = Zugzwang::new(&mut columns, 6, 0);
        // Rows 2 to 6 of one column.
        assert_eq!(zugzwang.free_cells(12), 7);
        assert_eq!(zugzwang.free_cells(3), 0);
    }
}
