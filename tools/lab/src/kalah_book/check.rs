//! Checks a book against itself and, for a random sample of its positions, against the solver.

use std::path::PathBuf;

use anyhow::{Error, Result, ensure};
use clap::Args;
use rand::rngs::SmallRng;
use rand::{SeedableRng, seq::IndexedRandom};
use ratlla::games::kalah::book::ShareBook;
use ratlla_common::progress::bar;

use super::generate::solve;
use super::lines::{Extent, Lines};
use super::{SolverOptions, consistency, rules};

/// Arguments of `kalah-book check`.
#[derive(Args)]
pub struct Check {
    /// Book file
    book: PathBuf,
    /// Number of entries to solve again
    #[arg(long, default_value_t = 1000, value_name = "ENTRIES")]
    sample: usize,
    /// Random seed of the sample
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    extent: Extent,
    #[command(flatten)]
    solver: SolverOptions,
}

impl Check {
    /// Prints the number of entries by seeds in play; fails at the first wrong entry.
    pub fn run(&self) -> Result<()> {
        let book = ShareBook::open(&self.book).map_err(Error::msg)?;
        println!("seeds  entries");
        for (seeds, size) in book.sizes().into_iter().enumerate().filter(|&(_, size)| size > 0) {
            println!("{seeds:5}  {size:7}");
        }
        let positions = consistency::check(&book, self.extent)?;
        println!("all lines are consistent");
        let mut random = SmallRng::seed_from_u64(self.seed);
        let sample: Vec<_> = positions.sample(&mut random, self.sample).collect();
        let endgames = self.solver.endgames()?;
        let solver = self.solver.solver(&endgames)?;
        let lines = Lines::new(self.extent);
        for &&position in bar("entries", sample.len()).wrap_iter(sample.iter()) {
            let (solved, found) =
                (solve(&solver, &lines, position)?, book.entry(rules(), position));
            ensure!(
                found == Some(solved),
                "wrong entry of {position:?}: expected {solved:?}, found {found:?}"
            );
        }
        println!("{} of {} entries solved again: all correct", sample.len(), positions.len());
        Ok(())
    }
}
