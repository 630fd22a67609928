//! Computes the exact scores of all positions with few stones.
//!
//! Only those with the most stones are searched: the scores of all others follow from them, being
//! the best of their moves'. Neighbours come one after the other, since what the solver proved on
//! the way stays in its table.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use ratlla::games::connect4::book::key::Key;
use ratlla::games::connect4::solver::{Position, Solver, SolverLimits};

use crate::book_file::write_book;
use crate::consistency::complete_scores;
use crate::journal::{Journal, journal_path, known, read_journals};
use crate::positions::{Level, levels};
use crate::progress::bar;

/// What `generate` is told.
#[derive(Args)]
pub struct Generate {
    /// The book to write; its journals are kept beside it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many plies deep the book is complete.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// MiB for the solver's table; a small one stays near the processor and is faster.
    #[arg(long, default_value_t = 16, value_name = "MIB")]
    hash: usize,
    /// Threads of the solver.
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Compute only part I of N (from 1) and write only its journal; a run without this option
    /// then finds the journals of all parts.
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<(usize, usize)>,
}

fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts.filter(|&(i, n)| 1 <= i && i <= n).ok_or_else(|| "not I/N with 1 <= I <= N".to_owned())
}

impl Generate {
    /// Computes what no journal holds yet; then, unless this is a shard, checks that all scores
    /// fit together and writes the book.
    pub fn run(&self) -> Result<()> {
        let levels = levels(self.plies);
        let mut journal = Journal::open(&journal_path(&self.out, self.shard))?;
        let mut solver = Solver::new(self.hash, self.threads)?;
        let scores = read_journals(&self.out)?;
        let mine = self.share(levels.last().context("no level at all")?);
        let progress = bar(&format!("ply {}", self.plies), mine.len());
        for (key, position) in progress.wrap_iter(mine.into_iter()) {
            if known(&scores, position).is_none() {
                let found = solver.bounds(position, &SolverLimits::default(), &mut |_| {});
                let score = found.bounds.score().context("a search without limits was stopped")?;
                journal.append(self.plies, *key, score)?;
            }
        }
        if self.shard.is_some() { Ok(()) } else { self.finish(&levels) }
    }

    fn finish(&self, levels: &[Level]) -> Result<()> {
        let scores = complete_scores(&self.out, levels)?;
        let complete = levels.iter().flat_map(Level::values);
        write_book(&self.out, complete, &scores)
    }

    /// The part of a level that this shard computes.
    fn share<'a>(&self, level: &'a Level) -> Vec<(&'a Key, &'a Position)> {
        let all: Vec<_> = level.iter().collect();
        let (index, of) = self.shard.unwrap_or((1, 1));
        all[all.len() * (index - 1) / of..all.len() * index / of].to_vec()
    }
}
