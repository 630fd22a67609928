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

/// The options of `ratlla solve`.
pub const SOLVE_OPTIONS: [&str; 14] = [
    "-a",
    "--best",
    "--pv",
    "--json",
    "--game",
    "--rows",
    "--cols",
    "--line",
    "--movetime",
    "--nodes",
    "--jobs",
    "--threads",
    "--hash",
    "--help",
];
