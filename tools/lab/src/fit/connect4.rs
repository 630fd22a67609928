//! The evaluation of Connect Four, on all boards at once.

use std::collections::HashMap;

use anyhow::{Error, Result};
use ratlla::game::Notation;
use ratlla::games::connect4::board::Board;
use ratlla::games::connect4::evaluator::features;
use ratlla::games::connect4::start;

use super::model::{Feature, Model};
use super::record::{Record, parameters_of};

/// The features that the evaluator itself defines.
#[derive(Default)]
pub struct Connect4Model {
    /// The empty board of each title seen.
    starts: HashMap<String, Board>,
}

impl Model for Connect4Model {
    fn names(&self) -> Vec<String> {
        features::names()
    }

    fn features(&mut self, record: &Record, features: &mut Vec<Feature>) -> Result<()> {
        if !self.starts.contains_key(&record.title) {
            let parameters = parameters_of(&record.title, "connect4")?;
            let board = start(&parameters).map_err(Error::msg)?;
            self.starts.insert(record.title.clone(), board);
        }
        let words: Vec<&str> = record.position.split_whitespace().collect();
        let board = self.starts[&record.title].parse_position(&words).map_err(Error::msg)?;
        features.extend(features::features(&board));
        Ok(())
    }
}
