//! The engine as WebAssembly: under Node, as an npm package, and on a page in Chromium.

mod board;
mod built;
mod chromium;
mod client;
mod node;
mod site_server;
mod speed;
mod support;
mod threads;
