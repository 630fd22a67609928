//! Kalah with 1 to 12 houses per player and 1 to 12 seeds per house.

mod agents;
pub mod board;
#[doc(hidden)]
pub mod book;
mod book_probe;
mod describe;
#[doc(hidden)]
pub mod endgame;
mod evaluator;
mod explain;
mod forecast;
#[doc(hidden)]
pub mod house_network;
mod hybrid;
mod notation;
pub mod row;
#[doc(hidden)]
pub mod solver;
pub mod sowing;

pub use endgame::load_table;

use agents::{Simple, StoreDifference};
use board::Board;
use evaluator::SeedEvaluator;
use hybrid::HybridStrategy;
use row::Word;
use solver::Solver;
use sowing::Rules;

use crate::bound_table::SavedTable;
use crate::endgames::EndgameStore;
use crate::game::{Evaluate, WeightSet};
use crate::settings::Settings;
use crate::strategy::{Named, Playable, Strategy};
use crate::text::{expected, is_number, parse_numbers};

impl<W: Word> Playable for Board<W> {
    type Evaluator = SeedEvaluator;
    type Memory = solver::SolverMemory;

    fn evaluator(&self, _endgames: &EndgameStore) -> SeedEvaluator {
        SeedEvaluator::new(self.rules(), WeightSet::Fitted)
    }

    fn classic_evaluator(&self, _endgames: &EndgameStore) -> SeedEvaluator {
        SeedEvaluator::new(self.rules(), WeightSet::Classic)
    }

    fn agents() -> &'static [Named<dyn Strategy<Board<W>>>] {
        &[Named { name: "simple", make: || Box::new(Simple) }]
    }

    fn evaluations() -> &'static [Named<dyn Evaluate<Board<W>>>] {
        &[Named { name: "stores", make: || Box::new(StoreDifference) }]
    }

    fn full() -> Box<dyn Strategy<Board<W>>> {
        Box::new(HybridStrategy)
    }

    fn solver(
        &self,
        hash: usize,
        _endgames: &EndgameStore,
    ) -> Result<Box<dyn Strategy<Board<W>>>, String> {
        solver::check_support(self, hash)?;
        Ok(Box::new(Solver))
    }

    fn solver_table<'m>(
        &self,
        settings: &Settings,
        memory: &'m mut solver::SolverMemory,
    ) -> Result<Option<&'m mut dyn SavedTable>, String> {
        solver::check_support(self, settings.hash)?;
        solver::saved_table(self, settings, memory).map(Some)
    }

    fn is_in_book(&self) -> bool {
        book::embedded().is_some_and(|book| book.entry(self.rules(), self.rows()).is_some())
    }

    fn tt_share(&self, mebibytes: usize) -> usize {
        solver::tt_share(mebibytes)
    }
}

/// The parameter for captures with nothing opposite.
const EMPTY_CAPTURE: &str = "empty";

/// The rules for the parameters of `newgame`: houses, seeds, and the word `empty` for captures
/// with nothing opposite.
pub fn rules(parameters: &[&str]) -> Result<Rules, String> {
    let (numbers, empty_capture) = match parameters {
        [numbers @ .., EMPTY_CAPTURE] => (numbers, true),
        [_, _, word] if !is_number(word) => return Err(expected("'empty' or nothing", word)),
        numbers => (numbers, false),
    };
    match parse_numbers(numbers)?[..] {
        [] => Rules::new(6, 4, empty_capture),
        [houses, seeds] => Rules::new(houses, seeds, empty_capture),
        ref more => Err(format!("expected 0 or 2 numbers, got {}", more.len())),
    }
}

/// The parameters of `newgame` for these rules, with the game's name.
pub fn title(rules: Rules) -> String {
    let capture = if rules.empty_capture() { " empty" } else { "" };
    format!("kalah {} {}{capture}", rules.houses(), rules.seeds())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_houses_seeds_and_the_capture_rule() {
        assert_eq!(rules(&[]), Rules::new(6, 4, false));
        assert_eq!(rules(&["empty"]), Rules::new(6, 4, true));
        assert_eq!(rules(&["3", "5"]), Rules::new(3, 5, false));
        assert_eq!(rules(&["12", "12", "empty"]), Rules::new(12, 12, true));
        assert!(rules(&["6"]).unwrap_err().contains("0 or 2 numbers, got 1"));
        assert!(rules(&["6", "4", "1"]).unwrap_err().contains("0 or 2 numbers, got 3"));
        assert!(rules(&["6", "full"]).unwrap_err().contains("'full'"));
        assert!(rules(&["empty", "6", "4"]).unwrap_err().contains("'empty'"));
    }

    #[test]
    fn a_title_reads_back_as_the_same_rules() {
        for title in ["kalah 6 4", "kalah 12 1 empty", "kalah 1 12"] {
            let words: Vec<&str> = title.split(' ').collect();
            assert_eq!(super::title(rules(&words[1..]).unwrap()), title);
        }
    }
}
