//! Threads: how many pay, and how much stack each needs.

/// Enough stack for the deepest recursion of a search with a wide margin.
pub const THREAD_STACK: usize = 16 << 20;

/// The number of processors available to this process.
pub fn processors() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get())
}

/// `wanted` threads, but at least one and no more than there are processors: beyond that they
/// wait for each other, and the main thread may get its turn only after its time is up.
pub fn useful_threads(wanted: usize) -> usize {
    wanted.clamp(1, processors())
}
