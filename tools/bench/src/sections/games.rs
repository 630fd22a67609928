//! Search speed in the other games, and the solver of Kalah.
//!
//! All times are CPU time of one thread.

use std::time::Duration;

use anyhow::{Error, Result, anyhow, ensure};
use cpu_time::ThreadTime;
use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::{self, file};
use ratlla::games::kalah::load_table;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::ReportedScore;
use ratlla::settings::Settings;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;
use tempfile::{NamedTempFile, TempPath};

use super::{Context, Section};
use crate::figures::{count, duration, millions};
use crate::sample::Sample;
use crate::searching::search;

/// The section.
pub const SECTION: Section = Section {
    name: "games",
    purpose: "nodes per second of BOOM, Wali and Kalah, and exact values of Kalah",
    run,
};

/// Hash of the search and of the solver of Kalah, in MiB.
const HASH: usize = 64;
const SOLVER_HASH: usize = 512;
/// Seeds of the endgame table on disk.
const TABLE_SEEDS: usize = 20;

fn run(context: &Context) -> Result<Vec<Table>> {
    Ok(vec![speeds(context)?, exact_values(context)?])
}

/// The positions of `ratlla bench`, each searched for a fixed time.
fn speeds(context: &Context) -> Result<Table> {
    let repetitions = context.amount(5, 2);
    let time = Duration::from_millis(context.amount(1000, 300));
    let games: Vec<_> = REGISTRY
        .0
        .iter()
        .filter(|entry| entry.name != "connect4")
        .flat_map(|entry| {
            entry.bench.iter().map(|position| (entry.name, position.parameters, position.moves))
        })
        .collect();
    let mut samples = vec![Sample::default(); games.len()];
    let progress = bar("games", repetitions * games.len());
    for _ in 0..repetitions {
        for ((name, parameters, moves), sample) in games.iter().zip(&mut samples) {
            let mut game = open(name, parameters, moves)?;
            // A depth limit excludes solvers: only the search is measured.
            let limits = Go { movetime: Some(time), depth: Some(u32::MAX), ..Go::default() };
            let found = search(&mut *game, &Settings::default(), &limits, HASH)?;
            // A search that ends with a proof says little about speed.
            if !found.is_proved() {
                sample.add(found.nodes_per_second());
            }
            progress.inc(1);
        }
    }
    let mut table = Table::new(&[
        ("game", Left),
        ("after", Left),
        ("nodes/s min", Right),
        ("median", Right),
        ("max", Right),
    ])
    .with_title(format!("Speed of one thread in other games, {repetitions} repetitions"));
    for ((name, parameters, moves), sample) in games.iter().zip(&samples) {
        if sample.count() == 0 {
            continue;
        }
        let plies = moves.split_whitespace().count();
        table.row([
            format!("{name} {parameters}"),
            format!("{plies} moves"),
            millions(sample.min()),
            millions(sample.median()),
            millions(sample.max()),
        ]);
    }
    Ok(table)
}

fn open(name: &str, parameters: &str, moves: &str) -> Result<Box<dyn AnyGame>> {
    let words: Vec<&str> = parameters.split_whitespace().collect();
    let mut game = REGISTRY.open(name, &words).map_err(Error::msg)?;
    let moves: Vec<&str> = moves.split_whitespace().collect();
    game.set_position(&[], &moves).map_err(Error::msg)?;
    Ok(game)
}

/// A variant of Kalah to be solved.
struct Variant {
    parameters: &'static str,
    /// The margin of each first move, or of the best one alone.
    margins: &'static [i32],
    /// Whether quick runs include it.
    quick: bool,
}

const fn variant(parameters: &'static str, margins: &'static [i32], quick: bool) -> Variant {
    Variant { parameters, margins, quick }
}

/// The first variant of each number of houses and rules also builds a table in memory.
const WITHOUT_TABLE: [Variant; 7] = [
    variant("6 4", &[8], true),
    variant("5 4", &[10], true),
    variant("5 4 empty", &[12], true),
    variant("6 3 empty", &[2], true),
    variant("6 4 empty", &[10], false),
    variant("5 5", &[2], false),
    variant("5 5 empty", &[2], false),
];

const WITH_TABLE: [Variant; 2] =
    [variant("6 4", &[8], true), variant("6 4", &[-14, -10, 8, -2, -8, 4], false)];

fn exact_values(context: &Context) -> Result<Table> {
    let mut table = Table::new(&[
        ("game", Left),
        ("table on disk", Left),
        ("margin", Left),
        ("nodes", Right),
        ("time", Right),
    ])
    .with_title(format!("Exact values of Kalah, Hash {SOLVER_HASH}"));
    let wanted = |variant: &&Variant| variant.quick || !context.quick;
    let progress = bar("kalah", WITHOUT_TABLE.len() + WITH_TABLE.len() + 1);
    let mut endgames = EndgameStore::default();
    for variant in WITHOUT_TABLE.iter().filter(wanted) {
        table.row(solve(variant, "none", &mut endgames)?);
        progress.inc(1);
    }
    let disk = TableOnDisk::load_into(&mut endgames)?;
    progress.inc(1);
    for variant in WITH_TABLE.iter().filter(wanted) {
        table.row(solve(variant, &format!("{TABLE_SEEDS} seeds"), &mut endgames)?);
        progress.inc(1);
    }
    table.note(format!(
        "Building the table of {TABLE_SEEDS} seeds took {}.",
        duration(disk.build_seconds)
    ));
    Ok(table)
}

/// Solves a variant and checks the result.
fn solve(variant: &Variant, on_disk: &str, endgames: &mut EndgameStore) -> Result<[String; 5]> {
    let game = open("kalah", variant.parameters, "")?;
    let mut engine = Engine::new(game, SOLVER_HASH).map_err(Error::msg)?;
    std::mem::swap(&mut engine.endgames, endgames);
    let settings = Settings { hash: SOLVER_HASH, own_book: false, ..Settings::default() };
    let goal = if variant.margins.len() > 1 { Goal::Analyze } else { Goal::Solve };
    let go = Go { goal, ..Go::default() };
    let control = SearchControl::new(false, false);
    let started = ThreadTime::now();
    let result = engine.search(&go, &settings, &control, &mut |_| {});
    let seconds = started.elapsed().as_secs_f64();
    std::mem::swap(&mut engine.endgames, endgames);
    let score = |mv: &String| {
        let line = result.lines.iter().find(|line| line.moves.first() == Some(mv));
        line.and_then(|line| line.score)
    };
    let scores: Vec<_> = match goal {
        Goal::Analyze => engine.game.moves().iter().map(score).collect(),
        _ => vec![result.lines[0].score],
    };
    let expected: Vec<_> =
        variant.margins.iter().map(|&m| Some(ReportedScore::Margin(m))).collect();
    ensure!(scores == expected, "kalah {}: wrong scores {scores:?}", variant.parameters);
    let margins: Vec<String> = variant.margins.iter().map(|margin| format!("{margin:+}")).collect();
    Ok([
        variant.parameters.to_owned(),
        on_disk.to_owned(),
        margins.join(" "),
        count(control.nodes()),
        duration(seconds),
    ])
}

/// An endgame table for six houses in a temporary file.
struct TableOnDisk {
    /// CPU time to build it.
    build_seconds: f64,
    _file: TempPath,
}

impl TableOnDisk {
    fn load_into(endgames: &mut EndgameStore) -> Result<TableOnDisk> {
        let kalah = endgame::Variant { houses: 6, empty_capture: false };
        let started = ThreadTime::now();
        let built = build(kalah, TABLE_SEEDS, None, &mut |_| true);
        let built = built.map_err(|failure| anyhow!("{failure:?}"))?;
        let build_seconds = started.elapsed().as_secs_f64();
        let path = NamedTempFile::new()?.into_temp_path();
        file::publish(&path, kalah, TABLE_SEEDS, built.shares()).map_err(Error::msg)?;
        load_table(endgames, &path.to_string_lossy()).map_err(Error::msg)?;
        Ok(TableOnDisk { build_seconds, _file: path })
    }
}
