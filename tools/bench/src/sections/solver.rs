//! Times of the exact solver of Connect Four.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use ratlla::games::connect4::solver::Position;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;
use ratlla_timing::{Scorer as _, cold, once, warm};

use super::{Context, Section};
use crate::figures::{count, duration, mean};
use crate::positions::{
    BEGIN_EASY, BEGIN_HARD, BEGIN_MEDIUM, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set,
};
use crate::solving::{HASH, Ours};

/// The section.
pub const SECTION: Section = Section {
    name: "solver",
    purpose: "the exact solver: time and nodes for public positions and empty boards",
    run,
};

/// A set, and how many of its positions are solved in full and quick runs.
struct Row {
    set: Set,
    positions: usize,
    quick: usize,
}

const ROWS: [Row; 6] = [
    row(END_EASY, 1000, 100),
    row(MIDDLE_EASY, 1000, 100),
    row(MIDDLE_MEDIUM, 1000, 100),
    row(BEGIN_EASY, 1000, 100),
    row(BEGIN_MEDIUM, 100, 20),
    row(BEGIN_HARD, 20, 3),
];

const fn row(set: Set, positions: usize, quick: usize) -> Row {
    Row { set, positions, quick }
}

/// An empty board and its score.
struct EmptyBoard {
    rows: u32,
    columns: u32,
    threads: usize,
    score: i32,
}

/// CPU time with one thread, wall-clock time with two.
const EMPTY_BOARDS: [EmptyBoard; 5] = [
    empty(6, 7, 1, 1),
    empty(6, 7, 2, 1),
    empty(5, 8, 1, 1),
    empty(7, 6, 1, 1),
    empty(8, 6, 1, -1),
];

const fn empty(rows: u32, columns: u32, threads: usize, score: i32) -> EmptyBoard {
    EmptyBoard { rows, columns, threads, score }
}

fn run(context: &Context) -> Result<Vec<Table>> {
    if context.all {
        return Ok(vec![all_positions(context)?]);
    }
    Ok(vec![sets(context)?, empty_boards(context)?])
}

fn sets(context: &Context) -> Result<Table> {
    let columns =
        [("set", Left), ("positions", Right), ("nodes", Right), ("warm", Right), ("cold", Right)];
    let title = format!("Exact scores on 6x7, one thread, {HASH} MiB, mean CPU time");
    let mut table = Table::new(&columns).with_title(title);
    let mut solver = Ours::new(1)?;
    for Row { set, positions, quick } in ROWS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(positions, quick))?;
        let progress = bar(set.name, 2 * cases.len());
        let warm = warm(&mut solver, &cases, || progress.inc(1))?;
        let cold = cold(&mut solver, &cases, || progress.inc(1))?;
        table.row([
            set.name.to_owned(),
            cases.len().to_string(),
            mean(warm.nodes),
            duration(warm.seconds),
            duration(cold.seconds),
        ]);
    }
    table.note(
        "Every position starts with an empty table; clearing it and reading the clock are not \
         timed. All scores are correct. Cold: 128 MiB are written before each position to flush the \
         caches.",
    );
    Ok(table)
}

fn empty_boards(context: &Context) -> Result<Table> {
    let columns = [("board", Left), ("threads", Right), ("nodes", Right), ("time", Right)];
    let mut table = Table::new(&columns).with_title(format!("Empty boards, {HASH} MiB"));
    let progress = bar("empty boards", EMPTY_BOARDS.len());
    for board in EMPTY_BOARDS {
        let name = format!("{}x{}", board.rows, board.columns);
        if !context.wants(&name) {
            continue;
        }
        let (seconds, nodes) = solve_empty(&board)?;
        progress.inc(1);
        table.row([name, board.threads.to_string(), count(nodes), duration(seconds)]);
    }
    table.note("CPU time with one thread, wall-clock time with two. All scores are correct.");
    Ok(table)
}

/// Seconds and nodes.
fn solve_empty(board: &EmptyBoard) -> Result<(f64, u64)> {
    let position = Position::new(board.rows, board.columns)?;
    let mut solver = Ours::new(board.threads)?;
    let (clock, cpu) = (Instant::now(), ThreadTime::now());
    let (score, nodes) = solver.score(&position);
    let time: Duration = if board.threads == 1 { cpu.elapsed() } else { clock.elapsed() };
    ensure!(score == board.score, "{}x{}: wrong score {score}", board.rows, board.columns);
    Ok((time.as_secs_f64(), nodes))
}

/// Solves every position once.
fn all_positions(context: &Context) -> Result<Table> {
    let mut table = Table::new(&[
        ("set", Left),
        ("positions", Right),
        ("mean nodes", Right),
        ("mean time", Right),
    ])
    .with_title(format!("All exact scores on 6x7, one thread, {HASH} MiB"));
    let mut solver = Ours::new(1)?;
    for Row { set, .. } in ROWS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(usize::MAX)?;
        let progress = bar(set.name, cases.len());
        let means = once(&mut solver, &cases, || progress.inc(1))?;
        table.row([
            set.name.to_owned(),
            cases.len().to_string(),
            mean(means.nodes),
            duration(means.seconds),
        ]);
    }
    table.note("All scores are correct. Every position starts with an empty table.");
    Ok(table)
}
