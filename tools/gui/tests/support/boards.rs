//! The boards, each in a box of its own, without the page around them.

use std::sync::Arc;

use serde_json::{Value, json};

use super::engine::engine;
use super::{Browser, Page, Server};

/// A browser with an empty document of the server, and the boards in it.
pub async fn open() -> Option<(Server, Arc<Browser>, Page)> {
    let server = Server::start(&[]);
    let browser = Browser::start().await?;
    let page = browser.open("about:blank").await;
    // Any file of the page is a document of the same origin.
    page.call("Page.navigate", json!({ "url": format!("{}board.css", server.url()) })).await;
    page.wait("document.readyState === 'complete' && location.protocol === 'http:'").await;
    page.eval(include_str!("../data/views.js")).await;
    Some((server, browser, page))
}

/// The positions of a game after each of these moves, from the start on.
pub fn states(game: &str, setup: &str, moves: &str) -> Vec<Value> {
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let mut lines = format!("newgame {game}\n");
    for count in 0..=moves.len() {
        lines += &format!("position {setup} moves {}\nstate\n", moves[..count].join(" "));
    }
    let replies = engine(&lines.replace(" moves \n", "\n"));
    let found: Vec<Value> = replies
        .iter()
        .filter_map(|line| line.strip_prefix("state "))
        .map(|text| serde_json::from_str(text).unwrap())
        .collect();
    assert_eq!(found.len(), moves.len() + 1, "{replies:?}");
    found
}

/// Shows a position.
pub async fn show(page: &Page, state: &Value) {
    page.eval(&format!("show({state})")).await;
}

/// The number of elements.
pub async fn count(page: &Page, selector: &str) -> u64 {
    let number = page.eval(&format!("document.querySelectorAll({}).length", json!(selector))).await;
    number.as_u64().unwrap()
}

/// Fails if the page has logged an error.
pub fn assert_no_errors(page: &Page) {
    // The document is a style sheet, which names no icon.
    let errors = page.console_errors();
    let own: Vec<_> = errors.iter().filter(|error| !error.contains("/favicon.ico")).collect();
    assert!(own.is_empty(), "{own:?}");
}

/// A number of the page.
pub fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}
