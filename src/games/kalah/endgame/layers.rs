//! Retrograde analysis, layer by layer: each position from those it leads to.
//!
//! A move either takes seeds out of play, which leads to a lower layer, or moves seeds towards
//! the mover's store within his own row, which leads to a position of the same layer, turned,
//! with a lower level of that row (see [`RowSet`]). So every position comes after those it
//! depends on if the two views of a board are solved together, level by level.
//!
//! One row of the mover is solved against many rows of the other player at once: what a move does
//! to the mover's row is the same for all of them, and what it does to the others is read from
//! lists of ranks. The rows of a level do not depend on each other, so threads can share them.

use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering::Relaxed};

use super::super::row::{Row, Word};
use super::super::sowing::{Rows, Rules, Sowing};
use super::build::{BuildError, BuildProgress};
use super::index::Index;
use super::row_set::RowSet;
use crate::platform::memory::shared_bytes;
use crate::platform::threads;

/// Positions between two reports.
const REPORTED: u64 = 1 << 16;

/// Fewer positions than this are solved before another thread has started.
const WORTH_A_THREAD: usize = 1 << 15;

/// Rows that a thread takes at a time.
const ROWS_AT_ONCE: usize = 4;

/// A table that is being built.
pub struct Layers<'a, W> {
    sowing: Sowing<W>,
    index: Index,
    /// By number of seeds.
    sets: Vec<RowSet<W>>,
    shares: &'a mut [u8],
    threads: usize,
    /// Positions solved, and how many were at the last report.
    positions: u64,
    reported: u64,
    progress: &'a mut dyn FnMut(BuildProgress<'_>) -> bool,
}

impl<'a, W: Word> Layers<'a, W> {
    /// For a table of the positions of `index`, the first `known` of which are done.
    pub fn new(
        rules: Rules,
        index: Index,
        shares: &'a mut [u8],
        known: u64,
        threads: usize,
        progress: &'a mut dyn FnMut(BuildProgress<'_>) -> bool,
    ) -> Result<Self, BuildError> {
        let counts = 0..index.seeds();
        let most_rows = counts.clone().map(|seeds| index.row_count(seeds)).max().unwrap_or(0);
        if u32::try_from(most_rows).is_err() {
            return Err(BuildError::Impossible(format!("too many positions: {most_rows} rows")));
        }
        Ok(Layers {
            sowing: Sowing::new(rules),
            sets: counts.map(|seeds| RowSet::new(&index, seeds)).collect(),
            index,
            shares,
            threads,
            positions: known,
            reported: known,
            progress,
        })
    }

    /// Solves the positions with `seeds` in play, all lower layers being done.
    pub fn fill(&mut self, seeds: usize) -> Result<(), BuildError> {
        let Layers { sowing, index, sets, shares, .. } = self;
        let (start, end) = (index.size(seeds - 1) as usize, index.size(seeds) as usize);
        let (done, rest) = shares.split_at_mut(start);
        let layer = shared_bytes(&mut rest[..end - start]);
        let layer = Layer { sowing, index, sets, done, layer, threads: self.threads };
        for few in 1..=seeds / 2 {
            layer.fill_block(few, seeds - few, &mut |positions| {
                self.positions += positions as u64;
                if self.positions - self.reported < REPORTED {
                    return Ok(());
                }
                self.reported = self.positions;
                let progress = BuildProgress { positions: self.positions, completed: None };
                continue_if((self.progress)(progress))
            })?;
        }
        let completed = Some((seeds, &self.shares[..end]));
        continue_if((self.progress)(BuildProgress { positions: end as u64, completed }))
    }
}

/// A layer that is being filled.
struct Layer<'a, W> {
    sowing: &'a Sowing<W>,
    index: &'a Index,
    sets: &'a [RowSet<W>],
    /// The shares of all lower layers.
    done: &'a [u8],
    /// The shares of this layer, which come after those.
    layer: &'a [AtomicU8],
    threads: usize,
}

impl<W: Word> Layer<'_, W> {
    /// Solves the block with `few` and `many` seeds in the rows, and its mirror image. Calls
    /// `solved` with the number of positions of each part.
    fn fill_block(
        &self,
        few: usize,
        many: usize,
        solved: &mut dyn FnMut(usize) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let (movers, others) = (&self.sets[few].by_level, &self.sets[many].by_level);
        let mut start = 0;
        for &end in &self.sets[few].level_ends {
            let level = &movers[start..end];
            // In a block that is its own mirror image, lower levels are already done.
            let (facing, beyond) = if few == many {
                (&others[start..], &others[end..])
            } else {
                (&others[..], &others[..])
            };
            self.fill_rows(few, many, level, facing);
            self.fill_rows(many, few, beyond, level);
            solved(level.len() * (facing.len() + beyond.len()))?;
            start = end;
        }
        Ok(())
    }

    /// Solves rows of the mover, which have `own` seeds, against rows of the other player, which
    /// have `other`.
    fn fill_rows(&self, own: usize, other: usize, movers: &[u32], facing: &[u32]) {
        let next = AtomicUsize::new(0);
        let fill = || {
            let mut best = vec![0; facing.len()];
            loop {
                let first = next.fetch_add(ROWS_AT_ONCE, Relaxed).min(movers.len());
                let rows = &movers[first..movers.len().min(first + ROWS_AT_ONCE)];
                if rows.is_empty() {
                    return;
                }
                for &rank in rows {
                    self.fill_row(own, other, rank as usize, facing, &mut best);
                }
            }
        };
        let useful = (movers.len() * facing.len() / WORTH_A_THREAD).clamp(1, self.threads);
        threads::scope(|scope| {
            for _ in 1..useful {
                // With fewer threads than wanted, the others do its work.
                if threads::spawn_scoped(scope, fill).is_err() {
                    break;
                }
            }
            fill();
        });
    }

    /// Solves the mover's row of this rank against rows of the other player; `best` has room for
    /// their shares.
    fn fill_row(&self, own: usize, other: usize, rank: usize, facing: &[u32], best: &mut [u8]) {
        let row = self.sets[own].rows[rank];
        best.fill(0);
        for house in row.occupied() {
            self.offer_move(&Played { row, own, other, house, facing }, best);
        }
        let start = self.index.block_start(own, other) + rank as u64 * self.index.row_count(other);
        let shares = &self.layer[start as usize - self.done.len()..];
        for (&share, &rank) in best.iter().zip(facing) {
            shares[rank as usize].store(share, Relaxed);
        }
    }

    /// Raises `best` to what the mover gets by playing a house against each of the facing rows.
    fn offer_move(&self, played: &Played<'_, W>, best: &mut [u8]) {
        let Played { row, own, other, house, .. } = *played;
        let houses = self.index.houses();
        let (seeds, distance) = (row.get(house) as usize, houses - house);
        let all = (own + other) as u8;
        let set = &self.sets[other];
        let sown = self.sowing.sow_own(row, house);
        if seeds > distance + houses {
            // More than a lap: rare enough to be simulated.
            played.offer(best, |rank| self.played_out(row, set.rows[rank], house, all));
        } else if seeds > distance {
            let given = seeds - distance;
            let left = own - given - 1;
            if left == 0 {
                return played.offer(best, |_| 1);
            }
            let after = self.waiting(sown, left, other + given);
            let fed = &set.fed[given - 1];
            played.offer(best, |rank| all - self.done[after.place(fed[rank])]);
        } else if seeds == distance {
            if own == 1 {
                return played.offer(best, |_| 1);
            }
            let start = self.index.block_start(own - 1, other)
                + self.index.rank(sown) * self.index.row_count(other);
            let after = &self.done[start as usize..];
            played.offer(best, |rank| 1 + after[rank]);
        } else {
            self.offer_at_home(played, house + seeds, best);
        }
    }

    /// The same for a house whose seeds all stay in the own row, the last one in the house
    /// `last`.
    fn offer_at_home(&self, played: &Played<'_, W>, last: usize, best: &mut [u8]) {
        let Played { row, own, other, house, .. } = *played;
        let all = (own + other) as u8;
        let set = &self.sets[other];
        let (facing, empty_capture) =
            (self.sowing.rules().facing(last), self.sowing.rules().empty_capture());
        let sown = self.sowing.sow_own(row, house);
        let stays = self.waiting(sown, own, other);
        let stayed = |rank: usize| {
            all - self.layer[stays.place(rank as u32) - self.done.len()].load(Relaxed)
        };
        if row.get(last) > 0 {
            return played.offer(best, stayed);
        }
        let kept = self.index.rank(sown.without(last));
        let narrow = self.index.row_count(own - 1);
        let robbed = &set.robbed[facing];
        played.offer(best, |rank| {
            let caught = set.rows[rank].get(facing) as usize;
            if caught == 0 && !empty_capture {
                stayed(rank)
            } else if caught == other {
                all
            } else if own == 1 {
                1 + caught as u8
            } else {
                let start = self.index.block_start(other - caught, own - 1) + kept;
                let after = Waiting { start, width: narrow };
                all - self.done[after.place(robbed[rank])]
            }
        });
    }

    /// The positions in which a row with `seeds` seeds waits for the other player's move, who has
    /// `other` seeds.
    #[inline]
    fn waiting(&self, row: Row<W>, seeds: usize, other: usize) -> Waiting {
        let start = self.index.block_start(other, seeds) + self.index.rank(row);
        Waiting { start, width: self.index.row_count(seeds) }
    }

    /// The share that playing a house brings, by simulating the move.
    fn played_out(&self, own: Row<W>, other: Row<W>, house: usize, all: u8) -> u8 {
        let sown = self.sowing.sow(Rows { own, other }, house);
        let gain = sown.gain as u8;
        // A lap passes the store: the position is in a lower layer.
        let share = |rows: Rows<W>| self.done[self.index.of(rows) as usize];
        if sown.rows.is_over() {
            gain + sown.rows.own.total() as u8
        } else if sown.again {
            gain + share(sown.rows)
        } else {
            all - share(sown.rows.turned())
        }
    }
}

/// A move of one row against many.
struct Played<'a, W> {
    /// The mover's row and its seeds.
    row: Row<W>,
    own: usize,
    /// The seeds of each facing row.
    other: usize,
    house: usize,
    /// The ranks of the facing rows.
    facing: &'a [u32],
}

impl<W> Played<'_, W> {
    /// Raises each of the best shares to the one that the move brings against that rank.
    #[inline(always)]
    fn offer(&self, best: &mut [u8], share: impl Fn(usize) -> u8) {
        for (best, &rank) in best.iter_mut().zip(self.facing) {
            *best = (*best).max(share(rank as usize));
        }
    }
}

/// The positions in which one row waits for the other player's move.
struct Waiting {
    start: u64,
    width: u64,
}

impl Waiting {
    /// The number of the one where the row of this rank is to move.
    #[inline]
    fn place(&self, rank: u32) -> usize {
        (self.start + u64::from(rank) * self.width) as usize
    }
}

fn continue_if(go_on: bool) -> Result<(), BuildError> {
    if go_on { Ok(()) } else { Err(BuildError::Stopped) }
}
