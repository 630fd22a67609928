//! `ratlla`: a game engine that speaks a UCI-style text protocol.
//!
//! Data flows one way. A line of text is parsed into a command ([`protocol`]); the [`session`]
//! carries it out or moves its [`engine`] to a worker thread; there a game behind [`any_game`]
//! searches with a [`strategy`], the playing [`search`] or an exact solver of [`games`]; results
//! come back as replies, which the session writes. Apart from that, [`batch`] solves files of
//! Connect Four positions.

pub mod any_game;
pub mod batch;
pub mod bound_table;
pub mod endgames;
pub mod engine;
pub mod game;
pub mod games;
pub mod limits;
pub mod lines;
pub mod platform;
pub mod protocol;
pub mod registry;
pub mod search;
pub mod session;
pub mod settings;
pub mod strategy;
pub mod text;
