//! Threads of the operating system. Without one, starting a thread is an error.

use std::io;
use std::thread::{Builder, JoinHandle};

use once_cell::sync::Lazy;

use super::THREAD_STACK;
use crate::platform::faults::{self, Call};

pub use std::thread::{Scope, scope};

/// The number of processors available to this process when it first asks: on Linux the answer is
/// read from some thirty files, which would take longer than the shortest searches.
pub fn processors() -> usize {
    static PROCESSORS: Lazy<usize> =
        Lazy::new(|| std::thread::available_parallelism().map_or(1, |count| count.get()));
    *PROCESSORS
}

/// Starts a thread that can search and ends before `scope` does.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    faults::check(Call::Thread)?;
    Builder::new().stack_size(THREAD_STACK).spawn_scoped(scope, work).map(drop)
}

/// Starts a thread that nobody waits for.
pub fn spawn_detached(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    faults::check(Call::Thread)?;
    Builder::new().spawn(work).map(drop)
}

/// Starts a thread with a name, for debuggers, and a stack that is deep enough for any search.
pub fn spawn_named<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    faults::check(Call::Thread)?;
    Builder::new().name(name.to_owned()).stack_size(THREAD_STACK).spawn(work)
}
