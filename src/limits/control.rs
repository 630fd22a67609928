//! The signals of one search: stop, ponder hit, and the clock they act on.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::Duration;

use crate::platform::clock::Instant;

/// Where signals come from if no other thread can deliver them.
pub trait SignalSource: Send + Sync {
    /// Delivers the signals that have come in. Called often.
    fn poll(&self);

    /// Waits a while for one.
    fn wait(&self);
}

/// The signals, clock and node count of one search. Each search gets its own, so a late signal
/// cannot reach the next one.
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
    source: OnceLock<Arc<dyn SignalSource>>,
}

impl std::fmt::Debug for SearchControl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (stopped, pondering) = (self.is_stopped(), self.is_pondering());
        write!(f, "SearchControl {{ stopped: {stopped}, pondering: {pondering} }}")
    }
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
            source: OnceLock::new(),
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

    /// From now on the search itself polls `source` for signals. The first call wins.
    pub fn poll_signals_from(&self, source: Arc<dyn SignalSource>) {
        // Only the first one is kept.
        drop(self.source.set(source));
    }

    /// Whether the search must stop, after looking for signals where no other thread delivers them.
    /// Searches must call this often.
    pub fn should_stop(&self) -> bool {
        if let Some(source) = self.source.get()
            && !self.is_stopped()
        {
            source.poll();
        }
        self.is_stopped()
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

    /// Counts nodes visited by a thread since its last call.
    pub(super) fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Ordering::Relaxed);
    }

    /// Nodes visited so far by all threads.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }

    /// Blocks until the answer may be given.
    pub fn wait_for_release(&self) {
        if let Some(source) = self.source.get() {
            while self.is_endless() {
                source.wait();
            }
            return;
        }
        let (lock, bell) = &self.sleepers;
        let mut guard = lock.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        while self.is_endless() {
            guard = bell.wait(guard).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
    }

    fn wake(&self) {
        let (lock, bell) = &self.sleepers;
        drop(lock.lock());
        bell.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn milliseconds(ms: u64) -> Duration {
        Duration::from_millis(ms)
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
    fn pondering_uses_no_time_until_the_hit() {
        let control = SearchControl::new(true, false);
        std::thread::sleep(milliseconds(20));
        assert_eq!(control.time_used(), Duration::ZERO);
        control.ponder_hit();
        assert!(control.time_used() < milliseconds(15));
        assert!(control.elapsed() >= milliseconds(20));
        control.wait_for_release();
    }

    /// Counts how often it was asked, and stops the search at the third time.
    struct Source {
        control: std::sync::Weak<SearchControl>,
        polls: AtomicU32,
    }

    impl SignalSource for Source {
        fn poll(&self) {
            if self.polls.fetch_add(1, Ordering::Relaxed) == 2
                && let Some(control) = self.control.upgrade()
            {
                control.stop();
            }
        }

        fn wait(&self) {
            self.poll();
        }
    }

    #[test]
    fn a_source_is_asked_until_the_search_stops_and_no_longer() {
        let with_source = |pondering, endless| {
            let control = Arc::new(SearchControl::new(pondering, endless));
            let source =
                Arc::new(Source { control: Arc::downgrade(&control), polls: AtomicU32::new(0) });
            control.poll_signals_from(source.clone());
            let other =
                Arc::new(Source { control: Arc::downgrade(&control), polls: AtomicU32::new(0) });
            control.poll_signals_from(other.clone());
            (control, source, other)
        };
        let polls = |source: &Source| source.polls.load(Ordering::Relaxed);
        let (control, source, other) = with_source(false, false);
        control.wait_for_release();
        assert_eq!(polls(&source), 0, "nothing to wait for");
        assert_eq!([(); 5].map(|()| control.should_stop()), [false, false, true, true, true]);
        assert_eq!((polls(&source), polls(&other)), (3, 0));
        for (pondering, endless) in [(true, false), (false, true)] {
            let (control, source, _) = with_source(pondering, endless);
            control.wait_for_release();
            assert!(control.is_stopped());
            assert_eq!(polls(&source), 3);
        }
    }

    #[test]
    fn a_ponder_hit_releases_a_search_unless_it_is_endless() {
        for endless in [false, true] {
            let control = SearchControl::new(true, endless);
            assert!(control.is_endless() && !control.is_time_up(Duration::ZERO));
            control.ponder_hit();
            assert_eq!(control.is_endless(), endless);
            assert!(control.is_time_up(Duration::ZERO));
            control.stop();
            assert!(!control.is_endless());
        }
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
