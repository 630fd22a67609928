//! What a game brings to have its evaluation fitted.

use std::fmt::Write as _;

use anyhow::Result;

use super::record::Record;

/// A feature of a position and its value there, for the side to move.
pub type Feature = (usize, f32);

/// A linear evaluation: the sum of each feature's value times its weight.
pub trait Model {
    /// The names of the features: their numbers are their places here.
    fn names(&self) -> Vec<String>;

    /// Appends the features of a position that are not 0; none at all for a position that the
    /// evaluation need not judge, because a search would look further.
    fn features(&mut self, record: &Record, features: &mut Vec<Feature>) -> Result<()>;

    /// The weights as the engine embeds them. `comment` says how they were made, in lines that
    /// begin with `//!`.
    fn source(&self, weights: &[i32], comment: &str) -> String {
        let mut text = format!("//! The weights of the features.\n//!\n{comment}");
        text += "\nuse super::features::FEATURES;\n\n#[rustfmt::skip]\n";
        text += "pub(super) const WEIGHTS: [i16; FEATURES] = [\n";
        for (name, weight) in self.names().iter().zip(weights) {
            let _ = writeln!(text, "    {weight}, // {name}");
        }
        text + "];\n"
    }
}
