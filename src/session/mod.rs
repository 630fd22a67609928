//! The session: one conversation with one client.
//!
//! A `conversation` owns all state and is the only writer of replies; it neither reads nor waits.
//! What drives it differs: `threaded` has threads for input, output and searches, [`embedded`]
//! has only the one it is called on, and lets its host interrupt searches.

mod conversation;
mod decision;
pub mod embedded;
mod execute;
#[cfg(feature = "cli")]
mod input;
mod job;
#[cfg(feature = "cli")]
mod log_file;
#[cfg(not(feature = "cli"))]
#[path = "no_log_file.rs"]
mod log_file;
mod options;
#[cfg(feature = "cli")]
pub mod output;
mod running_search;
mod strength;
#[cfg(feature = "cli")]
mod threaded;
#[cfg(feature = "cli")]
mod worker;

#[cfg(feature = "cli")]
pub use threaded::{Ending, run};
