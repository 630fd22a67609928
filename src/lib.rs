//! `ratlla`: a game engine that speaks a UCI-style text protocol.
//!
//! Data flows one way: a line of text is parsed into a command ([`protocol`]), the [`session`]
//! obeys it, a [`any_game`] with a game on it is handed to a thread that thinks, and what it finds
//! out comes back as replies, which the session writes. Apart from that, [`batch`]
//! solves positions of Connect Four, one to a line.

pub mod any_game;
pub mod batch;
pub mod bound_table;
pub mod game;
pub mod games;
pub mod limits;
pub mod platform;
pub mod protocol;
pub mod search;
pub mod session;
pub mod strategy;
pub mod text;
