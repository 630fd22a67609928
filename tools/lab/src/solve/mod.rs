//! Solves one position of any game exactly, however long it takes.
//!
//! The game's own solver does the work, reached through the registry as in a session; the book is
//! not asked, so that what is told was searched by this run.

mod job;
mod row;

use anyhow::{Context, Error, Result, bail};
use clap::Args;
use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::settings::Settings;

use job::Job;
use row::{Row, ValueEffort};

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
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    hash: u32,
    /// Threads of the solver
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,
    /// Print one line of JSON
    #[arg(long)]
    json: bool,
}

impl Solve {
    /// Solves the position and prints what was found.
    pub fn run(&self) -> Result<()> {
        let row = self.solve()?;
        match self.json {
            true => println!("{}", serde_json::to_string(&row)?),
            false => print!("{row}"),
        }
        Ok(())
    }

    fn solve(&self) -> Result<Row> {
        let words: Vec<&str> = self.game.iter().map(String::as_str).collect();
        let mut game = REGISTRY.open_from_words(&words).map_err(Error::msg)?;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        game.set_position(&[], &moves).map_err(Error::msg).context("--moves")?;
        if let Some(outcome) = game.outcome() {
            bail!("--moves: the game is over ({outcome})");
        }
        let (title, choices) = (game.title(), game.moves());
        let settings = Settings {
            hash: self.hash as usize,
            threads: self.threads as usize,
            own_book: false,
            ..Settings::default()
        };
        let engine = Engine::new(game, settings.hash).map_err(Error::msg).context("--hash")?;
        let mut job = Job::new(engine, settings);
        let value = job.solve(&[])?;
        let mut first_moves = None;
        let value_effort = job.effort();
        if self.first_moves {
            let solved = choices.iter().map(|choice| {
                let line = job.solve(std::slice::from_ref(choice))?;
                Ok((choice.clone(), row::score_text(line.score)))
            });
            first_moves = Some(solved.collect::<Result<Vec<_>>>()?);
        }
        let effort = job.effort();
        Ok(Row {
            game: title,
            after: moves.join(" "),
            score: row::score_text(value.score),
            moves: first_moves,
            pv: value.moves.join(" "),
            nodes: effort.nodes,
            seconds: row::rounded(effort.time),
            value: self.first_moves.then(|| ValueEffort {
                value_nodes: value_effort.nodes,
                value_seconds: row::rounded(value_effort.time),
            }),
            threads: self.threads,
            hash_mib: self.hash,
            memory_mib: row::peak_memory(),
        })
    }
}
