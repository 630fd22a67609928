//! A client of an engine and the transcripts, as the tests of the engine use them.
#![allow(dead_code, reason = "these tests use a part of it")]

#[path = "../../../../tests/support/engine.rs"]
pub mod engine;
#[path = "../../../../tests/support/transcript.rs"]
pub mod transcript;
