//! `ratlla`: a game engine with a UCI-style text protocol.
//!
//! Data flows one way: a line of text is parsed into a command ([`protocol`]), the `session`
//! executes it and hands an [`any_game`] to a worker thread that searches, and the results come
//! back as replies, which the session writes. Apart from that, `batch` solves positions of Connect
//! Four, one per line.
//!
//! `session` and `batch`, which need the files of a process, belong to the default feature `cli`.
//! Without it the crate is the core, which reaches the operating system only through [`platform`]
//! and also compiles where there is none: `cargo build --lib --no-default-features --target
//! wasm32-unknown-unknown`.

pub mod any_game;
#[cfg(feature = "cli")]
pub mod batch;
pub mod game;
pub mod games;
pub mod limits;
pub mod platform;
pub mod protocol;
pub mod search;
#[cfg(feature = "cli")]
pub mod session;
pub mod strategy;
pub mod text;
