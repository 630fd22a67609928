//! When a search stops: limits, signals and the clock.
//!
//! Every search and every solver counts its nodes with a [`NodeCounter`], which checks limits and
//! signals once per [`CHECK_INTERVAL`]. Knows nothing of games, moves or commands.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex};
use std::time::Duration;

use crate::platform::clock::Instant;

/// What a search may use. All given limits apply.
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
    /// Time lost per move in transmission.
    pub overhead: Duration,
}

/// A tenth of a `movetime`, but no less than this, is enough to answer in time.
const LEAST_OVERHEAD: Duration = Duration::from_millis(2);
/// Overhead up to here, the option's default, is scaled down for a short `movetime`. More than
/// that is the choice of a client that needs it.
const SCALED_OVERHEAD: Duration = Duration::from_millis(10);

/// What `overhead` leaves of `movetime` for the search: at least half.
pub fn less_overhead(movetime: Duration, overhead: Duration) -> Duration {
    let scaled = overhead.min(SCALED_OVERHEAD).min((movetime / 10).max(LEAST_OVERHEAD));
    let chosen = overhead.saturating_sub(SCALED_OVERHEAD);
    movetime - (scaled + chosen).min(movetime / 2)
}

/// How long to search: start no iteration after `soft`, as scaled by
/// [`SearchControl::scale_soft_time`], and stop at `hard`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TimeBudget {
    /// No new iteration after this.
    pub soft: Option<Duration>,
    /// The answer is due.
    pub hard: Option<Duration>,
}

impl Limits {
    /// Whether any limit is given.
    pub fn is_limited(&self) -> bool {
        self.depth.is_some()
            || self.nodes.is_some()
            || self.movetime.is_some()
            || self.clock.is_some()
    }

    /// The time this search may take: the tighter of move time and clock.
    pub fn budget(&self) -> TimeBudget {
        let clock = self.clock.map(Clock::budget).unwrap_or_default();
        let within = |limit: Duration| self.movetime.map_or(limit, |movetime| limit.min(movetime));
        TimeBudget { soft: clock.soft.map(within), hard: clock.hard.map(within).or(self.movetime) }
    }
}

impl Clock {
    /// Divides the remaining time among the moves to come. A search may exceed its share to finish
    /// an iteration, but uses at most a third of what is left (all of it for the last move before
    /// the time control), and always leaves the overhead.
    fn budget(self) -> TimeBudget {
        const USUAL_MOVES: u32 = 16;
        let moves = self.moves_to_go.unwrap_or(USUAL_MOVES).clamp(1, 64);
        let usable = self.remaining.saturating_sub(self.overhead);
        let share = usable / moves + self.increment.mul_f64(0.75);
        let most = if moves == 1 { usable } else { usable / 3 };
        let least = Duration::from_millis(1);
        let soft = share.mul_f64(0.6).min(most).max(least);
        let hard = (share * 3).min(most).max(least);
        TimeBudget { soft: Some(soft), hard: Some(hard) }
    }
}

/// The signals, clock and node count of one search. Each search gets its own, so a late signal
/// cannot reach the next one.
#[derive(Debug)]
pub struct SearchControl {
    started: Instant,
    stop: AtomicBool,
    pondering: AtomicBool,
    /// Whether the answer is held back until a stop.
    endless: bool,
    /// Microseconds after `started` from which time limits count.
    charged_from: AtomicU64,
    /// The factor of the soft time, in hundredths.
    soft_time_percent: AtomicU32,
    /// Nodes visited by all threads, up to their last check.
    nodes: AtomicU64,
    sleepers: (Mutex<()>, Condvar),
}

impl SearchControl {
    /// Control of a search that starts now. Its answer is held back while `pondering` and, if
    /// `endless`, until a stop.
    pub fn new(pondering: bool, endless: bool) -> SearchControl {
        SearchControl {
            started: Instant::now(),
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            endless,
            charged_from: AtomicU64::new(0),
            soft_time_percent: AtomicU32::new(100),
            nodes: AtomicU64::new(0),
            sleepers: Default::default(),
        }
    }

    /// Stops the search; it answers with its best move so far.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
        self.wake();
    }

    /// The opponent played the expected move: time limits apply from now on.
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

    /// Whether the ponder hit is still to come.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }

    /// Whether only a signal can end the search.
    pub fn is_endless(&self) -> bool {
        (self.endless || self.is_pondering()) && !self.is_stopped()
    }

    /// Time since the search started.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Time counted against the limits: none while pondering.
    pub fn time_used(&self) -> Duration {
        if self.is_pondering() {
            return Duration::ZERO;
        }
        let from = Duration::from_micros(self.charged_from.load(Ordering::Acquire));
        self.elapsed().saturating_sub(from)
    }

    /// Whether `limit` is used up: never while pondering.
    pub fn is_time_up(&self, limit: Duration) -> bool {
        !self.is_pondering() && self.time_used() >= limit
    }

    /// Lets the search have this multiple of its soft time.
    pub fn scale_soft_time(&self, factor: f64) {
        self.soft_time_percent.store((100.0 * factor) as u32, Ordering::Relaxed);
    }

    /// Whether the `soft` time of a budget, as scaled, is used up: never while pondering.
    pub fn is_soft_time_up(&self, soft: Duration) -> bool {
        let percent = self.soft_time_percent.load(Ordering::Relaxed);
        self.is_time_up(soft * percent / 100)
    }

    /// Nodes visited so far by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Blocks until the answer may be given.
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
            control.nodes.fetch_add(self.nodes - self.published, Ordering::Relaxed);
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
            control.is_stopped() || time.is_some_and(|time| control.is_time_up(time))
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
    fn the_budget_never_exceeds_the_clock() {
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
    fn a_short_movetime_loses_a_tenth_or_two_milliseconds_to_the_default_overhead() {
        let searched = |movetime, overhead| {
            less_overhead(milliseconds(movetime), milliseconds(overhead)).as_millis()
        };
        assert_eq!(
            [1, 5, 10, 20, 50, 100, 1000].map(|time| searched(time, 10)),
            [0, 3, 8, 18, 45, 90, 990]
        );
        assert_eq!(
            [0, 1, 10, 12, 15, 500].map(|overhead| searched(20, overhead)),
            [20, 19, 18, 16, 13, 10]
        );
        assert_eq!(searched(1000, 300), 700);
    }

    #[test]
    fn the_soft_time_is_scaled() {
        let control = SearchControl::new(false, false);
        std::thread::sleep(milliseconds(20));
        assert!(control.is_soft_time_up(milliseconds(15)));
        control.scale_soft_time(400.0);
        assert!(!control.is_soft_time_up(milliseconds(15)));
        control.scale_soft_time(0.5);
        assert!(control.is_soft_time_up(milliseconds(30)));
    }

    #[test]
    fn the_tighter_time_limit_applies() {
        let limits = Limits {
            movetime: Some(milliseconds(20)),
            clock: Some(clock(60_000, 0, None)),
            ..Limits::default()
        };
        assert_eq!(limits.budget().hard, Some(milliseconds(20)));
    }

    #[test]
    fn pondering_uses_no_time_until_the_hit() {
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
