//! The evaluation of BOOM.

use anyhow::{Error, Result};
use ratlla::game::Notation;
use ratlla::games::boom::board::Board;
use ratlla::games::boom::features;

use super::model::{Feature, Model};
use super::record::{Record, parameters_of};

/// The features that the evaluator itself defines.
pub struct BoomModel;

impl Model for BoomModel {
    fn names(&self) -> Vec<String> {
        features::names()
    }

    fn features(&mut self, record: &Record, features: &mut Vec<Feature>) -> Result<()> {
        parameters_of(&record.title, "boom")?;
        let words: Vec<&str> = record.position.split_whitespace().collect();
        let board = Board::new().parse_position(&words).map_err(Error::msg)?;
        let present = features::features(&board).into_iter();
        features.extend(present.map(|(index, value)| (index, value as f32)));
        Ok(())
    }
}
