//! Computes a random sample of a book's scores anew.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{SeedableRng, seq::IndexedRandom};
use ratlla::games::connect4::book::Book;
use ratlla::games::connect4::solver::{Solver, SolverLimits};

use crate::progress::bar;

/// What `check` is told.
#[derive(Args)]
pub struct Check {
    /// The book.
    book: PathBuf,
    /// How many entries to compute anew.
    #[arg(long, default_value_t = 100)]
    sample: usize,
    /// MiB for the solver's table.
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Which sample.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Check {
    /// Prints how many entries the book has for each number of stones, and fails at the first
    /// wrong score.
    pub fn run(&self) -> Result<()> {
        let bytes = fs::read(&self.book).with_context(|| self.book.display().to_string())?;
        let book = Book::parse(&bytes)?;
        for (stones, size) in book.sizes().into_iter().enumerate() {
            println!("{stones:2} stones: {size} entries");
        }
        let entries: Vec<_> = book.entries().collect();
        let mut random = SmallRng::seed_from_u64(self.seed);
        let sample: Vec<_> = entries.sample(&mut random, self.sample).collect();
        let mut solver = Solver::new(self.hash, 1)?;
        for &&(stones, key, score) in bar("entries", sample.len()).wrap_iter(sample.iter()) {
            let position = key.position().context("a key without a position")?;
            let found =
                solver.bounds(&position, &SolverLimits::default(), &mut |_| {}).bounds.score();
            ensure!(found == Some(score), "{stones} stones, key {}: {score}, not {found:?}", key.0);
        }
        println!("{} of {} entries computed anew, all right", sample.len(), entries.len());
        Ok(())
    }
}
