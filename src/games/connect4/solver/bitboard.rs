//! The machine word that holds one bit per cell.
//!
//! Knows shifts, counts and the arithmetic the board tricks need; knows
//! nothing of boards.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Shl, Shr};

use crate::bound_table::TableKey;

/// A set of cells in one unsigned integer.
pub trait Bitboard:
    TableKey
    + Copy
    + Debug
    + Default
    + Ord
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitAndAssign
    + BitOr<Output = Self>
    + BitOrAssign
    + BitXor<Output = Self>
    + BitXorAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    /// Number of bits.
    const BITS: u32;
    /// The empty set.
    const ZERO: Self;

    /// The low bits of `wide`.
    fn truncate(wide: u128) -> Self;
    /// Sum, modulo two to the number of bits.
    fn plus(self, other: Self) -> Self;
    /// Difference, modulo two to the number of bits.
    fn minus(self, other: Self) -> Self;
    /// Number of members.
    fn count(self) -> u32;
    /// Index of the lowest member; `BITS` for the empty set.
    fn lowest_index(self) -> u32;

    /// True for the empty set.
    #[inline(always)]
    fn is_empty(self) -> bool {
        self == Self::ZERO
    }

    /// The set without its lowest member.
    #[inline(always)]
    fn without_lowest(self) -> Self {
        self & self.minus(Self::truncate(1))
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

impl Bitboard for u64 {
    const BITS: u32 = u64::BITS;
    const ZERO: Self = 0;

    #[inline(always)]
    fn truncate(wide: u128) -> Self {
        wide as u64
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
}

impl Bitboard for u128 {
    const BITS: u32 = u128::BITS;
    const ZERO: Self = 0;

    #[inline(always)]
    fn truncate(wide: u128) -> Self {
        wide
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
}
