//! The positions that threads are searching right now, so that others can search something else
//! first (ABDADA).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{MixedKey, TableKey};

/// Slots for busy positions; a few for each thread and ply are in use.
const SLOTS: usize = 1 << 12;

/// A set of positions, shared without locks. It may forget some, and two may be taken for one:
/// that changes the order of a search, never its result.
pub struct BusyPositions(Box<[AtomicU64]>);

impl Default for BusyPositions {
    /// The empty set.
    fn default() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }
}

impl BusyPositions {
    /// True if some thread is searching this position.
    pub fn contains<K: TableKey>(&self, key: MixedKey<K>) -> bool {
        self.slot(key).load(Relaxed) == name(key)
    }

    /// A thread starts to search this position.
    pub fn insert<K: TableKey>(&self, key: MixedKey<K>) {
        self.slot(key).store(name(key), Relaxed);
    }

    /// A thread has searched this position.
    pub fn remove<K: TableKey>(&self, key: MixedKey<K>) {
        if self.contains(key) {
            self.slot(key).store(0, Relaxed);
        }
    }

    fn slot<K: TableKey>(&self, key: MixedKey<K>) -> &AtomicU64 {
        &self.0[(key.hash() >> (u64::BITS - SLOTS.ilog2())) as usize]
    }
}

/// What stands for a position in its slot: never 0, the free slot.
fn name<K: TableKey>(key: MixedKey<K>) -> u64 {
    key.hash() | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound_table::KeyMixer;

    #[test]
    fn a_position_is_busy_until_it_is_searched() {
        let busy = BusyPositions::default();
        let mixer = KeyMixer::<u64>::new(49);
        for key in (1..1000).map(|key| mixer.mix(key)) {
            assert!(!busy.contains(key));
            busy.insert(key);
            assert!(busy.contains(key));
            busy.remove(key);
            assert!(!busy.contains(key));
        }
    }

    /// Of all keys there are, one of which is 0.
    #[test]
    fn no_other_position_is_busy() {
        let busy = BusyPositions::default();
        let mixer = KeyMixer::<u64>::new(16);
        let all = || (0..1 << 16).filter(|&key| busy.contains(mixer.mix(key))).collect::<Vec<_>>();
        assert_eq!(all(), [0; 0]);
        for key in [0, 1, 77, 0xFFFF] {
            busy.insert(mixer.mix(key));
            assert_eq!(all(), [key]);
            busy.remove(mixer.mix(key));
            assert_eq!(all(), [0; 0]);
        }
    }

    #[test]
    fn a_slot_taken_by_another_position_stays() {
        let busy = BusyPositions::default();
        let mixer = KeyMixer::<u64>::new(64);
        let first = mixer.mix(1);
        let same_slot = (2..)
            .map(|key| mixer.mix(key))
            .find(|&key| std::ptr::eq(busy.slot(key), busy.slot(first)));
        let second = same_slot.expect("there are more keys than slots");
        busy.insert(first);
        busy.insert(second);
        busy.remove(first);
        assert!(busy.contains(second));
    }
}
