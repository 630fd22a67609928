//! What seeds in houses are worth: a rough forecast of the seeds still to be won.
//!
//! The shape was found by regression on exact values of some ten thousand endgames of Kalah with
//! six houses (see docs/kalah.md): a house is worth the more the more seeds it holds, until they
//! reach beyond the store and feed the other player; exactly reaching it is worth a move.
//! Distances to the store make it fit any number of houses.

use super::row::{Row, Word};
use super::sowing::Rows;

/// Numbers of seeds above this are worth no more.
const MANY: usize = 15;
const MOST_HOUSES: usize = 12;

/// The worth of any number of seeds in any house, in hundredths of a seed of the margin.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    table: [[i16; MANY + 1]; MOST_HOUSES],
}

impl Forecast {
    /// For games with that many houses.
    pub fn new(houses: usize) -> Forecast {
        let mut table = [[0; MANY + 1]; MOST_HOUSES];
        for (house, worths) in table.iter_mut().enumerate().take(houses) {
            for (seeds, worth) in worths.iter_mut().enumerate() {
                *worth = worth_of((houses - house) as i16, seeds as i16);
            }
        }
        Forecast { table }
    }

    /// The forecast of what the player to move wins more than the other of the seeds in play.
    #[inline]
    pub fn margin<W: Word>(&self, rows: Rows<W>) -> i32 {
        self.row(rows.own) + self.opposed(rows.other)
    }

    /// What a row is worth to its owner if he is to move.
    #[inline]
    pub fn row<W: Word>(&self, row: Row<W>) -> i32 {
        // All lanes of the word: those without a house hold nothing, which is worth nothing.
        let tables = self.table[..W::HOUSES].iter().enumerate();
        tables.map(|(house, worths)| i32::from(worths[(row.get(house) as usize).min(MANY)])).sum()
    }

    /// What a row is worth to the player to move if it is the other's: less than it would be to
    /// its owner, who has to wait.
    #[inline]
    pub fn opposed<W: Word>(&self, row: Row<W>) -> i32 {
        -self.row(row) * 7 / 8
    }
}

fn worth_of(distance: i16, seeds: i16) -> i16 {
    if seeds == 0 {
        0
    } else if seeds < distance {
        100 + 100 * seeds
    } else if seeds == distance {
        100 + 125 * seeds
    } else {
        100 * (distance - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_stay_at_home_are_worth_most() {
        let worth = Forecast::new(6);
        let row = |seeds: [u16; 6]| worth.row(Row::<u64>::new(&seeds));
        assert_eq!(row([0; 6]), 0);
        assert_eq!(row([1, 0, 0, 0, 0, 0]), 200);
        assert!(row([0, 0, 3, 0, 0, 0]) < row([0, 0, 4, 0, 0, 0]), "another move");
        assert!(row([0, 0, 5, 0, 0, 0]) < row([0, 0, 4, 0, 0, 0]), "feeds the other");
        assert_eq!(row([0, 0, 0, 0, 0, 40]), row([0, 0, 0, 0, 0, 15]));
    }

    #[test]
    fn the_move_is_worth_something() {
        let row = Row::<u128>::new(&[4; 8]);
        let rows = Rows { own: row, other: row };
        assert!(Forecast::new(8).margin(rows) > 0);
    }
}
