//! Times of the exact solver of Connect Four, next to those of the fastest other solver known for
//! each row.
//!
//! The other solvers' times were measured on a machine of the same kind, on the easier sets with
//! cold caches, each with the table size that suits the set best.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use ratlla::games::connect4::solver::Position;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::{Align, Table};

use super::{Context, Section};
use crate::figures::{count, duration, mean};
use crate::positions::{
    BEGIN_EASY, BEGIN_HARD, BEGIN_MEDIUM, Case, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set,
};
use crate::solving::{HASH, Ours, Scorer, cold, once, warm};

/// The section.
pub const SECTION: Section = Section {
    name: "solver",
    purpose: "the exact solver: time and nodes for public positions and empty boards",
    run,
};

/// The fastest other solver.
#[derive(Clone, Copy)]
struct OtherSolver {
    name: &'static str,
    seconds: f64,
}

impl OtherSolver {
    /// The cells of [`OTHER_COLUMNS`].
    fn cells(self, seconds: f64) -> [String; 2] {
        let ratio = self.seconds / seconds;
        [format!("{} {}", self.name, duration(self.seconds)), format!("{ratio:.2}x")]
    }
}

const OTHER_COLUMNS: [(&str, Align); 2] = [("fastest other", Left), ("ratlla is faster", Right)];

/// A set, and how many of its positions are solved in full and quick runs.
struct Row {
    set: Set,
    positions: usize,
    quick: usize,
    other: OtherSolver,
}

const ROWS: [Row; 6] = [
    row(END_EASY, 1000, 100, other("Pons", 8.5e-6)),
    row(MIDDLE_EASY, 1000, 100, other("Pons", 33.1e-6)),
    row(MIDDLE_MEDIUM, 1000, 100, other("c4", 1.71e-3)),
    row(BEGIN_EASY, 1000, 100, other("Pons", 219e-6)),
    row(BEGIN_MEDIUM, 100, 20, other("Pons", 65.2e-3)),
    row(BEGIN_HARD, 20, 3, other("c4", 1.03)),
];

const fn row(set: Set, positions: usize, quick: usize, other: OtherSolver) -> Row {
    Row { set, positions, quick, other }
}

const fn other(name: &'static str, seconds: f64) -> OtherSolver {
    OtherSolver { name, seconds }
}

/// An empty board, which the first player wins late.
struct EmptyBoard {
    rows: u32,
    columns: u32,
    threads: usize,
    other: OtherSolver,
}

/// The score of each of [`EMPTY_BOARDS`].
const EMPTY_SCORE: i32 = 1;

/// CPU time with one thread, wall-clock time with two.
const EMPTY_BOARDS: [EmptyBoard; 4] = [
    empty(6, 7, 1, other("c4", 27.4)),
    empty(6, 7, 2, other("c4", 17.4)),
    empty(5, 8, 1, other("c4", 50.2)),
    empty(7, 6, 1, other("c4", 21.0)),
];

const fn empty(rows: u32, columns: u32, threads: usize, other: OtherSolver) -> EmptyBoard {
    EmptyBoard { rows, columns, threads, other }
}

fn run(context: &Context) -> Result<Vec<Table>> {
    if context.all {
        return Ok(vec![all_positions(context)?]);
    }
    Ok(vec![sets(context)?, empty_boards(context)?])
}

fn sets(context: &Context) -> Result<Table> {
    let mut columns = vec![
        ("set", Left),
        ("positions", Right),
        ("nodes", Right),
        ("warm", Right),
        ("cold", Right),
    ];
    columns.extend(OTHER_COLUMNS);
    let title = format!("Exact scores on 6x7, one thread, {HASH} MiB, mean CPU time");
    let mut table = Table::new(&columns).with_title(title);
    let mut solver = Ours::new(1)?;
    for Row { set, positions, quick, other } in ROWS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(positions, quick))?;
        let progress = bar(set.name, 2 * cases.len());
        let warm = warm(&mut solver, &cases, &progress)?;
        let cold = cold(&mut solver, &cases, &progress)?;
        let own = [
            set.name.to_owned(),
            cases.len().to_string(),
            mean(warm.nodes),
            duration(warm.seconds),
            duration(cold.seconds),
        ];
        table.row(own.into_iter().chain(other.cells(cold.seconds)));
    }
    table.note(
        "Every position starts with an empty table; clearing it and reading the clock are not \
         timed. All scores are correct. Cold: 128 MiB are written before each position to flush the \
         caches. The last column compares cold times.",
    );
    if context.quick {
        table
            .note("Fewer positions than the others solved, so the comparison is only a rough one.");
    }
    Ok(table)
}

fn empty_boards(context: &Context) -> Result<Table> {
    let mut columns = vec![("board", Left), ("threads", Right), ("nodes", Right), ("time", Right)];
    columns.extend(OTHER_COLUMNS);
    let mut table = Table::new(&columns).with_title(format!("Empty boards, {HASH} MiB"));
    let progress = bar("empty boards", EMPTY_BOARDS.len());
    for board in EMPTY_BOARDS {
        let name = format!("{}x{}", board.rows, board.columns);
        if !context.wants(&name) {
            continue;
        }
        let (seconds, nodes) = solve_empty(&board)?;
        progress.inc(1);
        let own = [name, board.threads.to_string(), count(nodes), duration(seconds)];
        table.row(own.into_iter().chain(board.other.cells(seconds)));
    }
    table.note("CPU time with one thread, wall-clock time with two. All scores are correct.");
    Ok(table)
}

/// Seconds and nodes.
fn solve_empty(board: &EmptyBoard) -> Result<(f64, u64)> {
    let position = Position::new(board.rows, board.columns)?;
    let case = Case { moves: "", position, score: EMPTY_SCORE };
    let mut solver = Ours::new(board.threads)?;
    let (clock, cpu) = (Instant::now(), ThreadTime::now());
    let (score, nodes) = solver.score(&case);
    let time: Duration = if board.threads == 1 { cpu.elapsed() } else { clock.elapsed() };
    ensure!(score == EMPTY_SCORE, "{}x{}: wrong score {score}", board.rows, board.columns);
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
        let means = once(&mut solver, &cases, &progress)?;
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
