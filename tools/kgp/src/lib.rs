//! A client of the Kalah Game Protocol, version 1: a server sends positions, the client answers
//! with moves, better and better ones.
//!
//! [`line`] is the grammar, [`board`] the positions, [`client`] the conversation.

pub mod board;
pub mod client;
pub mod line;
