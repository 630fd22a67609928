//! A cancellation token that can be triggered from any thread and waited for in `select!`.

use std::convert::Infallible;
use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Clones share one state: cancelling any of them cancels all.
#[derive(Clone, Debug)]
pub struct CancelToken {
    /// Nothing is ever sent: dropping the sender closes the channel, which is the signal.
    sender: Arc<Mutex<Option<Sender<Infallible>>>>,
    /// Closed once the token is cancelled.
    pub cancelled: Receiver<Infallible>,
}

impl CancelToken {
    /// Cancels the token. Idempotent.
    pub fn cancel(&self) {
        *self.sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_none()
    }
}

impl Default for CancelToken {
    fn default() -> CancelToken {
        let (sender, cancelled) = bounded(0);
        CancelToken { sender: Arc::new(Mutex::new(Some(sender))), cancelled }
    }
}
