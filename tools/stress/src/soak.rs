//! Games of all kinds between two processes that live as long as the run.

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
use ratlla_arena::settings::{EngineSpec, OpeningSource, SearchLimits};
use ratlla_client::Launch;

use crate::memory::{Samples, parents};
use crate::progress_bar;
use crate::standstill::Watch;

#[derive(Args)]
pub struct Arguments {
    /// How many minutes at least.
    #[arg(long, default_value_t = 60)]
    minutes: u64,
    /// How many games at least.
    #[arg(long, default_value_t = 1000)]
    games: u64,
    /// Milliseconds for a move.
    #[arg(long, default_value_t = 50)]
    movetime: u64,
    /// Milliseconds that a move may be late.
    #[arg(long, default_value_t = 50)]
    margin: u64,
    /// What all chance depends on.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A silent engine is given up after so long.
const PATIENCE: Duration = Duration::from_secs(10);
/// What passes between an answer and the look at it, at most.
const TRANSPORT: Duration = Duration::from_millis(10);
/// How often the memory is looked at.
const PAUSE: Duration = Duration::from_secs(5);

/// What was seen.
#[derive(Default)]
struct Sights {
    games: BTreeMap<&'static str, u64>,
    moves: u64,
    slowest: Duration,
    faults: Vec<String>,
    /// Moves that came too late while the machine stood still for as long.
    held_up: Vec<String>,
    memory: BTreeMap<u32, Samples>,
}

/// Plays the games and prints what was seen. A move that is late is a fault unless the machine stood
/// still for at least as long.
pub fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let supervisor = std::env::current_exe()?;
    let context = EngineContext { supervisor, cancel: CancelToken::default(), patience: PATIENCE };
    let limits = SearchLimits { movetime: Some(arguments.movetime), ..SearchLimits::default() };
    // Both with the usual Move Overhead; one of them searches with two threads.
    let specs = [("one thread", "1"), ("two threads", "2")].map(|(name, threads)| EngineSpec {
        name: name.to_owned(),
        command: Launch::built_in().map(|launch| launch.words()).unwrap_or_default(),
        dir: None,
        proto: Default::default(),
        options: BTreeMap::from([("Threads".to_owned(), threads.to_owned())]),
        limits,
    });
    let start = |spec: &EngineSpec| Engine::start(spec, &context);
    let mut engines = [start(&specs[0])?, start(&specs[1])?];
    let openings: Vec<OpeningSuite> = REGISTRY
        .iter()
        .map(|entry| {
            OpeningSuite::new(&OpeningSource::Random { plies: 4 }, entry.name, arguments.seed)
        })
        .collect::<Result<_, _>>()?;
    let watch = Watch::start()?;
    let begin = Instant::now();
    let mut sights = Sights::default();
    let mut looked = None;
    let bar = progress_bar(arguments.games, "games");
    for number in 0.. {
        let minutes = begin.elapsed().as_secs() / 60;
        if minutes >= arguments.minutes && number >= arguments.games {
            break;
        }
        // Each opening of each game is played twice, with sides changed.
        let (pair, swapped) = (number / 2, number % 2 == 1);
        let index = (pair % REGISTRY.len() as u64) as usize;
        let game = REGISTRY[index].name;
        let opening = openings[index].get(pair / REGISTRY.len() as u64)?;
        let mut board = rules::open(game)?;
        rules::set_up(&mut *board, &opening)?;
        for engine in &mut engines {
            engine.new_game(game, arguments.seed)?;
        }
        let margin = Duration::from_millis(arguments.margin);
        let setup = GameSetup { game: &mut *board, opening: &opening, limits: [limits; 2], margin };
        let [first, second] = &mut engines;
        let players = if swapped { [second, first] } else { [first, second] };
        let outcome = game_loop::play(setup, players).ok_or_else(|| anyhow!("cancelled"))?;
        if let Some((side, fault, moves)) = sights.add(game, outcome) {
            // Who did wrong begins anew, so that all can be seen.
            let at = side.index() ^ usize::from(swapped);
            let name = &specs[at].name;
            let mut story = format!("game {number}, {game}, {name}: {fault}, after {moves}");
            let held_up = fault.overshoot.is_some_and(|overshoot| {
                let thinking = Duration::from_millis(arguments.movetime) + overshoot;
                let asked = Instant::now().checked_sub(thinking + TRANSPORT);
                let stood = asked.map(|asked| watch.since(asked)).unwrap_or_default();
                story += &format!("; the machine stood still for {} ms", stood.as_millis());
                stood >= overshoot
            });
            bar.suspend(|| eprintln!("{story}"));
            if held_up { &mut sights.held_up } else { &mut sights.faults }.push(story);
            engines[at] = start(&specs[at])?;
        }
        if looked.is_none_or(|last: Instant| last.elapsed() >= PAUSE) {
            look(&mut sights.memory)?;
            looked = Some(Instant::now());
        }
        bar.inc(1);
        bar.set_message(format!("{} faults", sights.faults.len()));
    }
    bar.finish_and_clear();
    println!("{:.0} minutes", begin.elapsed().as_secs_f64() / 60.0);
    sights.print();
    println!("the longest standstill of the machine: {} ms", watch.longest().as_millis());
    sights.check()
}

impl Sights {
    /// Takes note of a game; tells the side that did wrong, if one did, what, and after which moves.
    fn add(&mut self, game: &'static str, outcome: GameOutcome) -> Option<(Side, Forfeit, String)> {
        *self.games.entry(game).or_default() += 1;
        self.moves += outcome.moves.len() as u64;
        let slowest = outcome.moves.iter().map(|answer| answer.time).max();
        self.slowest = self.slowest.max(slowest.unwrap_or_default());
        let Termination::Forfeit(side, fault) = outcome.termination else {
            return None;
        };
        let moves: Vec<&str> = outcome.moves.iter().map(|answer| answer.mv.as_str()).collect();
        Some((side, fault, moves.join(" ")))
    }

    fn print(&self) {
        let games: Vec<String> =
            self.games.iter().map(|(game, count)| format!("{count} of {game}")).collect();
        println!("{} games: {}", self.games.values().sum::<u64>(), games.join(", "));
        println!("{} moves, the slowest took {} ms", self.moves, self.slowest.as_millis());
        println!("{} faults", self.faults.len());
        for fault in &self.faults {
            println!("  {fault}");
        }
        println!("{} moves late while the machine stood still", self.held_up.len());
        for story in &self.held_up {
            println!("  {story}");
        }
        for samples in self.memory.values() {
            println!("memory of an engine: {samples}");
        }
    }

    fn check(&self) -> anyhow::Result<()> {
        ensure!(self.faults.is_empty(), "{} games ended by a fault", self.faults.len());
        self.memory.values().try_for_each(Samples::check)
    }
}

/// Looks at the memory of all engines: the children of the guards, which are our children.
fn look(memory: &mut BTreeMap<u32, Samples>) -> anyhow::Result<()> {
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
