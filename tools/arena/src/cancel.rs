//! A cancellation token that can be triggered from any thread and, on Unix, waited for with `poll`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Clones share one state: cancelling any of them cancels all.
#[derive(Clone, Debug)]
pub struct CancelToken {
    is_cancelled: Arc<AtomicBool>,
    #[cfg(unix)]
    pipe: Arc<pipe::ClosingPipe>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> io::Result<CancelToken> {
        Ok(CancelToken {
            is_cancelled: Arc::default(),
            #[cfg(unix)]
            pipe: Arc::new(pipe::ClosingPipe::new()?),
        })
    }

    /// Cancels the token. Idempotent.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Release);
        #[cfg(unix)]
        self.pipe.close();
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }
}

#[cfg(unix)]
mod pipe {
    use std::io::{self, PipeReader, PipeWriter};
    use std::os::fd::{AsFd, BorrowedFd};
    use std::sync::Mutex;

    /// A pipe through which nothing is ever written: that it is closed is the signal.
    #[derive(Debug)]
    pub struct ClosingPipe {
        writer: Mutex<Option<PipeWriter>>,
        reader: PipeReader,
    }

    impl ClosingPipe {
        pub fn new() -> io::Result<ClosingPipe> {
            let (reader, writer) = io::pipe()?;
            Ok(ClosingPipe { writer: Mutex::new(Some(writer)), reader })
        }

        pub fn close(&self) {
            *self.writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
        }
    }

    impl AsFd for super::CancelToken {
        /// A file descriptor that is closed at the other end once the token is cancelled.
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.pipe.reader.as_fd()
        }
    }
}
