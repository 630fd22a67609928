//! Solves the positions of the engine's lines.

use std::collections::hash_map::Entry;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use ratlla::games::kalah::board::House;
use ratlla::games::kalah::book::{BookEntry, HOUSES, ShareBook, by_preference};
use ratlla::games::kalah::solver::ShareSolver;
use ratlla::platform::files::replace;

use super::lines::{Extent, Lines, Position};
use super::{SolverOptions, consistency};
use crate::journal::{Journal, journal_path, read_journals};

/// Arguments of `kalah-book generate`.
#[derive(Args)]
pub struct Generate {
    /// Book file to write; its journal is kept beside it
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    extent: Extent,
    #[command(flatten)]
    solver: SolverOptions,
}

impl Generate {
    /// Solves what no journal holds yet, checks the shares for consistency and writes the book.
    pub fn run(&self) -> Result<()> {
        let mut known = read_journals(&self.out)?;
        let mut journal = Journal::open(&journal_path(&self.out, None))?;
        let endgames = self.solver.endgames()?;
        let solver = self.solver.solver(&endgames)?;
        let lines = Lines::new(self.extent);
        let positions = lines.follow(|number, position| {
            let key = (position.in_play(), number);
            let value = match known.entry(key) {
                Entry::Occupied(value) => *value.get(),
                Entry::Vacant(unknown) => {
                    let value = to_value(solve(&solver, &lines, position)?);
                    journal.append(key.0, key.1, value)?;
                    *unknown.insert(value)
                }
            };
            Ok(Some(from_value(value)))
        })?;
        let count = positions.len();
        let entries = positions.into_iter().map(|(number, (_, entry))| (number, entry));
        let bytes = ShareBook::encode(entries).context("an entry does not fit the book format")?;
        consistency::check(&ShareBook::parse(&bytes)?, self.extent)?;
        replace(&self.out, &[&bytes]).with_context(|| self.out.display().to_string())?;
        println!("{}: {count} entries, {} bytes", self.out.display(), bytes.len());
        Ok(())
    }
}

/// The share of a position and, of the moves that bring it, the one with the smallest book below.
pub fn solve(
    solver: &ShareSolver<'_, u64>,
    lines: &Lines,
    position: Position,
) -> Result<BookEntry> {
    let (share, _) = solver.share(position, None);
    let share = share.context("the solver stopped without a limit")?;
    let (_, rank) = cheapest(solver, lines, position, share).context("no move brings the share")?;
    Ok(BookEntry { share: share as u8, rank })
}

/// The move with the smallest book below of those that bring `share`: its weight, see
/// [`Lines::weight`], and rank.
fn cheapest(
    solver: &ShareSolver<'_, u64>,
    lines: &Lines,
    position: Position,
    share: u32,
) -> Option<(u64, u8)> {
    let moves = (0..).zip(by_preference(&lines.sowing, position));
    let best = moves.filter(|&(_, house)| solver.reaches(position, house.0.into(), share));
    let weighed = best.filter_map(|(rank, House(house))| {
        let sown = lines.sowing.sow(position, house.into());
        let weight = match (sown.rows.is_over(), sown.again) {
            (true, _) => 0,
            (false, true) => cheapest(solver, lines, sown.rows, share - sown.gain)?.0,
            (false, false) => lines.weight(sown.rows.turned()),
        };
        Some((weight, rank))
    });
    weighed.min()
}

/// An entry as the value of a journal's line.
fn to_value(BookEntry { share, rank }: BookEntry) -> i32 {
    i32::from(share) * HOUSES as i32 + i32::from(rank)
}

/// The inverse of [`to_value`]. What is out of range does not pass the encoder.
fn from_value(value: i32) -> BookEntry {
    let houses = HOUSES as i32;
    BookEntry { share: (value / houses) as u8, rank: (value % houses) as u8 }
}
