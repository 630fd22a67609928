//! Whole keys, kept beside a table while tests solve: what it answers must have been stored for that very key.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::{Bounds, MixedKey, TableKey};

/// Parts that threads seldom ask for at the same time.
const PARTS: usize = 64;

/// All that was stored for each key, joined.
type Stored = HashMap<[u64; 2], Bounds>;

/// Whole keys, and what was ever stored for them.
pub struct Witness(Vec<Mutex<Stored>>);

impl Default for Witness {
    fn default() -> Self {
        Self((0..PARTS).map(|_| Mutex::default()).collect())
    }
}

impl Witness {
    /// These bounds of `key` are about to be stored. Later would be too late: another thread may be answered
    /// at once.
    pub fn stored<K: TableKey>(&self, key: MixedKey<K>, bounds: Bounds) {
        let (mut part, key) = self.part(key);
        let known = part.entry(key).or_insert(bounds);
        known.lower = known.lower.max(bounds.lower);
        known.upper = known.upper.min(bounds.upper);
    }

    /// Panics if `answer` says more about `key` than was stored for it; `nothing` says nothing. The table may
    /// have forgotten one bound or both.
    pub fn answered<K: TableKey>(&self, key: MixedKey<K>, answer: Bounds, nothing: Bounds) {
        let known = {
            let (part, key) = self.part(key);
            part.get(&key).copied().unwrap_or(nothing)
        };
        assert!(
            answer.lower <= known.lower && known.upper <= answer.upper,
            "{key:?}: answered {answer:?}, but stored was {known:?}"
        );
    }

    fn part<K: TableKey>(&self, key: MixedKey<K>) -> (MutexGuard<'_, Stored>, [u64; 2]) {
        let low = if K::SLOT_WORDS > 1 { key.0.bits_after(u64::BITS) } else { 0 };
        let part = self.0[(key.hash() >> 32) as usize % PARTS].lock();
        (part.unwrap_or_else(PoisonError::into_inner), [key.hash(), low])
    }
}
