//! Sowing and capturing, seen by the player who moves. Shared by the board, which adds stores and
//! players, and by the solver, which needs neither.

use super::row::{Row, Word};

/// The smallest and the largest number of houses a player has.
pub const HOUSES: std::ops::RangeInclusive<usize> = 1..=12;
/// The smallest and the largest number of seeds that a house starts with.
pub const SEEDS: std::ops::RangeInclusive<usize> = 1..=12;

/// The rules of one Kalah variant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    houses: usize,
    seeds: usize,
    empty_capture: bool,
}

impl Rules {
    /// Kalah with these numbers of houses for each player and of seeds in each house, or the limit
    /// they break. With `empty_capture` a last seed in an empty house is captured even if there is
    /// nothing opposite.
    pub fn new(houses: usize, seeds: usize, empty_capture: bool) -> Result<Rules, String> {
        let out_of_range = |what: &str, number: usize, range: std::ops::RangeInclusive<usize>| {
            let (low, high) = (range.start(), range.end());
            Err(format!("{what} must be {low}..{high} (got {number})"))
        };
        if !HOUSES.contains(&houses) {
            return out_of_range("houses", houses, HOUSES);
        }
        if !SEEDS.contains(&seeds) {
            return out_of_range("seeds", seeds, SEEDS);
        }
        Ok(Rules { houses, seeds, empty_capture })
    }

    /// Houses of each player.
    pub fn houses(self) -> usize {
        self.houses
    }

    /// Seeds in each house at the start.
    pub fn seeds(self) -> usize {
        self.seeds
    }

    /// Whether a last seed in an empty house is captured even if the opposite house is empty.
    pub fn empty_capture(self) -> bool {
        self.empty_capture
    }

    /// All seeds of the game.
    pub fn total(self) -> usize {
        2 * self.houses * self.seeds
    }

    /// The house of the other player that faces `house`.
    pub fn facing(self, house: usize) -> usize {
        self.houses - 1 - house
    }
}

/// The houses of both players, as the one to move sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rows<W> {
    /// Those of the player to move.
    pub own: Row<W>,
    /// Those of the other.
    pub other: Row<W>,
}

impl<W: Word> Rows<W> {
    /// As the other player sees them.
    #[inline]
    #[must_use]
    pub fn turned(self) -> Rows<W> {
        Rows { own: self.other, other: self.own }
    }

    /// Whether the game is over: one side has no seeds left.
    #[inline]
    pub fn is_over(self) -> bool {
        self.own.is_empty() || self.other.is_empty()
    }

    /// How many seeds are not in a store yet.
    #[inline]
    pub fn in_play(self) -> u32 {
        self.own.plus(self.other).total()
    }

    /// By how many seeds the player to move wins the rest if every seed now goes to the owner of
    /// its house.
    #[inline]
    pub fn owned_margin(self) -> i32 {
        self.own.total() as i32 - self.other.total() as i32
    }
}

/// What a move leads to, still seen by the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sown<W> {
    /// The houses after it.
    pub rows: Rows<W>,
    /// The seeds that went to the mover's store.
    pub gain: u32,
    /// Whether the last seed fell into the store: the same player moves again.
    pub again: bool,
}

/// Where the seeds of one house go.
#[derive(Clone, Copy)]
struct Lap<W> {
    own: Row<W>,
    other: Row<W>,
    stored: u8,
    /// Whether the last one falls into the store.
    again: bool,
    /// Whether the last one falls into an own house, where it may capture.
    home: bool,
    /// That house, or any.
    last: u8,
    /// The other player's house that faces it.
    facing: u8,
}

/// The rules of a game with a precomputed lap for every house and number of seeds.
pub struct Sowing<W> {
    rules: Rules,
    /// By house, then by the number of seeds in it.
    laps: Vec<Lap<W>>,
}

impl<W: Word> Sowing<W> {
    /// For these rules, whose houses must fit the word.
    pub fn new(rules: Rules) -> Sowing<W> {
        assert!(rules.houses <= W::HOUSES, "rules wider than the word");
        let houses = 0..rules.houses;
        let laps = houses.flat_map(|house| (0..=rules.total()).map(move |seeds| (house, seeds)));
        Sowing { rules, laps: laps.map(|(house, seeds)| lap(rules, house, seeds)).collect() }
    }

    /// The rules.
    #[inline]
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// Sows the seeds of `house`, which is not empty, and captures.
    #[inline]
    pub fn sow(&self, rows: Rows<W>, house: usize) -> Sown<W> {
        let lap = self.lap(house, rows.own.get(house));
        let own = rows.own.without(house).plus(lap.own);
        let other = rows.other.plus(lap.other);
        let (last, facing) = (usize::from(lap.last), usize::from(lap.facing));
        let caught = other.get(facing);
        // Captures are unpredictable: selecting values is faster than a branch.
        let lonely = lap.home & (own.get(last) == 1);
        let captures = lonely & ((caught > 0) | self.rules.empty_capture);
        let stored = u32::from(lap.stored);
        Sown {
            rows: Rows {
                own: if captures { own.without(last) } else { own },
                other: if captures { other.without(facing) } else { other },
            },
            gain: if captures { stored + 1 + caught } else { stored },
            again: lap.again,
        }
    }

    /// The mover's row after sowing the seeds of `house`, before any capture.
    #[inline]
    pub fn sow_own(&self, own: Row<W>, house: usize) -> Row<W> {
        own.without(house).plus(self.lap(house, own.get(house)).own)
    }

    /// Whether the last of the seeds in `house` would fall into the store.
    #[inline]
    pub fn moves_again(&self, rows: Rows<W>, house: usize) -> bool {
        self.lap(house, rows.own.get(house)).again
    }

    #[inline]
    fn lap(&self, house: usize, seeds: u32) -> &Lap<W> {
        &self.laps[house * (self.rules.total() + 1) + seeds as usize]
    }
}

impl<W> PartialEq for Sowing<W> {
    fn eq(&self, other: &Sowing<W>) -> bool {
        self.rules == other.rules
    }
}

/// A pit as the player who sows sees it. Houses are counted from 0 in their owner's sowing order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pit {
    /// A house of this player.
    Own(usize),
    /// This player's store.
    Store,
    /// A house of the other player, whose store is passed over.
    Other(usize),
}

/// The pits after `house`, where its seeds fall one by one: an endless circle.
pub fn sowing_path(rules: Rules, house: usize) -> impl Iterator<Item = Pit> {
    let own = (0..rules.houses).map(Pit::Own);
    let circle = own.chain([Pit::Store]).chain((0..rules.houses).map(Pit::Other));
    circle.cycle().skip(house + 1)
}

/// Drops `seeds` one by one, beginning after `house`.
fn lap<W: Word>(rules: Rules, house: usize, seeds: usize) -> Lap<W> {
    let (mut own, mut other) = (vec![0u16; rules.houses], vec![0u16; rules.houses]);
    let mut stored = 0;
    let mut end = Pit::Own(house);
    for pit in sowing_path(rules, house).take(seeds) {
        match pit {
            Pit::Own(house) => own[house] += 1,
            Pit::Store => stored += 1,
            Pit::Other(house) => other[house] += 1,
        }
        end = pit;
    }
    let (home, last) = match end {
        Pit::Own(house) => (true, house),
        Pit::Store | Pit::Other(_) => (false, 0),
    };
    Lap {
        own: Row::new(&own),
        other: Row::new(&other),
        stored,
        again: end == Pit::Store,
        home,
        last: last as u8,
        facing: rules.facing(last) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays house `number` (from 1) of kalah with `own.len()` houses.
    fn sown(own: &[u16], other: &[u16], number: usize, empty_capture: bool) -> Sown<u64> {
        let rules = Rules::new(own.len(), 4, empty_capture).unwrap();
        let rows = Rows { own: Row::new(own), other: Row::new(other) };
        Sowing::new(rules).sow(rows, number - 1)
    }

    fn expect(sown: Sown<u64>, own: &[u16], other: &[u16], gain: u32, again: bool) {
        let rows = Rows { own: Row::new(own), other: Row::new(other) };
        assert_eq!(sown, Sown { rows, gain, again });
    }

    #[test]
    fn seeds_go_one_by_one_to_the_following_houses() {
        let after = sown(&[4, 4, 4, 4, 4, 4], &[4, 4, 4, 4, 4, 4], 2, false);
        expect(after, &[4, 0, 5, 5, 5, 5], &[4, 4, 4, 4, 4, 4], 0, false);
    }

    #[test]
    fn sowing_passes_the_own_store_into_the_other_houses() {
        let after = sown(&[4, 4, 4, 4, 4, 4], &[4, 4, 4, 4, 4, 4], 5, false);
        expect(after, &[4, 4, 4, 4, 0, 5], &[5, 5, 4, 4, 4, 4], 1, false);
    }

    #[test]
    fn sowing_skips_the_other_store() {
        // Nine seeds from house 6: the store, six houses, and on to the own houses 1 and 2.
        let after = sown(&[1, 1, 0, 0, 0, 9], &[0, 0, 0, 0, 0, 0], 6, false);
        expect(after, &[2, 2, 0, 0, 0, 0], &[1, 1, 1, 1, 1, 1], 1, false);
    }

    #[test]
    fn the_last_seed_in_the_store_gives_another_move() {
        let after = sown(&[4, 4, 4, 4, 4, 4], &[4, 4, 4, 4, 4, 4], 3, false);
        expect(after, &[4, 4, 0, 5, 5, 5], &[4, 4, 4, 4, 4, 4], 1, true);
        let lap = sown(&[0, 0, 0, 0, 0, 14], &[1, 0, 0, 0, 0, 0], 6, false);
        expect(lap, &[1, 1, 1, 1, 1, 1], &[2, 1, 1, 1, 1, 1], 2, true);
    }

    #[test]
    fn the_last_seed_in_an_empty_own_house_captures_what_is_opposite() {
        let after = sown(&[1, 0, 3, 0, 0, 0], &[2, 2, 2, 2, 7, 2], 1, false);
        expect(after, &[0, 0, 3, 0, 0, 0], &[2, 2, 2, 2, 0, 2], 8, false);
    }

    #[test]
    fn a_capture_takes_the_seed_that_the_same_move_sowed_opposite() {
        // Twelve seeds from house 3 end in the empty own house 2, opposite house 5.
        let after = sown(&[0, 0, 12, 0, 0, 0], &[0, 0, 0, 0, 0, 0], 3, false);
        expect(after, &[1, 0, 0, 1, 1, 1], &[1, 1, 1, 1, 0, 1], 3, false);
    }

    #[test]
    fn nothing_opposite_is_no_capture_but_in_the_variant() {
        let standard = sown(&[1, 0, 3, 0, 0, 0], &[2, 2, 2, 2, 0, 2], 1, false);
        expect(standard, &[0, 1, 3, 0, 0, 0], &[2, 2, 2, 2, 0, 2], 0, false);
        let variant = sown(&[1, 0, 3, 0, 0, 0], &[2, 2, 2, 2, 0, 2], 1, true);
        expect(variant, &[0, 0, 3, 0, 0, 0], &[2, 2, 2, 2, 0, 2], 1, false);
    }

    #[test]
    fn a_full_lap_ends_in_its_own_empty_house_and_captures() {
        let after = sown(&[0, 0, 13, 0, 0, 0], &[0, 0, 0, 3, 0, 0], 3, false);
        expect(after, &[1, 1, 0, 1, 1, 1], &[1, 1, 1, 0, 1, 1], 6, false);
    }

    #[test]
    fn no_capture_in_a_house_that_held_seeds_nor_on_the_other_side() {
        let filled = sown(&[1, 1, 0, 0, 0, 0], &[2, 2, 2, 2, 2, 2], 1, false);
        expect(filled, &[0, 2, 0, 0, 0, 0], &[2, 2, 2, 2, 2, 2], 0, false);
        let across = sown(&[3, 0, 0, 0, 0, 2], &[0, 2, 2, 2, 2, 2], 6, false);
        expect(across, &[3, 0, 0, 0, 0, 0], &[1, 2, 2, 2, 2, 2], 1, false);
    }

    #[test]
    fn more_than_a_lap_fills_its_own_house_again_and_captures_nothing() {
        let after = sown(&[0, 0, 14, 0, 0, 0], &[1, 1, 1, 1, 1, 1], 3, false);
        expect(after, &[1, 1, 1, 2, 1, 1], &[2, 2, 2, 2, 2, 2], 1, false);
    }

    #[test]
    fn one_house_is_a_ring_of_three() {
        expect(sown(&[1], &[1], 1, false), &[0], &[1], 1, true);
        expect(sown(&[2], &[1], 1, false), &[0], &[2], 1, false);
        expect(sown(&[3], &[1], 1, false), &[0], &[0], 4, false);
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_the_limits() {
        assert!(Rules::new(0, 4, false).unwrap_err().contains("houses must be 1..12 (got 0)"));
        assert!(Rules::new(13, 4, false).unwrap_err().contains("houses must be 1..12 (got 13)"));
        assert!(Rules::new(6, 13, false).unwrap_err().contains("seeds must be 1..12 (got 13)"));
        assert!(Rules::new(12, 12, true).is_ok());
    }
}
