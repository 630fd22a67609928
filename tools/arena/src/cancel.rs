//! A cancellation token that can be triggered from any thread and waited for with `poll`.

use std::io::{self, PipeReader, PipeWriter};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::{Arc, Mutex};

/// Clones share one state: cancelling any of them cancels all.
#[derive(Clone, Debug)]
pub struct CancelToken {
    /// Nothing is ever written: dropping the writer closes the pipe, which is the signal.
    writer: Arc<Mutex<Option<PipeWriter>>>,
    reader: Arc<PipeReader>,
}

impl CancelToken {
    /// A token that is not cancelled.
    pub fn new() -> io::Result<CancelToken> {
        let (reader, writer) = io::pipe()?;
        Ok(CancelToken { writer: Arc::new(Mutex::new(Some(writer))), reader: Arc::new(reader) })
    }

    /// Cancels the token. Idempotent.
    pub fn cancel(&self) {
        *self.writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.writer.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_none()
    }
}

impl AsFd for CancelToken {
    /// A file descriptor that is closed at the other end once the token is cancelled.
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.reader.as_fd()
    }
}
