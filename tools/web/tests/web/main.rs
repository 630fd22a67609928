//! The engine as WebAssembly: under Node, as an npm package, and on a page in Chromium.

mod built;
mod chromium;
mod node;
mod site_server;

/// The browser, as the tests of the board drive it.
#[allow(dead_code, reason = "these tests use a part of it")]
mod support {
    #[path = "../../../../gui/tests/support/browser.rs"]
    pub mod browser;
    #[path = "../../../../gui/tests/support/install.rs"]
    pub mod install;
    #[path = "../../../../gui/tests/support/page.rs"]
    pub mod page;
    #[path = "../../../../gui/tests/support/picture.rs"]
    pub mod picture;

    pub use browser::Browser;
    pub use page::Page;
}

/// A client of an engine and the transcripts, as the tests of the engine use them.
#[allow(dead_code, reason = "these tests use a part of it")]
mod client {
    #[path = "../../../../../tests/support/engine.rs"]
    pub mod engine;
    #[path = "../../../../../tests/support/transcript.rs"]
    pub mod transcript;
}
