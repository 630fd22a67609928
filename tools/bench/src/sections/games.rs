//! How fast the search is in each game besides Connect Four, and the solver of Kalah.
//!
//! Everything is counted in processor time of one thread.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use cpu_time::ThreadTime;
use ratlla::any_game::Request;
use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::{Variant, file};
use ratlla::games::kalah::load_table;
use ratlla::games::{self, REGISTRY};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

use super::{Context, Section};
use crate::sample::{Sample, Target};
use crate::searching::search;
use crate::tables::{Align, Table, duration, grouped, millions};

/// The section.
pub const SECTION: Section = Section {
    name: "games",
    purpose: "nodes per second of BOOM, Wali and Kalah, and exact values of Kalah",
    run,
};

/// MiB for a search and for the solver of Kalah.
const HASH: usize = 64;
const SOLVER_HASH: usize = 512;
/// The seeds of the table on disk.
const TABLE_SEEDS: usize = 20;

fn run(context: &Context) -> Result<Vec<Table>> {
    Ok(vec![speeds(context)?, exact_values(context)?])
}

/// What each game's median should be.
fn target(game: &str) -> Option<Target> {
    match game {
        "boom" | "wali" => Some(Target::NodesPerSecond(5e6)),
        "kalah" => Some(Target::NodesPerSecond(10e6)),
        _ => None,
    }
}

/// The positions of the engine's own `bench`, each searched for a while.
fn speeds(context: &Context) -> Result<Table> {
    let repetitions = context.amount(5, 2);
    let time = Duration::from_millis(context.amount(1000, 300));
    let games: Vec<_> = REGISTRY
        .iter()
        .filter_map(|entry| target(entry.name).map(|target| (entry, target)))
        .flat_map(|(entry, target)| {
            entry
                .bench
                .iter()
                .map(move |&(parameters, moves, _)| (entry, parameters, moves, target))
        })
        .collect();
    let mut samples = vec![Sample::default(); games.len()];
    let progress = context.progress("games", repetitions * games.len());
    for _ in 0..repetitions {
        for ((entry, parameters, moves, _), sample) in games.iter().zip(&mut samples) {
            let table = open(entry.name, parameters, moves)?;
            // A depth, however large, keeps solvers out: the search alone is measured.
            let limits =
                Limits { movetime: Some(time), depth: Some(u32::MAX), ..Limits::default() };
            let found = search(&*table, &Settings::default(), &limits, HASH)?;
            if !found.is_proved() {
                sample.add(found.nodes_per_second());
            }
            progress.inc(1);
        }
    }
    progress.finish_and_clear();
    let mut table = Table::new(
        format!("Speed of one thread in other games, {repetitions} repetitions"),
        &[
            ("game", Align::Left),
            ("after", Align::Left),
            ("nodes/s min", Align::Right),
            ("median", Align::Right),
            ("max", Align::Right),
            ("target", Align::Right),
            ("median is", Align::Left),
        ],
    );
    for ((entry, parameters, moves, target), sample) in games.iter().zip(&samples) {
        // A search that ends by a proof says little about speed.
        if sample.count() == 0 {
            continue;
        }
        let [target, mark] = target.cells(sample.median());
        let plies = moves.split_whitespace().count();
        table.row([
            format!("{} {parameters}", entry.name),
            format!("{plies} moves"),
            millions(sample.min()),
            millions(sample.median()),
            millions(sample.max()),
            target,
            mark,
        ]);
    }
    Ok(table)
}

fn open(game: &str, parameters: &str, moves: &str) -> Result<Box<dyn ratlla::any_game::AnyGame>> {
    let words: Vec<&str> = parameters.split_whitespace().collect();
    let mut table = games::open(game, &words).map_err(|reason| anyhow!(reason))?;
    let moves: Vec<&str> = moves.split_whitespace().collect();
    table.set_position(&[], &moves).map_err(|reason| anyhow!(reason))?;
    Ok(table)
}

/// A game of Kalah to be solved.
struct Solved {
    parameters: &'static str,
    /// The margin of each first move, or of the best one alone.
    margins: &'static [i32],
    target: Target,
    /// Whether a look has time for it.
    quick: bool,
}

const fn solved(
    parameters: &'static str,
    margins: &'static [i32],
    milliseconds: Option<f64>,
    quick: bool,
) -> Solved {
    let target = match milliseconds {
        Some(most) => Target::WithinMilliseconds(most),
        None => Target::Open,
    };
    Solved { parameters, margins, target, quick }
}

/// The first of each variant finds no table.
const FROM_NOTHING: [Solved; 7] = [
    solved("6 4", &[8], Some(20_000.0), true),
    solved("5 4", &[10], None, true),
    solved("5 4 empty", &[12], None, true),
    solved("6 3 empty", &[2], None, true),
    solved("6 4 empty", &[10], None, false),
    solved("5 5", &[2], None, false),
    solved("5 5 empty", &[2], None, false),
];

const WITH_TABLE: [Solved; 2] = [
    solved("6 4", &[8], Some(4_000.0), true),
    solved("6 4", &[-14, -10, 8, -2, -8, 4], None, false),
];

fn exact_values(context: &Context) -> Result<Table> {
    let mut table = Table::new(
        format!("Exact values of Kalah, Hash {SOLVER_HASH}"),
        &[
            ("game", Align::Left),
            ("table on disk", Align::Left),
            ("margin", Align::Left),
            ("nodes", Align::Right),
            ("time", Align::Right),
            ("target", Align::Right),
            ("is", Align::Left),
        ],
    );
    let wanted = |solved: &&Solved| solved.quick || !context.quick;
    let progress = context.progress("kalah", FROM_NOTHING.len() + WITH_TABLE.len() + 1);
    load_table("").map_err(|reason| anyhow!(reason))?;
    for solved in FROM_NOTHING.iter().filter(wanted) {
        table.row(solve(solved, "none")?);
        progress.inc(1);
    }
    let disk = TableOnDisk::new()?;
    progress.inc(1);
    for solved in WITH_TABLE.iter().filter(wanted) {
        table.row(solve(solved, &format!("{TABLE_SEEDS} seeds"))?);
        progress.inc(1);
    }
    progress.finish_and_clear();
    table
        .note(format!("The table of {TABLE_SEEDS} seeds was built in {}.", duration(disk.seconds)));
    Ok(table)
}

/// Solves a game, and checks what comes out.
fn solve(solved: &Solved, on_disk: &str) -> Result<[String; 7]> {
    let kalah = open("kalah", solved.parameters, "")?;
    let tt = TranspositionTable::new(kalah.table_share(SOLVER_HASH));
    let tt = tt.map_err(|reason| anyhow!(reason))?;
    let control = SearchControl::new(false, false);
    let request = Request {
        limits: &Limits::default(),
        search_moves: &[],
        settings: &Settings { hash: SOLVER_HASH, ..Settings::default() },
        solve: true,
        control: &control,
        tt: &tt,
    };
    let processor = ThreadTime::now();
    let mut last = None;
    let standings = if solved.margins.len() > 1 {
        let (standings, _) = kalah.analyze(&request, &mut |_| {});
        standings.into_iter().map(|(_, standing)| Some(standing)).collect()
    } else {
        kalah.think(&request, &mut |info| last = info.standing);
        vec![last]
    };
    let seconds = processor.elapsed().as_secs_f64();
    let expected: Vec<_> = solved.margins.iter().map(|&m| Some(ReportedScore::Margin(m))).collect();
    ensure!(standings == expected, "kalah {}: {standings:?}", solved.parameters);
    let [target, mark] = solved.target.cells(1000.0 * seconds);
    let margins: Vec<String> = solved.margins.iter().map(|margin| format!("{margin:+}")).collect();
    Ok([
        solved.parameters.to_owned(),
        on_disk.to_owned(),
        margins.join(" "),
        grouped(control.nodes()),
        duration(seconds),
        target,
        mark,
    ])
}

/// A table for six houses in a file of its own, which the engine uses as long as this lives.
struct TableOnDisk {
    path: PathBuf,
    /// Processor time it took to build.
    seconds: f64,
}

impl TableOnDisk {
    fn new() -> Result<TableOnDisk> {
        let variant = Variant { houses: 6, empty_capture: false };
        let path = std::env::temp_dir().join(format!("ratlla-bench-{}.table", std::process::id()));
        let processor = ThreadTime::now();
        let built = build(variant, TABLE_SEEDS, None, &mut |_| true);
        let built = built.map_err(|failure| anyhow!("{failure:?}"))?;
        let seconds = processor.elapsed().as_secs_f64();
        let disk = TableOnDisk { path, seconds };
        file::publish(&disk.path, variant, TABLE_SEEDS, built.shares())
            .map_err(|reason| anyhow!(reason))?;
        let path = disk.path.to_string_lossy();
        load_table(&path).map_err(|reason| anyhow!(reason))?;
        Ok(disk)
    }
}

impl Drop for TableOnDisk {
    fn drop(&mut self) {
        // An empty path only gives the table up; a file that stays does no harm.
        let _ = load_table("");
        let _ = std::fs::remove_file(&self.path);
    }
}
