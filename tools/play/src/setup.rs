//! The questions before a game: which, who plays, how strong, and who starts.

use std::io::{BufRead, Write};
use std::time::Duration;

use crate::engine::{Engine, Game, Trouble, choices};
use crate::table::Table;
use crate::talk::{Ended, Talk};

/// Who makes the moves of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Player {
    /// Somebody who types.
    Person,
    /// The engine.
    Computer(Computer),
}

/// How the engine plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computer {
    /// Its strategy; none if the engine has no choice.
    pub strategy: Option<String>,
    /// Its level, if the strategy has any.
    pub level: Option<u64>,
    /// How many moves it looks ahead, if that is fixed.
    pub depth: Option<u64>,
    /// How long it may think.
    pub time: Duration,
}

/// Everything that is known before the first move.
pub struct Setup {
    /// The game.
    pub table: Table,
    /// Who plays the first and the second side.
    pub players: [Player; 2],
    /// Options that let the engine play as well as it can.
    pub strongest: Vec<(&'static str, String)>,
}

const MODES: [&str; 3] = ["two people", "person against computer", "computer against computer"];
/// The strategy that has levels.
const FULL: &str = "full";
/// Its lowest and its highest level.
const LEVELS: [u64; 2] = [1, 10];
/// The strategies that look ahead a fixed number of moves.
const FIXED_DEPTH: [&str; 3] = ["smart", "minimax", "alphabeta"];
/// The least and the most of these moves, and the usual number.
const DEPTHS: ([u64; 2], u64) = ([1, 100], 4);

/// Asks for everything. A game that was saved need not be asked for.
pub fn ask<R: BufRead, W: Write>(
    talk: &mut Talk<R, W>,
    engine: &mut Engine,
    saved: Option<Table>,
) -> Result<Setup, Ended> {
    let table = match saved {
        Some(table) => table,
        None => ask_game(talk, engine)?,
    };
    // Is it one? A saved game may have been written by anybody.
    let first_side = match table.look(engine) {
        Ok(state) => state.side,
        Err(trouble) => return Err(failed(trouble)),
    };
    let mode = talk.choose("Who plays", &MODES, 1)?;
    let options = engine.ask(&[format!("newgame {}", table.game), "options".to_owned()]);
    let strategies = choices(&options.map_err(failed)?, "Strategy");
    let has_full = strategies.iter().any(|name| name == FULL);
    let strongest = if has_full {
        vec![("Strategy", FULL.to_owned()), ("Level", LEVELS[1].to_string())]
    } else {
        vec![]
    };
    let players = match mode {
        0 => [Player::Person, Player::Person],
        1 => {
            let computer = Player::Computer(ask_computer(talk, "the computer", &strategies)?);
            let starter = talk.choose("Who starts", &["you", "computer"], 0)?;
            in_order([Player::Person, computer], starter != first_side)
        }
        _ => {
            let first = Player::Computer(ask_computer(talk, "computer A", &strategies)?);
            let second = Player::Computer(ask_computer(talk, "computer B", &strategies)?);
            let starter = talk.choose("Who starts", &["a", "b"], 0)?;
            in_order([first, second], starter != first_side)
        }
    };
    Ok(Setup { table, players, strongest })
}

fn in_order([first, second]: [Player; 2], reversed: bool) -> [Player; 2] {
    if reversed { [second, first] } else { [first, second] }
}

fn ask_game<R: BufRead, W: Write>(
    talk: &mut Talk<R, W>,
    engine: &mut Engine,
) -> Result<Table, Ended> {
    let games = engine.games().map_err(failed)?;
    if games.is_empty() {
        return Err(Ended::Failed("the engine knows no game".to_owned()));
    }
    let names: Vec<&str> = games.iter().map(|game| game.name.as_str()).collect();
    let game = &games[talk.choose("Which game", &names, 0)?];
    loop {
        let table = Table::new(ask_parameters(talk, engine, game)?);
        match table.look(engine) {
            Ok(_) => return Ok(table),
            // Each number may be fine and all of them together not.
            Err(Trouble::Refused(reason)) => talk.say(reason)?,
            Err(trouble) => return Err(failed(trouble)),
        }
    }
}

fn ask_parameters<R: BufRead, W: Write>(
    talk: &mut Talk<R, W>,
    engine: &mut Engine,
    game: &Game,
) -> Result<String, Ended> {
    let mut words = vec![game.name.clone()];
    if let Some(((name, usual, limits), others)) = game.numbers.split_last() {
        for (name, usual, limits) in others {
            words.push(talk.number(name, *limits, *usual)?.to_string());
        }
        let most = most_possible(engine, &words, *limits)?;
        words.push(talk.number(name, [limits[0], most], most.min(*usual))?.to_string());
    }
    for word in &game.words {
        if talk.confirm(&format!("With the rule '{word}'"), false)? {
            words.push(word.clone());
        }
    }
    Ok(words.join(" "))
}

/// The most that the last number may be after these words. The engine is asked, because the limits
/// it tells of a number hold whatever the others are.
fn most_possible(
    engine: &mut Engine,
    words: &[String],
    [least, most]: [u64; 2],
) -> Result<u64, Ended> {
    for number in (least..=most).rev() {
        match engine.ask(&[format!("newgame {} {number}", words.join(" "))]) {
            Ok(_) => return Ok(number),
            Err(Trouble::Refused(_)) => {}
            Err(trouble) => return Err(failed(trouble)),
        }
    }
    // It is not this number that is wrong: the engine will say what is.
    Ok(most)
}

fn ask_computer<R: BufRead, W: Write>(
    talk: &mut Talk<R, W>,
    who: &str,
    strategies: &[String],
) -> Result<Computer, Ended> {
    let names: Vec<&str> = strategies.iter().map(String::as_str).collect();
    let strategy = if names.is_empty() {
        None
    } else {
        let usual = names.iter().position(|&name| name == FULL).unwrap_or(0);
        let chosen = talk.choose(&format!("Strategy of {who}"), &names, usual)?;
        Some(names[chosen].to_owned())
    };
    let (mut level, mut depth) = (None, None);
    match strategy.as_deref() {
        Some(FULL) => level = Some(talk.number("Level", LEVELS, LEVELS[1])?),
        Some(name) if FIXED_DEPTH.contains(&name) => {
            depth = Some(talk.number("Depth", DEPTHS.0, DEPTHS.1)?);
        }
        _ => {}
    }
    let seconds = talk.ask_until("Seconds for a move, 0.1 to 3600 [1]?", read_seconds)?;
    Ok(Computer { strategy, level, depth, time: Duration::from_secs_f64(seconds) })
}

fn read_seconds(answer: &str) -> Result<f64, String> {
    if answer.is_empty() {
        return Ok(1.0);
    }
    match answer.parse() {
        Ok(seconds) if (0.1..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err(format!("'{answer}' is no number from 0.1 to 3600.")),
    }
}

/// What the engine says before a game cannot be put right here.
fn failed(trouble: Trouble) -> Ended {
    match trouble {
        Trouble::Refused(reason) => Ended::Failed(reason),
        Trouble::Gone(how) => Ended::Failed(format!("the engine has ended: {how}")),
    }
}
