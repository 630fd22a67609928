//! The one place that starts engine processes, for every client of the text protocol.
//!
//! [`Launch`] says which program is the engine, [`EngineChild`] is its process, [`Process`] delivers
//! its lines to a callback, [`Engine`] lets a thread wait for them. Knows processes and lines of text,
//! not what the lines mean.

mod child;
mod engine;
mod launch;
mod process;
pub mod supervisor;
pub mod words;

pub use child::EngineChild;
pub use engine::{Engine, Line};
pub use launch::{Launch, serve_if_asked};
pub use process::{EngineError, Event, Process};
