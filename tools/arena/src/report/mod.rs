//! Presents the results of a match: tables and a plot.

pub mod plot;
mod tables;

pub use tables::tables;

/// An Elo difference with its error.
pub fn elo_text(elo: f64, error: Option<f64>) -> String {
    match error {
        Some(error) => format!("{} ± {error:.1}", signed(elo)),
        None if elo.is_infinite() => (if elo > 0.0 { "+∞" } else { "-∞" }).to_owned(),
        None => signed(elo),
    }
}

fn signed(elo: f64) -> String {
    // No sign before zero.
    if elo.abs() < 0.05 { "0.0".to_owned() } else { format!("{elo:+.1}") }
}
