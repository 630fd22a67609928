//! The registry: which games there are, and how each is opened.
//!
//! Knows the form of an entry, not the games: everything above them iterates a [`Registry`].

use crate::any_game::AnyGame;
use crate::endgames::EndgameFile;
use crate::game::{Parameter, ParameterValue};
use crate::text::unknown;

/// A game, or what is wrong with the words it was asked for with.
pub type Opened = Result<Box<dyn AnyGame>, String>;

/// A registered game.
pub struct GameEntry {
    /// What users call it.
    pub name: &'static str,
    /// The parameters of `newgame`, for people.
    pub usage: &'static str,
    /// Their limits, for people; errors of `open` have their own words for them.
    pub limits: &'static str,
    /// Parameters and limits for programs.
    pub parameters: &'static [Parameter],
    /// What usually wins a game, in one word.
    pub won_by: &'static str,
    /// The names that chess programs have for it, each with its words after `newgame`.
    pub uci_variants: &'static [(&'static str, &'static str)],
    /// Sets up the game with these parameters, or says what is wrong with them.
    pub open: fn(&[&str]) -> Opened,
    /// What `bench` searches.
    pub bench: &'static [BenchPosition],
    /// Its endgame tables, if users can have them in a file.
    pub endgame_file: Option<EndgameFile>,
}

/// A position of `bench`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BenchPosition {
    /// The parameters of the game.
    pub parameters: &'static str,
    /// The moves from its start.
    pub moves: &'static str,
    /// How deep to search.
    pub depth: u32,
}

impl BenchPosition {
    /// A position after `moves`, to be searched `depth` plies deep.
    pub const fn new(parameters: &'static str, moves: &'static str, depth: u32) -> BenchPosition {
        BenchPosition { parameters, moves, depth }
    }
}

impl GameEntry {
    /// What comes after `newgame`, for people.
    fn usage(&self) -> String {
        format!("{} {}", self.name, self.usage).trim_end().to_owned()
    }

    /// The same with the limits of the parameters.
    pub fn help(&self) -> String {
        let separator = if self.limits.is_empty() { "" } else { ", " };
        format!("{}{separator}{}", self.usage(), self.limits)
    }
}

/// A list of games, the default one first: at least one.
#[derive(Clone, Copy)]
pub struct Registry(pub &'static [GameEntry]);

impl Registry {
    /// The game that these words after `newgame` name: a name and parameters, or the parameters
    /// of the default game alone.
    pub fn open_from_words(self, words: &[&str]) -> Opened {
        let is_number =
            |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match words {
            [name, parameters @ ..] if !is_number(name) => self.open(name, parameters),
            _ => self.open(self.0[0].name, words),
        }
    }

    /// The [title](AnyGame::title) of that game.
    pub fn title(self, words: &[String]) -> Result<String, String> {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        self.open_from_words(&words).map(|game| game.title())
    }

    /// The game with this name, in any case, and these parameters.
    pub fn open(self, name: &str, parameters: &[&str]) -> Opened {
        let entry = self.0.iter().find(|entry| entry.name.eq_ignore_ascii_case(name));
        let entry = entry.ok_or_else(|| {
            let names: Vec<&str> = self.0.iter().map(|entry| entry.name).collect();
            unknown("game", name, &names)
        })?;
        let parameters: Vec<&str> = parameters.iter().flat_map(|word| sides(word)).collect();
        (entry.open)(&parameters).map_err(|reason| format!("{reason} (newgame {})", entry.usage()))
    }

    /// The entry of a game in progress and the values of its parameters, from its
    /// [title](AnyGame::title).
    pub fn parameters_of(
        self,
        title: &str,
    ) -> Option<(&'static GameEntry, Vec<(&'static str, ParameterValue)>)> {
        let mut words = title.split_whitespace();
        let name = words.next()?;
        let entry = self.0.iter().find(|entry| entry.name == name)?;
        let value = |parameter: &Parameter| match *parameter {
            // Numbers come first, and a title has all of them.
            Parameter::Number { name, .. } => {
                Some((name, ParameterValue::Number(words.next()?.parse().ok()?)))
            }
            Parameter::Word(name) => {
                Some((name, ParameterValue::Word(words.clone().any(|word| word == name))))
            }
        };
        Some((entry, entry.parameters.iter().map(value).collect::<Option<_>>()?))
    }

    /// The games' endgame tables that users can have in files.
    pub fn endgame_files(self) -> impl Iterator<Item = &'static EndgameFile> {
        self.0.iter().filter_map(|entry| entry.endgame_file.as_ref())
    }

    /// The names of chess programs for some of the games, with the words after `newgame`.
    pub fn uci_variants(self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.0.iter().flat_map(|entry| entry.uci_variants).copied()
    }
}
/// A parameter of `newgame`, or two: `6x7` is 6 and 7, as people write boards.
fn sides(word: &str) -> impl Iterator<Item = &str> {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    let pair = word.split_once('x').filter(|(rows, columns)| is_number(rows) && is_number(columns));
    let (first, second) = pair.map_or((word, None), |(rows, columns)| (rows, Some(columns)));
    std::iter::once(first).chain(second)
}
