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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};
    use ratlla::game::{Outcome, Side};
    use ratlla::search::result::ReportedScore;

    use super::super::boom::BoomModel;
    use super::super::connect4::Connect4Model;
    use super::super::record::open;
    use super::super::wali::WaliModel;
    use super::*;

    #[test]
    fn every_feature_of_a_position_has_a_name_of_its_own() {
        let models: [(&str, &mut dyn Model); 3] = [
            ("boom", &mut BoomModel),
            ("wali", &mut WaliModel),
            ("connect4", &mut Connect4Model::default()),
        ];
        let mut random = SmallRng::seed_from_u64(1);
        for (title, model) in models {
            let names = model.names();
            assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{title}");
            let mut found = HashSet::new();
            let mut game = open(title).unwrap();
            for _ in 0..2000 {
                let moves = game.moves();
                if moves.is_empty() {
                    game = open(title).unwrap();
                    continue;
                }
                game.play(&moves[random.random_range(0..moves.len())]).unwrap();
                if game.outcome().is_some() {
                    continue;
                }
                let score = ReportedScore::Points(0);
                let record = Record::new(&*game, score, Side::P1, Outcome::Draw);
                let mut features = Vec::new();
                model.features(&record, &mut features).unwrap();
                found.extend(features.into_iter().map(|(index, _)| index));
            }
            assert!(found.len() > 5, "{title}: {found:?}");
            assert!(found.iter().all(|&index| index < names.len()), "{title}: {found:?}");
        }
    }
}
