//! Threads share out the children of a node (ABDADA): one that finds another thread searching a
//! child defers it and takes a different one first. Even the first: if several children would cut
//! off, the other one may well be the cheaper.

use std::ops::ControlFlow::{Break, Continue};

use super::best::BestSoFar;
use super::children::Children;
use super::cpu::Cpu;
use super::geometry::BoardGeometry;
use super::node::Node;
use super::search::{NullWindowSearch, quiet_bounds};
use crate::bound_table::BusyPositions;
use crate::limits::Stopped;

/// Empty cells at least of nodes that are shared: with fewer, it costs more than it saves.
const LEAST_EMPTIES: u32 = 20;

/// Whether threads share out the children of a node.
#[inline(always)]
pub fn is_shared<W>(node: &Node<W>) -> bool {
    node.empties >= LEAST_EMPTIES
}

impl<G: BoardGeometry, C: Cpu> NullWindowSearch<'_, G, C> {
    /// Searches the children in `order`, those that another thread is searching after the others.
    /// Meanwhile other threads may decide children, or the node itself.
    #[inline(never)]
    pub(super) fn search_shared<const B: usize>(
        &mut self,
        busy: &BusyPositions,
        node: &Node<G::Bits>,
        children: &Children<G, B>,
        best: &mut BestSoFar,
        order: &mut [u8],
    ) -> Result<(), Stopped> {
        let node_key = self.key(node.key(), node.empties);
        let mut count = order.len();
        for may_defer in [true, false] {
            let mut deferred = 0;
            for place in 0..count {
                let lane = usize::from(order[place]);
                let key = children.keys.as_flattened()[lane];
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
