//! Solves all positions with few stones.
//!
//! Only the deepest level is searched: the other scores follow by minimax. Positions are solved in
//! the order of their keys, so that neighbours find each other's results in the solver's table.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use ratlla::games::connect4::book::key::Key;
use ratlla::games::connect4::solver::{Position, Solver};
use ratlla_common::progress::bar;

use super::book_file::write_book;
use super::consistency::complete_scores;
use super::known;
use super::positions::{Level, levels};
use super::solve;
use crate::journal::{Journal, journal_path, read_journals};

/// Arguments of `book generate`.
#[derive(Args)]
pub struct Generate {
    /// Book file to write; its journals are kept beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Plies for which the book is complete
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// Solver table size in MiB; a small table stays in the CPU cache and is faster
    #[arg(long, default_value_t = 16, value_name = "MIB")]
    hash: usize,
    /// Solver threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
    /// Solve only part I of N (from 1) and write only its journal; a run without this option then
    /// combines the journals of all parts
    #[arg(long, value_name = "I/N", value_parser = parse_shard)]
    shard: Option<(usize, usize)>,
}

fn parse_shard(text: &str) -> Result<(usize, usize), String> {
    let parts = text.split_once('/').and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|&(i, n)| 1 <= i && i <= n)
        .ok_or_else(|| "expected I/N with 1 <= I <= N".to_owned())
}

impl Generate {
    /// Solves what no journal holds yet; then, unless this is a shard, checks the scores for
    /// consistency and writes the book.
    pub fn run(&self) -> Result<()> {
        let levels = levels(self.plies);
        let mut journal = Journal::open(&journal_path(&self.out, self.shard))?;
        let mut solver = Solver::new(self.hash, self.threads)?;
        let scores = read_journals(&self.out)?;
        let mine = self.share(levels.last().context("no levels")?);
        let progress = bar(&format!("ply {}", self.plies), mine.len());
        for (key, position) in progress.wrap_iter(mine.into_iter()) {
            if known(&scores, position).is_none() {
                journal.append(self.plies, key.0, solve(&mut solver, position)?)?;
            }
        }
        if self.shard.is_some() { Ok(()) } else { self.finish(&levels) }
    }

    fn finish(&self, levels: &[Level]) -> Result<()> {
        let scores = complete_scores(&self.out, levels)?;
        let complete = levels.iter().flat_map(Level::values);
        write_book(&self.out, complete, &scores)
    }

    /// The part of a level that this shard solves.
    fn share<'a>(&self, level: &'a Level) -> Vec<(&'a Key, &'a Position)> {
        let all: Vec<_> = level.iter().collect();
        let (index, of) = self.shard.unwrap_or((1, 1));
        all[all.len() * (index - 1) / of..all.len() * index / of].to_vec()
    }
}
