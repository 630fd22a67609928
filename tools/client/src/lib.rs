//! A user of the engine's text protocol: how to start an engine, and a running one.
//!
//! Knows processes and lines of text. Does not know what the lines mean.

mod engine;
#[cfg(target_os = "linux")]
pub mod guard;
mod launch;

pub use engine::{Engine, Event, Unheard};
pub use launch::{Launch, serve_if_asked};
