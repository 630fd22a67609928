//! Threads that the host provides, as in WebAssembly with shared memory, where the standard library
//! cannot start any.
//!
//! Work waits in a queue. The host starts *helpers* on demand, which take it from there and stay for
//! what comes later. A helper may be slow to come, so a scope does what nobody has taken itself: it
//! never waits for a helper that has not started. While it waits for one that has, the host gets a turn
//! now and then.
#![allow(unsafe_code)]

use std::collections::VecDeque;
use std::io;
use std::marker::PhantomData;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

/// Time between two turns of the host while a scope waits.
const TURN_INTERVAL: Duration = Duration::from_millis(8);

/// What the host has to offer.
#[derive(Clone, Copy, Debug)]
pub struct ThreadHost {
    /// Processors, at least 1.
    pub processors: usize,
    /// Asks for a thread that calls [`help`]. Returns whether one will come.
    pub start_helper: fn() -> bool,
    /// Called every few milliseconds while a scope waits, on its thread.
    pub turn: fn(),
}

static HOST: OnceLock<ThreadHost> = OnceLock::new();
static QUEUE: Queue = Queue::new();

/// Makes `host` the provider of threads. The first call wins; without one, there is one processor and
/// starting a thread is an error.
pub fn set_host(host: ThreadHost) {
    HOST.get_or_init(|| host);
}

/// The number of processors.
pub fn processors() -> usize {
    HOST.get().map_or(1, |host| host.processors)
}

/// Does the work of others, for ever. To be called on each thread that the host was asked for.
pub fn help() -> ! {
    loop {
        QUEUE.take_next()();
    }
}

type Work = Box<dyn FnOnce() + Send>;

/// Work that nobody has taken yet.
struct Queue {
    state: Mutex<PoolState>,
    pushed: Condvar,
}

struct PoolState {
    /// Each with its scope, if it has one.
    waiting: VecDeque<(Option<Arc<Unfinished>>, Work)>,
    /// Helpers that the host was asked for.
    helpers: usize,
    /// Those that are at work.
    busy: usize,
}

impl Queue {
    const fn new() -> Queue {
        let state = PoolState { waiting: VecDeque::new(), helpers: 0, busy: 0 };
        Queue { state: Mutex::new(state), pushed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds work, and asks for a helper if all are busy and there may be one more: one for each
    /// processor but that of the caller, and always one. An error if there is none at all.
    fn push(&self, scope: Option<Arc<Unfinished>>, work: Work) -> io::Result<()> {
        let host = HOST.get().ok_or(io::ErrorKind::Unsupported)?;
        let mut state = self.state();
        let most = host.processors.saturating_sub(1).max(1);
        let is_short = state.helpers <= state.busy + state.waiting.len();
        if is_short && state.helpers < most && (host.start_helper)() {
            state.helpers += 1;
        }
        if state.helpers == 0 {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        state.waiting.push_back((scope, work));
        self.pushed.notify_one();
        Ok(())
    }

    /// The next work, for a helper; waits for it.
    fn take_next(&'static self) -> impl FnOnce() {
        let mut state = self.state();
        let work = loop {
            match state.waiting.pop_front() {
                Some((_, work)) => break work,
                None => state = self.pushed.wait(state).unwrap_or_else(PoisonError::into_inner),
            }
        };
        state.busy += 1;
        move || {
            work();
            self.state().busy -= 1;
        }
    }

    /// Work of this scope that nobody has taken.
    fn take_of(&self, scope: &Arc<Unfinished>) -> Option<Work> {
        let mut state = self.state();
        let is_of = |(other, _): &(Option<Arc<Unfinished>>, Work)| {
            other.as_ref().is_some_and(|other| Arc::ptr_eq(other, scope))
        };
        let place = state.waiting.iter().position(is_of)?;
        state.waiting.remove(place).map(|(_, work)| work)
    }
}

/// How much work of a scope is not done yet.
#[derive(Default)]
struct Unfinished {
    count: Mutex<usize>,
    finished: Condvar,
}

impl Unfinished {
    fn count(&self) -> MutexGuard<'_, usize> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits this long at most. Returns whether all is done.
    fn wait(&self, time: Duration) -> bool {
        let count = self.count();
        if *count == 0 {
            return true;
        }
        let waited = self.finished.wait_timeout(count, time);
        *waited.unwrap_or_else(PoisonError::into_inner).0 == 0
    }
}

/// Work is done when this is dropped.
struct OneDone(Arc<Unfinished>);

impl Drop for OneDone {
    fn drop(&mut self) {
        *self.0.count() -= 1;
        self.0.finished.notify_all();
    }
}

/// As [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope> {
    unfinished: Arc<Unfinished>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

/// As [`std::thread::scope`].
pub fn scope<'env, T>(work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T) -> T {
    let scope = Scope { unfinished: Arc::default(), scope: PhantomData, env: PhantomData };
    // Dropped before `scope`, which the work may borrow.
    let _all_done = AllDone(Arc::clone(&scope.unfinished));
    work(&scope)
}

/// Finishes the work of a scope when it is dropped, even if the scope panics.
struct AllDone(Arc<Unfinished>);

impl Drop for AllDone {
    fn drop(&mut self) {
        while let Some(work) = QUEUE.take_of(&self.0) {
            work();
        }
        while !self.0.wait(TURN_INTERVAL) {
            if let Some(host) = HOST.get() {
                (host.turn)();
            }
        }
    }
}

/// Has `work` done before `scope` ends: by a helper or, if none takes it, at its end.
pub fn spawn_scoped<'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() + Send + 'scope,
) -> io::Result<()> {
    let unfinished = &scope.unfinished;
    *unfinished.count() += 1;
    let done = OneDone(Arc::clone(unfinished));
    let work: Box<dyn FnOnce() + Send + 'scope> = Box::new(move || {
        let _done = done;
        work();
    });
    // SAFETY: only the lifetime changes. `scope` does not return, nor unwind, before `AllDone` has
    // seen `work` done and dropped or, on an error, dropped here; so it does not outlive 'scope.
    let work: Work = unsafe { mem::transmute(work) };
    QUEUE.push(Some(Arc::clone(unfinished)), work)
}

/// Has `work` done by a helper.
pub fn spawn_detached(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    QUEUE.push(None, Box::new(work))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    use std::sync::mpsc;

    use super::*;

    static ASKED: AtomicUsize = AtomicUsize::new(0);
    static TURNS: AtomicUsize = AtomicUsize::new(0);

    /// Starts helpers as threads of the system: not the first one, and the second is slow to come.
    fn start_helper() -> bool {
        let number = ASKED.fetch_add(1, Relaxed);
        if number > 0 {
            std::thread::spawn(move || {
                if number == 1 {
                    std::thread::sleep(Duration::from_millis(50));
                }
                help()
            });
        }
        number > 0
    }

    /// One test, as there is one queue.
    #[test]
    fn work_is_done_by_helpers_or_by_the_scope_itself() {
        assert!(spawn_detached(|| ()).is_err());
        assert!(scope(|scope| spawn_scoped(scope, || ()).is_err()));
        assert_eq!(processors(), 1);
        let turn = || {
            TURNS.fetch_add(1, Relaxed);
        };
        set_host(ThreadHost { processors: 3, start_helper, turn });
        assert_eq!(processors(), 3);
        assert!(spawn_detached(|| ()).is_err(), "no helper can be started");
        for round in 0..200 {
            let sum = AtomicUsize::new(0);
            let result = scope(|scope| {
                for number in 0..round % 7 {
                    let sum = &sum;
                    spawn_scoped(scope, move || {
                        sum.fetch_add(number, Relaxed);
                    })
                    .unwrap();
                }
                round
            });
            let count = round % 7;
            assert_eq!((result, sum.into_inner()), (round, count * count.saturating_sub(1) / 2));
        }
        // A scope that waits for its work inside needs helpers.
        let (sender, receiver) = mpsc::channel();
        let echoed = scope(|scope| {
            spawn_scoped(scope, move || sender.send(7).unwrap()).unwrap();
            receiver.recv()
        });
        assert_eq!(echoed, Ok(7));
        let (sender, receiver) = mpsc::channel();
        spawn_detached(move || sender.send(8).unwrap()).unwrap();
        assert_eq!(receiver.recv(), Ok(8));
        // While a scope waits for its helper, the host gets turns.
        let (started, has_started) = mpsc::channel();
        scope(|scope| {
            let wait_for_turn = move || {
                started.send(()).unwrap();
                let before = TURNS.load(Relaxed);
                while TURNS.load(Relaxed) == before {
                    std::thread::yield_now();
                }
            };
            spawn_scoped(scope, wait_for_turn).unwrap();
            has_started.recv().unwrap();
        });
        // Work may start more work of its scope.
        let sum = AtomicUsize::new(0);
        scope(|scope| {
            for _ in 0..5 {
                let add = || {
                    sum.fetch_add(1, Relaxed);
                };
                spawn_scoped(scope, move || spawn_scoped(scope, add).unwrap()).unwrap();
            }
        });
        assert_eq!(sum.into_inner(), 5);
        assert!((2..=3).contains(&ASKED.load(Relaxed)));
        // What no helper takes is left to its scope, and to no other.
        let queue = Queue::new();
        let [scope, other]: [Arc<Unfinished>; 2] = Default::default();
        let (sender, receiver) = mpsc::channel();
        queue.push(Some(Arc::clone(&scope)), Box::new(move || sender.send(9).unwrap())).unwrap();
        assert!(queue.take_of(&other).is_none());
        queue.take_of(&scope).expect("nobody has taken it")();
        assert_eq!(receiver.recv(), Ok(9));
        assert!(queue.take_of(&scope).is_none());
    }
}
