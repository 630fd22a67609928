//! How fast the exact solver of Connect Four is, next to what is asked of it.
//!
//! What is asked is told as a multiple of the speed of the best other program known for each row,
//! measured on a machine of this kind, with cold caches.

use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use cpu_time::ThreadTime;
use ratlla::games::connect4::solver::Position;

use super::{Context, Section};
use crate::positions::{
    BEGIN_EASY, BEGIN_HARD, BEGIN_MEDIUM, Case, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set,
};
use crate::solving::{HASH, Ours, Scorer, flushed, hot, once};
use crate::tables::{Align, Table, count, duration};

/// The section.
pub const SECTION: Section = Section {
    name: "solver",
    purpose: "the exact solver: time and nodes for public positions and empty boards",
    run,
};

/// The best other program, and how much faster than it the solver is to be.
#[derive(Clone, Copy)]
struct Rival {
    name: &'static str,
    seconds: f64,
    must: f64,
    moonshot: f64,
}

impl Rival {
    /// The rival, how much faster the solver is, and what that means, as cells of a table.
    fn cells(self, seconds: f64) -> [String; 5] {
        let ratio = self.seconds / seconds;
        let mark = match ratio {
            ratio if ratio >= self.moonshot => "✓ moonshot",
            ratio if ratio >= self.must => "✓ must",
            _ => "✗ missed",
        };
        [
            format!("{} {}", self.name, duration(self.seconds)),
            format!("{ratio:.2}x"),
            format!("{:.1}x", self.must),
            format!("{:.1}x", self.moonshot),
            mark.to_owned(),
        ]
    }
}

const RIVAL_COLUMNS: [(&str, Align); 5] = [
    ("best rival", Align::Left),
    ("faster", Align::Right),
    ("must", Align::Right),
    ("moonshot", Align::Right),
    ("is", Align::Left),
];

/// A set of positions, how many of them are measured, and how many for a look.
struct Row {
    set: Set,
    positions: usize,
    quick: usize,
    rival: Rival,
}

const ROWS: [Row; 6] = [
    row(END_EASY, 1000, 100, rival("connect-four-ai", 8.2e-6, 1.7, 3.0)),
    row(MIDDLE_EASY, 1000, 100, rival("connect-four-ai", 77e-6, 3.5, 6.0)),
    row(MIDDLE_MEDIUM, 1000, 100, rival("c4", 2.89e-3, 3.5, 8.0)),
    row(BEGIN_EASY, 1000, 100, rival("Pons", 570e-6, 6.0, 10.0)),
    row(BEGIN_MEDIUM, 100, 20, rival("c4", 130e-3, 4.0, 8.0)),
    row(BEGIN_HARD, 20, 3, rival("c4", 1.6, 5.0, 8.0)),
];

const fn row(set: Set, positions: usize, quick: usize, rival: Rival) -> Row {
    Row { set, positions, quick, rival }
}

const fn rival(name: &'static str, seconds: f64, must: f64, moonshot: f64) -> Rival {
    Rival { name, seconds, must, moonshot }
}

/// An empty board, all of which the first player wins with the last stone but a few.
struct EmptyBoard {
    rows: u32,
    columns: u32,
    threads: usize,
    rival: Rival,
}

/// The score of each of [`EMPTY_BOARDS`].
const EMPTY_SCORE: i32 = 1;

/// By processor time on one thread, and by the clock on two.
const EMPTY_BOARDS: [EmptyBoard; 4] = [
    empty(6, 7, 1, rival("c4", 43.5, 43.5 / 8.0, 43.5 / 4.0)),
    empty(6, 7, 2, rival("c4", 26.7, 26.7 / 5.0, 26.7 / 2.5)),
    empty(5, 8, 1, rival("c4", 76.6, 4.0, 8.0)),
    empty(7, 6, 1, rival("c4", 34.8, 4.0, 8.0)),
];

const fn empty(rows: u32, columns: u32, threads: usize, rival: Rival) -> EmptyBoard {
    EmptyBoard { rows, columns, threads, rival }
}

fn run(context: &Context) -> Result<Vec<Table>> {
    if context.all {
        return Ok(vec![all_positions(context)?]);
    }
    Ok(vec![sets(context)?, empty_boards(context)?])
}

fn sets(context: &Context) -> Result<Table> {
    let mut columns = vec![
        ("set", Align::Left),
        ("positions", Align::Right),
        ("nodes", Align::Right),
        ("hot", Align::Right),
        ("flushed", Align::Right),
    ];
    columns.extend(RIVAL_COLUMNS);
    let title = format!("Exact scores on 6x7, one thread, {HASH} MiB, means of processor time");
    let mut table = Table::new(title, &columns);
    let mut solver = Ours::new(1)?;
    for Row { set, positions, quick, rival } in ROWS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(positions, quick))?;
        let progress = context.progress(set.name, 2 * cases.len());
        let hot = hot(&mut solver, &cases, &progress)?;
        let flushed = flushed(&mut solver, &cases, &progress)?;
        progress.finish_and_clear();
        let own = [
            set.name.to_owned(),
            cases.len().to_string(),
            count(hot.nodes),
            duration(hot.seconds),
            duration(flushed.seconds),
        ];
        table.row(own.into_iter().chain(rival.cells(flushed.seconds)));
    }
    table.note(
        "Every position starts with an empty table; to empty it does not count. Every score is right. Flushed: \
         128 MiB are written before each position. Reading the clock does not count. Faster: the rival's time by ours, flushed.",
    );
    if context.quick {
        table.note("Fewer positions than the rivals solved: the comparison is no exact_value.");
    }
    Ok(table)
}

fn empty_boards(context: &Context) -> Result<Table> {
    let mut columns = vec![
        ("board", Align::Left),
        ("threads", Align::Right),
        ("nodes", Align::Right),
        ("time", Align::Right),
    ];
    columns.extend(RIVAL_COLUMNS);
    let mut table = Table::new(format!("Empty boards, {HASH} MiB"), &columns);
    let progress = context.progress("empty boards", EMPTY_BOARDS.len());
    for board in EMPTY_BOARDS {
        let name = format!("{}x{}", board.rows, board.columns);
        if !context.wants(&name) {
            continue;
        }
        let (seconds, nodes) = solve_empty(&board)?;
        progress.inc(1);
        let own = [name, board.threads.to_string(), count(nodes as f64), duration(seconds)];
        table.row(own.into_iter().chain(board.rival.cells(seconds)));
    }
    progress.finish_and_clear();
    table
        .note("Processor time with one thread, time by the clock with more. All scores are right.");
    Ok(table)
}

/// Seconds and nodes.
fn solve_empty(board: &EmptyBoard) -> Result<(f64, u64)> {
    let position = Position::new(board.rows, board.columns)?;
    let case = Case { moves: "", position, score: EMPTY_SCORE };
    let mut solver = Ours::new(board.threads)?;
    let (clock, processor) = (Instant::now(), ThreadTime::now());
    let (score, nodes) = solver.score(&case);
    let time: Duration = if board.threads == 1 { processor.elapsed() } else { clock.elapsed() };
    ensure!(score == EMPTY_SCORE, "{}x{}: the score is not {score}", board.rows, board.columns);
    Ok((time.as_secs_f64(), nodes))
}

/// Checks every position there is, once.
fn all_positions(context: &Context) -> Result<Table> {
    let mut table = Table::new(
        format!("All exact scores on 6x7, one thread, {HASH} MiB"),
        &[
            ("set", Align::Left),
            ("positions", Align::Right),
            ("mean nodes", Align::Right),
            ("mean time", Align::Right),
        ],
    );
    let mut solver = Ours::new(1)?;
    for Row { set, .. } in ROWS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(usize::MAX)?;
        let progress = context.progress(set.name, cases.len());
        let means = once(&mut solver, &cases, &progress)?;
        progress.finish_and_clear();
        table.row([
            set.name.to_owned(),
            cases.len().to_string(),
            count(means.nodes),
            duration(means.seconds),
        ]);
    }
    table.note("Every score is right. Every position starts with an empty table.");
    Ok(table)
}
