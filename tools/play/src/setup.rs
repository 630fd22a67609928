//! The questions before a game: the game, the players, their strength, and who starts.

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::engine::{GameInfo, QueryError, RestartingEngine, option_values};
use crate::game_record::GameRecord;
use crate::prompt::{Prompt, Stop};

/// Who makes the moves of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// The user.
    Person,
    /// The engine.
    Computer(Computer),
}

/// How the engine plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computer {
    /// The strategy, if the engine has that option.
    pub strategy: Option<String>,
    /// The level, if the strategy has levels.
    pub level: Option<u64>,
    /// The search depth, if the strategy has a fixed one.
    pub depth: Option<u64>,
    /// The time per move.
    pub time: Duration,
}

/// The answers.
pub struct GameSetup {
    /// The game.
    pub record: GameRecord,
    /// The players of the first and the second side.
    pub players: [Player; 2],
    /// The engine options for the strongest play.
    pub strongest: Vec<(&'static str, String)>,
}

const MODES: [&str; 3] = ["two people", "person against computer", "computer against computer"];
/// The strategy that has levels.
const FULL: &str = "full";
/// The lowest and the highest level.
const LEVELS: [u64; 2] = [1, 10];
/// The strategies with a fixed search depth.
const FIXED_DEPTH: [&str; 3] = ["smart", "minimax", "alphabeta"];
/// The range of that depth.
const DEPTHS: [u64; 2] = [1, 100];
const DEFAULT_DEPTH: u64 = 4;
/// The range of the time per move, in seconds.
const SECONDS: [f64; 2] = [0.1, 3600.0];
const DEFAULT_SECONDS: f64 = 1.0;

/// Asks all questions; not for the game if a saved one is resumed.
pub fn ask<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    engine: &mut RestartingEngine,
    saved: Option<GameRecord>,
) -> Result<GameSetup, Stop> {
    let record = match saved {
        Some(record) => record,
        None => ask_game(prompt, engine)?,
    };
    // A saved game may be invalid.
    let first_side = record.state(engine).map_err(engine_failed)?.side;
    let mode = prompt.choose("Who plays", &MODES, 1)?;
    let options = engine.ask(&[format!("newgame {}", record.game), "options".to_owned()]);
    let strategies = option_values(&options.map_err(engine_failed)?, "Strategy");
    let has_full = strategies.iter().any(|name| name == FULL);
    let strongest = if has_full {
        vec![("Strategy", FULL.to_owned()), ("Level", LEVELS[1].to_string())]
    } else {
        vec![]
    };
    let players = match mode {
        0 => [Player::Person, Player::Person],
        1 => {
            let computer = Player::Computer(ask_computer(prompt, "the computer", &strategies)?);
            let starter = prompt.choose("Who starts", &["you", "computer"], 0)?;
            in_order([Player::Person, computer], starter != first_side)
        }
        _ => {
            let first = Player::Computer(ask_computer(prompt, "computer A", &strategies)?);
            let second = Player::Computer(ask_computer(prompt, "computer B", &strategies)?);
            let starter = prompt.choose("Who starts", &["a", "b"], 0)?;
            in_order([first, second], starter != first_side)
        }
    };
    Ok(GameSetup { record, players, strongest })
}

fn in_order([first, second]: [Player; 2], reversed: bool) -> [Player; 2] {
    if reversed { [second, first] } else { [first, second] }
}

fn ask_game<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    engine: &mut RestartingEngine,
) -> Result<GameRecord, Stop> {
    let games = engine.games().map_err(engine_failed)?;
    if games.is_empty() {
        return Err(Stop::Engine("the engine lists no games".to_owned()));
    }
    let names: Vec<&str> = games.iter().map(|game| game.name.as_str()).collect();
    let game = &games[prompt.choose("Which game", &names, 0)?];
    loop {
        let record = GameRecord::new(ask_parameters(prompt, engine, game)?);
        match record.state(engine) {
            Ok(_) => return Ok(record),
            // Numbers that are valid each may be an invalid combination.
            Err(QueryError::Rejected(reason)) => prompt.say(reason)?,
            Err(error) => return Err(engine_failed(error)),
        }
    }
}

fn ask_parameters<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    engine: &mut RestartingEngine,
    game: &GameInfo,
) -> Result<String, Stop> {
    let mut words = vec![game.name.clone()];
    if let Some(((name, default, range), others)) = game.numbers.split_last() {
        for (name, default, range) in others {
            words.push(prompt.number(name, *range, *default)?.to_string());
        }
        let max = largest_accepted(engine, &words, *range)?;
        words.push(prompt.number(name, [range[0], max], max.min(*default))?.to_string());
    }
    for keyword in &game.keywords {
        if prompt.confirm(&format!("With the rule '{keyword}'"))? {
            words.push(keyword.clone());
        }
    }
    Ok(words.join(" "))
}

/// The largest last parameter that the engine accepts after `words`. Its listed range does not take
/// the other parameters into account.
fn largest_accepted(
    engine: &mut RestartingEngine,
    words: &[String],
    [min, max]: [u64; 2],
) -> Result<u64, Stop> {
    for number in (min..=max).rev() {
        match engine.ask(&[format!("newgame {} {number}", words.join(" "))]) {
            Ok(_) => return Ok(number),
            Err(QueryError::Rejected(_)) => {}
            Err(error) => return Err(engine_failed(error)),
        }
    }
    // An earlier parameter is invalid, which the engine will report.
    Ok(max)
}

fn ask_computer<R: BufRead, W: Write>(
    prompt: &mut Prompt<R, W>,
    who: &str,
    strategies: &[String],
) -> Result<Computer, Stop> {
    let names: Vec<&str> = strategies.iter().map(String::as_str).collect();
    let strategy = if names.is_empty() {
        None
    } else {
        let default = names.iter().position(|&name| name == FULL).unwrap_or(0);
        let chosen = prompt.choose(&format!("Strategy of {who}"), &names, default)?;
        Some(names[chosen].to_owned())
    };
    let (mut level, mut depth) = (None, None);
    match strategy.as_deref() {
        Some(FULL) => level = Some(prompt.number("Level", LEVELS, LEVELS[1])?),
        Some(name) if FIXED_DEPTH.contains(&name) => {
            depth = Some(prompt.number("Depth", DEPTHS, DEFAULT_DEPTH)?);
        }
        _ => {}
    }
    let seconds = prompt.number("Seconds per move", SECONDS, DEFAULT_SECONDS)?;
    Ok(Computer { strategy, level, depth, time: Duration::from_secs_f64(seconds) })
}

/// No query may fail before a game has started.
fn engine_failed(error: QueryError) -> Stop {
    Stop::Engine(error.into_reason())
}
