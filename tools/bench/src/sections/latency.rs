//! How promptly the engine answers, seen by a client at the other end of its pipes.

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use indicatif::ProgressBar;

use super::{Context, Section};
use crate::engine::{Engine, beside_this_program};
use crate::sample::{Sample, Target};
use crate::tables::{Align, Table, milliseconds};

/// The section.
pub const SECTION: Section = Section {
    name: "latency",
    purpose: "time to start, to answer isready and stop, and beyond the time given to a move",
    run,
};

const BOARDS: [&str; 2] = ["6 7", "25 25"];
const START: Target = Target::BelowMilliseconds(50.0);
const PROMPT: Target = Target::WithinMilliseconds(10.0);
/// Milliseconds for a move, and how often to try that; for a quick run, a look at the short ones.
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
    let progress = context.progress("latency", tries + BOARDS.len() * (2 * tries + searches));
    let bench = Bench { program: &program, progress: &progress };
    let mut answers = timing_table("Time to answer");
    add_row(&mut answers, "start to readyok", &bench.starts(tries)?, START);
    for board in BOARDS {
        let name = board.replace(' ', "x");
        let ready = bench.ready_while_searching(board, tries)?;
        add_row(&mut answers, &format!("isready while searching, {name}"), &ready, PROMPT);
        let stop = bench.stops(board, tries)?;
        add_row(&mut answers, &format!("stop to bestmove, {name}"), &stop, PROMPT);
    }
    let mut overshoot = timing_table("Time beyond go movetime");
    for board in BOARDS {
        let name = board.replace(' ', "x");
        for &(move_time, tries) in move_times {
            for (order, sample) in [
                ("first search", bench.first_overshoots(board, move_time, tries)?),
                ("later search", bench.later_overshoots(board, move_time, tries)?),
            ] {
                add_row(
                    &mut overshoot,
                    &format!("{name}, {move_time} ms, {order}"),
                    &sample,
                    PROMPT,
                );
            }
        }
    }
    progress.finish_and_clear();
    overshoot.note(
        "First search: straight after the start of the process, its memory never touched. \
         Less than nothing: the engine was done early.",
    );
    Ok(vec![answers, overshoot])
}

fn timing_table(title: &str) -> Table {
    Table::new(
        title,
        &[
            ("what", Align::Left),
            ("tries", Align::Right),
            ("min", Align::Right),
            ("median", Align::Right),
            ("max", Align::Right),
            ("target", Align::Right),
            ("max is", Align::Left),
        ],
    )
}

fn add_row(table: &mut Table, what: &str, sample: &Sample, target: Target) {
    let [target, mark] = target.cells(sample.max());
    table.row([
        what.to_owned(),
        sample.count().to_string(),
        milliseconds(sample.min()),
        milliseconds(sample.median()),
        milliseconds(sample.max()),
        target,
        mark,
    ]);
}

fn in_milliseconds(time: Duration) -> f64 {
    1000.0 * time.as_secs_f64()
}

/// Measurements of one engine, all in milliseconds.
struct Bench<'a> {
    program: &'a Path,
    progress: &'a ProgressBar,
}

impl Bench<'_> {
    /// From before the process exists to its first answer.
    fn starts(&self, tries: usize) -> Result<Sample> {
        self.repeat(tries, |_| {
            let begin = std::time::Instant::now();
            let mut engine = Engine::start(self.program)?;
            engine.send("isready")?;
            Ok(in_milliseconds(engine.wait_for("readyok")? - begin))
        })
    }

    fn ready_while_searching(&self, board: &str, tries: usize) -> Result<Sample> {
        let mut engine = self.engine_with_game(board)?;
        engine.send("go infinite")?;
        self.repeat(tries, |number| {
            std::thread::sleep(uneven_pause(number));
            engine.answer_time("isready", "readyok").map(in_milliseconds)
        })
    }

    fn stops(&self, board: &str, tries: usize) -> Result<Sample> {
        let mut engine = self.engine_with_game(board)?;
        self.repeat(tries, |number| {
            engine.send("go infinite")?;
            std::thread::sleep(uneven_pause(number));
            engine.answer_time("stop", "bestmove").map(in_milliseconds)
        })
    }

    /// A process for each try.
    fn first_overshoots(&self, board: &str, move_time: u64, tries: usize) -> Result<Sample> {
        self.repeat(tries, |_| overshoot(&mut self.engine_with_game(board)?, move_time))
    }

    /// One process that has searched before.
    fn later_overshoots(&self, board: &str, move_time: u64, tries: usize) -> Result<Sample> {
        const WARMING: u64 = 200;
        let mut engine = self.engine_with_game(board)?;
        overshoot(&mut engine, WARMING)?;
        self.repeat(tries, |_| overshoot(&mut engine, move_time))
    }

    fn engine_with_game(&self, board: &str) -> Result<Engine> {
        let mut engine = Engine::start(self.program)?;
        engine.new_game(board)?;
        Ok(engine)
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

/// The time between the end of the time for a move and the answer.
fn overshoot(engine: &mut Engine, move_time: u64) -> Result<f64> {
    let taken = engine.answer_time(&format!("go movetime {move_time}"), "bestmove")?;
    Ok(in_milliseconds(taken) - move_time as f64)
}

/// Pauses from none to 40 ms, so that commands arrive at all stages of a search.
fn uneven_pause(number: usize) -> Duration {
    Duration::from_millis((number as u64 * 17) % 41)
}
