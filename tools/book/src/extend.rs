//! Follows the lines that the engine itself plays, beyond the plies that the book knows all of.
//!
//! The engine plays one side, by the book; its opponent plays anything. Every position in which
//! the engine is to move goes into the book if it is hard to solve, together with the position
//! after the engine's move. Below a position that is easy nothing needs to be stored: its proof
//! includes a good answer to every reply, so these are as easy.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use ratlla::games::connect4::book::by_preference;
use ratlla::games::connect4::book::key::{Key, MAX_STONES, stones};
use ratlla::games::connect4::solver::{
    Bounds, Position, Solver, SolverLimits, SolverScore, win_leaving,
};

use crate::book_file::write_book;
use crate::consistency::complete_scores;
use crate::journal::{Journal, Scores, journal_path, known};
use crate::positions::{Level, children, keyed, levels, start};
use crate::progress::bar;

/// MiB of the table with which it is measured how hard a position is.
const QUICK_HASH: usize = 16;

/// Which lines to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sides {
    /// Those of both sides; writes the book.
    Both,
    /// Only those in which the engine moves first; writes only the journal.
    First,
    /// Only those in which the engine moves second; writes only the journal.
    Second,
}

/// What `extend` is told.
#[derive(Args)]
pub struct Extend {
    /// The book to write; `generate` has left its journals beside it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many plies deep the book is complete.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// How many plies deep the lines go at most.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_STONES)))]
    until: u32,
    /// A position is hard if the solver, knowing nothing, needs more nodes than this.
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// MiB for the solver's table.
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Threads of the solver.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Which lines to follow: two processes can share the work.
    #[arg(long, value_enum, default_value_t = Sides::Both)]
    side: Sides,
    /// Search nothing: follow the lines only as far as the journals know them, to have a book
    /// before all lines are done.
    #[arg(long)]
    known_only: bool,
}

impl Extend {
    /// Follows the lines of both sides and writes the book.
    pub fn run(&self) -> Result<()> {
        let levels = levels(self.plies);
        let mut walk = Walk {
            scores: complete_scores(&self.out, &levels)?,
            journal: Journal::open(&journal_path(&self.out, None))?,
            solver: Solver::new(self.hash, self.threads)?,
            quick: Solver::new(QUICK_HASH, 1)?,
            quick_nodes: self.nodes,
            known_only: self.known_only,
            complete: self.plies,
            stored: Vec::new(),
        };
        let mut sides = match self.side {
            Sides::Both => vec![keyed([start()]), keyed(children(&start()))],
            Sides::First => vec![keyed([start()])],
            Sides::Second => vec![keyed(children(&start()))],
        };
        while sides.iter().any(|level| !level.is_empty()) {
            for level in &mut sides {
                *level = walk.step(level)?;
                level.retain(|_, position| stones(position) < self.until);
            }
        }
        if self.side != Sides::Both {
            return Ok(());
        }
        let complete = levels.iter().flat_map(Level::values);
        write_book(&self.out, complete.chain(&walk.stored), &walk.scores)
    }
}

/// A walk along the engine's lines.
struct Walk {
    scores: Scores,
    journal: Journal,
    solver: Solver,
    quick: Solver,
    quick_nodes: u64,
    /// Whether to leave out what is not known instead of solving it.
    known_only: bool,
    /// All positions with so many stones are in the book anyway.
    complete: u32,
    /// What is to be added to the book.
    stored: Vec<Position>,
}

impl Walk {
    /// From positions with the engine to move to those with it to move again.
    fn step(&mut self, positions: &Level) -> Result<Level> {
        let mut next = BTreeMap::new();
        let plies = positions.values().next().map_or(0, stones);
        let progress = bar(&format!("lines, ply {plies}"), positions.len());
        for position in progress.wrap_iter(positions.values()) {
            if known(&self.scores, position).is_none()
                && (self.known_only || self.is_easy(position))
            {
                continue;
            }
            let score = self.score(position)?;
            let Some(after) = self.engine_move(position, score)? else { continue };
            if after.winner().is_none() {
                self.store(position, score)?;
                self.store(&after, -score)?;
                next.append(&mut keyed(children(&after)));
            }
        }
        Ok(next)
    }

    fn is_easy(&mut self, position: &Position) -> bool {
        self.quick.clear();
        let limits = SolverLimits { nodes: Some(self.quick_nodes), ..SolverLimits::default() };
        self.quick.bounds(position, &limits, &mut |_| {}).bounds.score().is_some()
    }

    fn score(&mut self, position: &Position) -> Result<SolverScore> {
        if let Some(score) = known(&self.scores, position) {
            return Ok(score);
        }
        let found = self.solver.bounds(position, &SolverLimits::default(), &mut |_| {});
        found.bounds.score().context("a search without limits was stopped")
    }

    /// Where the engine's move leads: the preferred one of those that keep the score. `None` if
    /// that is not known and must not be searched for.
    fn engine_move(&mut self, position: &Position, score: SolverScore) -> Result<Option<Position>> {
        for (_, next) in by_preference(position) {
            if self.is_worth(&next, score) {
                return Ok(Some(next));
            }
        }
        ensure!(self.known_only, "no move keeps the score of position {:?}", Key::of(position));
        Ok(None)
    }

    /// Whether the move to `next` keeps `score`, the most that any move is worth.
    fn is_worth(&mut self, next: &Position, score: SolverScore) -> bool {
        match (next.winner(), known(&self.scores, next)) {
            (Some(_), _) => win_leaving(next.empties()) == score,
            (None, Some(reply)) => -reply == score,
            (None, None) if self.known_only => false,
            (None, None) => {
                let wanted = Bounds { lower: -score, upper: 1 - score };
                let found = self.solver.narrow(next, wanted, &SolverLimits::default());
                found.bounds.upper <= -score
            }
        }
    }

    fn store(&mut self, position: &Position, score: SolverScore) -> Result<()> {
        let key = Key::of(position).context("too many stones for the book")?;
        if stones(position) > self.complete {
            self.stored.push(*position);
        }
        if known(&self.scores, position).is_none() {
            self.journal.append(stones(position), key, score)?;
            self.scores.insert((stones(position), key), score);
        }
        Ok(())
    }
}
