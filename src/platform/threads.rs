//! Threads: how many are useful, and how to start them.
//!
//! From the operating system or, in WebAssembly with shared memory, from the host. Without either
//! there is one processor and starting a thread is an error, which callers of [`useful_threads`]
//! never meet.

#[cfg(any(test, all(target_family = "wasm", target_feature = "atomics")))]
pub mod helpers;
#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
mod system;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
use helpers as system;

#[cfg(not(all(target_family = "wasm", target_feature = "atomics")))]
pub use system::spawn_named;
pub use system::{Scope, processors, scope, spawn_detached, spawn_scoped};

/// Stack for the deepest recursion of a search, with a wide margin.
pub const THREAD_STACK: usize = 16 << 20;

/// `wanted` threads, but at least one and at most one per processor: more would wait for each
/// other, and the main thread might run only after its time is up.
pub fn useful_threads(wanted: usize) -> usize {
    wanted.clamp(1, processors())
}

/// Runs `work` on this many threads, the calling one included, until the first has a result: then
/// the flag that all are given is set, and the others should end. Returns that result and the sum
/// of what all have counted.
pub fn race<T: Send>(
    threads: usize,
    work: impl Fn(&AtomicBool) -> (Option<T>, u64) + Sync,
) -> (Option<T>, u64) {
    let done = AtomicBool::new(false);
    let first = Mutex::new((None, 0));
    let run = || {
        let (result, count) = work(&done);
        if result.is_some() {
            done.store(true, Relaxed);
        }
        let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
        first.0 = first.0.take().or(result);
        first.1 += count;
    };
    scope(|scope| {
        for _ in 1..threads {
            if let Err(error) = spawn_scoped(scope, run) {
                log::warn!("working with fewer threads: {error}");
                break;
            }
        }
        run();
    });
    first.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Lets other threads work for about this long.
pub fn pause(time: Duration) {
    std::thread::sleep(time);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_result_ends_a_race() {
        for threads in 1..=3 {
            let starts = Mutex::new(0);
            let (result, count) = race(threads, |done| {
                let number = {
                    let mut starts = starts.lock().unwrap();
                    *starts += 1;
                    *starts
                };
                if number == threads {
                    return (Some(number), 1);
                }
                while !done.load(Relaxed) {
                    std::thread::yield_now();
                }
                (None, 1)
            });
            assert_eq!((result, count), (Some(threads), threads as u64));
        }
    }

    #[test]
    fn a_race_without_a_result_counts_all_the_same() {
        assert_eq!(race(3, |_| (None::<()>, 5)), (None, 15));
    }
}
