//! Games of all kinds between two long-lived processes.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use anyhow::{anyhow, ensure};
use clap::Args;
use ratlla::game::Side;
use ratlla::games::REGISTRY;
use ratlla_arena::cancel::CancelToken;
use ratlla_arena::engine::forfeit::Forfeit;
use ratlla_arena::engine::{Engine, EngineContext};
use ratlla_arena::game_loop::{self, GameOutcome, GameSetup, Termination};
use ratlla_arena::openings::OpeningSuite;
use ratlla_arena::rules;
use ratlla_arena::settings::{Balance, EngineSpec, OpeningSource, SearchLimits};
use ratlla_client::Launch;
use ratlla_common::progress::bar;

use crate::memory::{Samples, parents};
use crate::record::{Destination, Kind, tenths};
use crate::stalls::StallMonitor;

/// Arguments of `soak`.
#[derive(Args)]
pub struct Arguments {
    /// Minimum duration in minutes
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// Minimum number of games
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Time per move in milliseconds
    #[arg(long, default_value_t = 50, value_name = "MS")]
    movetime: u64,
    /// How late a move may be in milliseconds
    #[arg(long, default_value_t = 50, value_name = "MS")]
    margin: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    destination: Destination,
}

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Most time between an answer and its arrival here.
const TRANSPORT: Duration = Duration::from_millis(10);
/// Time between memory samples.
const SAMPLE_INTERVAL: Duration = Duration::from_secs(5);

/// What happened so far.
#[derive(Default)]
struct Summary {
    games: BTreeMap<&'static str, u64>,
    moves: u64,
    slowest: Duration,
    faults: Vec<String>,
    /// Late moves during a stall of at least the same length.
    excused: Vec<String>,
    memory: BTreeMap<u32, Samples>,
}

/// Plays the games and prints a summary. A late move is a fault unless the machine stalled for at
/// least as long.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let supervisor = std::env::current_exe()?;
    let cancel = CancelToken::new()?;
    let context = EngineContext { supervisor, cancel, patience: TIMEOUT, log: None };
    let limits = SearchLimits { movetime: Some(arguments.movetime), ..SearchLimits::default() };
    // Both with the default Move Overhead.
    let specs = [("one thread", "1"), ("two threads", "2")].map(|(name, threads)| EngineSpec {
        name: name.to_owned(),
        command: Launch::built_in().map(|launch| launch.words()).unwrap_or_default(),
        options: BTreeMap::from([("Threads".to_owned(), threads.to_owned())]),
        limits,
        ..EngineSpec::default()
    });
    let start = |spec: &EngineSpec| Engine::start(spec, &context);
    let mut engines = [start(&specs[0])?, start(&specs[1])?];
    let openings: Vec<OpeningSuite> = REGISTRY
        .0
        .iter()
        .map(|entry| {
            OpeningSuite::new(
                &OpeningSource::Random { plies: 4, balance: Balance::Search },
                entry.name,
                arguments.seed,
            )
        })
        .collect::<Result<_, _>>()?;
    let monitor = StallMonitor::start()?;
    let started = Instant::now();
    let mut summary = Summary::default();
    let mut sampled = None;
    let bar = bar("games", arguments.games as usize);
    for number in 0.. {
        let minutes = started.elapsed().as_secs() / 60;
        if minutes >= arguments.minutes && number >= arguments.games {
            break;
        }
        // Each opening is played twice, with sides swapped.
        let (pair, swapped) = (number / 2, number % 2 == 1);
        let index = (pair % REGISTRY.0.len() as u64) as usize;
        let game = REGISTRY.0[index].name;
        let opening = openings[index].get(pair / REGISTRY.0.len() as u64)?;
        let mut board = rules::open(game)?;
        rules::set_up(&mut *board, &opening)?;
        for engine in &mut engines {
            engine.new_game(game, arguments.seed)?;
        }
        let margin = Duration::from_millis(arguments.margin);
        let setup = GameSetup::new(&mut *board, &opening, [limits; 2], margin);
        let [first, second] = &mut engines;
        let players = if swapped { [second, first] } else { [first, second] };
        let outcome = game_loop::play(setup, players).ok_or_else(|| anyhow!("cancelled"))?;
        if let Some((side, fault, moves)) = summary.add(game, outcome) {
            // The engine at fault is replaced, so that its faults do not add up.
            let at = side.index() ^ usize::from(swapped);
            let name = &specs[at].name;
            let mut story = format!("game {number}, {game}, {name}: {fault}, after {moves}");
            let is_excused = fault.overshoot.is_some_and(|overshoot| {
                let thinking = Duration::from_millis(arguments.movetime) + overshoot;
                let asked = Instant::now().checked_sub(thinking + TRANSPORT);
                let stalled = asked.map(|asked| monitor.since(asked)).unwrap_or_default();
                story += &format!("; the machine stalled for {} ms", stalled.as_millis());
                stalled >= overshoot
            });
            bar.suspend(|| eprintln!("{story}"));
            if is_excused { &mut summary.excused } else { &mut summary.faults }.push(story);
            engines[at] = start(&specs[at])?;
        }
        if sampled.is_none_or(|last: Instant| last.elapsed() >= SAMPLE_INTERVAL) {
            sample_memory(&mut summary.memory)?;
            sampled = Some(Instant::now());
        }
        bar.inc(1);
        bar.set_message(format!("{} faults", summary.faults.len()));
    }
    drop(bar);
    let minutes = (started.elapsed().as_secs_f64() / 60.0).round();
    println!("{minutes} minutes");
    summary.print();
    let longest = monitor.longest().as_millis() as u64;
    println!("longest stall of the machine: {longest} ms");
    summary.check()?;
    arguments.destination.put(summary.kind(minutes as u64, longest))
}

impl Summary {
    /// Adds a game; returns the side at fault, if any, its fault, and the moves before it.
    fn add(&mut self, game: &'static str, outcome: GameOutcome) -> Option<(Side, Forfeit, String)> {
        *self.games.entry(game).or_default() += 1;
        self.moves += outcome.moves.len() as u64;
        let slowest = outcome.moves.iter().map(|played| played.answer.time).max();
        self.slowest = self.slowest.max(slowest.unwrap_or_default());
        let Termination::Forfeit(side, fault) = outcome.termination else {
            return None;
        };
        let moves: Vec<&str> =
            outcome.moves.iter().map(|played| played.answer.mv.as_str()).collect();
        Some((side, fault, moves.join(" ")))
    }

    fn print(&self) {
        let games: Vec<String> =
            self.games.iter().map(|(game, count)| format!("{count} {game}")).collect();
        println!("{} games: {}", self.games.values().sum::<u64>(), games.join(", "));
        println!("{} moves, slowest {} ms", self.moves, self.slowest.as_millis());
        println!("{} faults", self.faults.len());
        for fault in &self.faults {
            println!("  {fault}");
        }
        println!("{} late moves during stalls", self.excused.len());
        for story in &self.excused {
            println!("  {story}");
        }
        for samples in self.memory.values() {
            println!("engine memory: {samples}");
        }
    }

    /// The result, of a run without faults.
    fn kind(&self, minutes: u64, longest_stall_ms: u64) -> Kind {
        let largest = self.memory.values().filter_map(Samples::figures).map(|[_, _, max]| max);
        Kind::Soak {
            minutes,
            games: self.games.values().sum(),
            moves: self.moves,
            excused: self.excused.len() as u64,
            slowest_ms: self.slowest.as_millis() as u64,
            longest_stall_ms: Some(longest_stall_ms),
            max_memory_mib: tenths(largest.fold(0.0, f64::max)),
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.faults.is_empty(), "{} games ended with a fault", self.faults.len());
        self.memory.values().try_for_each(Samples::check)
    }
}

/// Samples the memory of all engines: the children of their supervisors, which are our children.
fn sample_memory(memory: &mut BTreeMap<u32, Samples>) -> anyhow::Result<()> {
    let parents = parents()?;
    let children = |of: u32| {
        let children = parents.iter().filter(move |&&(_, parent)| parent == of);
        children.map(|&(process, _)| process)
    };
    for engine in children(std::process::id()).flat_map(children) {
        memory.entry(engine).or_default().take(engine)?;
    }
    Ok(())
}
