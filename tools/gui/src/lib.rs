//! The web board: a server that joins pages and engines, and knows no game.
//!
//! The page speaks the engine's protocol by itself. The server only starts engines for it, checks
//! who asks and what is asked, and carries lines.

mod assets;
mod guard;
pub mod options;
pub mod server;
mod tab;
pub mod wish;
