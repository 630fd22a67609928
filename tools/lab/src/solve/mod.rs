//! Solves one position of any game exactly, however long it takes.
//!
//! The game's own solver does the work, reached through the registry as in a session; the book is
//! not asked, so that what is told was searched by this job.

mod checkpoint;
mod job;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, Error, Result, bail};
use clap::{Args, value_parser};
use ratlla::bound_table::TableUsage;
use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::platform::threads::useful_threads;
use ratlla::settings::Settings;

use checkpoint::Checkpoint;
use job::{Job, Progress};

use crate::solved_game::{SolvedGame, peak_memory};

/// Arguments of `solve`.
#[derive(Args)]
pub struct Solve {
    /// Game and its parameters, as after `newgame`: `connect4 6 7`, `kalah 6 4`, `boom`
    #[arg(required = true)]
    game: Vec<String>,
    /// Moves from the start of the game to the position to solve, in one argument
    #[arg(long, default_value = "")]
    moves: String,
    /// Find the exact score of every legal move too
    #[arg(long)]
    first_moves: bool,
    /// MiB for all tables, as the option `Hash`
    #[arg(long, default_value_t = 1024, value_parser = value_parser!(u32).range(1..))]
    hash: u32,
    /// Threads of the solver
    #[arg(long, default_value_t = 1, value_parser = value_parser!(u32).range(1..))]
    threads: u32,
    /// File with the game's endgame table, as after the option `WaliTable` or `KalahTable`
    #[arg(long, value_name = "FILE")]
    table: Option<String>,
    /// File to save the job in and to resume it from; removed when the job is done
    #[arg(long)]
    checkpoint: Option<PathBuf>,
    /// Seconds between two saves
    #[arg(long, value_name = "SECONDS", default_value = "300", value_parser = seconds)]
    every: Duration,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Solve {
    /// Solves the position and prints what was found.
    pub fn run(&self) -> Result<()> {
        let mut job = self.job()?;
        job.run(self.first_moves)?;
        let (progress, usage, checkpoint) = job.finish();
        let solved = self.solved(progress, usage)?;
        match self.json {
            true => println!("{}", serde_json::to_string(&solved)?),
            false => print!("{solved}"),
        }
        checkpoint.into_iter().for_each(Checkpoint::remove);
        Ok(())
    }

    /// What a finished job found.
    fn solved(&self, progress: Progress, usage: Option<TableUsage>) -> Result<SolvedGame> {
        let Progress { game, after, effort, value, moves } = progress;
        let (line, value_effort) = value.context("the position is not solved")?;
        let value_effort = (!moves.is_empty()).then_some(value_effort);
        Ok(SolvedGame {
            game,
            after: after.join(" "),
            score: line.score,
            moves,
            pv: line.moves.join(" "),
            nodes: effort.nodes,
            seconds: rounded(effort.seconds),
            value_nodes: value_effort.map(|effort| effort.nodes),
            value_seconds: value_effort.map(|effort| rounded(effort.seconds)),
            table: self.table.clone(),
            threads: useful_threads(self.threads as usize),
            hash_mib: self.hash as usize,
            memory_mib: peak_memory(),
            table_entries: usage.map(|usage| usage.entries as u64),
            known: None,
        })
    }

    fn job(&self) -> Result<Job> {
        let words: Vec<&str> = self.game.iter().map(String::as_str).collect();
        let mut game = REGISTRY.open_from_words(&words).map_err(Error::msg)?;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        game.set_position(&[], &moves).map_err(Error::msg).context("--moves")?;
        if let Some(outcome) = game.outcome() {
            bail!("--moves: the game is over ({outcome})");
        }
        let after = moves.into_iter().map(str::to_owned).collect();
        let progress = Progress::new(game.title(), after);
        let settings = Settings {
            hash: self.hash as usize,
            threads: self.threads as usize,
            own_book: false,
            ..Settings::default()
        };
        let mut engine = Engine::new(game, settings.hash).map_err(Error::msg).context("--hash")?;
        if let Some(path) = &self.table {
            load_table(&mut engine, path).context("--table")?;
        }
        let job = Job::new(engine, settings, progress)?;
        match &self.checkpoint {
            Some(path) => job.with_checkpoint(path, self.every),
            None => Ok(job),
        }
    }
}

/// Loads an endgame table of the engine's game from a file.
fn load_table(engine: &mut Engine, path: &str) -> Result<()> {
    let title = engine.game.title();
    let entry = REGISTRY.0.iter().find(|entry| title.split(' ').next() == Some(entry.name));
    let file = entry.and_then(|entry| entry.endgame_file.as_ref());
    let file = file.with_context(|| format!("{title} has no endgame tables in files"))?;
    (file.load)(&mut engine.endgames, path).map_err(Error::msg)
}

/// Seconds to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().filter(|&seconds| seconds > 0.0);
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    time.ok_or_else(|| "expected a number of seconds greater than 0".to_owned())
}
