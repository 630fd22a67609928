//! Nodes per second, the depth reached in a given time, and what a second thread gains.
//!
//! Nodes per second are counted in processor time, which stays the same on a busy machine but for
//! caches and clock rates; depths and the gain of a thread are what a user sees, by the clock.
//!
//! Every search starts with an empty table, as after `newgame`, so the price of fresh memory is
//! part of the figures. Repetitions go round all cases in turn: a disturbance of the machine
//! then spoils one repetition of several cases, not all repetitions of one.

use std::time::Duration;

use anyhow::Result;
use ratlla::limits::Limits;
use ratlla::strategy::Settings;

use super::{Context, Section};
use crate::sample::{Sample, Target};
use crate::searching::{Found, Position, search};
use crate::tables::{Align, Table, millions};

/// The section.
pub const SECTION: Section = Section {
    name: "speed",
    purpose: "nodes per second, depth in a second, and the gain of a second thread",
    run,
};

/// A position to search, and what is expected of it.
struct Case {
    position: Position,
    target: Target,
    /// How long one search takes.
    time: Duration,
    /// A depth that one thread reaches in about a second.
    depth: u32,
}

const SECOND: Duration = Duration::from_secs(1);
/// A general engine reaches depth 21 on the empty 6x7 board in so much time.
const RIVAL_TIME: Duration = Duration::from_millis(1700);
const RIVAL_DEPTH: u32 = 21;

const EMPTY: &str = "empty";
const MIDDLE: &str = "middle game";
const SMALL_BOARD: Target = Target::NodesPerSecond(8e6);
const LARGE_BOARD: Target = Target::NodesPerSecond(1e6);

const CASES: &[Case] = &[
    case("6 7", EMPTY, "", SMALL_BOARD, RIVAL_TIME, 18),
    case("6 7", MIDDLE, "4 3 4 4 4 7 3 3 3 4 3 4", SMALL_BOARD, SECOND, 22),
    case("8 8", EMPTY, "", Target::Open, SECOND, 15),
    case("8 8", MIDDLE, "4 5 5 4 4 4 5 5 5 4 5 4 4 2 5 5 2 6 8 2", Target::Open, SECOND, 20),
    case("10 12", EMPTY, "", Target::Open, SECOND, 13),
    case(
        "10 12",
        MIDDLE,
        "8 7 4 4 7 4 7 7 4 3 8 8 10 8 10 11 8 3 3 1 3 1 7 7 7 8 8 4 4 11",
        Target::Open,
        SECOND,
        14,
    ),
    case("25 25", EMPTY, "", LARGE_BOARD, SECOND, 10),
    case(
        "25 25",
        MIDDLE,
        "1 8 15 22 4 11 18 25 7 14 21 3 10 17 24 6 13 20 2 9 16 23 5 12 19",
        LARGE_BOARD,
        SECOND,
        11,
    ),
];

const fn case(
    board: &'static str,
    name: &'static str,
    moves: &'static str,
    target: Target,
    time: Duration,
    depth: u32,
) -> Case {
    Case { position: Position { board, name, moves }, target, time, depth }
}

const HASHES: [usize; 2] = [64, 256];

fn run(context: &Context) -> Result<Vec<Table>> {
    let repetitions = context.amount(5, 2);
    Ok(vec![one_thread(context, repetitions)?, two_threads(context, repetitions)?])
}

/// What was measured of one case.
#[derive(Default)]
struct Figures {
    nodes_per_second: Sample,
    depth_in_second: Sample,
    depth_in_rival_time: Sample,
    is_proved: bool,
}

impl Figures {
    fn add(&mut self, found: &Found) {
        self.nodes_per_second.add(found.nodes_per_second());
        self.depth_in_second.add(found.depth_within(SECOND).into());
        self.depth_in_rival_time.add(found.depth_within(RIVAL_TIME).into());
        self.is_proved = found.is_proved();
    }
}

fn one_thread(context: &Context, repetitions: usize) -> Result<Table> {
    let runs: Vec<(usize, &Case)> =
        HASHES.into_iter().flat_map(|hash| CASES.iter().map(move |case| (hash, case))).collect();
    let mut figures: Vec<Figures> = runs.iter().map(|_| Figures::default()).collect();
    let progress = context.progress("speed", repetitions * runs.len());
    for _ in 0..repetitions {
        for ((hash, case), figures) in runs.iter().zip(&mut figures) {
            // A depth, however large, keeps book and solver out: the search alone is measured.
            let limits =
                Limits { movetime: Some(case.time), depth: Some(u32::MAX), ..Limits::default() };
            figures.add(&search(&*case.position.open()?, &Settings::default(), &limits, *hash)?);
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let mut table = Table::new(
        format!("Speed of one thread, {repetitions} repetitions"),
        &[
            ("board", Align::Left),
            ("position", Align::Left),
            ("Hash", Align::Right),
            ("nodes/s min", Align::Right),
            ("median", Align::Right),
            ("max", Align::Right),
            ("target", Align::Right),
            ("median is", Align::Left),
            ("depth in 1 s", Align::Right),
            ("in 1.7 s", Align::Right),
        ],
    );
    for ((hash, case), figures) in runs.iter().zip(&figures) {
        let speed = &figures.nodes_per_second;
        let [target, mark] = case.target.cells(speed.median());
        let proof = if figures.is_proved { " proved" } else { "" };
        let is_rival_case = case.time == RIVAL_TIME;
        table.row([
            board_name(&case.position),
            case.position.name.to_owned(),
            hash.to_string(),
            millions(speed.min()),
            millions(speed.median()),
            millions(speed.max()),
            target,
            mark,
            format!("{:.0}{proof}", figures.depth_in_second.median()),
            if is_rival_case {
                figures.depth_in_rival_time.median().to_string()
            } else {
                String::new()
            },
        ]);
    }
    table.note(format!(
        "To compare: a general engine at 0.6 M nodes/s reaches depth {RIVAL_DEPTH} on the empty 6x7 board in 1.7 s.",
    ));
    Ok(table)
}

fn two_threads(context: &Context, repetitions: usize) -> Result<Table> {
    const THREADS: [usize; 2] = [1, 2];
    let mut seconds: Vec<[Sample; 2]> = CASES.iter().map(|_| Default::default()).collect();
    let progress = context.progress("threads", repetitions * CASES.len() * THREADS.len());
    for _ in 0..repetitions {
        for (case, samples) in CASES.iter().zip(&mut seconds) {
            let limits = Limits { depth: Some(case.depth), ..Limits::default() };
            for (threads, sample) in THREADS.into_iter().zip(samples) {
                let settings = Settings { threads, ..Settings::default() };
                let found = search(&*case.position.open()?, &settings, &limits, HASHES[0])?;
                sample.add(found.time.as_secs_f64());
                progress.inc(1);
            }
        }
    }
    progress.finish_and_clear();
    let mut table = Table::new(
        format!("Time to a fixed depth with one and two threads, {repetitions} repetitions"),
        &[
            ("board", Align::Left),
            ("position", Align::Left),
            ("depth", Align::Right),
            ("1 thread min", Align::Right),
            ("median", Align::Right),
            ("2 threads min", Align::Right),
            ("median", Align::Right),
            ("gain", Align::Right),
        ],
    );
    for (case, [one, two]) in CASES.iter().zip(&seconds) {
        let seconds = |value: f64| format!("{value:.2} s");
        table.row([
            board_name(&case.position),
            case.position.name.to_owned(),
            case.depth.to_string(),
            seconds(one.min()),
            seconds(one.median()),
            seconds(two.min()),
            seconds(two.median()),
            format!("{:.2} x", one.median() / two.median()),
        ]);
    }
    Ok(table)
}

fn board_name(position: &Position) -> String {
    position.board.replace(' ', "x")
}
