//! Solves a random sample of a book's positions again.

use std::path::PathBuf;

use anyhow::{Context, Error, Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{SeedableRng, seq::IndexedRandom};
use ratlla::games::connect4::book::Book;
use ratlla::games::connect4::solver::Solver;
use ratlla_common::progress::bar;

use super::solve;

/// Arguments of `book check`.
#[derive(Args)]
pub struct Check {
    /// Book file
    book: PathBuf,
    /// Number of entries to solve again
    #[arg(long, default_value_t = 100, value_name = "ENTRIES")]
    sample: usize,
    /// Solver table size in MiB
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
    hash: usize,
    /// Random seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Check {
    /// Prints the number of entries by stones; fails at the first wrong score.
    pub fn run(&self) -> Result<()> {
        let book = Book::open(&self.book).map_err(Error::msg)?;
        println!("stones  entries");
        for (stones, size) in book.sizes().into_iter().enumerate() {
            println!("{stones:6}  {size:7}");
        }
        let entries: Vec<_> = book.entries().collect();
        let mut random = SmallRng::seed_from_u64(self.seed);
        let sample: Vec<_> = entries.sample(&mut random, self.sample).collect();
        let mut solver = Solver::new(self.hash, 1)?;
        for &&(stones, key, score) in bar("entries", sample.len()).wrap_iter(sample.iter()) {
            let position = key.position().context("a key without a position")?;
            let solved = solve(&mut solver, &position)?;
            ensure!(
                solved == score,
                "wrong score of {stones} stones, key {}: expected {solved}, found {score}",
                key.0
            );
        }
        println!("{} of {} entries solved again: all correct", sample.len(), entries.len());
        Ok(())
    }
}
