//! Threads share out the children of a node (ABDADA): one that finds another thread searching a
//! child defers it and takes a different one first. Even the first: if several children would cut
//! off, the other one may well be the cheaper.

use std::ops::ControlFlow::{Break, Continue};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::best::BestSoFar;
use super::children::Children;
use super::cpu::Cpu;
use super::geometry::BoardGeometry;
use super::node::Node;
use super::search::{NullWindowSearch, quiet_bounds};
use crate::bound_table::{MixedKey, TableKey};
use crate::limits::Stopped;

/// Empty cells at least of nodes that are shared: with fewer, it costs more than it saves.
const LEAST_EMPTIES: u32 = 20;
/// Slots for busy positions; a few for each thread and ply are in use.
const SLOTS: usize = 1 << 12;

/// Whether threads share out the children of a node.
#[inline(always)]
pub fn is_shared<W>(node: &Node<W>) -> bool {
    node.empties >= LEAST_EMPTIES
}

impl<G: BoardGeometry, C: Cpu> NullWindowSearch<'_, G, C> {
    /// Searches the children in `order`, those that another thread is searching after the others.
    /// Meanwhile other threads may decide children, or the node itself.
    #[inline(never)]
    pub(super) fn search_shared(
        &mut self,
        busy: &BusyPositions,
        node: &Node<G::Bits>,
        children: &Children<G>,
        best: &mut BestSoFar,
        order: &mut [u8],
    ) -> Result<(), Stopped> {
        let node_key = self.key(node.key(), node.empties);
        let mut count = order.len();
        for may_defer in [true, false] {
            let mut deferred = 0;
            for place in 0..count {
                let lane = usize::from(order[place]);
                let key = children.keys.as_ref()[lane];
                if may_defer && busy.contains(key) {
                    order[deferred] = lane as u8;
                    deferred += 1;
                    continue;
                }
                let known = self.table.probe(node_key, quiet_bounds(node.empties)).bounds;
                if best.is_settled_by(known) {
                    return Ok(());
                }
                match best.offer_bounds(self.known_bounds(children, lane)) {
                    Continue(false) => (),
                    Continue(true) => continue,
                    Break(score) => {
                        best.score = score;
                        return Ok(());
                    }
                }
                busy.insert(key);
                let outcome = self.search_lane(children, lane, best);
                busy.remove(key);
                if outcome?.is_break() {
                    return Ok(());
                }
            }
            count = deferred;
        }
        Ok(())
    }
}

/// A set of positions, shared without locks. It may forget some, and two may be taken for one:
/// that changes the order of a search, never its result.
pub struct BusyPositions(Box<[AtomicU64]>);

impl BusyPositions {
    /// The empty set.
    pub fn new() -> Self {
        Self((0..SLOTS).map(|_| AtomicU64::new(0)).collect())
    }

    /// True if some thread is searching this position.
    pub fn contains<K: TableKey>(&self, key: MixedKey<K>) -> bool {
        self.slot(key).load(Relaxed) == key.hash()
    }

    /// A thread starts to search this position.
    pub fn insert<K: TableKey>(&self, key: MixedKey<K>) {
        self.slot(key).store(key.hash(), Relaxed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bound_table::KeyMixer;

    #[test]
    fn a_position_is_busy_until_it_is_searched() {
        let busy = BusyPositions::new();
        let mixer = KeyMixer::<u64>::new(49);
        for key in (1..1000).map(|key| mixer.mix(key)) {
            assert!(!busy.contains(key));
            busy.insert(key);
            assert!(busy.contains(key));
            busy.remove(key);
            assert!(!busy.contains(key));
        }
    }

    #[test]
    fn a_slot_taken_by_another_position_stays() {
        let busy = BusyPositions::new();
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
