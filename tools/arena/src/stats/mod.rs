//! Elo, ratings and SPRT: pure arithmetic on game results.

pub mod elo;
pub mod ratings;
pub mod sprt;
mod wdl;

pub use wdl::Wdl;

/// Counts of game pairs by the points of the first engine: 0, ½, 1, 1½, 2.
pub type Pentanomial = [u64; 5];

/// The Elo scale: the expected score at a difference *d* is 1 / (1 + exp(−d / SCALE)).
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// Half the width of a 95 % confidence interval, in standard deviations.
pub const SIGMAS_95: f64 = 1.959_963_984_540_054;

/// The expected score at an Elo difference.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The Elo difference with this expected score: infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -SCALE * (1.0 / score.clamp(0.0, 1.0) - 1.0).ln()
}
