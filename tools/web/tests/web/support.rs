//! The browser, as the tests of the board drive it.
#![allow(dead_code, reason = "these tests use a part of it")]

#[path = "../../../gui/tests/support/browser.rs"]
pub mod browser;
#[path = "../../../gui/tests/support/idle.rs"]
pub mod idle;
#[path = "../../../gui/tests/support/page.rs"]
pub mod page;
#[path = "../../../gui/tests/support/picture.rs"]
pub mod picture;
#[path = "../../../gui/tests/support/processes.rs"]
pub mod processes;

pub use browser::Browser;
pub use page::Page;
