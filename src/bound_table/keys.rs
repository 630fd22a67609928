//! Keys of positions, and how they are mixed: one-to-one, so that the index of a bucket and the check of
//! a slot together are the key.

use std::fmt;

/// A number that names one position.
pub trait TableKey: Copy + fmt::Debug + Default + Eq {
    /// Words of a slot: one more than the words of the key that `check` does not hold.
    const SLOT_WORDS: usize;
    /// An odd factor that spreads keys of `key_bits` bits, moved to the highest bits. Multiplying
    /// by it is one-to-one.
    fn multiplier(key_bits: u32) -> Self;
    /// Product, modulo two to the number of bits.
    fn times(self, factor: Self) -> Self;
    /// The 64 bits below the `skipped` highest ones.
    fn bits_after(self, skipped: u32) -> u64;
}

/// 2^128 divided by the golden ratio: its upper `n` bits spread neighbouring keys of `n` bits
/// best (Fibonacci hashing).
const GOLDEN: u128 = 0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C834;

impl TableKey for u64 {
    const SLOT_WORDS: usize = 1;

    #[inline(always)]
    fn multiplier(key_bits: u32) -> u64 {
        let spare = u64::BITS - key_bits;
        (((GOLDEN >> 64) as u64 >> spare) | 1) << spare
    }
    #[inline(always)]
    fn times(self, factor: u64) -> u64 {
        self.wrapping_mul(factor)
    }
    #[inline(always)]
    fn bits_after(self, skipped: u32) -> u64 {
        self << skipped
    }
}

impl TableKey for u128 {
    const SLOT_WORDS: usize = 2;

    #[inline(always)]
    fn multiplier(key_bits: u32) -> u128 {
        let spare = u128::BITS - key_bits;
        ((GOLDEN >> spare) | 1) << spare
    }
    #[inline(always)]
    fn times(self, factor: u128) -> u128 {
        self.wrapping_mul(factor)
    }
    #[inline(always)]
    fn bits_after(self, skipped: u32) -> u64 {
        ((self << skipped) >> 64) as u64
    }
}

/// Mixes keys of one length.
#[derive(Clone, Copy, Debug)]
pub struct KeyMixer<K>(K);

impl<K: TableKey> KeyMixer<K> {
    /// For keys of at most `key_bits` bits, 1 at least.
    #[inline(always)]
    pub fn new(key_bits: u32) -> Self {
        Self(K::multiplier(key_bits))
    }

    /// The mixed form of a key.
    #[inline(always)]
    pub fn mix(self, key: K) -> MixedKey<K> {
        MixedKey(key.times(self.0))
    }
}

/// The mixed key of a position: index and check in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MixedKey<K>(pub(super) K);

impl<K: TableKey> MixedKey<K> {
    /// A hash of the position.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        self.0.bits_after(0)
    }
}
