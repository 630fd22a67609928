//! Computes the exact scores of all positions with few stones.
//!
//! The levels, one for each number of stones, are done from [`FIRST_PLY`] downwards. A score found
//! there helps twice: what the solver proved on the way stays in its table, and no position can
//! be worse for its mover than the negated score of any position before it, since the opponent
//! might have played that way. So most positions need only the proof that they are no better than
//! that. The few positions above are the hardest, and follow from those below without a search.

use std::collections::HashMap;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use ratlla::games::connect4::book::key::Key;
use ratlla::games::connect4::solver::{Bounds, Limits, Position, Score, Solver};

use crate::book_file::write_book;
use crate::consistency::complete_scores;
use crate::journal::{Journal, Scores, journal_path, known, read_journals};
use crate::positions::{Level, children, levels};
use crate::progress::bar;

/// Best score on 6x7: a win with the fourth stone.
const MOST: Score = 18;

/// The number of stones to begin with, if the book is to go so deep.
const FIRST_PLY: u32 = 6;

/// What `generate` is told.
#[derive(Args)]
pub struct Generate {
    /// The book to write; its journals are kept beside it.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many plies deep the book is complete.
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// MiB for the solver's table.
    #[arg(long, default_value_t = 1024, value_name = "MIB")]
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
        let first = FIRST_PLY.min(self.plies);
        for stones in first..=self.plies {
            // Read anew for each level, for what other shards have found by now.
            let scores = read_journals(&self.out)?;
            let before = stones.checked_sub(1).map(|before| &levels[before as usize]);
            let floors = before.map_or_else(HashMap::new, |before| floors(before, &scores));
            let mine = self.share(&levels[stones as usize]);
            let progress = bar(&format!("ply {stones}"), mine.len());
            for (key, position) in progress.wrap_iter(mine.into_iter()) {
                if known(&scores, position).is_none() {
                    let floor = floors.get(key).copied().unwrap_or(-MOST);
                    let score = solve(&mut solver, position, floor)?;
                    journal.append(stones, *key, score)?;
                }
            }
        }
        if self.shard.is_some() { Ok(()) } else { self.finish(&levels) }
    }

    fn finish(&self, levels: &[Level]) -> Result<()> {
        let scores = complete_scores(&self.out, levels)?;
        let complete = levels.iter().flat_map(Level::values);
        write_book(&self.out, complete, &scores)
    }

    /// The part of a level that this shard computes: neighbours, which share the most.
    fn share<'a>(&self, level: &'a Level) -> Vec<(&'a Key, &'a Position)> {
        let all: Vec<_> = level.iter().collect();
        let (index, of) = self.shard.unwrap_or((1, 1));
        all[all.len() * (index - 1) / of..all.len() * index / of].to_vec()
    }
}

/// For the positions after those of `level`: the least they can be worth.
fn floors(level: &Level, scores: &Scores) -> HashMap<Key, Score> {
    let mut floors = HashMap::new();
    for position in level.values() {
        let Some(score) = known(scores, position) else { continue };
        for key in children(position).filter_map(|next| Key::of(&next)) {
            let floor = floors.entry(key).or_insert(-score);
            *floor = (-score).max(*floor);
        }
    }
    floors
}

fn solve(solver: &mut Solver, position: &Position, floor: Score) -> Result<Score> {
    let wanted = Bounds { lower: floor, upper: MOST };
    let found = solver.narrow(position, wanted, &Limits::default()).bounds;
    let bounds = Bounds { lower: found.lower.max(floor), upper: found.upper };
    bounds.score().context("the scores of two levels contradict each other")
}
