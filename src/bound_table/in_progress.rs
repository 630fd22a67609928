//! The positions that threads are searching right now, so that others can search something else
//! first (ABDADA).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Slots, one cache line for eight.
const SLOTS: usize = 1 << 12;

/// A small hash table of positions. A position may be missing or stay too long: it says what to
/// search first, never what is true.
pub struct InProgress(Box<[AtomicU64]>);

impl Default for InProgress {
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl InProgress {
    /// Whether a thread is searching the position of this key.
    #[inline]
    pub fn contains(&self, key: u64) -> bool {
        self.slot(key).load(Relaxed) == key
    }

    /// A thread begins to search the position of this key.
    #[inline]
    pub fn insert(&self, key: u64) {
        self.slot(key).store(key, Relaxed);
    }

    /// It has ended.
    #[inline]
    pub fn remove(&self, key: u64) {
        let slot = self.slot(key);
        // Another thread may have taken the slot.
        if slot.load(Relaxed) == key {
            slot.store(0, Relaxed);
        }
    }

    #[inline]
    fn slot(&self, key: u64) -> &AtomicU64 {
        let mixed = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        &self.0[(mixed >> (u64::BITS - SLOTS.ilog2())) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_in_progress_from_its_insertion_to_its_removal() {
        let positions = InProgress::default();
        assert!(!positions.contains(77));
        positions.insert(77);
        assert!(positions.contains(77) && !positions.contains(78));
        positions.remove(78);
        assert!(positions.contains(77));
        positions.remove(77);
        assert!(!positions.contains(77));
    }
}
