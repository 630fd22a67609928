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

use std::sync::Arc;

/// Laptops, a desktop, and a phone in both directions.
pub const SIZES: [(u32, u32); 5] = [(1280, 720), (1440, 900), (1920, 1080), (390, 844), (844, 390)];

/// A server, a browser and a page with this fragment. `None` if there is no browser.
pub async fn open(fragment: &str) -> Option<(Server, Arc<Browser>, Page)> {
    open_with(&[], fragment).await
}

/// The same, with arguments of the server.
pub async fn open_with(arguments: &[&str], fragment: &str) -> Option<(Server, Arc<Browser>, Page)> {
    let server = Server::start(arguments);
    let browser = Browser::start().await?;
    let page = browser.open(&format!("{}{fragment}", server.url())).await;
    Some((server, browser, page))
}

/// A page with this fragment, and a person on each side.
pub async fn open_for_two(fragment: &str) -> Option<(Server, Arc<Browser>, Page)> {
    let opened = open(fragment).await?;
    opened.2.choose("[data-player=p2-player]", "person").await;
    Some(opened)
}
