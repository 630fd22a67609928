//! From what the user asks for to a game that the engine accepts.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::arguments::GameArguments;
use crate::engine::{QueryError, RestartingEngine};
use crate::game_record::{GameRecord, SavedGame};
use crate::players::{Computer, DEFAULT_LEVEL, LEVELS, Player};
use crate::state::State;

/// What the engine offers.
#[derive(Clone)]
pub struct EngineInfo {
    /// The names of its games, each with those of its parameters.
    pub games: Vec<(String, Vec<String>)>,
    has_levels: bool,
}

/// A game with its players.
#[derive(Clone)]
pub struct GameSetup {
    /// The game.
    pub record: GameRecord,
    /// The players of the first and the second side.
    pub players: [Player; 2],
    /// Engine options for all searches: name and value.
    pub options: Vec<(String, String)>,
    /// The file it was loaded from or saved to.
    pub file: Option<PathBuf>,
}

impl EngineInfo {
    /// Asks the engine.
    pub fn query(engine: &mut RestartingEngine) -> Result<EngineInfo, QueryError> {
        let replies = engine.ask(&["games".to_owned(), "options".to_owned()])?;
        let games: Vec<_> = replies.iter().filter_map(|line| parse_game(line)).collect();
        if games.is_empty() {
            return Err(QueryError::Failed("the engine lists no games".to_owned()));
        }
        let has_levels = replies.iter().any(|line| line.starts_with("option name Level "));
        Ok(EngineInfo { games, has_levels })
    }

    /// A computer that the user has said nothing about.
    pub fn default_computer(&self) -> Computer {
        let level = self.has_levels.then_some(DEFAULT_LEVEL);
        Computer { level, ..Computer::default() }
    }

    /// A computer for hints.
    pub fn strongest_computer(&self) -> Computer {
        let level = self.has_levels.then_some(LEVELS.len());
        Computer { level, ..Computer::default() }
    }

    /// The game that a word means: a name, its beginning, or its number in the list.
    fn game(&self, word: &str) -> Option<&str> {
        let names = || self.games.iter().map(|(name, _)| name.as_str());
        let by_number = || names().nth(word.parse::<usize>().ok()?.checked_sub(1)?);
        let begins = |name: &&str| {
            let start = name.get(..word.len());
            !word.is_empty() && start.is_some_and(|start| start.eq_ignore_ascii_case(word))
        };
        let mut matches = names().filter(begins);
        let by_name = match (matches.next(), matches.next()) {
            (Some(name), None) => Some(name),
            _ => names().find(|name| name.eq_ignore_ascii_case(word)),
        };
        by_name.or_else(by_number)
    }

    /// The arguments of `newgame` that the words mean; `None` if they are not a game.
    fn game_words(&self, words: &[&str]) -> Option<String> {
        let (first, parameters) = words.split_first()?;
        // Sizes alone are those of the default game, as in the protocol.
        if !parameters.is_empty() && first.parse::<u64>().is_ok() {
            return Some(words.join(" "));
        }
        Some([&[self.game(first)?], parameters].concat().join(" "))
    }
}

/// Parses a line of the reply to `games`: the name of a game and those of its parameters.
fn parse_game(line: &str) -> Option<(String, Vec<String>)> {
    let mut parts = line.strip_prefix("game ")?.split(" parameter ");
    let name = parts.next()?.trim().to_owned();
    let first_word = |part: &str| part.split(' ').next().unwrap_or_default().to_owned();
    Some((name, parts.map(first_word).collect()))
}

impl GameSetup {
    /// The game that the arguments ask for. What they leave open is as `before`, or as usual.
    pub fn new(
        arguments: &GameArguments,
        before: Option<&GameSetup>,
        info: &EngineInfo,
        engine: &mut RestartingEngine,
    ) -> Result<GameSetup, QueryError> {
        let rejected = QueryError::Rejected;
        let words: Vec<&OsStr> = arguments.words.iter().map(|word| word.as_os_str()).collect();
        let texts: Option<Vec<&str>> = words.iter().map(|word| word.to_str()).collect();
        let game = texts.and_then(|words| info.game_words(&words));
        let (saved, file) = match (game, &words[..]) {
            (Some(game), _) => (new_game(game), None),
            (None, []) => {
                let default = || info.games[0].0.clone();
                (new_game(before.map_or_else(default, |setup| setup.record.game.clone())), None)
            }
            (None, [file, ..]) => (load(file, words.len(), info).map_err(rejected)?, Some(*file)),
        };
        let default = info.default_computer();
        let base = saved.players.or_else(|| before.map(|setup| setup.players.clone()));
        let base = base.unwrap_or_else(|| [Player::Person, Player::Computer(default.clone())]);
        let players = arguments.players(&base, &default).map_err(rejected)?;
        let options = arguments.options(before.map_or(&[], |setup| &setup.options));
        let file = file.map(PathBuf::from);
        let mut setup = GameSetup { record: saved.record, players, options, file };
        let state = setup.check(engine)?;
        setup.record.moves = state.history;
        if !state.game.is_empty() {
            setup.record.game = state.game;
        }
        Ok(setup)
    }

    /// Whether the engine accepts the game, its moves and all options.
    fn check(&self, engine: &mut RestartingEngine) -> Result<State, QueryError> {
        let mut commands = self.commands(&Computer::default());
        for player in &self.players {
            if let Player::Computer(computer) = player {
                commands.extend(computer.options().iter().map(set_option));
            }
        }
        commands.push("state".to_owned());
        let replies = engine.ask(&commands).map_err(|error| match error {
            QueryError::Rejected(reason) => {
                // What the engine keeps is not what the user has chosen so far.
                let reason =
                    reason.rsplit_once("; keeping ").map_or(&*reason, |(reason, _)| reason);
                QueryError::Rejected(match &self.file {
                    Some(file) => format!("{} is not a saved game: {reason}", file.display()),
                    None => reason.to_owned(),
                })
            }
            error => error,
        })?;
        State::find(&replies)
    }

    /// The commands that set up the position and how the engine plays.
    pub fn commands(&self, computer: &Computer) -> Vec<String> {
        let commands = self.record.commands().into_iter();
        let options =
            self.options.iter().chain(&computer.options()).map(set_option).collect::<Vec<_>>();
        commands.chain(options).collect()
    }
}

fn set_option((name, value): &(String, String)) -> String {
    format!("setoption name {name} value {value}")
}

fn new_game(game: String) -> SavedGame {
    SavedGame { record: GameRecord::new(game), players: None }
}

fn load(file: &OsStr, words: usize, info: &EngineInfo) -> Result<SavedGame, String> {
    let path = Path::new(file);
    if words > 1 || !path.exists() {
        let names: Vec<&str> = info.games.iter().map(|(name, _)| name.as_str()).collect();
        let file = file.to_string_lossy();
        let file = ratlla::text::escaped(&file);
        return Err(format!("neither a game ({}) nor a saved game: '{file}'", names.join(", ")));
    }
    SavedGame::load(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_their_parameters_are_parsed() {
        let line = "game kalah parameter houses type spin default 6 min 1 max 12 parameter empty type check default false";
        let parameters = ["houses", "empty"].map(str::to_owned).to_vec();
        assert_eq!(parse_game(line), Some(("kalah".to_owned(), parameters)));
        assert_eq!(parse_game("game boom"), Some(("boom".to_owned(), vec![])));
        assert_eq!(parse_game("readyok"), None);
    }

    #[test]
    fn games_have_names_numbers_and_sizes() {
        let games = ["connect4", "boom", "boomerang", "kalah"];
        let games = games.iter().map(|&name| (name.to_owned(), vec![])).collect();
        let info = EngineInfo { games, has_levels: true };
        for (words, game) in [
            (&["K"][..], Some("kalah")),
            (&["KALAH", "3", "2"], Some("kalah 3 2")),
            (&["4"], Some("kalah")),
            (&["8", "8"], Some("8 8")),
            (&["boom"], Some("boom")),
            (&["boo"], None),
            (&["5"], None),
            (&["0"], None),
            (&["é"], None),
            (&[], None),
        ] {
            assert_eq!(info.game_words(words).as_deref(), game, "{words:?}");
        }
    }
}
