//! A signal that everything is to stop: it can be sent from anywhere and is heard everywhere.

use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Nothing is ever sent: a closed channel is the signal.
#[derive(Clone, Debug)]
pub enum Never {}

/// The signal. Its copies are all the same signal.
#[derive(Clone, Debug)]
pub struct Cancel {
    sender: Arc<Mutex<Option<Sender<Never>>>>,
    /// Closed once the signal is given.
    pub heard: Receiver<Never>,
}

impl Cancel {
    /// A signal that has not been given.
    pub fn new() -> Cancel {
        let (sender, heard) = bounded(0);
        Cancel { sender: Arc::new(Mutex::new(Some(sender))), heard }
    }

    /// Gives the signal.
    pub fn cancel(&self) {
        *self.sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = None;
    }

    /// Gives the signal if there is a reason.
    pub fn cancel_if(&self, reason: bool) {
        if reason {
            self.cancel();
        }
    }

    /// Whether the signal was given.
    pub fn is_cancelled(&self) -> bool {
        self.sender.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).is_none()
    }
}

impl Default for Cancel {
    fn default() -> Cancel {
        Cancel::new()
    }
}
