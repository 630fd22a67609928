//! The opening book of Kalah with six houses: exact shares of the positions that the engine meets in
//! its own games from Kalah(6,4), as long as many seeds are in play.
//!
//! Knows the solver and the format of the book; uses the engine only to play test games.

mod check;
mod consistency;
mod generate;
mod lines;
mod verify;

use std::path::PathBuf;

use anyhow::{Error, Result};
use clap::{Args, Subcommand};
use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::{Endgames, Variant, file};
use ratlla::games::kalah::solver::ShareSolver;
use ratlla::games::kalah::sowing::Rules;

/// What to do with a book.
#[derive(Subcommand)]
pub enum Command {
    /// Solve the positions of the engine's lines and write the book
    Generate(generate::Generate),
    /// Check a book against itself, and a random sample of its positions against the solver
    Check(check::Check),
    /// Let the engine play games with its embedded book and check each of its moves
    Verify(verify::Verify),
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Generate(generate) => generate.run(),
            Command::Check(check) => check.run(),
            Command::Verify(verify) => verify.run(),
        }
    }
}

/// The game of the book.
fn rules() -> Rules {
    Rules::new(6, 4, false).expect("Kalah(6,4) is a game")
}

/// What the solver works with.
#[derive(Args)]
struct SolverOptions {
    /// Endgame table file of `kalah-table build 6 N`, the larger the faster
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// Seeds of the endgame table that is built in memory if there is no file
    #[arg(long, default_value_t = 16, value_name = "SEEDS")]
    table_seeds: usize,
    /// Solver table size in MiB
    #[arg(long, default_value_t = 256, value_name = "MIB")]
    hash: usize,
}

impl SolverOptions {
    fn endgames(&self) -> Result<Endgames> {
        let variant = Variant::from(rules());
        match &self.table {
            Some(path) => file::open(path).map_err(Error::msg),
            None => build(variant, self.table_seeds, None, &mut |_| true)
                .map_err(|error| Error::msg(format!("{error:?}"))),
        }
    }

    fn solver<'a>(&self, endgames: &'a Endgames) -> Result<ShareSolver<'a, u64>> {
        ShareSolver::new(rules(), endgames, self.hash << 20).map_err(Error::msg)
    }
}
