//! Counting nodes, and checking limits and signals meanwhile.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Limits, SearchControl};

/// What ends a solver run early. The default is no limit.
#[derive(Clone, Copy, Debug, Default)]
pub struct SolverLimits<'a> {
    /// Stops after this many nodes.
    pub nodes: Option<u64>,
    /// Stops at its signal; counts the nodes while the run is under way.
    pub control: Option<&'a SearchControl>,
    /// Stops when this much of the control's time is used: the clock stands still while pondering.
    pub time: Option<Duration>,
}

impl SolverLimits<'_> {
    /// What is left after `nodes` nodes.
    pub fn after(&self, nodes: u64) -> Self {
        Self { nodes: self.nodes.map(|limit| limit.saturating_sub(nodes)), ..*self }
    }
}

/// The search ended early: a signal came or a limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// Nodes between two checks of limits and signals: slow searches stop within a millisecond, and
/// the checks of fast ones cost nothing measurable.
pub const CHECK_INTERVAL: u64 = 256;

/// One thread's node count, which checks limits and signals before the first node and once per
/// [`CHECK_INTERVAL`]. A node limit is met exactly.
#[derive(Clone, Debug)]
pub struct NodeCounter<'a> {
    limits: SolverLimits<'a>,
    /// Set when another thread of the same search is done.
    done: Option<&'a AtomicBool>,
    nodes: u64,
    /// Nodes already added to the count of [`SolverLimits::control`].
    published: u64,
    next_check: u64,
}

impl<'a> NodeCounter<'a> {
    /// A counter of the search of `control`: stops after `node_limit` nodes, when the time of
    /// `limits` is up, or at a signal.
    pub fn new(
        control: &'a SearchControl,
        limits: &Limits,
        node_limit: Option<u64>,
    ) -> NodeCounter<'a> {
        NodeCounter::within(SolverLimits {
            nodes: node_limit,
            control: Some(control),
            time: limits.budget().hard,
        })
    }

    /// A counter that stops at `limits`.
    pub fn within(limits: SolverLimits<'a>) -> NodeCounter<'a> {
        NodeCounter { limits, done: None, nodes: 0, published: 0, next_check: 0 }
    }

    /// Stops also when `done` is set.
    pub fn until(self, done: &'a AtomicBool) -> NodeCounter<'a> {
        NodeCounter { done: Some(done), ..self }
    }

    /// Counts one node, unless a limit is reached.
    #[inline(always)]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_check {
            self.check_limits()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Nodes counted.
    #[inline(always)]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Adds the nodes since the last call to the shared count.
    pub fn publish(&mut self) {
        if let Some(control) = self.limits.control {
            control.add_nodes(self.nodes - self.published);
        }
        self.published = self.nodes;
    }

    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) -> Result<(), Stopped> {
        self.publish();
        let SolverLimits { nodes, control, time } = self.limits;
        let node_limit = nodes.unwrap_or(u64::MAX);
        let signalled = control.is_some_and(|control| {
            control.should_stop() || time.is_some_and(|time| control.is_time_up(time))
        });
        let done = self.done.is_some_and(|done| done.load(Ordering::Relaxed));
        if self.nodes >= node_limit || signalled || done {
            return Err(Stopped);
        }
        self.next_check = (self.nodes + CHECK_INTERVAL).min(node_limit);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_limit_is_met_exactly() {
        for limit in [0, 1, 255, 256, 257, 1000] {
            let control = SearchControl::new(false, false);
            let mut counter = NodeCounter::new(&control, &Limits::default(), Some(limit));
            while counter.tick().is_ok() {}
            assert_eq!(counter.nodes(), limit);
            assert_eq!(control.nodes(), limit);
        }
    }

    #[test]
    fn a_solver_stops_at_its_time_or_signal_but_its_clock_waits_for_the_ponder_hit() {
        let [running, stopped] = [(); 2].map(|()| SearchControl::new(false, false));
        stopped.stop();
        let at = |control, time| SolverLimits { nodes: None, control: Some(control), time };
        let late = at(&running, Some(Duration::ZERO));
        let few = SolverLimits { nodes: Some(9), ..SolverLimits::default() };
        for limits in [late, at(&stopped, None), few.after(10)] {
            assert_eq!(NodeCounter::within(limits).tick(), Err(Stopped));
        }
        assert_eq!(NodeCounter::within(SolverLimits::default()).tick(), Ok(()));
        let pondering = SearchControl::new(true, false);
        let limits = at(&pondering, Some(Duration::ZERO));
        assert_eq!(NodeCounter::within(limits).tick(), Ok(()));
        pondering.ponder_hit();
        assert_eq!(NodeCounter::within(limits).tick(), Err(Stopped));
    }

    #[test]
    fn a_stop_or_a_finished_thread_ends_the_count_soon() {
        let (control, done) = (SearchControl::new(false, false), AtomicBool::new(false));
        let mut stopped = NodeCounter::new(&control, &Limits::default(), None);
        let mut helper = NodeCounter::new(&control, &Limits::default(), None).until(&done);
        assert!(stopped.tick().is_ok() && helper.tick().is_ok());
        done.store(true, Ordering::Relaxed);
        assert!((0..1000).any(|_| helper.tick().is_err()));
        control.stop();
        assert!((0..1000).any(|_| stopped.tick().is_err()));
        assert!(NodeCounter::new(&control, &Limits::default(), None).tick().is_err());
    }
}
