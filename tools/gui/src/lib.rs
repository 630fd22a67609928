//! The web board: a server between pages and engines.
//!
//! The page itself talks the engine's protocol. The server starts engines for it, checks where
//! requests come from and which commands they send, and forwards lines. It knows no game.

pub mod arguments;
mod assets;
mod budget;
pub mod connections;
pub mod open_files;
mod origin_check;
pub mod request;
pub mod server;
pub mod tab;
pub mod token;
