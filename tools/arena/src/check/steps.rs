//! The steps of a compliance run.

use std::time::{Duration, Instant};

use ratlla::game::Side;

use super::Step;
use super::probe::{Probe, told};
use crate::engine::dialect::{Clock, Go, Position, Proto};
use crate::engine::process::shown;
use crate::referee::{self, End, Rules};
use crate::umpire;

const ALL: &[Proto] = &[Proto::Native, Proto::Ugi, Proto::Uci, Proto::Line];
const WITH_COMMANDS: &[Proto] = &[Proto::Native, Proto::Ugi, Proto::Uci];
const WITH_NO_MOVE: &[Proto] = &[Proto::Native, Proto::Uci];

/// Time for a move in the steps about time.
const MOVETIME: Duration = Duration::from_millis(100);
/// How long a search may go on before it is disturbed.
const A_WHILE: Duration = Duration::from_millis(50);

/// All steps, in the order in which a bot is written.
pub const STEPS: &[Step] = &[
    Step {
        name: "start",
        right: "start and stay, and answer 'isready' with 'readyok', 'ugi' with 'ugiok' or 'uci' with 'uciok'",
        dialects: ALL,
        run: start,
    },
    Step {
        name: "new game",
        right: "take the new game and all options without an error, and answer 'isready' with 'readyok'",
        dialects: WITH_COMMANDS,
        run: |probe| probe.ready().map(drop),
    },
    Step {
        name: "legal moves",
        right: "answer every question with one legal move of the position that was asked about",
        dialects: ALL,
        run: legal_moves,
    },
    Step {
        name: "one answer",
        right: "answer each question with exactly one move and then be silent",
        dialects: ALL,
        run: one_answer,
    },
    Step {
        name: "depth and nodes",
        right: "'go depth 1' and 'go nodes 100' end by themselves, soon",
        dialects: WITH_COMMANDS,
        run: depth_and_nodes,
    },
    Step {
        name: "movetime",
        right: "answer 'go movetime T' within T milliseconds",
        dialects: WITH_COMMANDS,
        run: movetime,
    },
    Step {
        name: "clock",
        right: "never use more than what is left on the own clock",
        dialects: WITH_COMMANDS,
        run: clock,
    },
    Step {
        name: "isready while thinking",
        right: "answer 'readyok' at once, also during a search, and go on searching",
        dialects: WITH_COMMANDS,
        run: ready_while_thinking,
    },
    Step {
        name: "stop",
        right: "answer 'stop' with the best move so far, at once; 'go infinite' does not end before",
        dialects: WITH_COMMANDS,
        run: stop,
    },
    Step {
        name: "stop without a search",
        right: "ignore it",
        dialects: WITH_COMMANDS,
        run: stray_stop,
    },
    Step {
        name: "illegal position",
        right: "refuse it and live on; in the native dialect say so with one 'error' line",
        dialects: WITH_COMMANDS,
        run: illegal_position,
    },
    Step {
        name: "nonsense",
        right: "ignore what is not understood, or complain in one line, and live on",
        dialects: WITH_COMMANDS,
        run: nonsense,
    },
    Step {
        name: "finished game",
        right: "answer 'bestmove (none)'",
        dialects: WITH_NO_MOVE,
        run: finished_game,
    },
    Step {
        name: "whole games",
        right: "play legal moves in time until the game is over",
        dialects: ALL,
        run: whole_games,
    },
    Step { name: "quit", right: "end at once", dialects: WITH_COMMANDS, run: quit },
    Step {
        name: "end of input",
        right: "end when the input ends",
        dialects: ALL,
        run: end_of_input,
    },
    Step {
        name: "end of input while thinking",
        right: "end when the input ends, also during 'go infinite'",
        dialects: WITH_COMMANDS,
        run: end_of_input_while_thinking,
    },
];

fn start(probe: &mut Probe<'_>) -> Result<(), String> {
    let mut engine = probe.started()?;
    // What it says unasked does not matter here; that it ends does.
    while engine.process().line(Instant::now() + A_WHILE).map_err(told)?.is_some() {}
    Ok(())
}

fn legal_moves(probe: &mut Probe<'_>) -> Result<(), String> {
    let go = probe.usual_go();
    probe.legal_answer(&Position::default(), &go)?;
    for position in probe.positions(3)? {
        probe.legal_answer(&position, &go)?;
    }
    Ok(())
}

fn one_answer(probe: &mut Probe<'_>) -> Result<(), String> {
    let go = probe.usual_go();
    probe.legal_answer(&Position::default(), &go)?;
    match probe.moves_before(Instant::now() + 2 * A_WHILE)? {
        0 => Ok(()),
        more => Err(format!("it gives {} moves for one question", 1 + more)),
    }
}

fn depth_and_nodes(probe: &mut Probe<'_>) -> Result<(), String> {
    probe.legal_answer(&Position::default(), &Go { depth: Some(1), ..Go::default() })?;
    probe.legal_answer(&Position::default(), &Go { nodes: Some(100), ..Go::default() })?;
    Ok(())
}

fn movetime(probe: &mut Probe<'_>) -> Result<(), String> {
    let go = Go { movetime: Some(MOVETIME), ..Go::default() };
    for position in probe.positions(3)? {
        let taken = probe.legal_answer(&position, &go)?.time;
        in_time(taken, MOVETIME, probe.margin)?;
    }
    Ok(())
}

fn clock(probe: &mut Probe<'_>) -> Result<(), String> {
    let clock = Clock { remaining: 5 * MOVETIME, increment: Duration::ZERO };
    let go = Go { clocks: [Some(clock); 2], ..Go::default() };
    for position in probe.positions(2)? {
        let taken = probe.legal_answer(&position, &go)?.time;
        in_time(taken, clock.remaining, probe.margin)?;
    }
    Ok(())
}

fn in_time(taken: Duration, allowed: Duration, margin: Duration) -> Result<(), String> {
    if taken <= allowed + margin {
        return Ok(());
    }
    let [taken, allowed, margin] = [taken, allowed, margin].map(|time| time.as_millis());
    Err(format!("{taken} ms for a move that may take {allowed} ms, with a margin of {margin} ms"))
}

fn ready_while_thinking(probe: &mut Probe<'_>) -> Result<(), String> {
    probe.think_for_ever()?;
    std::thread::sleep(A_WHILE);
    probe.send("isready")?;
    let lines = probe.lines_until("readyok", "after 'isready' during a search")?;
    if probe.moves_in(&lines)? > 0 {
        return Err("its search ended, by itself or by 'isready'".to_owned());
    }
    probe.send("stop")?;
    probe.lines_until("bestmove", "after 'stop'").map(drop)
}

fn stop(probe: &mut Probe<'_>) -> Result<(), String> {
    // Also a stop that comes at once must not be lost.
    for pause in [A_WHILE, Duration::ZERO] {
        let asked = probe.think_for_ever()?;
        if probe.moves_before(asked + pause)? > 0 {
            return Err("'go infinite' ended before 'stop'".to_owned());
        }
        probe.send("stop")?;
        probe.lines_until("bestmove", "after 'stop'")?;
        probe.send("isready")?;
        let more = probe.lines_until("readyok", "after 'isready'")?;
        if probe.moves_in(&more)? > 0 {
            return Err("it gives more than one move for one 'go'".to_owned());
        }
    }
    Ok(())
}

fn stray_stop(probe: &mut Probe<'_>) -> Result<(), String> {
    probe.send("stop")?;
    probe.send("isready")?;
    let lines = probe.lines_until("readyok", "after 'stop' and 'isready'")?;
    match probe.moves_in(&lines)? {
        0 => Ok(()),
        _ => Err("it gives a move that nobody asked for".to_owned()),
    }
}

fn illegal_position(probe: &mut Probe<'_>) -> Result<(), String> {
    let illegal = Position { setup: String::new(), moves: vec!["99".to_owned()] };
    let question = probe.engine()?.dialect().question(&illegal, &Go::default());
    let line = question.prepare.unwrap_or_default();
    probe.send(&line)?;
    probe.send("isready")?;
    let lines = probe.lines_until("readyok", "after an illegal position")?;
    let is_native = probe.engine()?.dialect().hello().is_none();
    if is_native && !lines.iter().any(|line| line.starts_with("error")) {
        return Err(format!("no 'error' line after '{line}'"));
    }
    let go = probe.usual_go();
    probe.legal_answer(&Position::default(), &go).map(drop)
}

fn nonsense(probe: &mut Probe<'_>) -> Result<(), String> {
    for line in ["xyzzy plugh", "", "   ", "go2 depth", "\u{1F916} \t \u{0}"] {
        probe.send(line)?;
    }
    probe.send("isready")?;
    probe.lines_until("readyok", "after nonsense")?;
    let go = probe.usual_go();
    probe.legal_answer(&Position::default(), &go).map(drop)
}

fn finished_game(probe: &mut Probe<'_>) -> Result<(), String> {
    let mut table = probe.table()?;
    let mut position = Position::default();
    while let Some(mv) = table.moves().first() {
        table.play(mv)?;
        position.moves.push(mv.clone());
    }
    let go = probe.usual_go();
    let answer = probe.engine()?.ask(&position, &go, go.movetime).map_err(told)?;
    match answer.mv.as_str() {
        "(none)" => Ok(()),
        mv => Err(format!("when the game is over it plays '{}'", shown(mv))),
    }
}

fn whole_games(probe: &mut Probe<'_>) -> Result<(), String> {
    let (mut first, mut second) = (probe.ready()?, probe.ready()?);
    for opening in probe.positions(2)? {
        let mut table = probe.table()?;
        umpire::set_up(&mut *table, &opening)?;
        let rules = Rules {
            table: &mut *table,
            opening: &opening,
            limits: [probe.usual_limits(); 2],
            margin: probe.margin,
        };
        let course = referee::play(rules, [&mut first, &mut second]).ok_or("interrupted")?;
        if let End::Fault(side, fault) = course.end {
            let player = if side == Side::P1 { "player 1" } else { "player 2" };
            let ply = opening.moves.len() + course.answers.len() + 1;
            return Err(format!("as {player}, in move {ply}: {fault}"));
        }
    }
    Ok(())
}

fn quit(probe: &mut Probe<'_>) -> Result<(), String> {
    let mut engine = probe.ready()?;
    engine.process().send("quit").map_err(told)?;
    match engine.process().ended_by(Instant::now() + probe.patience()) {
        Some(_) => Ok(()),
        None => Err(format!("it still runs {} ms after 'quit'", probe.patience().as_millis())),
    }
}

fn end_of_input(probe: &mut Probe<'_>) -> Result<(), String> {
    let mut engine = probe.ready()?;
    engine.process().close_input();
    match engine.process().ended_by(Instant::now() + probe.patience()) {
        Some(_) => Ok(()),
        None => Err("it still runs, though its input has ended".to_owned()),
    }
}

fn end_of_input_while_thinking(probe: &mut Probe<'_>) -> Result<(), String> {
    probe.think_for_ever()?;
    std::thread::sleep(A_WHILE);
    let deadline = Instant::now() + probe.patience();
    let process = probe.engine()?.process();
    process.close_input();
    match process.ended_by(deadline) {
        Some(_) => Ok(()),
        None => Err("it still thinks, though its input has ended".to_owned()),
    }
}
