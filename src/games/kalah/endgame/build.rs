//! Builds the table layer by layer: each position from those it leads to.
//!
//! A move either takes seeds out of play, which leads to a lower layer, or moves seeds towards
//! the mover's store within his own row, which leads to a position of the same block, turned,
//! with a lower rank of that row. So every position comes after those it depends on if the two
//! views of a board are worked out together, by the ranks of its rows.

use super::super::row::{Row, Word};
use super::super::sowing::{Rows, Rules, SEEDS, Sowing};
use super::index::{Index, rows_by_rank};
use super::{Endgames, Kind, Shares};
use crate::memory::{Pages, zeroed_bytes};

/// Shares are bytes, and laps are known for as many seeds as the largest game has.
const MOST_SEEDS: usize = 255;

/// Why there is no table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Progress was answered with "no".
    Stopped,
    /// It cannot be done.
    Impossible(String),
}

/// Builds the table for up to `seeds` in play, from a smaller one if there is one.
///
/// `progress` is told every so often how many positions have been worked out, those of `smaller`
/// included, and whether that completes a layer; with it come all shares so far. It answers
/// whether to go on.
pub fn build(
    kind: Kind,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<Endgames, Failure> {
    if kind.houses <= u64::HOUSES {
        build_on::<u64>(kind, seeds, smaller, progress)
    } else {
        build_on::<u128>(kind, seeds, smaller, progress)
    }
}

/// How far a table has been built.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// Positions worked out.
    pub positions: u64,
    /// The seeds of a layer that was just completed, and all shares up to it.
    pub completed: Option<(usize, &'a [u8])>,
}

fn build_on<W: Word>(
    kind: Kind,
    seeds: usize,
    smaller: Option<&Endgames>,
    progress: &mut dyn FnMut(Progress<'_>) -> bool,
) -> Result<Endgames, Failure> {
    let impossible = |reason: String| Failure::Impossible(reason);
    let rules = Rules::new(kind.houses, *SEEDS.end(), kind.empty_capture).map_err(impossible)?;
    if seeds > MOST_SEEDS.min(rules.total()) {
        return Err(impossible(format!("no game of this kind has {seeds} seeds to build for")));
    }
    let index = Index::new(kind.houses, seeds)
        .ok_or_else(|| impossible(format!("too many positions with {seeds} seeds")))?;
    let bytes = index.size(seeds);
    let mut memory = usize::try_from(bytes)
        .ok()
        .and_then(|bytes| zeroed_bytes(bytes.max(1), Pages::Large))
        .ok_or_else(|| impossible(format!("{bytes} bytes of memory cannot be had")))?;
    let smaller = smaller.filter(|table| table.kind() == kind && table.seeds() <= seeds);
    let done = smaller.map_or(0, Endgames::seeds);
    let known = index.size(done) as usize;
    if let Some(smaller) = smaller {
        memory[..known].copy_from_slice(&smaller.shares()[..known]);
    }
    let mut layers =
        Layers { sowing: Sowing::<W>::new(rules), index, shares: &mut memory, progress };
    for layer in done + 1..=seeds {
        layers.fill(layer)?;
    }
    Ok(Endgames { kind, seeds, shares: Shares::Built(memory) })
}

struct Layers<'a, W> {
    sowing: Sowing<W>,
    index: Index,
    shares: &'a mut [u8],
    progress: &'a mut dyn FnMut(Progress<'_>) -> bool,
}

impl<W: Word> Layers<'_, W> {
    /// Works out the positions with `seeds` in play, all lower layers being done.
    fn fill(&mut self, seeds: usize) -> Result<(), Failure> {
        let mut positions = self.index.size(seeds - 1);
        for few in 1..=seeds / 2 {
            self.fill_block(few, seeds - few, &mut positions)?;
        }
        let completed = Some((seeds, &self.shares[..self.index.size(seeds) as usize]));
        let progress = Progress { positions: self.index.size(seeds), completed };
        go_on((self.progress)(progress))
    }

    /// Works out the block with `few` and `many` seeds in the rows, and its mirror image.
    fn fill_block(&mut self, few: usize, many: usize, positions: &mut u64) -> Result<(), Failure> {
        let few_rows = rows_by_rank(&self.index, few);
        let many_rows = rows_by_rank(&self.index, many);
        let start = self.index.block_start(few, many) as usize;
        let mirrored = self.index.block_start(many, few) as usize;
        for (rank, &row) in few_rows.iter().enumerate() {
            // Of a block that is its own mirror image, half the pairs are all.
            let facing = if few == many { rank + 1 } else { many_rows.len() };
            for (facing_rank, &facing_row) in many_rows[..facing].iter().enumerate() {
                let place = start + rank * many_rows.len() + facing_rank;
                let mirrored_place = mirrored + facing_rank * few_rows.len() + rank;
                self.shares[place] = self.share(row, facing_row, few + many);
                self.shares[mirrored_place] = self.share(facing_row, row, few + many);
            }
            *positions += 2 * facing as u64 - u64::from(few == many);
            let progress = Progress { positions: *positions, completed: None };
            go_on((self.progress)(progress))?;
        }
        Ok(())
    }

    /// The best share over all moves.
    fn share(&self, own: Row<W>, other: Row<W>, seeds: usize) -> u8 {
        let rows = Rows { own, other };
        let houses = (0..self.index.houses()).filter(|&house| own.get(house) > 0);
        let shares = houses.map(|house| {
            let sown = self.sowing.sow(rows, house);
            let left = seeds as u32 - sown.gain;
            sown.gain
                + if sown.rows.is_over() {
                    sown.rows.own.total()
                } else if sown.again {
                    self.known(sown.rows)
                } else {
                    left - self.known(sown.rows.turned())
                }
        });
        shares.max().unwrap_or(0) as u8
    }

    #[inline]
    fn known(&self, rows: Rows<W>) -> u32 {
        u32::from(self.shares[self.index.of(rows) as usize])
    }
}

fn go_on(answer: bool) -> Result<(), Failure> {
    if answer { Ok(()) } else { Err(Failure::Stopped) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(houses: usize) -> Kind {
        Kind { houses, empty_capture: false }
    }

    #[test]
    fn a_table_grown_from_a_smaller_one_is_the_same() {
        let mut layers = Vec::new();
        let whole = build(kind(3), 8, None, &mut |progress| {
            layers.extend(progress.completed.map(|(seeds, shares)| (seeds, shares.len())));
            true
        })
        .unwrap();
        assert_eq!(layers.len(), 8);
        let half = build(kind(3), 5, None, &mut |_| true).unwrap();
        assert_eq!(layers[4], (5, half.shares().len()));
        let grown = build(kind(3), 8, Some(&half), &mut |progress| {
            assert!(progress.positions >= half.shares().len() as u64);
            true
        })
        .unwrap();
        assert_eq!(grown.shares(), whole.shares());
    }

    #[test]
    fn building_can_be_stopped() {
        let stopped = build(kind(6), 20, None, &mut |progress| progress.positions < 1000);
        assert_eq!(stopped.err(), Some(Failure::Stopped));
    }

    #[test]
    fn what_cannot_be_built_is_refused() {
        for (houses, seeds) in [(6, 145), (12, 256), (12, 200), (0, 4), (13, 4)] {
            let result = build(kind(houses), seeds, None, &mut |_| true);
            assert!(matches!(result.err(), Some(Failure::Impossible(_))), "{houses} {seeds}");
        }
    }
}
