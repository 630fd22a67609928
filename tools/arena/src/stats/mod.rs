//! What results are worth: pure arithmetic, without engines, games or files.

pub mod elo;
pub mod ratings;
pub mod sprt;

/// Counts of pairs of games by the points that the first engine made in them: 0, ½, 1, 1½, 2.
pub type Pentanomial = [u64; 5];

/// The scale of Elo: a difference *d* has the expected score 1 / (1 + exp(−d / SCALE)).
const SCALE: f64 = 400.0 / std::f64::consts::LN_10;

/// What counts as the widest error bar: 95 % lie within so many standard deviations.
pub const SIGMAS_95: f64 = 1.959_963_984_540_054;

/// The score that is expected at a difference in Elo.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo / SCALE).exp())
}

/// The difference in Elo at which a score is expected: infinite for 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    -SCALE * (1.0 / score.clamp(0.0, 1.0) - 1.0).ln()
}
