//! Helpers shared by the integration tests, each of which uses some of them.
#![allow(dead_code)]

pub mod embedded;
pub mod engine;
pub mod game_checks;
pub mod hash_evaluator;
pub mod laws;
pub mod minimax;
pub mod naive;
pub mod naive_wali;
pub mod random_play;
pub mod refused;
// Not as a dependency: an archive of the engine alone could not be built.
#[allow(unused_imports)] // what the tools use
#[path = "../../tools/workspace/src/lib.rs"]
pub mod requirements;
pub mod search;
pub mod sink;
pub mod transcript;
pub mod truth;

/// Whether one of a few attempts is good. A busy machine may stall for longer than any limit, but hardly
/// in each of them; a defect fails them all.
pub fn any_attempt(mut is_good: impl FnMut() -> bool) -> bool {
    (0..5).any(|_| is_good())
}

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
