//! The clock: moments that durations can be measured between.
//!
//! Without an operating system the program that embeds the engine provides it: see `set_clock`.

#[cfg(any(test, not(any(unix, windows))))]
mod host;

#[cfg(not(any(unix, windows)))]
pub use host::{Instant, set_clock};
#[cfg(any(unix, windows))]
pub use std::time::Instant;
