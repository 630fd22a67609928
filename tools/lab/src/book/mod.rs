//! The opening book of Connect Four: exact scores of positions with few stones on 6x7.
//!
//! Knows the solver and the format of the book; uses the engine only to play test games.

mod book_file;
mod check;
mod consistency;
mod extend;
mod generate;
mod positions;
mod verify;

use anyhow::{Context, Result};
use clap::Subcommand;
use ratlla::games::connect4::book::key::{Key, stones};
use ratlla::games::connect4::solver::{Position, Solver, SolverLimits, SolverScore};

use crate::journal::Values;

/// The exact scores of positions, by number of stones and key.
type Scores = Values;

/// The score of a position, if it was computed.
fn known(scores: &Scores, position: &Position) -> Option<SolverScore> {
    scores.get(&(stones(position), Key::of(position)?.0)).copied()
}

/// What to do with a book.
#[derive(Subcommand)]
pub enum Command {
    /// Solve all positions with few stones and write the book
    Generate(generate::Generate),
    /// Add hard positions beyond the complete plies, along the lines the engine plays
    Extend(extend::Extend),
    /// Solve a random sample of a book's positions again and compare the scores
    Check(check::Check),
    /// Let the engine play games with its embedded book and check each of its moves
    Verify(verify::Verify),
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Generate(generate) => generate.run(),
            Command::Extend(extend) => extend.run(),
            Command::Check(check) => check.run(),
            Command::Verify(verify) => verify.run(),
        }
    }
}

/// The exact score of a position.
fn solve(solver: &mut Solver, position: &Position) -> Result<SolverScore> {
    let found = solver.bounds(position, &SolverLimits::default(), &mut |_| {});
    found.bounds.score().context("the solver stopped without a limit")
}
