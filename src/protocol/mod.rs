//! The text protocol: commands as they are parsed, replies as they are written.
//!
//! Knows grammar, not games: a move is a word, a position is a list of words. What is legal is
//! decided below [`crate::any_game`]. Every line that goes out is formatted here; [`dialect`]
//! has what differs between kinds of clients.

pub mod command;
pub mod dialect;
pub mod parse;
pub mod reply;
pub mod state_reply;
pub(crate) mod tree_text;
mod wdl;
