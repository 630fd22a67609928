//! When to stop.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::search::Stopped;
use crate::platform::clock::Instant;

/// What ends a search early. The default is no limit at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits<'a> {
    /// Stops as soon as this is true.
    pub stop: Option<&'a AtomicBool>,
    /// Stops after this many nodes.
    pub nodes: Option<u64>,
    /// Stops at this moment.
    pub deadline: Option<Instant>,
    /// Where nodes are counted while the search is under way.
    pub counter: Option<&'a AtomicU64>,
}

impl Limits<'_> {
    /// What is left of them after `nodes` nodes.
    pub fn after(&self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..*self }
    }
}

/// Nodes between two looks at clock and flags: well below a millisecond.
const INTERVAL: u64 = 2048;

/// Counts one thread's nodes and watches its limits.
#[derive(Clone, Debug)]
pub struct NodeCounter<'a> {
    limits: Limits<'a>,
    /// A second flag, by which the threads of one search stop each other.
    sibling_stop: Option<&'a AtomicBool>,
    nodes: u64,
    /// Nodes that [`Limits::counter`] knows of.
    published: u64,
    /// Node count at which to look next.
    next_look: u64,
}

impl<'a> NodeCounter<'a> {
    /// A meter at zero.
    pub fn new(limits: Limits<'a>, sibling_stop: Option<&'a AtomicBool>) -> Self {
        let next_look = INTERVAL.min(limits.nodes.unwrap_or(u64::MAX));
        Self { limits, sibling_stop, nodes: 0, published: 0, next_look }
    }

    /// Nodes counted.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Counts one node, unless a limit is reached.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Adds what was counted since the last time to [`Limits::counter`].
    pub fn publish(&mut self) {
        if let Some(counter) = self.limits.counter {
            counter.fetch_add(self.nodes - self.published, Relaxed);
        }
        self.published = self.nodes;
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> Result<(), Stopped> {
        self.publish();
        let raised = |flag: Option<&AtomicBool>| flag.is_some_and(|flag| flag.load(Relaxed));
        let limits = &self.limits;
        if raised(limits.stop)
            || raised(self.sibling_stop)
            || limits.nodes.is_some_and(|limit| self.nodes >= limit)
            || limits.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(Stopped);
        }
        self.next_look = (self.nodes + INTERVAL).min(limits.nodes.unwrap_or(u64::MAX));
        Ok(())
    }
}
