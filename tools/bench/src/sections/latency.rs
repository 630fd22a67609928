//! Latency of the engine, seen by a client at the other end of its pipes.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::ProgressBar;
use ratlla_client::Engine;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::{Context, Section};
use crate::engine::{answer_time, beside_this_program, start, start_game, wait_for};
use crate::figures::duration;
use crate::sample::Sample;

/// The section.
pub const SECTION: Section = Section {
    name: "latency",
    purpose: "time to start, to answer isready and stop, and beyond go movetime",
    run,
};

const BOARDS: [&str; 2] = ["6 7", "25 25"];
/// Time per move in milliseconds, and the number of searches.
const MOVE_TIMES: &[(u64, usize)] =
    &[(1, 20), (2, 20), (5, 20), (10, 20), (50, 10), (100, 10), (500, 5), (1000, 3), (5000, 2)];
const QUICK_MOVE_TIMES: &[(u64, usize)] = &[(1, 5), (10, 5), (100, 3), (1000, 1)];

fn run(context: &Context) -> Result<Vec<Table>> {
    let program = match &context.engine {
        Some(program) => program.clone(),
        None => beside_this_program()?,
    };
    let tries = context.amount(50, 10);
    let move_times = context.amount(MOVE_TIMES, QUICK_MOVE_TIMES);
    let searches: usize = move_times.iter().map(|(_, tries)| 2 * tries).sum();
    let progress = bar("latency", tries + BOARDS.len() * (2 * tries + searches));
    let bench = Bench { program: &program, progress: &progress };
    let mut answers = timing_table("Time to answer");
    add_row(&mut answers, "start to readyok", &bench.starts(tries)?);
    for board in BOARDS {
        let name = board.replace(' ', "x");
        let ready = bench.ready_while_searching(board, tries)?;
        add_row(&mut answers, &format!("isready while searching, {name}"), &ready);
        let stop = bench.stops(board, tries)?;
        add_row(&mut answers, &format!("stop to bestmove, {name}"), &stop);
    }
    let mut overshoot = timing_table("Time beyond go movetime");
    for board in BOARDS {
        let name = board.replace(' ', "x");
        for &(move_time, tries) in move_times {
            for (order, sample) in [
                ("first search", bench.first_overshoots(board, move_time, tries)?),
                ("later search", bench.later_overshoots(board, move_time, tries)?),
            ] {
                add_row(&mut overshoot, &format!("{name}, {move_time} ms, {order}"), &sample);
            }
        }
    }
    overshoot.note(
        "First search: in a new process, with untouched memory. Negative times: the engine was \
         done early.",
    );
    Ok(vec![answers, overshoot])
}

fn timing_table(title: &str) -> Table {
    Table::new(&[
        ("what", Left),
        ("tries", Right),
        ("min", Right),
        ("median", Right),
        ("max", Right),
    ])
    .with_title(title)
}

fn add_row(table: &mut Table, what: &str, sample: &Sample) {
    table.row([
        what.to_owned(),
        sample.count().to_string(),
        duration(sample.min()),
        duration(sample.median()),
        duration(sample.max()),
    ]);
}

/// Measurements of one engine, in seconds.
struct Bench<'a> {
    program: &'a Path,
    progress: &'a ProgressBar,
}

impl Bench<'_> {
    /// From before the process exists to its first reply.
    fn starts(&self, tries: usize) -> Result<Sample> {
        self.repeat(tries, |_| {
            let begin = Instant::now();
            let mut engine = start(self.program)?;
            engine.send("isready")?;
            Ok((wait_for(&mut engine, "readyok")? - begin).as_secs_f64())
        })
    }

    fn ready_while_searching(&self, board: &str, tries: usize) -> Result<Sample> {
        let mut engine = start_game(self.program, board)?;
        engine.send("go infinite")?;
        self.repeat(tries, |number| {
            std::thread::sleep(uneven_pause(number));
            answer_time(&mut engine, "isready", "readyok").map(|time| time.as_secs_f64())
        })
    }

    fn stops(&self, board: &str, tries: usize) -> Result<Sample> {
        let mut engine = start_game(self.program, board)?;
        self.repeat(tries, |number| {
            engine.send("go infinite")?;
            std::thread::sleep(uneven_pause(number));
            answer_time(&mut engine, "stop", "bestmove").map(|time| time.as_secs_f64())
        })
    }

    /// A new process for each search.
    fn first_overshoots(&self, board: &str, move_time: u64, tries: usize) -> Result<Sample> {
        self.repeat(tries, |_| overshoot(&mut start_game(self.program, board)?, move_time))
    }

    /// A process that has searched before.
    fn later_overshoots(&self, board: &str, move_time: u64, tries: usize) -> Result<Sample> {
        const WARMING: u64 = 200;
        let mut engine = start_game(self.program, board)?;
        overshoot(&mut engine, WARMING)?;
        self.repeat(tries, |_| overshoot(&mut engine, move_time))
    }

    fn repeat(
        &self,
        tries: usize,
        mut measure: impl FnMut(usize) -> Result<f64>,
    ) -> Result<Sample> {
        let numbers = self.progress.wrap_iter(0..tries);
        numbers.map(&mut measure).collect()
    }
}

/// The time between the end of the time per move and the reply.
fn overshoot(engine: &mut Engine, move_time: u64) -> Result<f64> {
    let taken = answer_time(engine, &format!("go movetime {move_time}"), "bestmove")?;
    Ok(taken.as_secs_f64() - move_time as f64 / 1000.0)
}

/// A pause of 0 to 40 ms, so that commands arrive at all stages of a search.
fn uneven_pause(number: usize) -> Duration {
    Duration::from_millis((number as u64 * 17) % 41)
}
