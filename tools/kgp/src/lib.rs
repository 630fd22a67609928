//! A client of the Kalah Game Protocol, version 1: a server sends positions, the client replies
//! with successively better moves.
//!
//! [`mod@line`] is the grammar, [`board`] the positions, [`client`] the connection to a server; `memory` bounds
//! what its searches use, `server_log` what it logs.

pub mod board;
pub mod client;
pub mod line;
mod memory;
mod server_log;
