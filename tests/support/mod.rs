//! Helpers shared by the integration tests, each of which uses some of them.
#![allow(dead_code)]

pub mod engine;
pub mod game_checks;
pub mod hash_evaluator;
pub mod laws;
pub mod minimax;
pub mod naive;
pub mod naive_wali;
pub mod python;
pub mod random_play;
pub mod search;
pub mod sink;
pub mod transcript;
pub mod truth;
