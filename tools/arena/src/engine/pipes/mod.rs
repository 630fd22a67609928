//! The pipes of an engine process. No call blocks for longer than it is told to.
//!
//! Where the system can wait for a pipe ([`poll`]), the thread that wants an answer reads it itself: a
//! thread that hands lines over would cost more than everything else that the arena does for a move.
//! Elsewhere one thread reads and one writes ([`threads`]).

#[cfg(unix)]
mod poll;
#[cfg(any(not(unix), test))]
mod threads;

#[cfg(unix)]
pub use poll::{InputPipe, OutputPipe};
#[cfg(not(unix))]
pub use threads::{InputPipe, OutputPipe};

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Woken {
    /// There may be something to read, or room to write.
    Ready,
    /// The token was cancelled.
    Cancelled,
    /// The deadline has passed.
    Timeout,
}
