//! The static evaluation: a forecast of the seeds still to be won.
//!
//! Its shape comes from a regression on exact values of some ten thousand endgames of Kalah with
//! six houses (see docs/kalah.md): a house counts the more the more seeds it holds, until they
//! pass the store and feed the other player; reaching it exactly counts as a move. Distances to
//! the store make it fit any number of houses.

use super::row::{Row, Word};
use super::sowing::Rows;

/// More seeds in a house count no more.
const MANY: usize = 15;
const MOST_HOUSES: usize = 12;

/// The value of any number of seeds in any house, in hundredths of a seed of the margin.
#[derive(Clone, Copy, Debug)]
pub struct Forecast {
    table: [[i16; MANY + 1]; MOST_HOUSES],
}

impl Forecast {
    /// For games with that many houses.
    pub fn new(houses: usize) -> Forecast {
        let mut table = [[0; MANY + 1]; MOST_HOUSES];
        for (house, values) in table.iter_mut().enumerate().take(houses) {
            for (seeds, value) in values.iter_mut().enumerate() {
                *value = house_value((houses - house) as i16, seeds as i16);
            }
        }
        Forecast { table }
    }

    /// The forecast margin of the player to move on the seeds in play.
    #[inline]
    pub fn margin<W: Word>(&self, rows: Rows<W>) -> i32 {
        self.row(rows.own) + self.opposed(rows.other)
    }

    /// The value of a row to its owner, who is to move.
    #[inline]
    pub fn row<W: Word>(&self, row: Row<W>) -> i32 {
        // All lanes of the word: those without a house are empty and count 0.
        let tables = self.table[..W::HOUSES].iter().enumerate();
        tables.map(|(house, values)| i32::from(values[(row.get(house) as usize).min(MANY)])).sum()
    }

    /// The value of the other player's row to the player to move: less than to its owner if he
    /// were to move.
    #[inline]
    pub fn opposed<W: Word>(&self, row: Row<W>) -> i32 {
        -self.row(row) * 7 / 8
    }
}

fn house_value(distance: i16, seeds: i16) -> i16 {
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
    fn seeds_that_stay_on_the_own_side_count_most() {
        let forecast = Forecast::new(6);
        let row = |seeds: [u16; 6]| forecast.row(Row::<u64>::new(&seeds));
        assert_eq!(row([0; 6]), 0);
        assert_eq!(row([1, 0, 0, 0, 0, 0]), 200);
        assert!(row([0, 0, 3, 0, 0, 0]) < row([0, 0, 4, 0, 0, 0]), "another move");
        assert!(row([0, 0, 5, 0, 0, 0]) < row([0, 0, 4, 0, 0, 0]), "feeds the other");
        assert_eq!(row([0, 0, 0, 0, 0, 40]), row([0, 0, 0, 0, 0, 15]));
    }

    #[test]
    fn having_the_move_counts() {
        let row = Row::<u128>::new(&[4; 8]);
        let rows = Rows { own: row, other: row };
        assert!(Forecast::new(8).margin(rows) > 0);
    }
}
