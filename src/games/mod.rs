//! The games, one folder each, and the registry that lists them.

pub mod boom;
pub mod connect4;
pub mod endgame_file;
mod grid;
pub mod kalah;
pub mod wali;

use crate::any_game::{AnyGame, TypedGame};

/// A table, or what is wrong with the parameters it was asked for with.
pub type Opened = Result<Box<dyn AnyGame>, String>;

/// One parameter of `newgame`, for programs that let people choose.
pub enum Parameter {
    /// A whole number. Numbers stand first, in this order, all or none of them.
    Number {
        /// What it counts.
        name: &'static str,
        /// What it is if not given.
        default: usize,
        /// The smallest and the largest value.
        limits: [usize; 2],
    },
    /// A word that stands after the numbers, or not.
    Word(&'static str),
}

/// A game that can be played.
pub struct Entry {
    /// What users call it.
    pub name: &'static str,
    /// The parameters of `newgame` and their limits, for people.
    pub parameters: &'static str,
    /// The same for programs.
    pub choices: &'static [Parameter],
    /// What a game is won by as a rule, in one word.
    pub won_by: &'static str,
    /// Sets up a table for the game with these parameters, or says what is wrong with them.
    open: fn(&[&str]) -> Opened,
    /// What `bench` searches: parameters, moves and depth.
    pub bench: &'static [(&'static str, &'static str, u32)],
    /// Where its endings come from, if users can have a file of them.
    pub endings: Option<Endings>,
}

/// A table of a game's endings in a file of the user's.
#[derive(Debug)]
pub struct Endings {
    /// The option that takes the path.
    pub option: &'static str,
    /// Makes all searches that begin from now on use the file at this path, or none if it is
    /// empty. If the file cannot be used, what was loaded before stays.
    pub load: fn(&str) -> Result<(), String>,
}

/// Every game. The first is played unless another is asked for.
pub static REGISTRY: &[Entry] = &[
    Entry {
        name: "connect4",
        parameters: "[rows columns [line]], rows and columns from 4 to 25, line from 2 to the larger of them",
        choices: &[
            Parameter::Number { name: "rows", default: 6, limits: [4, 25] },
            Parameter::Number { name: "columns", default: 7, limits: [4, 25] },
            Parameter::Number { name: "line", default: 4, limits: [2, 25] },
        ],
        won_by: "line",
        open: |parameters| {
            let start = connect4::start(parameters)?;
            let size = start.size();
            let title = format!("connect4 {} {} {}", size.rows, size.columns, size.line);
            Ok(Box::new(TypedGame::new(title, start)))
        },
        bench: &[
            ("6 7", "", 15),
            ("6 7", "4 4 4 4 4 2", 15),
            ("8 8", "", 12),
            ("10 12", "6 6 7", 10),
            ("25 25", "13 13", 8),
            ("6 7 5", "", 12),
        ],
        endings: None,
    },
    Entry {
        name: "boom",
        parameters: "",
        choices: &[],
        won_by: "line",
        open: |parameters| {
            Ok(Box::new(TypedGame::new("boom".to_owned(), boom::start(parameters)?)))
        },
        bench: &[("", "", 20), ("", "4 2 6", 18)],
        endings: None,
    },
    Entry {
        name: "wali",
        parameters: "",
        choices: &[],
        won_by: "stones",
        open: |parameters| {
            Ok(Box::new(TypedGame::new("wali".to_owned(), wali::start(parameters)?)))
        },
        bench: &[
            ("", "", 11),
            (
                "",
                "b2 c2 b4 b3 c3 e2 d4 c4 d2 d3 e3 e4 c1 d1 a1 b1 a3 a2 a5 a4 c5 b5 e5 d5 e5f5 e2f2",
                15,
            ),
        ],
        endings: Some(Endings { option: "WaliTable", load: wali::load_table }),
    },
    Entry {
        name: "kalah",
        parameters: "[houses seeds] [empty], houses and seeds from 1 to 12, empty for captures with nothing opposite",
        choices: &[
            Parameter::Number { name: "houses", default: 6, limits: [1, 12] },
            Parameter::Number { name: "seeds", default: 4, limits: [1, 12] },
            Parameter::Word("empty"),
        ],
        won_by: "seeds",
        open: kalah::open,
        bench: &[
            ("6 4", "", 14),
            ("6 4", "3 6 2 5", 14),
            ("6 6", "", 12),
            ("4 3", "", 18),
            ("6 4 empty", "", 14),
            ("12 12", "", 8),
        ],
        endings: Some(Endings { option: "KalahTable", load: kalah::load_table }),
    },
];

/// A table for the game that these words tell, as after `newgame`: a name and parameters, or
/// parameters of the first game alone.
pub fn open_from_words(words: &[&str]) -> Opened {
    // What begins like a number is meant to be one, and no name does.
    let is_number =
        |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    match words {
        [name, parameters @ ..] if !is_number(name) => open(name, parameters),
        _ => open(REGISTRY[0].name, words),
    }
}

/// A table for the game with this name, in any case of its letters, and these parameters.
pub fn open(name: &str, parameters: &[&str]) -> Opened {
    let entry = REGISTRY.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
    let entry = entry.ok_or_else(|| {
        let known: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
        format!("no game is called '{}': there is {}", crate::text::escaped(name), known.join(", "))
    })?;
    (entry.open)(parameters).map_err(|reason| format!("{reason} (newgame {})", entry.usage()))
}

impl Entry {
    /// What stands after `newgame`, for people.
    pub fn usage(&self) -> String {
        format!("{} {}", self.name, self.parameters).trim_end().to_owned()
    }
}

/// Makes sure that a game without parameters was given none.
fn no_parameters(parameters: &[&str]) -> Result<(), String> {
    match parameters {
        [] => Ok(()),
        [word, ..] => {
            Err(format!("the game takes no parameters, not '{}'", crate::text::escaped(word)))
        }
    }
}

/// The parameters as whole numbers.
fn numbers(parameters: &[&str]) -> Result<Vec<usize>, String> {
    let number = |text: &&str| {
        let escaped = crate::text::escaped(text);
        if !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("'{escaped}' is not a whole number from 0 on"));
        }
        text.parse().map_err(|_| format!("{escaped} is too large"))
    };
    parameters.iter().map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The title of the game with these numbers and words, or what is wrong with them.
    fn title(entry: &Entry, numbers: &[usize], words: &[&str]) -> Result<String, String> {
        let mut parameters: Vec<String> = numbers.iter().map(usize::to_string).collect();
        parameters.extend(words.iter().map(|&word| word.to_owned()));
        let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
        open(entry.name, &parameters).map(|table| table.title().to_owned())
    }

    #[test]
    fn a_game_is_told_by_name_or_by_numbers() {
        let title = |words: &[&str]| open_from_words(words).map(|table| table.title());
        assert_eq!(title(&["6", "7"]).as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title(&[]).as_deref(), Ok("connect4 6 7 4"));
        assert_eq!(title(&["Kalah", "4", "3"]).as_deref(), Ok("kalah 4 3"));
        for (words, part) in [
            (&["chess"][..], "no game is called 'chess': there is connect4"),
            (&["-6", "7"], "'-6' is not a whole number from 0 on"),
            (&["6.0", "7"], "'6.0' is not a whole number"),
            (&["6x7"], "'6x7' is not a whole number"),
            (&["boom", "3"], "(newgame boom)"),
        ] {
            let error = title(words).unwrap_err();
            assert!(error.contains(part), "{words:?}: {error}");
        }
    }

    #[test]
    fn the_choices_of_a_game_are_those_it_takes() {
        for entry in REGISTRY {
            let (mut numbers, mut words) = (vec![], vec![]);
            for choice in entry.choices {
                match *choice {
                    Parameter::Number { default, limits, .. } => numbers.push((default, limits)),
                    Parameter::Word(word) => words.push(word),
                }
            }
            let defaults: Vec<usize> = numbers.iter().map(|number| number.0).collect();
            let least: Vec<usize> = numbers.iter().map(|number| number.1[0]).collect();
            let most: Vec<usize> = numbers.iter().map(|number| number.1[1]).collect();
            let plain = title(entry, &[], &[]).unwrap();
            assert_eq!(title(entry, &defaults, &[]).unwrap(), plain);
            assert!(title(entry, &least, &[]).is_ok(), "{} {least:?}", entry.name);
            assert!(title(entry, &most, &[]).is_ok(), "{} {most:?}", entry.name);
            for word in words {
                assert_ne!(title(entry, &[], &[word]).unwrap(), plain);
            }
            for index in 0..numbers.len() {
                let (mut low, mut high) = (most.clone(), most.clone());
                low[index] = least[index] - 1;
                high[index] += 1;
                assert!(title(entry, &low, &[]).is_err(), "{} {low:?}", entry.name);
                assert!(title(entry, &high, &[]).is_err(), "{} {high:?}", entry.name);
            }
        }
    }
}
