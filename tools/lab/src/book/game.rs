//! One game of the engine's default strategy against a weaker opponent, inside this process.

use std::time::Duration;

use anyhow::{Context, Error, Result};
use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::games::connect4::solver::Position;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::Go;
use ratlla::settings::Settings;

use super::positions::start;

/// The engine's opponent.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    /// The name of its strategy.
    pub strategy: &'static str,
    /// Its search depth, if it searches.
    pub depth: u32,
    /// Random moves before its own, so that games differ.
    pub random_moves: usize,
}

/// A move of the engine.
pub struct EngineMove {
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
}

/// A finished game.
pub struct Played {
    /// All moves: columns from 1.
    pub moves: String,
    /// The engine's moves.
    pub engine_moves: Vec<EngineMove>,
    /// Whether the engine won; `None` is a draw.
    pub won: Option<bool>,
}

/// How the engine plays its games.
#[derive(Clone, Copy, Debug)]
pub struct Conditions {
    /// Random moves of both sides at the start.
    pub opening: usize,
    /// Time per move.
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
    let game = REGISTRY.open("connect4", &[]).map_err(Error::msg)?;
    let mut player = Engine::new(game, engine.hash).map_err(Error::msg)?;
    let mut position = start();
    let mut played = Played { moves: String::new(), engine_moves: Vec::new(), won: None };
    let mut engines_turn = engine_first;
    while player.game.outcome().is_none() {
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
        let mv = choose(&mut player, settings, conditions.movetime)?;
        let before = position;
        let after = mv.parse().ok().and_then(|column: u32| before.play(column - 1));
        position = after.context("illegal move")?;
        player.game.play(&mv).map_err(Error::msg)?;
        played.moves.push_str(&mv);
        if engines_turn && !opening {
            played.engine_moves.push(EngineMove { before, after: position });
        }
        engines_turn = !engines_turn;
    }
    // The winner made the last move, so it is not to move.
    played.won = position.winner().map(|_| !engines_turn);
    Ok(Some(played).filter(|played| !played.engine_moves.is_empty()))
}

fn choose(engine: &mut Engine, settings: &Settings, movetime: Duration) -> Result<String> {
    let go = Go { movetime: Some(movetime), ..Go::default() };
    let settings = Settings { move_overhead: Duration::ZERO, ..settings.clone() };
    let control = SearchControl::new(false, false);
    let result = engine.search(&go, &settings, &control, &mut |_| {});
    result.best_move().cloned().context("no move in an unfinished game")
}
