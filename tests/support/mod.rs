//! What several test files need. Each of them uses a part of it.
#![allow(dead_code)]

pub mod engine;
pub mod laws;
pub mod naive;
pub mod random_play;
pub mod truth;
