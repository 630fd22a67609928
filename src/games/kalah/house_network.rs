//! What the seeds in the houses are worth to the playing search, beyond what is in the stores: a
//! small neural network, fitted to self-play for each number of houses.
//!
//! Each number of seeds in each house has a vector. The vectors of all houses are added; each
//! component is clipped to between 0 and 1 (clipped ReLU) and has a weight. So, unlike a sum over
//! houses, the evaluation knows combinations: a full house opposite an empty one, extra moves that
//! spoil each other, how many seeds are left.
//!
//! `ratlla-lab fit network` makes the weights (docs/dev/training.md).

use super::row::{Row, Word};
use super::sowing::{HOUSES, Rows, Rules};

/// Components of a vector, also called hidden units.
pub const HIDDEN: usize = 16;
/// More seeds in a house count no more.
pub const MAX_SEEDS: usize = 15;
/// A component of 1. Weights of components are in points.
pub const ONE: i16 = 256;

const MAX_HOUSES: usize = *HOUSES.end();

/// The networks for 1 to 12 houses, one after the other, in numbers of 16 bits, lowest byte first:
/// the vectors by [`house_vector`] and [`rules_vector`], the weights of the components, and the
/// points that are always added.
static NETWORKS: &[u8] = include_bytes!("house_networks.bin");

/// The number of vectors of the network for this many houses.
pub const fn vector_count(houses: usize) -> usize {
    2 * houses * (MAX_SEEDS + 1) + 2
}

/// The place of the vector of `seeds` in a house of the side to move (`own`) or of the other.
pub fn house_vector(houses: usize, own: bool, house: usize, seeds: usize) -> usize {
    let row = if own { 0 } else { houses };
    (row + house) * (MAX_SEEDS + 1) + seeds.min(MAX_SEEDS)
}

/// The place of the vector of the capture rule.
pub fn rules_vector(rules: Rules) -> usize {
    vector_count(rules.houses()) - 2 + usize::from(rules.empty_capture())
}

/// Where the network for this many houses begins in the file, in bytes.
pub const fn network_start(houses: usize) -> usize {
    let mut start = 0;
    let mut fewer = *HOUSES.start();
    while fewer < houses {
        start += 2 * ((vector_count(fewer) + 1) * HIDDEN + 1);
        fewer += 1;
    }
    start
}

type Vector = [i16; HIDDEN];

/// The vectors of one row by house and number of seeds.
type RowVectors = [[Vector; MAX_SEEDS + 1]; MAX_HOUSES];

/// The network for one number of houses and one capture rule.
#[derive(Clone, Debug)]
pub struct HouseNetwork {
    own: RowVectors,
    other: RowVectors,
    rules: Vector,
    weights: Vector,
    constant: i32,
}

impl HouseNetwork {
    /// For games with these rules.
    pub fn new(rules: Rules) -> HouseNetwork {
        let houses = rules.houses();
        let bytes = &NETWORKS[network_start(houses)..network_start(houses + 1)];
        let number = |index: usize| i16::from_le_bytes([bytes[2 * index], bytes[2 * index + 1]]);
        let vector = |place: usize| std::array::from_fn(|unit| number(place * HIDDEN + unit));
        let row = |own: bool| {
            // The vectors of absent houses stay 0.
            let mut vectors = [[[0; HIDDEN]; MAX_SEEDS + 1]; MAX_HOUSES];
            for (house, vectors) in vectors.iter_mut().enumerate().take(houses) {
                *vectors =
                    std::array::from_fn(|seeds| vector(house_vector(houses, own, house, seeds)));
            }
            vectors
        };
        let weights = vector_count(houses);
        HouseNetwork {
            own: row(true),
            other: row(false),
            rules: vector(rules_vector(rules)),
            weights: vector(weights),
            constant: number((weights + 1) * HIDDEN).into(),
        }
    }

    /// What the houses are worth to the side to move, in hundredths of a seed.
    #[inline]
    pub fn points<W: Word>(&self, rows: Rows<W>) -> i32 {
        let mut sum = self.rules;
        for house in 0..W::HOUSES {
            let own = vector_of(&self.own, rows.own, house);
            let other = vector_of(&self.other, rows.other, house);
            for ((sum, own), other) in sum.iter_mut().zip(own).zip(other) {
                *sum += own + other;
            }
        }
        let clipped = sum.iter().map(|&component| i32::from(component.clamp(0, ONE)));
        let weighted = clipped.zip(&self.weights).map(|(value, &weight)| value * i32::from(weight));
        weighted.sum::<i32>() / i32::from(ONE) + self.constant
    }
}

#[inline]
fn vector_of<W: Word>(vectors: &RowVectors, row: Row<W>, house: usize) -> &Vector {
    &vectors[house][(row.get(house) as usize).min(MAX_SEEDS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_rules() -> impl Iterator<Item = Rules> {
        HOUSES.flat_map(|houses| [false, true].map(|empty| Rules::new(houses, 4, empty).unwrap()))
    }

    #[test]
    fn the_file_holds_all_networks() {
        assert_eq!(network_start(MAX_HOUSES + 1), NETWORKS.len());
        for rules in all_rules() {
            assert!(
                HouseNetwork::new(rules).weights.iter().any(|&weight| weight != 0),
                "{rules:?}"
            );
        }
    }

    #[test]
    fn no_sum_of_vectors_overflows() {
        for rules in all_rules() {
            let network = HouseNetwork::new(rules);
            for unit in 0..HIDDEN {
                let largest = |vectors: &[Vector; MAX_SEEDS + 1]| {
                    vectors.iter().map(|vector| i32::from(vector[unit]).abs()).max().unwrap()
                };
                let houses: i32 = network.own.iter().chain(&network.other).map(largest).sum();
                let sum = houses + i32::from(network.rules[unit]).abs();
                assert!(sum <= i16::MAX.into(), "{rules:?}, unit {unit}: {sum}");
            }
        }
    }

    #[test]
    fn a_free_move_is_worth_more_than_a_seed_less_or_more() {
        let network = HouseNetwork::new(Rules::new(6, 4, false).unwrap());
        let points = |own: [u16; 6]| {
            network.points(Rows { own: Row::<u64>::new(&own), other: Row::new(&[4; 6]) })
        };
        assert!(points([4, 4, 3, 4, 0, 4]) < points([4, 4, 4, 4, 0, 4]), "one short");
        assert!(points([4, 4, 5, 4, 0, 4]) < points([4, 4, 4, 4, 0, 4]), "one beyond");
        assert_eq!(points([0, 0, 0, 0, 1, 40]), points([0, 0, 0, 0, 1, 15]));
    }

    #[test]
    fn wide_and_narrow_words_give_the_same_points() {
        let network = HouseNetwork::new(Rules::new(5, 4, true).unwrap());
        let (own, other) = ([0, 3, 17, 1, 2], [5, 0, 1, 1, 9]);
        let narrow = Rows { own: Row::<u64>::new(&own), other: Row::new(&other) };
        let wide = Rows { own: Row::<u128>::new(&own), other: Row::new(&other) };
        assert_eq!(network.points(narrow), network.points(wide));
    }
}
