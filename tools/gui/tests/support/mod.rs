//! The server as a process, and a real browser.

#![allow(dead_code, reason = "each test uses a part of it")]

pub mod axe;
pub mod boards;
pub mod browser;
pub mod engine;
pub mod firefox;
pub mod idle;
pub mod page;
pub mod picture;
pub mod processes;
pub mod server;

pub use browser::Browser;
pub use page::Page;
pub use server::Server;

/// Laptops, a desktop, and a phone in both directions.
pub const SIZES: [(u32, u32); 5] = [(1280, 720), (1440, 900), (1920, 1080), (390, 844), (844, 390)];
