//! What the seeds in a house are worth to the playing search, beyond what is in the stores.
//!
//! The shape was fitted to deep searches of self-play positions with six houses and is written in
//! distances to the store, so that it serves any number of houses: a house that just reaches the
//! store is a free move and worth most; one that sows beyond it feeds the opponent, until it goes
//! all the way round.

use super::row::{Row, Word};
use super::sowing::Rows;

/// More seeds in a house count no more.
const MAX_SEEDS: usize = 15;
const MAX_HOUSES: usize = 12;
/// What it costs to be on the move, as the fit has it: threats of the side to move are already in
/// its houses.
const TEMPO: i32 = -88;

/// Weights by house and number of seeds, in hundredths of a seed.
type Table = [[i16; MAX_SEEDS + 1]; MAX_HOUSES];

/// The weights of both rows, for the side to move.
#[derive(Clone, Copy, Debug)]
pub struct HouseWeights {
    own: Table,
    opponent: Table,
}

impl HouseWeights {
    /// For games with this many houses per player.
    pub fn new(houses: usize) -> HouseWeights {
        HouseWeights { own: table(houses, own_weight), opponent: table(houses, opponent_weight) }
    }

    /// The weight of the row of the side to move.
    #[inline]
    pub fn own<W: Word>(&self, rows: Rows<W>) -> i32 {
        sum(&self.own, rows.own) + TEMPO
    }

    /// The weight of the other row, for the side to move.
    #[inline]
    pub fn opponent<W: Word>(&self, rows: Rows<W>) -> i32 {
        sum(&self.opponent, rows.other)
    }
}

fn table(houses: usize, weight: fn(i16, i16, i16) -> i16) -> Table {
    let mut table = [[0; MAX_SEEDS + 1]; MAX_HOUSES];
    for (house, weights) in table.iter_mut().enumerate().take(houses) {
        for (seeds, value) in weights.iter_mut().enumerate().skip(1) {
            *value = weight(houses as i16, (houses - house) as i16, seeds as i16);
        }
    }
    table
}

#[inline]
fn sum<W: Word>(table: &Table, row: Row<W>) -> i32 {
    // All lanes of the word: those without a house are empty and count 0.
    let houses = table[..W::HOUSES].iter().enumerate();
    houses.map(|(house, values)| i32::from(values[(row.get(house) as usize).min(MAX_SEEDS)])).sum()
}

/// Seeds beyond one for each house of the row.
fn surplus(houses: i16, seeds: i16) -> i16 {
    (seeds - houses).max(0)
}

fn own_weight(houses: i16, distance: i16, seeds: i16) -> i16 {
    let full_round = if seeds == 2 * houses + 1 { 150 } else { 0 };
    full_round
        + match seeds {
            _ if seeds < distance => 40 * seeds,
            _ if seeds == distance => 80 + 60 * distance,
            _ => -190 + 30 * (distance - 1) + 40 * surplus(houses, seeds),
        }
}

fn opponent_weight(houses: i16, distance: i16, seeds: i16) -> i16 {
    // Near its store a full house threatens to come round to the opponent's own side.
    let danger = match distance {
        ..=2 => 40,
        3 => 20,
        _ => 0,
    };
    match seeds {
        _ if seeds < distance => -35 * seeds,
        _ if seeds == distance => -40,
        _ => 200 - 20 * (distance - 1) - danger * surplus(houses, seeds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_house_that_just_reaches_the_store_is_worth_most() {
        let weights = HouseWeights::new(6);
        let own = |seeds: [u16; 6]| {
            let rows = Rows { own: Row::<u64>::new(&seeds), other: Row::<u64>::new(&[0; 6]) };
            weights.own(rows)
        };
        assert_eq!(own([0; 6]), TEMPO);
        assert!(own([0, 0, 3, 0, 0, 0]) < own([0, 0, 4, 0, 0, 0]), "one short");
        assert!(own([0, 0, 5, 0, 0, 0]) < own([0, 0, 4, 0, 0, 0]), "one beyond");
        assert!(own([0, 0, 12, 0, 0, 0]) < own([0, 0, 13, 0, 0, 0]), "all the way round");
        assert_eq!(own([0, 0, 0, 0, 0, 40]), own([0, 0, 0, 0, 0, 15]));
    }
}
