//! The server as a process, and a real browser.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod axe;
pub mod boards;
pub mod browser;
pub mod engine;
pub mod firefox;
pub mod page;
pub mod picture;
pub mod processes;
pub mod server;

pub use browser::Browser;
pub use page::Page;
pub use server::Server;
