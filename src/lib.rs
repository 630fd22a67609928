//! `ratlla`: a game engine with a UCI-style text protocol.
//!
//! Data flows one way. A line of text is parsed into a command ([`protocol`]); the `session`
//! carries it out or moves its [`engine`] to a worker thread; there a game behind [`any_game`]
//! searches with a [`strategy`], the playing [`search`] or an exact solver of [`games`]; results
//! come back as replies, which the session writes. Apart from that, `batch` solves files of
//! Connect Four positions, and `review` goes through a whole game; both are a `subcommand`.
//!
//! `session`, `batch` and `review`, which need the files of a process, belong to the default feature `cli`.
//! Without it the crate is the core, which reaches the operating system only through [`platform`]
//! and also compiles where there is none: `cargo build --lib --no-default-features --target
//! wasm32-unknown-unknown`.

pub mod any_game;
#[cfg(feature = "cli")]
pub mod batch;
pub mod bound_table;
pub mod endgames;
pub mod engine;
pub mod explain;
pub mod game;
pub mod games;
pub mod limits;
pub mod lines;
pub mod platform;
pub mod protocol;
pub mod registry;
#[cfg(feature = "cli")]
pub mod review;
pub mod search;
pub mod session;
pub mod settings;
pub mod strategy;
#[cfg(feature = "cli")]
mod subcommand;
pub mod text;
#[cfg(target_family = "wasm")]
mod wasm;
