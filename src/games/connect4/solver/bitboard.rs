//! Sets of cells, one bit per cell, and blocks of them for vector code.
//!
//! Knows shifts, counts and the arithmetic the board tricks need; knows
//! nothing of boards.
//!
//! Boards of more than 64 bits take two `u64`, not one `u128`: compilers make no
//! vector code of 128-bit integers.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Shl, Shr};

use crate::bound_table::TableKey;

/// Lanes that are worked on at once: whole vectors of any size.
pub const BLOCK: usize = 8;

/// A set of cells.
pub trait Bitboard:
    Copy
    + Debug
    + Default
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Number of bits.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;

    /// The same bits as one integer.
    type Word: KeyWord;
    /// [`BLOCK`] sets, one to a vector lane.
    type Block: LaneBlock<Self>;

    /// The set as an integer.
    fn word(self) -> Self::Word;
    /// The set of the bits of `word`.
    fn from_word(word: Self::Word) -> Self;
    /// Sum, modulo two to the number of bits.
    fn plus(self, other: Self) -> Self;
    /// Difference, modulo two to the number of bits.
    fn minus(self, other: Self) -> Self;
    /// Number of members.
    fn count(self) -> u32;
    /// Index of the lowest member; `BITS` for the empty set.
    fn lowest_index(self) -> u32;
    /// 0 for the empty set, and only for it.
    fn flag(self) -> u64;

    /// True for the empty set.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self.flag() == 0
    }

    /// The set without its lowest member.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.minus(Self::from_word(Self::Word::truncate(1)))
    }

    /// Only the lowest member.
    #[inline(always)]
    fn lowest(self) -> Self {
        self & Self::ZERO.minus(self)
    }

    /// The members, each as a set of its own, the lowest first.
    #[inline(always)]
    fn members(mut self) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let member = self.lowest();
            self = self.without_lowest();
            (!member.is_empty()).then_some(member)
        })
    }

    /// True for two members or more.
    #[inline(always)]
    fn has_several(self) -> bool {
        !self.without_lowest().is_empty()
    }
}

/// The integer of a set: a key of the table.
pub trait KeyWord:
    TableKey
    + Into<u128>
    + Ord
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// The low bits of `wide`.
    fn truncate(wide: u128) -> Self;
}

impl KeyWord for u64 {
    #[inline(always)]
    fn truncate(wide: u128) -> Self {
        wide as u64
    }
}

impl KeyWord for u128 {
    #[inline(always)]
    fn truncate(wide: u128) -> Self {
        wide
    }
}

/// Sets of cells, laid out for vector code.
pub trait LaneBlock<W>: Copy {
    /// The same set in all lanes.
    fn splat(cells: W) -> Self;
    /// The set in a lane.
    fn get(&self, lane: usize) -> W;
    /// Replaces the set in a lane.
    fn set(&mut self, lane: usize, cells: W);
}

impl Bitboard for u64 {
    const BITS: u32 = u64::BITS;
    const ZERO: Self = 0;

    type Word = u64;
    type Block = [u64; BLOCK];

    #[inline(always)]
    fn word(self) -> u64 {
        self
    }
    #[inline(always)]
    fn from_word(word: u64) -> Self {
        word
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }
    #[inline(always)]
    fn lowest_index(self) -> u32 {
        self.trailing_zeros()
    }
    #[inline(always)]
    fn flag(self) -> u64 {
        self
    }
}

impl LaneBlock<u64> for [u64; BLOCK] {
    #[inline(always)]
    fn splat(cells: u64) -> Self {
        [cells; BLOCK]
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> u64 {
        self[lane]
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, cells: u64) {
        self[lane] = cells;
    }
}

/// A set of up to 128 cells. Shifts must be by 1 to 63.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Halves {
    low: u64,
    high: u64,
}

impl BitAnd for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, other: Self) -> Self {
        Self { low: self.low & other.low, high: self.high & other.high }
    }
}

impl BitAndAssign for Halves {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl BitOr for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, other: Self) -> Self {
        Self { low: self.low | other.low, high: self.high | other.high }
    }
}

impl BitOrAssign for Halves {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitXor for Halves {
    type Output = Self;
    #[inline(always)]
    fn bitxor(self, other: Self) -> Self {
        Self { low: self.low ^ other.low, high: self.high ^ other.high }
    }
}

impl Not for Halves {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self { low: !self.low, high: !self.high }
    }
}

impl Shl<u32> for Halves {
    type Output = Self;
    #[inline(always)]
    fn shl(self, by: u32) -> Self {
        Self { low: self.low << by, high: (self.high << by) | (self.low >> (u64::BITS - by)) }
    }
}

impl Shr<u32> for Halves {
    type Output = Self;
    #[inline(always)]
    fn shr(self, by: u32) -> Self {
        Self { low: (self.low >> by) | (self.high << (u64::BITS - by)), high: self.high >> by }
    }
}

impl Bitboard for Halves {
    const BITS: u32 = u128::BITS;
    const ZERO: Self = Self { low: 0, high: 0 };

    type Word = u128;
    type Block = HalvesBlock;

    #[inline(always)]
    fn word(self) -> u128 {
        u128::from(self.high) << u64::BITS | u128::from(self.low)
    }
    #[inline(always)]
    fn from_word(word: u128) -> Self {
        Self { low: word as u64, high: (word >> u64::BITS) as u64 }
    }
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        let low = self.low.wrapping_add(other.low);
        let carry = u64::from(low < self.low);
        Self { low, high: self.high.wrapping_add(other.high).wrapping_add(carry) }
    }
    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        let borrow = u64::from(self.low < other.low);
        let high = self.high.wrapping_sub(other.high).wrapping_sub(borrow);
        Self { low: self.low.wrapping_sub(other.low), high }
    }
    #[inline(always)]
    fn count(self) -> u32 {
        self.low.count_ones() + self.high.count_ones()
    }
    #[inline(always)]
    fn lowest_index(self) -> u32 {
        self.word().trailing_zeros()
    }
    #[inline(always)]
    fn flag(self) -> u64 {
        self.low | self.high
    }
}

/// A block of [`Halves`], the low halves apart from the high ones.
#[derive(Clone, Copy)]
pub struct HalvesBlock {
    low: [u64; BLOCK],
    high: [u64; BLOCK],
}

impl LaneBlock<Halves> for HalvesBlock {
    #[inline(always)]
    fn splat(cells: Halves) -> Self {
        Self { low: [cells.low; BLOCK], high: [cells.high; BLOCK] }
    }
    #[inline(always)]
    fn get(&self, lane: usize) -> Halves {
        Halves { low: self.low[lane], high: self.high[lane] }
    }
    #[inline(always)]
    fn set(&mut self, lane: usize, cells: Halves) {
        (self.low[lane], self.high[lane]) = (cells.low, cells.high);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn halves_do_what_one_integer_does(a: u128, b: u128, by in 1u32..64, sparse in 0u32..128) {
            for (a, b) in [(a, b), (a, 1 << sparse), (1 << sparse, a), (a << sparse, b), (0, a)] {
                let (left, right) = (Halves::from_word(a), Halves::from_word(b));
                prop_assert_eq!((left & right).word(), a & b);
                prop_assert_eq!((left | right).word(), a | b);
                prop_assert_eq!((!left).word(), !a);
                prop_assert_eq!((left << by).word(), a << by);
                prop_assert_eq!((left >> by).word(), a >> by);
                prop_assert_eq!(left.plus(right).word(), a.wrapping_add(b));
                prop_assert_eq!(left.minus(right).word(), a.wrapping_sub(b));
                prop_assert_eq!(left.count(), a.count_ones());
                prop_assert_eq!(left.lowest_index(), a.trailing_zeros());
                prop_assert_eq!(left.is_empty(), a == 0);
                prop_assert_eq!(left.lowest().word(), a & a.wrapping_neg());
                prop_assert_eq!(left.has_several(), a.count_ones() > 1);
            }
        }
    }
}
