//! The bound table as it is, compiled for the words and threads of a model checker, which tries all orders
//! of what threads do, and all values that a word without any order may be read as.
//!
//! `cargo test --release --manifest-path tools/checks/loom/Cargo.toml`

#[path = "../../../../src/bound_table/mod.rs"]
pub mod bound_table;
pub mod platform;
