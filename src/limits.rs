//! When to stop: limits that were asked for, signals that arrive, and the clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::platform::clock::Instant;

/// What a search may use. All given limits hold; an absent one has no influence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The deepest iteration.
    pub depth: Option<u32>,
    /// How many nodes all threads together may visit.
    pub nodes: Option<u64>,
    /// How long this move may take.
    pub movetime: Option<Duration>,
    /// The remaining time of the side to move.
    pub clock: Option<Clock>,
    /// Give no answer until told to stop.
    pub infinite: bool,
    /// The opponent is thinking: the time limits count from the ponder hit.
    pub ponder: bool,
}

/// The state of one player's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// What is left.
    pub remaining: Duration,
    /// What each move adds.
    pub increment: Duration,
    /// Moves until the next time control, if there is one.
    pub moves_to_go: Option<u32>,
    /// What every move loses on its way to the opponent.
    pub overhead: Duration,
}

/// How long to think: begin nothing new after `soft`, stop at `hard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// The answer is due.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Whether anything at all limits the search.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }

    /// The time this search may take, whichever limit says it.
    pub fn budget(&self) -> Budget {
        let clock = self.clock.map(Clock::budget).unwrap_or_default();
        let within = |limit: Duration| self.movetime.map_or(limit, |movetime| limit.min(movetime));
        Budget { soft: clock.soft.map(within), hard: clock.hard.map(within).or(self.movetime) }
    }
}

impl Clock {
    /// Shares the remaining time among the moves to come. A search may run over its share to
    /// finish what it has begun, but never past a third of what is left (all of it if this is
    /// the last move before the control), and always leaves the overhead.
    fn budget(self) -> Budget {
        const USUAL_MOVES: u32 = 16;
        let moves = self.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, 64);
        let usable = self.remaining.saturating_sub(self.overhead);
        let share = usable / moves + self.increment.mul_f64(0.75);
        let most = if moves == 1 { usable } else { usable / 3 };
        let least = Duration::from_millis(1);
        let soft = share.mul_f64(0.6).min(most).max(least);
        let hard = (share * 3).min(most).max(least);
        Budget { soft: Some(soft), hard: Some(hard) }
    }
}

/// What may reach a search while it runs. Made anew for each search, so a late signal can never
/// hit the next one.
#[derive(Debug)]
pub struct SearchControl {
    started: Instant,
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Whether no answer may be given before a stop.
    endless: bool,
    /// Microseconds after `started` at which the time limits begin to count.
    charged_from: AtomicU64,
    /// Nodes visited by all threads, up to their last look at the clock.
    nodes: AtomicU64,
    sleepers: (Mutex<()>, Condvar),
}

impl SearchControl {
    /// SearchControl of a search that starts now. It may give its answer when it has one, but not
    /// while `pondering`, and if `endless` not before it is told to stop.
    pub fn new(pondering: bool, endless: bool) -> SearchControl {
        SearchControl {
            started: Instant::now(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            endless,
            charged_from: AtomicU64::new(0),
            nodes: AtomicU64::new(0),
            sleepers: Default::default(),
        }
    }

    /// Asks the search to answer with what it has.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.wake();
    }

    /// The opponent played the expected move: from now on the time limits hold.
    pub fn ponder_hit(&self) {
        let now = self.started.elapsed().as_micros() as u64;
        self.charged_from.store(now, Ordering::Release);
        self.pondering.store(false, Ordering::Release);
        self.wake();
    }

    /// Whether [`SearchControl::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the opponent is still thinking.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Whether no answer may be given before a stop.
    pub fn is_endless(&self) -> bool {
        self.endless
    }

    /// Time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time that counts against the limits: none while pondering.
    pub fn time_used(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        let from = Duration::from_micros(self.charged_from.load(Ordering::Acquire));
        self.elapsed().saturating_sub(from)
    }

    /// The flag that [`SearchControl::stop`] raises, for searches that watch it themselves.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.stop
    }

    /// The moment at which `duration` will have been charged, as things stand.
    pub fn moment(&self, duration: Duration) -> Option<Instant> {
        let from = Duration::from_micros(self.charged_from.load(Ordering::Acquire));
        self.started.checked_add(from)?.checked_add(duration)
    }

    /// The count of nodes, for searches that add to it themselves.
    pub fn node_counter(&self) -> &AtomicU64 {
        &self.nodes
    }

    /// Nodes visited so far by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Sleeps until the answer may be given.
    pub fn wait_for_release(&self) {
        let (lock, bell) = &self.sleepers;
        let mut guard = lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        while !self.is_stopped() && (self.endless || self.is_pondering()) {
            guard = bell.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn wake(&self) {
        let (lock, bell) = &self.sleepers;
        drop(lock.lock());
        bell.notify_all();
    }
}

/// The search has to end: a signal came or a limit is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopped;

/// One thread's count of nodes, which looks at limits and signals every so often.
#[derive(Debug)]
pub struct NodeCounter<'a> {
    control: &'a SearchControl,
    /// Another reason to stop: the threads that this one helps are done.
    done: Option<&'a AtomicBool>,
    node_limit: u64,
    deadline: Option<Duration>,
    nodes: u64,
    published: u64,
    next_look: u64,
}

impl<'a> NodeCounter<'a> {
    /// Often enough for a slow search to stop within a millisecond, rarely enough to cost
    /// nothing in a fast one.
    const NODES_BETWEEN_LOOKS: u64 = 256;

    /// A meter that stops after `node_limit` nodes or when `limits` have no time left.
    pub fn new(
        control: &'a SearchControl,
        limits: &Limits,
        node_limit: Option<u64>,
    ) -> NodeCounter<'a> {
        NodeCounter {
            control,
            done: None,
            node_limit: node_limit.unwrap_or(u64::MAX),
            deadline: limits.budget().hard,
            nodes: 0,
            published: 0,
            next_look: 0,
        }
    }

    /// Stops also when `done` is set.
    pub fn until(self, done: &'a AtomicBool) -> NodeCounter<'a> {
        NodeCounter { done: Some(done), ..self }
    }

    /// Counts one node, if it may still be visited.
    #[inline]
    pub fn tick(&mut self) -> Result<(), Stopped> {
        if self.nodes >= self.next_look {
            self.look()?;
        }
        self.nodes += 1;
        Ok(())
    }

    /// Nodes counted by this meter.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Adds what was counted since the last time to the count of all threads.
    pub fn publish(&mut self) {
        self.control.nodes.fetch_add(self.nodes - self.published, Ordering::Relaxed);
        self.published = self.nodes;
    }

    #[cold]
    fn look(&mut self) -> Result<(), Stopped> {
        self.publish();
        let late = self.deadline.is_some_and(|deadline| {
            !self.control.is_pondering() && self.control.time_used() >= deadline
        });
        let done = self.done.is_some_and(|done| done.load(Ordering::Relaxed));
        if late || done || self.nodes >= self.node_limit || self.control.is_stopped() {
            return Err(Stopped);
        }
        self.next_look = (self.nodes + NodeCounter::NODES_BETWEEN_LOOKS).min(self.node_limit);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clock(remaining: u64, increment: u64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining: milliseconds(remaining),
            increment: milliseconds(increment),
            moves_to_go,
            overhead: milliseconds(10),
        }
    }

    #[test]
    fn a_clock_is_never_overdrawn() {
        for remaining in [0, 1, 5, 11, 50, 1000, 60_000, 3_600_000] {
            for increment in [0, 10, 1000, 100_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let budget = clock(remaining, increment, moves_to_go).budget();
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    assert!(soft <= hard);
                    let usable = milliseconds(remaining).saturating_sub(milliseconds(10));
                    assert!(hard <= usable.max(milliseconds(1)), "{remaining} {increment}");
                }
            }
        }
    }

    #[test]
    fn the_tighter_time_limit_holds() {
        let limits = Limits {
            movetime: Some(milliseconds(20)),
            clock: Some(clock(60_000, 0, None)),
            ..Limits::default()
        };
        assert_eq!(limits.budget().hard, Some(milliseconds(20)));
    }

    #[test]
    fn pondering_costs_nothing_until_the_hit() {
        let control = SearchControl::new(true, false);
        std::thread::sleep(milliseconds(20));
        assert_eq!(control.time_used(), Duration::ZERO);
        control.ponder_hit();
        assert!(control.time_used() < milliseconds(15));
        assert!(control.elapsed() >= milliseconds(20));
        control.wait_for_release();
    }

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
    fn a_stop_or_a_finished_leader_ends_the_count_soon() {
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

    #[test]
    fn a_stop_releases_an_endless_search() {
        let control = SearchControl::new(false, true);
        std::thread::scope(|scope| {
            scope.spawn(|| control.wait_for_release());
            control.stop();
        });
        assert!(control.is_stopped());
    }
}
