//! One game between the engine's default strategy and another one, through the library.

use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use ratlla::any_game::{AnyGame, Request};
use ratlla::games;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::Settings;

use crate::positions::start;
use ratlla::games::connect4::solver::Position;

/// Who plays against the engine.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// The name of its strategy.
    pub strategy: &'static str,
    /// How deep it looks, if it does.
    pub depth: u32,
    /// How many moves it makes at random first, so that its games differ.
    pub random_moves: usize,
}

/// A move of the engine.
pub struct EngineMove {
    /// The position in which it was made.
    pub before: Position,
    /// The position after it.
    pub after: Position,
}

/// How a game went.
pub struct Played {
    /// All moves, columns from 1.
    pub moves: String,
    /// Those of the engine.
    pub engine_moves: Vec<EngineMove>,
    /// Whether the engine won; `None` is a draw.
    pub won: Option<bool>,
}

/// How the engine plays its games.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// How many moves at random come before anybody's own.
    pub opening: usize,
    /// What the engine has for each move.
    pub movetime: Duration,
}

/// Plays one game; `None` if it was over before the engine could move.
pub fn play(
    opponent: Opponent,
    engine_first: bool,
    conditions: Conditions,
    seed: u64,
) -> Result<Option<Played>> {
    let engine = Settings::default();
    let random = Settings { strategy: "random".to_owned(), seed, ..Settings::default() };
    let other = Settings {
        strategy: opponent.strategy.to_owned(),
        depth: opponent.depth,
        seed,
        ..Settings::default()
    };
    let table = &mut *games::open("connect4", &[]).map_err(|reason| anyhow!(reason))?;
    let tt = TranspositionTable::new(engine.hash / 4).map_err(|reason| anyhow!(reason))?;
    let mut here = start();
    let mut played = Played { moves: String::new(), engine_moves: Vec::new(), won: None };
    let mut engines_turn = engine_first;
    while table.outcome().is_none() {
        let opening = played.moves.len() < conditions.opening;
        let settings = if opening {
            &random
        } else if engines_turn {
            &engine
        } else if played.moves.len() / 2 < opponent.random_moves {
            &random
        } else {
            &other
        };
        let mv = choose(table, settings, conditions.movetime, &tt)?;
        let before = here;
        here = mv.parse().ok().and_then(|n: u32| here.play(n - 1)).context("an illegal move")?;
        table.play(&mv).map_err(|reason| anyhow!(reason))?;
        played.moves.push_str(&mv);
        if engines_turn && !opening {
            played.engine_moves.push(EngineMove { before, after: here });
        }
        engines_turn = !engines_turn;
    }
    // The side to move did not make the last move.
    played.won = here.winner().map(|_| !engines_turn);
    Ok(Some(played).filter(|played| !played.engine_moves.is_empty()))
}

fn choose(
    table: &dyn AnyGame,
    settings: &Settings,
    movetime: Duration,
    tt: &TranspositionTable,
) -> Result<String> {
    let request = Request {
        limits: &Limits { movetime: Some(movetime), ..Limits::default() },
        search_moves: &[],
        settings,
        solve: false,
        control: &SearchControl::new(false, false),
        tt,
    };
    table.think(&request, &mut |_| {}).best.context("no move though the game goes on")
}
