//! The text protocol: commands as they are parsed, replies as they are written.
//!
//! Knows grammar, not games: a move is a word, a position is a list of words. What is legal is
//! for the [`crate::table`] to say.

pub mod command;
pub mod parse;
pub mod reply;
