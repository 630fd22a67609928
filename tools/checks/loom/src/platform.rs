//! What the table needs of the engine's module of the same name.

/// Memory for a few buckets.
pub mod memory {
    pub use loom::sync::atomic::AtomicU64 as Word;

    /// Without effect.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Pages {
        /// The only ones.
        Default,
    }

    /// More words take the model checker too long.
    const MOST: usize = 256;

    /// Zeroed words that threads share.
    pub struct SharedWords(Vec<Word>);

    impl SharedWords {
        /// `count` words, but no more than a model needs.
        pub fn zeroed(count: usize, _pages: Pages) -> Option<SharedWords> {
            Some(SharedWords((0..count.min(MOST)).map(|_| Word::new(0)).collect()))
        }

        /// The words.
        pub fn words(&self) -> &[Word] {
            &self.0
        }
    }

    /// There is nothing to prefetch.
    pub const CAN_PREFETCH: bool = true;

    /// Without effect.
    pub fn prefetch<T>(_item: &T) {}

    /// Without effect.
    pub fn load_ahead(_word: &Word) {}
}

/// Threads of the model.
pub mod threads {
    use std::cell::RefCell;
    use std::io;
    use std::marker::PhantomData;

    use loom::thread::{JoinHandle, spawn};

    /// Threads that end before what they borrow.
    pub struct Scope<'scope> {
        threads: RefCell<Vec<JoinHandle<()>>>,
        borrowed: PhantomData<RefCell<&'scope ()>>,
    }

    /// Runs `work`, then waits for the threads it has started.
    pub fn scope<'scope>(work: impl FnOnce(&Scope<'scope>)) {
        let scope = Scope { threads: RefCell::default(), borrowed: PhantomData };
        work(&scope);
        for thread in scope.threads.into_inner() {
            thread.join().expect("a thread that ends");
        }
    }

    /// Starts a thread.
    pub fn spawn_scoped<'scope>(
        scope: &Scope<'scope>,
        work: impl FnOnce() + Send + 'scope,
    ) -> io::Result<()> {
        let work: Box<dyn FnOnce() + Send + 'scope> = Box::new(work);
        // SAFETY: `scope` waits for the thread, and `'scope` outlives it.
        let work: Box<dyn FnOnce() + Send + 'static> = unsafe { std::mem::transmute(work) };
        scope.threads.borrow_mut().push(spawn(work));
        Ok(())
    }
}
