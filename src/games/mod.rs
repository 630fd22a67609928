//! The games, one folder each, and the registry of them all.

#[doc(hidden)]
pub mod book_file;
pub mod boom;
pub mod connect4;
#[doc(hidden)]
pub mod endgame_file;
mod grid;
pub mod kalah;
mod open_lines;
pub mod wali;

use crate::any_game::TypedGame;
use crate::endgames::EndgameFile;
use crate::game::Parameter;
use crate::registry::{BenchPosition, GameEntry, Registry};
use kalah::row::Word as _;
use wali::bits::Shape as _;

/// Every game. The first is the default.
pub static REGISTRY: Registry = Registry(&[
    GameEntry {
        name: "connect4",
        usage: "[rows columns [line]]",
        limits: "rows and columns from 4 to 25, line from 2 to the larger of them",
        parameters: &[
            Parameter::Number { name: "rows", default: 6, limits: [4, 25] },
            Parameter::Number { name: "columns", default: 7, limits: [4, 25] },
            Parameter::Number { name: "line", default: 4, limits: [2, 25] },
        ],
        won_by: "line",
        uci_variants: &[("cfour", "connect4 6 7 4")],
        open: |parameters| {
            let start = connect4::start(parameters)?;
            let size = start.size();
            let title = format!("connect4 {} {} {}", size.rows, size.columns, size.line);
            Ok(Box::new(TypedGame::new(title, start)))
        },
        bench: &[
            BenchPosition::new("6 7", "", 15),
            BenchPosition::new("6 7", "4 4 4 4 4 2", 15),
            BenchPosition::new("8 8", "", 12),
            BenchPosition::new("10 12", "6 6 7", 10),
            BenchPosition::new("25 25", "13 13", 8),
            BenchPosition::new("6 7 5", "", 12),
        ],
        endgame_file: None,
    },
    GameEntry {
        name: "boom",
        usage: "",
        limits: "",
        parameters: &[],
        won_by: "line",
        uci_variants: &[],
        open: |parameters| {
            Ok(Box::new(TypedGame::new("boom".to_owned(), boom::start(parameters)?)))
        },
        bench: &[BenchPosition::new("", "", 20), BenchPosition::new("", "4 2 6", 18)],
        endgame_file: None,
    },
    GameEntry {
        name: "wali",
        usage: "[rows columns stones]",
        limits: "rows and columns from 2 to 9, at most 32 cells, at least 3 stones",
        parameters: &[
            Parameter::Number { name: "rows", default: 5, limits: [2, 9] },
            Parameter::Number { name: "columns", default: 6, limits: [2, 9] },
            Parameter::Number { name: "stones", default: 12, limits: [3, 16] },
        ],
        won_by: "stones",
        uci_variants: &[],
        open: |parameters| {
            let shape = wali::shape(parameters)?;
            let title = wali::title(shape);
            // The usual board has code of its own.
            Ok(if shape == wali::bits::Standard.any() {
                Box::new(TypedGame::new(title, wali::board::Board::new()))
            } else {
                Box::new(TypedGame::new(title, wali::board::Board::empty_board(shape)))
            })
        },
        bench: &[
            BenchPosition::new("", "", 11),
            BenchPosition::new(
                "",
                "b2 c2 b4 b3 c3 e2 d4 c4 d2 d3 e3 e4 c1 d1 a1 b1 a3 a2 a5 a4 c5 b5 e5 d5 e5f5 e2f2",
                15,
            ),
        ],
        endgame_file: Some(EndgameFile { option: "WaliTable", load: wali::load_table }),
    },
    GameEntry {
        name: "kalah",
        usage: "[houses seeds] [empty]",
        limits: "houses and seeds from 1 to 12, empty for captures with nothing opposite",
        parameters: &[
            Parameter::Number { name: "houses", default: 6, limits: [1, 12] },
            Parameter::Number { name: "seeds", default: 4, limits: [1, 12] },
            Parameter::Word("empty"),
        ],
        won_by: "seeds",
        uci_variants: &[],
        open: |parameters| {
            let rules = kalah::rules(parameters)?;
            let title = kalah::title(rules);
            // Words as narrow as the houses allow.
            Ok(if rules.houses() <= u64::HOUSES {
                Box::new(TypedGame::new(title, kalah::board::Board::<u64>::new(rules)))
            } else {
                Box::new(TypedGame::new(title, kalah::board::Board::<u128>::new(rules)))
            })
        },
        bench: &[
            BenchPosition::new("6 4", "", 14),
            BenchPosition::new("6 4", "3 6 2 5", 14),
            BenchPosition::new("6 6", "", 12),
            BenchPosition::new("4 3", "", 18),
            BenchPosition::new("6 4 empty", "", 14),
            BenchPosition::new("12 12", "", 8),
        ],
        endgame_file: Some(EndgameFile { option: "KalahTable", load: kalah::load_table }),
    },
]);

#[cfg(test)]
mod tests {
    use super::*;

    /// The title of the game with these numbers and words, or what is wrong with them.
    fn title(entry: &GameEntry, numbers: &[usize], words: &[&str]) -> Result<String, String> {
        let mut parameters: Vec<String> = numbers.iter().map(usize::to_string).collect();
        parameters.extend(words.iter().map(|&word| word.to_owned()));
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        REGISTRY.open(entry.name, &parameters).map(|game| game.title())
    }

    #[test]
    fn a_game_is_named_or_given_by_its_numbers() {
        let title = |words: &[&str]| REGISTRY.open_from_words(words).map(|game| game.title());
        assert_eq!(title(&["6", "7"]).as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title(&[]).as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title(&["5x6", "3"]).as_deref(), Ok("connect4 5 6 3"));
        assert_eq!(title(&["Kalah", "4", "3"]).as_deref(), Ok("kalah 4 3"));
        for (words, part) in [
            (&["chess"][..], "unknown game 'chess' (available: connect4, boom"),
            (&["-6", "7"], "expected a whole number, got '-6'"),
            (&["6.0", "7"], "expected a whole number, got '6.0'"),
            (&["6x"], "expected a whole number, got '6x'"),
            (&["6x7x4"], "expected a whole number, got '6x7x4'"),
            (&["boom", "3"], "(newgame boom)"),
        ] {
            let error = title(words).unwrap_err();
            assert!(error.contains(part), "{words:?}: {error}");
        }
    }

    #[test]
    fn listed_parameters_are_those_that_newgame_takes() {
        for entry in REGISTRY.0 {
            let (mut numbers, mut words) = (vec![], vec![]);
            for choice in entry.parameters {
                match *choice {
                    Parameter::Number { default, limits, .. } => numbers.push((default, limits)),
                    Parameter::Word(word) => words.push(word),
                }
            }
            let defaults: Vec<usize> = numbers.iter().map(|number| number.0).collect();
            let plain = title(entry, &[], &[]).unwrap();
            assert_eq!(title(entry, &defaults, &[]).unwrap(), plain);
            // Limits may depend on each other: each is reached with some other values.
            let ranges = numbers.iter().map(|&(_, [least, most])| least..=most);
            let settings = ranges.fold(vec![vec![]], |settings: Vec<Vec<usize>>, range| {
                let extended = |setting: &Vec<usize>| -> Vec<Vec<usize>> {
                    range.clone().map(|value| [&setting[..], &[value]].concat()).collect()
                };
                settings.iter().flat_map(extended).collect()
            });
            for (index, &(_, [least, most])) in numbers.iter().enumerate() {
                let with = |value: usize| {
                    settings.iter().map(move |setting| {
                        let mut setting = setting.clone();
                        setting[index] = value;
                        setting
                    })
                };
                for limit in [least, most] {
                    assert!(
                        with(limit).any(|setting| title(entry, &setting, &[]).is_ok()),
                        "{}: {limit} for number {index}",
                        entry.name
                    );
                }
                for setting in with(least - 1).chain(with(most + 1)) {
                    assert!(title(entry, &setting, &[]).is_err(), "{} {setting:?}", entry.name);
                }
            }
            for word in words {
                assert_ne!(title(entry, &[], &[word]).unwrap(), plain);
            }
        }
    }
}
