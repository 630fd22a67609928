//! Who wins if nobody can make another line: the fight for the last free cells.
//!
//! A cell below a threat is poison for the other side. When only such cells are left, the side to
//! move must give something up: one of its own threats, which the other side then blocks, or the
//! game. Whose turn that is depends on the number of cells left below and beside the threats, and on
//! nothing else: moves in between do not change it.

use crate::game::Side;

use super::super::board::SIZE;

/// The threats in one column: a bit for each row, by side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct ThreatColumn([u32; 2]);

impl ThreatColumn {
    fn has(self, side: Side, row: usize) -> bool {
        self.0[side.index()] >> row & 1 == 1
    }

    fn is_empty(self) -> bool {
        self.0 == [0, 0]
    }

    /// The row of the lowest threat. There is one.
    fn lowest(self) -> usize {
        (self.0[0] | self.0[1]).trailing_zeros() as usize
    }

    /// The same column filled up to `row`.
    fn filled_to(self, row: usize) -> ThreatColumn {
        ThreatColumn(self.0.map(|rows| rows & !((2 << row) - 1)))
    }

    /// The cells that cannot be filled freely: those from right below the lowest threat on.
    fn blocked(self, rows: usize) -> usize {
        if self.is_empty() { 0 } else { rows + 1 - self.lowest() }
    }

    /// `side` plays below its lowest threat and has it blocked; further threats right above are
    /// carried out or blocked at once. The winner, if one of them wins.
    fn give_up(&mut self, side: Side) -> Option<Side> {
        let mut row = self.lowest();
        let mut mover = side;
        loop {
            *self = self.filled_to(row);
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

/// All threats of a position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreatColumns {
    columns: [ThreatColumn; *SIZE.end()],
    /// A bit for each column that has threats.
    occupied: u32,
}

impl ThreatColumns {
    /// Adds a threat of `side`.
    pub fn add(&mut self, side: Side, column: usize, row: usize) {
        self.columns[column].0[side.index()] |= 1 << row;
        self.occupied |= 1 << column;
    }

    /// Removes a threat of `side`.
    pub fn remove(&mut self, side: Side, column: usize, row: usize) {
        self.columns[column].0[side.index()] &= !(1 << row);
        self.set(column, self.columns[column]);
    }

    /// Whether `side` has a threat there.
    pub fn has(&self, side: Side, column: usize, row: usize) -> bool {
        self.columns[column].has(side, row)
    }

    fn set(&mut self, column: usize, threats: ThreatColumn) {
        self.columns[column] = threats;
        let bit = 1 << column;
        if threats.is_empty() { self.occupied &= !bit } else { self.occupied |= bit }
    }

    /// The columns that have threats.
    fn occupied(&self) -> impl Iterator<Item = (usize, ThreatColumn)> + '_ {
        let mut rest = self.occupied;
        std::iter::from_fn(move || {
            let column = rest.trailing_zeros() as usize;
            rest &= rest.wrapping_sub(1);
            Some((column, *self.columns.get(column)?))
        })
    }

    /// The number of cells that cannot be filled freely.
    fn blocked(&self, rows: usize) -> usize {
        self.occupied().map(|(_, column)| column.blocked(rows)).sum()
    }

    /// The column whose threat `side` gives up if it must, if it can: rather one that makes it the
    /// other side's turn in the end.
    fn to_give_up(&self, side: Side, rows: usize) -> Option<usize> {
        let mut found = None;
        for (index, column) in self.occupied() {
            let lowest = column.lowest();
            if column.has(!side, lowest) {
                continue;
            }
            found = Some(index);
            let change = column.blocked(rows) + column.filled_to(lowest).blocked(rows);
            if !change.is_multiple_of(2) {
                break;
            }
        }
        found
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
    /// The outcome with these threats. `parity`: that of the number of empty cells plus the index of
    /// the side to move, which no move changes.
    pub fn new(threats: &ThreatColumns, rows: usize, parity: usize) -> Zugzwang {
        let blocked = threats.blocked(rows);
        let outcome = |winner| Zugzwang { winner, blocked };
        if threats.occupied == 0 {
            return outcome(None);
        }
        let in_zugzwang = |blocked: usize| {
            if (parity + blocked).is_multiple_of(2) { Side::P1 } else { Side::P2 }
        };
        let mut side = in_zugzwang(blocked);
        let Some(mut own) = threats.to_give_up(side, rows) else {
            return outcome(Some(!side));
        };
        let mut left = threats.clone();
        loop {
            let mut column = left.columns[own];
            if let Some(winner) = column.give_up(side) {
                return outcome(Some(winner));
            }
            left.set(own, column);
            if left.occupied == 0 {
                return outcome(None);
            }
            side = in_zugzwang(left.blocked(rows));
            match left.to_give_up(side, rows) {
                Some(next) => own = next,
                None => return outcome(Some(!side)),
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
        let mut threats = ThreatColumns::default();
        for (column, (p1, p2)) in columns.iter().enumerate() {
            p1.iter().for_each(|row| threats.add(Side::P1, column, row - 1));
            p2.iter().for_each(|row| threats.add(Side::P2, column, row - 1));
        }
        Zugzwang::new(&threats, rows, parity).winner
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
        let mut threats = ThreatColumns::default();
        threats.add(Side::P1, 1, 2);
        let zugzwang = Zugzwang::new(&threats, 6, 0);
        // Rows 2 to 6 of one column.
        assert_eq!(zugzwang.free_cells(12), 7);
        assert_eq!(zugzwang.free_cells(3), 0);
    }
}
