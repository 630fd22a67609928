//! One game between two running engines: turns, clocks and termination. Knows nothing of other
//! games, of files or of how engines are started.

use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla::game::{Outcome, Side};

use crate::engine::dialect::{Clock, Position};
use crate::engine::forfeit::{EngineError, Forfeit, ForfeitKind};
use crate::engine::process::printable;
use crate::engine::{Engine, EngineMove};
use crate::settings::SearchLimits;

/// Everything a game needs beside the engines.
pub struct GameSetup<'a> {
    /// The game, set up at the opening.
    pub game: &'a mut dyn AnyGame,
    /// The same opening as engines are told it.
    pub opening: &'a Position,
    /// The limits of player 1 and player 2.
    pub limits: [SearchLimits; 2],
    /// Time overrun that is tolerated.
    pub margin: Duration,
}

/// The moves of a finished game and how it ended.
#[derive(Debug)]
pub struct GameOutcome {
    /// The moves after the opening, all of them legal.
    pub moves: Vec<EngineMove>,
    /// How the game ended.
    pub termination: Termination,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Termination {
    /// By the rules of the game.
    Normal(Outcome),
    /// This side forfeited.
    Forfeit(Side, Forfeit),
}

/// Plays a game to its end. Both engines must have been told of the new game. `None` if cancelled.
pub fn play(setup: GameSetup<'_>, engines: [&mut Engine; 2]) -> Option<GameOutcome> {
    let GameSetup { game, opening, limits, margin } = setup;
    let mut clocks = limits.map(|limits| limits.clock());
    let mut position = opening.clone();
    let mut moves: Vec<EngineMove> = Vec::new();
    loop {
        if let Some(outcome) = game.outcome() {
            return Some(GameOutcome { moves, termination: Termination::Normal(outcome) });
        }
        let side = game.side_to_move();
        let mover = side.index();
        let visible_clocks = if limits[mover].time.is_some() { clocks } else { [None, None] };
        let go = limits[mover].go(visible_clocks);
        let budget = time_budget(&limits[mover], clocks[mover]);
        let played = engines[mover].best_move(&position, &go, budget).and_then(|played| {
            check_time(played.time, budget, margin)?;
            play_if_legal(game, &played.mv)?;
            Ok(played)
        });
        match played {
            Ok(played) => {
                if let Some(clock) = &mut clocks[mover] {
                    clock.remaining = clock.remaining.saturating_sub(played.time) + clock.increment;
                }
                position.moves.push(played.mv.clone());
                moves.push(played);
            }
            Err(EngineError::Forfeit(forfeit)) => {
                return Some(GameOutcome {
                    moves,
                    termination: Termination::Forfeit(side, forfeit),
                });
            }
            Err(EngineError::Cancelled) => return None,
        }
    }
}

/// The time a move may take: the tighter of `movetime` and the clock.
fn time_budget(limits: &SearchLimits, clock: Option<Clock>) -> Option<Duration> {
    let movetime = limits.movetime.map(Duration::from_millis);
    let remaining = clock.map(|clock| clock.remaining);
    movetime.into_iter().chain(remaining).min()
}

fn check_time(taken: Duration, budget: Option<Duration>, margin: Duration) -> Result<(), Forfeit> {
    match budget {
        Some(budget) if taken > budget + margin => Err(Forfeit::late(taken - budget, budget)),
        _ => Ok(()),
    }
}

/// Plays the move if it is legal and in canonical notation.
fn play_if_legal(game: &mut dyn AnyGame, mv: &str) -> Result<(), Forfeit> {
    let legal = game.moves();
    let reason = match game.play(mv) {
        Ok(()) if legal.iter().any(|word| word == mv) => return Ok(()),
        Ok(()) => format!("'{}' is not in canonical notation", printable(mv)),
        Err(reason) => reason,
    };
    let detail = format!("{reason}, in {}", game.position_text());
    Err(Forfeit::new(ForfeitKind::IllegalMove, detail))
}
