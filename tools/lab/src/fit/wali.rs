//! The evaluation of Wali.

use anyhow::{Error, Result, ensure};
use ratlla::game::Notation;
use ratlla::games::wali::board::Board;
use ratlla::games::wali::features;

use super::model::{Feature, Model};
use super::record::{Record, parameters_of};

/// The features that the evaluator itself defines.
pub struct WaliModel;

impl Model for WaliModel {
    fn names(&self) -> Vec<String> {
        features::names()
    }

    fn features(&mut self, record: &Record, features: &mut Vec<Feature>) -> Result<()> {
        let parameters = parameters_of(&record.title, "wali")?;
        ensure!(matches!(&parameters[..], [] | ["5", "6", "12"]), "expected a game of wali 5 6 12");
        let words: Vec<&str> = record.position.split_whitespace().collect();
        let board = Board::new().parse_position(&words).map_err(Error::msg)?;
        let present = features::features(&board).into_iter();
        features.extend(present.map(|(index, value)| (index, value as f32)));
        Ok(())
    }
}
