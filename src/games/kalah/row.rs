//! One player's houses packed into one machine word.
//!
//! Each house is a lane of ten bits, house 1 lowest, and holds up to 1023 seeds, far more than any
//! game has. Six houses fit 64 bits and twelve fit 128; seeds are sown by adding words:
//!
//! ```text
//! bit   0        10       20       30       40       50       60
//!       | house 1 | house 2 | house 3 | house 4 | house 5 | house 6 |
//! ```
//!
//! Houses are counted from 0 in code.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, BitAnd, BitXor, Not, Shl, Shr, Sub};

const LANE_BITS: u32 = 10;
const LANE: u16 = (1 << LANE_BITS) - 1;

/// A machine word that houses are packed into.
pub trait Word:
    Copy
    + Eq
    + Hash
    + Debug
    + Default
    + Send
    + Sync
    + From<u16>
    + Add<Output = Self>
    + Sub<Output = Self>
    + BitAnd<Output = Self>
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// The number of houses that fit.
    const HOUSES: usize;

    /// One seed in each house.
    const ONES: Self;

    /// The lowest 64 bits.
    fn low(self) -> u64;

    /// The highest 64 bits of a 128-bit word, else 0.
    fn high(self) -> u64;

    /// In each lane, the sum of that lane and all lower ones, modulo 1024.
    fn lane_prefix_sums(self) -> Self;

    /// The number of zeros below the lowest set bit.
    fn trailing_zeros(self) -> u32;
}

impl Word for u64 {
    const HOUSES: usize = 6;
    const ONES: u64 = 1 | 1 << 10 | 1 << 20 | 1 << 30 | 1 << 40 | 1 << 50;

    #[inline]
    fn low(self) -> u64 {
        self
    }

    #[inline]
    fn high(self) -> u64 {
        0
    }

    #[inline]
    fn lane_prefix_sums(self) -> u64 {
        self.wrapping_mul(Self::ONES)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}

impl Word for u128 {
    const HOUSES: usize = 12;
    const ONES: u128 = <u64 as Word>::ONES as u128 | (<u64 as Word>::ONES as u128) << 60;

    #[inline]
    fn low(self) -> u64 {
        self as u64
    }

    #[inline]
    fn high(self) -> u64 {
        (self >> 64) as u64
    }

    #[inline]
    fn lane_prefix_sums(self) -> u128 {
        self.wrapping_mul(Self::ONES)
    }

    #[inline]
    fn trailing_zeros(self) -> u32 {
        self.trailing_zeros()
    }
}

/// The seeds in one player's houses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Row<W>(W);

impl<W: Word> Row<W> {
    /// A row with these seeds, house 1 first: at most [`Word::HOUSES`] houses with at most 1023
    /// seeds in all.
    pub fn new(seeds: &[u16]) -> Row<W> {
        debug_assert!(seeds.len() <= W::HOUSES);
        let lanes = seeds.iter().zip((0..).step_by(LANE_BITS as usize));
        Row(lanes.fold(W::default(), |word, (&count, shift)| word + (W::from(count) << shift)))
    }

    /// The seeds in `house`.
    #[inline]
    pub fn get(self, house: usize) -> u32 {
        (self.0 >> (LANE_BITS * house as u32)).low() as u32 & u32::from(LANE)
    }

    /// The row without the seeds in `house`.
    #[inline]
    #[must_use]
    pub fn without(self, house: usize) -> Row<W> {
        Row(self.0 & !(W::from(LANE) << (LANE_BITS * house as u32)))
    }

    /// The sum of both rows, house by house.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Row<W>) -> Row<W> {
        Row(self.0 + other.0)
    }

    /// Whether all houses are empty.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0 == W::default()
    }

    /// The seeds in all houses.
    #[inline]
    pub fn total(self) -> u32 {
        self.prefix_sums().get(W::HOUSES - 1)
    }

    /// In each house, the seeds of that house and all before it.
    #[inline]
    #[must_use]
    pub fn prefix_sums(self) -> Row<W> {
        Row(self.0.lane_prefix_sums())
    }

    /// The houses that are not empty, in order.
    #[inline]
    pub fn occupied(self) -> Occupied<W> {
        Occupied(self.marks())
    }

    /// The number of houses that are not empty.
    #[inline]
    pub fn count_occupied(self) -> u32 {
        Row(self.marks()).total()
    }

    /// The number of houses in which the two rows differ.
    #[inline]
    pub fn count_different(self, other: Row<W>) -> u32 {
        Row(self.0 ^ other.0).count_occupied()
    }

    /// 1 in each lane that is not empty: adding 511 carries into its highest bit.
    #[inline]
    fn marks(self) -> W {
        let carry = (W::ONES << (LANE_BITS - 1)) - W::ONES;
        ((self.0 + carry) >> (LANE_BITS - 1)) & W::ONES
    }

    /// The word itself, for hashing.
    #[inline]
    pub fn word(self) -> W {
        self.0
    }
}

/// The houses of a row that are not empty.
pub struct Occupied<W>(W);

impl<W: Word> Iterator for Occupied<W> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        if self.0 == W::default() {
            return None;
        }
        let house = self.0.trailing_zeros() / LANE_BITS;
        self.0 = self.0 & (self.0 - W::from(1));
        Some(house as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<W: Word>() {
        let seeds: Vec<u16> = (0..W::HOUSES as u16).map(|house| 3 * house + 1).collect();
        let row = Row::<W>::new(&seeds);
        let read: Vec<u16> = (0..W::HOUSES).map(|house| row.get(house) as u16).collect();
        assert_eq!(read, seeds);
        assert_eq!(row.total(), seeds.iter().map(|&seeds| u32::from(seeds)).sum::<u32>());
        assert_eq!(row.plus(row).total(), 2 * row.total());
        let last = W::HOUSES - 1;
        assert_eq!(row.without(last).get(last), 0);
        assert_eq!(row.without(last).total(), row.total() - row.get(last));
        assert_eq!(row.prefix_sums().get(2), 1 + 4 + 7);
        assert!(!row.is_empty());
        let gaps = row.without(1).without(last);
        let houses: Vec<usize> = (0..last).filter(|&house| house != 1).collect();
        assert_eq!(gaps.occupied().collect::<Vec<_>>(), houses);
        assert_eq!(gaps.count_occupied() as usize, houses.len());
        assert_eq!((row.count_different(gaps), row.count_different(row)), (2, 0));
        assert!(Row::<W>::default().is_empty());
    }

    #[test]
    fn each_house_holds_its_own_seeds() {
        check::<u64>();
        check::<u128>();
    }

    #[test]
    fn one_house_can_hold_every_seed_of_the_largest_game() {
        for house in 0..12 {
            let mut seeds = [0; 12];
            seeds[house] = 288;
            let row = Row::<u128>::new(&seeds);
            assert_eq!((row.get(house), row.total()), (288, 288));
            assert_eq!(row.occupied().collect::<Vec<_>>(), [house]);
        }
    }
}
