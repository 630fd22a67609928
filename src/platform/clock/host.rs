//! A clock that the host provides, as in a browser, where [`std::time::Instant::now`] panics.

use std::sync::OnceLock;
use std::time::Duration;

static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

/// Makes `milliseconds` the clock: a count that starts anywhere and never decreases, such as
/// JavaScript's `performance.now()`. The first call wins. Without one, time stands still, so that
/// searches end by depth, nodes or proof alone.
pub fn set_clock(milliseconds: fn() -> f64) {
    CLOCK.get_or_init(|| milliseconds);
}

/// What the engine uses of [`std::time::Instant`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// This moment.
    pub fn now() -> Instant {
        let milliseconds = CLOCK.get().map_or(0.0, |clock| clock());
        Instant(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or_default())
    }

    /// Time since this moment, zero if it lies ahead.
    pub fn elapsed(&self) -> Duration {
        Instant::now().0.saturating_sub(self.0)
    }

    /// The moment that much later, if it can be represented.
    pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
        self.0.checked_add(duration).map(Instant)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

    use super::*;

    static NOW: AtomicU64 = AtomicU64::new(0);

    #[test]
    fn time_stands_still_until_the_host_provides_a_clock() {
        let start = Instant::now();
        assert_eq!(start.elapsed(), Duration::ZERO);
        set_clock(|| NOW.load(Relaxed) as f64 + 0.5);
        NOW.store(2000, Relaxed);
        assert_eq!(start.elapsed(), Duration::from_micros(2_000_500));
        let later = start.checked_add(Duration::from_secs(3)).unwrap();
        assert!(Instant::now() < later && later.elapsed().is_zero());
        assert_eq!(later.checked_add(Duration::MAX), None);
    }
}
