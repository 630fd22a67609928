//! The compliance checks.

use std::time::{Duration, Instant};

use anyhow::{Context as _, bail, ensure};
use ratlla::game::Side;

use super::Check;
use super::harness::Harness;
use crate::engine::Engine;
use crate::engine::dialect::{Clock, GoParams, Position, Proto};
use crate::game_loop::{self, GameSetup, Termination};
use crate::rules;
use crate::text::quoted;

const ALL: &[Proto] = &[Proto::Native, Proto::Ugi, Proto::Uci, Proto::Line];
const WITH_COMMANDS: &[Proto] = &[Proto::Native, Proto::Ugi, Proto::Uci];
const WITH_NULL_MOVE: &[Proto] = &[Proto::Native, Proto::Uci];

/// Time per move in the checks about time.
const MOVETIME: Duration = Duration::from_millis(100);
/// How long a search runs before it is disturbed.
const SHORT_WAIT: Duration = Duration::from_millis(50);

/// All checks, in the order in which an engine is usually written. The first is the start.
pub const CHECKS: &[Check] = &[
    Check {
        name: "start",
        expected: "start, keep running, and answer 'isready' with 'readyok', 'ugi' with 'ugiok' or 'uci' with 'uciok'",
        dialects: ALL,
        run: start,
    },
    Check {
        name: "new game",
        expected: "accept the new game and all options, and answer 'isready' with 'readyok'",
        dialects: WITH_COMMANDS,
        run: |harness| harness.start_game().map(drop),
    },
    Check {
        name: "legal moves",
        expected: "answer every search with a move that is legal in its position",
        dialects: ALL,
        run: legal_moves,
    },
    Check {
        name: "one answer",
        expected: "answer every search with exactly one move, then stay silent",
        dialects: ALL,
        run: one_answer,
    },
    Check {
        name: "depth and nodes",
        expected: "'go depth 1' and 'go nodes 100' end by themselves, quickly",
        dialects: WITH_COMMANDS,
        run: depth_and_nodes,
    },
    Check {
        name: "movetime",
        expected: "answer 'go movetime T' within T milliseconds",
        dialects: WITH_COMMANDS,
        run: movetime,
    },
    Check {
        name: "clock",
        expected: "never use more time than its clock has left",
        dialects: WITH_COMMANDS,
        run: clock,
    },
    Check {
        name: "isready while thinking",
        expected: "answer 'readyok' immediately, even during a search, and keep searching",
        dialects: WITH_COMMANDS,
        run: ready_while_thinking,
    },
    Check {
        name: "stop",
        expected: "answer 'stop' with the best move so far, immediately; 'go infinite' does not end before",
        dialects: WITH_COMMANDS,
        run: stop,
    },
    Check {
        name: "stop without a search",
        expected: "ignore it",
        dialects: WITH_COMMANDS,
        run: stray_stop,
    },
    Check {
        name: "illegal position",
        expected: "reject it and keep running; in the native dialect with one 'error' line",
        dialects: WITH_COMMANDS,
        run: illegal_position,
    },
    Check {
        name: "unknown commands",
        expected: "ignore them, or answer with one line of error, and keep running",
        dialects: WITH_COMMANDS,
        run: unknown_commands,
    },
    Check {
        name: "finished game",
        expected: "answer 'bestmove (none)'",
        dialects: WITH_NULL_MOVE,
        run: finished_game,
    },
    Check {
        name: "whole games",
        expected: "play legal moves in time until the game is over",
        dialects: ALL,
        run: whole_games,
    },
    Check { name: "quit", expected: "exit immediately", dialects: WITH_COMMANDS, run: quit },
    Check {
        name: "end of input",
        expected: "exit when stdin is closed",
        dialects: ALL,
        run: end_of_input,
    },
    Check {
        name: "end of input while thinking",
        expected: "exit when stdin is closed, even during 'go infinite'",
        dialects: WITH_COMMANDS,
        run: end_of_input_while_thinking,
    },
];

fn start(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let mut engine = harness.start()?;
    // Any output is fine here; an exit is not.
    while engine.process().line(Instant::now() + SHORT_WAIT)?.is_some() {}
    Ok(())
}

fn legal_moves(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    harness.usual_move(&Position::default())?;
    for position in harness.positions(3)? {
        harness.usual_move(&position)?;
    }
    Ok(())
}

fn one_answer(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    harness.usual_move(&Position::default())?;
    let more = harness.moves_before(Instant::now() + 2 * SHORT_WAIT)?;
    ensure!(more == 0, "{} moves for one search", 1 + more);
    Ok(())
}

fn depth_and_nodes(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let start = Position::default();
    harness.legal_move(&start, &GoParams { depth: Some(1), ..GoParams::default() })?;
    harness.legal_move(&start, &GoParams { nodes: Some(100), ..GoParams::default() })?;
    Ok(())
}

fn movetime(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let go = GoParams { movetime: Some(MOVETIME), ..GoParams::default() };
    moves_in_time(harness, 3, &go, MOVETIME)
}

fn clock(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let clock = Clock { remaining: 5 * MOVETIME, increment: Duration::ZERO, moves_to_go: None };
    let go = GoParams { clocks: [Some(clock); 2], ..GoParams::default() };
    moves_in_time(harness, 2, &go, clock.remaining)
}

fn moves_in_time(
    harness: &mut Harness<'_>,
    count: u64,
    go: &GoParams,
    budget: Duration,
) -> anyhow::Result<()> {
    for position in harness.positions(count)? {
        let (time, margin) = (harness.legal_move(&position, go)?.time, harness.margin);
        let [taken, allowed, tolerated] = [time, budget, margin].map(|time| time.as_millis());
        ensure!(
            time <= budget + margin,
            "a move took {taken} ms (limit {allowed} ms, margin {tolerated} ms)"
        );
    }
    Ok(())
}

fn ready_while_thinking(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    harness.go_infinite()?;
    std::thread::sleep(SHORT_WAIT);
    let lines = harness.ready_lines("after 'isready' during a search")?;
    ensure!(harness.count_moves(&lines)? == 0, "the search ended, by itself or on 'isready'");
    harness.send("stop")?;
    harness.lines_until("bestmove", "after 'stop'").map(drop)
}

fn stop(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    // A 'stop' right after 'go' must not be lost.
    for pause in [SHORT_WAIT, Duration::ZERO] {
        let started = harness.go_infinite()?;
        let early = harness.moves_before(started + pause)?;
        ensure!(early == 0, "'go infinite' ended before 'stop'");
        harness.send("stop")?;
        harness.lines_until("bestmove", "after 'stop'")?;
        let lines = harness.ready_lines("after 'isready'")?;
        ensure!(harness.count_moves(&lines)? == 0, "more than one move for one 'go'");
    }
    Ok(())
}

fn stray_stop(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    harness.send("stop")?;
    let lines = harness.ready_lines("after 'stop' and 'isready'")?;
    ensure!(harness.count_moves(&lines)? == 0, "a move without a search");
    Ok(())
}

fn illegal_position(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let illegal = Position { setup: String::new(), moves: vec!["99".to_owned()] };
    let command = harness.engine()?.dialect().go_command(&illegal, &GoParams::default());
    let line = command.position.unwrap_or_default();
    harness.send(&line)?;
    let lines = harness.ready_lines("after an illegal position")?;
    if harness.spec.proto == Proto::Native && !lines.iter().any(|line| line.starts_with("error")) {
        bail!("no 'error' line after '{line}'");
    }
    harness.usual_move(&Position::default()).map(drop)
}

fn unknown_commands(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    for line in ["xyzzy plugh", "", "   ", "go2 depth", "\u{1F916} \t \u{0}"] {
        harness.send(line)?;
    }
    harness.ready_lines("after unknown commands")?;
    harness.usual_move(&Position::default()).map(drop)
}

fn finished_game(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let mut game = rules::open(harness.title)?;
    let mut position = Position::default();
    while let Some(mv) = game.moves().first() {
        game.play(mv).map_err(anyhow::Error::msg)?;
        position.moves.push(mv.clone());
    }
    let go = harness.usual_limits().go([None; 2]);
    let answer = harness.engine()?.best_move(&position, &go, go.movetime)?;
    ensure!(answer.mv == "(none)", "move '{}' after the end of the game", quoted(&answer.mv));
    Ok(())
}

fn whole_games(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let (mut first, mut second) = (harness.start_game()?, harness.start_game()?);
    for opening in harness.positions(2)? {
        let mut game = rules::open(harness.title)?;
        rules::set_up(&mut *game, &opening)?;
        let limits = [harness.usual_limits(); 2];
        let setup = GameSetup::new(&mut *game, &opening, limits, harness.margin);
        let outcome = game_loop::play(setup, [&mut first, &mut second]).context("interrupted")?;
        if let Termination::Forfeit(side, forfeit) = outcome.termination {
            let player = if side == Side::P1 { "player 1" } else { "player 2" };
            let ply = opening.moves.len() + outcome.moves.len() + 1;
            bail!("as {player}, at ply {ply}: {forfeit}");
        }
    }
    Ok(())
}

fn quit(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let mut engine = harness.start_game()?;
    engine.process().send("quit")?;
    exits(&mut engine, harness.patience(), "after 'quit'")
}

fn end_of_input(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    let mut engine = harness.start_game()?;
    engine.process().close_input();
    exits(&mut engine, harness.patience(), "after stdin was closed")
}

fn end_of_input_while_thinking(harness: &mut Harness<'_>) -> anyhow::Result<()> {
    harness.go_infinite()?;
    std::thread::sleep(SHORT_WAIT);
    let patience = harness.patience();
    let engine = harness.engine()?;
    engine.process().close_input();
    exits(engine, patience, "after stdin was closed during a search")
}

/// Fails unless the engine exits in time.
fn exits(engine: &mut Engine, patience: Duration, when: &str) -> anyhow::Result<()> {
    let status = engine.process().wait_exit(Instant::now() + patience);
    ensure!(status.is_some(), "still running {} ms {when}", patience.as_millis());
    Ok(())
}
