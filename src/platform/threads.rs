//! Threads: how many are useful, and how to start them.
//!
//! Without an operating system there is one processor and starting a thread is an error, which
//! callers of [`useful_threads`] never meet.

use std::io;
use std::thread::Builder;
use std::time::Duration;

use once_cell::sync::Lazy;

pub use std::thread::{Scope, scope};

/// Stack for the deepest recursion of a search, with a wide margin.
pub const THREAD_STACK: usize = 16 << 20;

/// The number of processors available to this process when it first asks: on Linux the answer is
/// read from some thirty files, which would take longer than the shortest searches.
pub fn processors() -> usize {
    static PROCESSORS: Lazy<usize> =
        Lazy::new(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    *PROCESSORS
}

/// `wanted` threads, but at least one and at most one per processor: more would wait for each
/// other, and the main thread might run only after its time is up.
pub fn useful_threads(wanted: usize) -> usize {
    wanted.clamp(1, processors())
}

/// Starts a thread that can search and ends before `scope` does.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    Builder::new().stack_size(THREAD_STACK).spawn_scoped(scope, work).map(drop)
}

/// Starts a thread that nobody waits for.
pub fn spawn_detached(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    Builder::new().spawn(work).map(drop)
}

/// Lets other threads work for about this long.
pub fn pause(time: Duration) {
    std::thread::sleep(time);
}
