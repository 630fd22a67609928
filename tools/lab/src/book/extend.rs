//! Extends the book along the engine's own lines, beyond the plies for which it is complete.
//!
//! The engine plays one side by the book, its opponent any move. Each position with the engine to
//! move is stored if it is hard to solve, together with the position after the engine's move.
//! Nothing is stored below an easy position: its proof includes a reply to every move, so its
//! successors are as easy.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, ValueEnum};
use ratlla::games::connect4::book::by_preference;
use ratlla::games::connect4::book::key::{Key, MAX_STONES, stones};
use ratlla::games::connect4::solver::{
    Bounds, Position, Solver, SolverLimits, SolverScore, win_leaving,
};
use ratlla_common::progress::bar;

use super::book_file::write_book;
use super::consistency::complete_scores;
use super::positions::{Level, children, keyed, levels, start};
use super::solve;
use super::{Scores, known};
use crate::journal::{Journal, journal_path};

/// Table size in MiB for measuring how hard a position is.
const QUICK_HASH: usize = 16;

/// Which lines to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Sides {
    /// Lines of both sides; writes the book
    Both,
    /// Lines in which the engine moves first; writes only the journal
    First,
    /// Lines in which the engine moves second; writes only the journal
    Second,
}

/// Arguments of `book extend`.
#[derive(Args)]
pub struct Extend {
    /// Book file to write; the journals of `generate` must be beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies for which the book is complete
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// Length of the lines in plies
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_STONES)))]
    until: u32,
    /// A position is hard if solving it with an empty table takes more nodes than this
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Solver table size in MiB
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Solver threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Lines to follow; two processes can share the work
    #[arg(long, value_enum, default_value_t = Sides::Both)]
    side: Sides,
    /// Solve nothing: follow the lines only as far as the journals go, to write a book before all
    /// lines are done
    #[arg(long)]
    known_only: bool,
}

impl Extend {
    /// Follows the lines and, for both sides, writes the book.
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
    /// Skip what is not in the journals instead of solving it.
    known_only: bool,
    /// Positions with up to this many stones are in the book already.
    complete: u32,
    /// Positions to add to the book.
    stored: Vec<Position>,
}

impl Walk {
    /// From positions with the engine to move to those two plies later.
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
        match known(&self.scores, position) {
            Some(score) => Ok(score),
            None => solve(&mut self.solver, position),
        }
    }

    /// The position after the engine's move: the preferred one of those that keep the score. `None`
    /// if it is unknown and must not be solved.
    fn engine_move(&mut self, position: &Position, score: SolverScore) -> Result<Option<Position>> {
        for (_, next) in by_preference(position) {
            if self.keeps_score(&next, score) {
                return Ok(Some(next));
            }
        }
        ensure!(self.known_only, "no move keeps the score of position {:?}", Key::of(position));
        Ok(None)
    }

    /// Whether the move to `next` keeps `score`, the score of the best move.
    fn keeps_score(&mut self, next: &Position, score: SolverScore) -> bool {
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
            self.journal.append(stones(position), key.0, score)?;
            self.scores.insert((stones(position), key.0), score);
        }
        Ok(())
    }
}
