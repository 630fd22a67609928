//! One game between two engines, under the rules of the library and the eyes of a clock.

use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla::game::{Outcome, Side};

use crate::engine::dialect::{Clock, Go, Position};
use crate::engine::fault::{Fault, FaultKind, Trouble};
use crate::engine::process::shown;
use crate::engine::{Answer, Engine};
use crate::settings::Limits;

/// What the referee needs to know beside the engines.
pub struct Rules<'a> {
    /// The board.
    pub table: &'a mut dyn AnyGame,
    /// The position with which the game begins.
    pub opening: &'a Position,
    /// What each player may use.
    pub limits: [Limits; 2],
    /// How much a move may be late without harm.
    pub margin: Duration,
}

/// How a game went.
#[derive(Debug)]
pub struct Course {
    /// The moves after the opening, all of them legal.
    pub answers: Vec<Answer>,
    /// How it ended.
    pub end: End,
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Over(Outcome),
    /// By a fault of this side.
    Fault(Side, Fault),
}

/// Plays a game. The engines have been told that it begins. `None` if it was cancelled.
pub fn play(rules: Rules<'_>, engines: [&mut Engine; 2]) -> Option<Course> {
    let Rules { table, opening, limits, margin } = rules;
    let mut clocks = limits.map(|limits| {
        limits.time.map(|time| Clock {
            remaining: Duration::from_millis(time),
            increment: Duration::from_millis(limits.inc.unwrap_or(0)),
        })
    });
    let mut position = opening.clone();
    let mut answers: Vec<Answer> = Vec::new();
    loop {
        if let Some(outcome) = table.outcome() {
            return Some(Course { answers, end: End::Over(outcome) });
        }
        let side = table.side_to_move();
        let mover = side.index();
        let go = go(&limits[mover], clocks);
        let allowed = allowed(&limits[mover], clocks[mover]);
        let answer = engines[mover].ask(&position, &go, allowed);
        let exact_value = answer.and_then(|answer| {
            check_time(answer.time, allowed, margin)?;
            check_move(table, &answer.mv)?;
            Ok(answer)
        });
        match exact_value {
            Ok(answer) => {
                if let Some(clock) = &mut clocks[mover] {
                    clock.remaining = clock.remaining.saturating_sub(answer.time) + clock.increment;
                }
                position.moves.push(answer.mv.clone());
                answers.push(answer);
            }
            Err(Trouble::Fault(fault)) => {
                return Some(Course { answers, end: End::Fault(side, fault) });
            }
            Err(Trouble::Cancelled) => return None,
        }
    }
}

fn go(limits: &Limits, clocks: [Option<Clock>; 2]) -> Go {
    Go {
        depth: limits.depth,
        nodes: limits.nodes,
        movetime: limits.movetime.map(Duration::from_millis),
        clocks: if limits.time.is_some() { clocks } else { [None, None] },
        infinite: false,
    }
}

/// The time that a move may take: the tighter of what is left on the clock and the time for a move.
fn allowed(limits: &Limits, clock: Option<Clock>) -> Option<Duration> {
    let movetime = limits.movetime.map(Duration::from_millis);
    let remaining = clock.map(|clock| clock.remaining);
    movetime.into_iter().chain(remaining).min()
}

fn check_time(taken: Duration, allowed: Option<Duration>, margin: Duration) -> Result<(), Trouble> {
    match allowed {
        Some(allowed) if taken > allowed + margin => {
            Err(Fault::late(taken - allowed, allowed).into())
        }
        _ => Ok(()),
    }
}

/// Plays the move if it is legal and written as it should be.
fn check_move(table: &mut dyn AnyGame, mv: &str) -> Result<(), Trouble> {
    let legal = table.moves();
    let story = match table.play(mv) {
        Ok(()) if legal.iter().any(|word| word == mv) => return Ok(()),
        Ok(()) => format!("'{}' is not how this move is written", shown(mv)),
        Err(reason) => reason,
    };
    let place = format!("{story}, in {}", table.position_text());
    Err(Fault::new(FaultKind::IllegalMove, place).into())
}
