//! Nodes per second, depth reached in a given time, and speedup by a second thread.
//!
//! Nodes per second are relative to CPU time, which hardly changes on a busy machine; depths and
//! speedups are relative to wall-clock time, as users see them.
//!
//! Every search starts with an empty table, as after `newgame`, so the cost of fresh memory is
//! included. Repetitions go round all cases: a disturbance then spoils one repetition of several
//! cases, not all repetitions of one.

use std::time::Duration;

use anyhow::Result;
use ratlla::protocol::command::Go;
use ratlla::settings::Settings;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::{Context, Section};
use crate::figures::{duration, millions};
use crate::sample::Sample;
use crate::searching::{Found, Position, search};

/// The section.
pub const SECTION: Section = Section {
    name: "speed",
    purpose: "nodes per second, depth in a second, and speedup by a second thread",
    run,
};

/// A position to search.
struct Case {
    position: Position,
    /// Time per search.
    time: Duration,
    /// A depth that one thread reaches in about a second.
    depth: u32,
}

const SECOND: Duration = Duration::from_secs(1);
/// Time on the empty 6x7 board, in the table's last column.
const LONG_TIME: Duration = Duration::from_millis(1700);

const EMPTY: &str = "empty";
const MIDDLE: &str = "middle game";

const CASES: &[Case] = &[
    case("6 7", EMPTY, "", LONG_TIME, 18),
    case("6 7", MIDDLE, "4 3 4 4 4 7 3 3 3 4 3 4", SECOND, 22),
    case("8 8", EMPTY, "", SECOND, 15),
    case("8 8", MIDDLE, "4 5 5 4 4 4 5 5 5 4 5 4 4 2 5 5 2 6 8 2", SECOND, 20),
    case("10 12", EMPTY, "", SECOND, 13),
    case(
        "10 12",
        MIDDLE,
        "8 7 4 4 7 4 7 7 4 3 8 8 10 8 10 11 8 3 3 1 3 1 7 7 7 8 8 4 4 11",
        SECOND,
        14,
    ),
    case("25 25", EMPTY, "", SECOND, 10),
    case(
        "25 25",
        MIDDLE,
        "1 8 15 22 4 11 18 25 7 14 21 3 10 17 24 6 13 20 2 9 16 23 5 12 19",
        SECOND,
        11,
    ),
];

const fn case(
    board: &'static str,
    name: &'static str,
    moves: &'static str,
    time: Duration,
    depth: u32,
) -> Case {
    Case { position: Position { board, name, moves }, time, depth }
}

const HASHES: [usize; 2] = [64, 256];

fn run(context: &Context) -> Result<Vec<Table>> {
    let repetitions = context.amount(5, 2);
    Ok(vec![one_thread(repetitions)?, two_threads(repetitions)?])
}

/// The measurements of one case.
#[derive(Default)]
struct Figures {
    nodes_per_second: Sample,
    depth_in_second: Sample,
    depth_in_long_time: Sample,
    is_proved: bool,
}

impl Figures {
    fn add(&mut self, found: &Found) {
        self.nodes_per_second.add(found.nodes_per_second());
        self.depth_in_second.add(found.depth_within(SECOND).into());
        self.depth_in_long_time.add(found.depth_within(LONG_TIME).into());
        self.is_proved = found.is_proved();
    }
}

fn one_thread(repetitions: usize) -> Result<Table> {
    let runs: Vec<(usize, &Case)> =
        HASHES.into_iter().flat_map(|hash| CASES.iter().map(move |case| (hash, case))).collect();
    let mut figures: Vec<Figures> = runs.iter().map(|_| Figures::default()).collect();
    let progress = bar("speed", repetitions * runs.len());
    for _ in 0..repetitions {
        for ((hash, case), figures) in runs.iter().zip(&mut figures) {
            // A depth limit excludes book and solver: only the search is measured.
            let limits = Go { movetime: Some(case.time), depth: Some(u32::MAX), ..Go::default() };
            figures.add(&search(
                &mut *case.position.open()?,
                &Settings::default(),
                &limits,
                *hash,
            )?);
            progress.inc(1);
        }
    }
    let mut table = Table::new(&[
        ("board", Left),
        ("position", Left),
        ("Hash", Right),
        ("nodes/s min", Right),
        ("median", Right),
        ("max", Right),
        ("depth in 1 s", Right),
        ("in 1.7 s", Right),
    ])
    .with_title(format!("Speed of one thread, {repetitions} repetitions"));
    for ((hash, case), figures) in runs.iter().zip(&figures) {
        let speed = &figures.nodes_per_second;
        let proof = if figures.is_proved { " proved" } else { "" };
        let is_long = case.time == LONG_TIME;
        table.row([
            board_name(&case.position),
            case.position.name.to_owned(),
            hash.to_string(),
            millions(speed.min()),
            millions(speed.median()),
            millions(speed.max()),
            format!("{:.0}{proof}", figures.depth_in_second.median()),
            if is_long { figures.depth_in_long_time.median().to_string() } else { String::new() },
        ]);
    }
    Ok(table)
}

fn two_threads(repetitions: usize) -> Result<Table> {
    const THREADS: [usize; 2] = [1, 2];
    let mut seconds: Vec<[Sample; 2]> = CASES.iter().map(|_| Default::default()).collect();
    let progress = bar("threads", repetitions * CASES.len() * THREADS.len());
    for _ in 0..repetitions {
        for (case, samples) in CASES.iter().zip(&mut seconds) {
            let limits = Go { depth: Some(case.depth), ..Go::default() };
            for (threads, sample) in THREADS.into_iter().zip(samples) {
                let settings = Settings { threads, ..Settings::default() };
                let found = search(&mut *case.position.open()?, &settings, &limits, HASHES[0])?;
                sample.add(found.time.as_secs_f64());
                progress.inc(1);
            }
        }
    }
    let mut table = Table::new(&[
        ("board", Left),
        ("position", Left),
        ("depth", Right),
        ("1 thread min", Right),
        ("median", Right),
        ("2 threads min", Right),
        ("median", Right),
        ("speedup", Right),
    ])
    .with_title(format!("Time to a fixed depth, {repetitions} repetitions"));
    for (case, [one, two]) in CASES.iter().zip(&seconds) {
        table.row([
            board_name(&case.position),
            case.position.name.to_owned(),
            case.depth.to_string(),
            duration(one.min()),
            duration(one.median()),
            duration(two.min()),
            duration(two.median()),
            format!("{:.2}x", one.median() / two.median()),
        ]);
    }
    Ok(table)
}

fn board_name(position: &Position) -> String {
    position.board.replace(' ', "x")
}
