//! Retrograde analysis, layer by layer: each position from those it leads to.
//!
//! A move either takes seeds out of play, which leads to a lower layer, or moves seeds towards
//! the mover's store within his own row, which leads to a position of the same layer, turned,
//! with a lower level of that row (see [`RowSet`]). So every position comes after those it
//! depends on if the two views of a board are solved together, level by level.
//!
//! One row of the mover is solved against many rows of the other player at once: what a move does
//! to the mover's row is the same for all of them, and what it does to the others is read from
//! lists of ranks.

use super::super::row::{Row, Word};
use super::super::sowing::{Rows, Rules, Sowing};
use super::build::{BuildError, BuildProgress};
use super::index::Index;
use super::row_set::RowSet;

/// Positions between two reports.
const REPORTED: u64 = 1 << 16;

/// A table that is being built.
pub struct Layers<'a, W> {
    sowing: Sowing<W>,
    index: Index,
    /// By number of seeds.
    sets: Vec<RowSet<W>>,
    shares: &'a mut [u8],
    /// The best shares so far of the positions being solved.
    best: Vec<u8>,
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
            best: vec![0; most_rows as usize],
            index,
            shares,
            positions: known,
            reported: known,
            progress,
        })
    }

    /// Solves the positions with `seeds` in play, all lower layers being done.
    pub fn fill(&mut self, seeds: usize) -> Result<(), BuildError> {
        for few in 1..=seeds / 2 {
            self.fill_block(few, seeds - few)?;
        }
        let completed = Some((seeds, &self.shares[..self.index.size(seeds) as usize]));
        let progress = BuildProgress { positions: self.index.size(seeds), completed };
        continue_if((self.progress)(progress))
    }

    /// Solves the block with `few` and `many` seeds in the rows, and its mirror image.
    fn fill_block(&mut self, few: usize, many: usize) -> Result<(), BuildError> {
        let by_level = |set: &mut RowSet<W>| std::mem::take(&mut set.by_level);
        let movers = by_level(&mut self.sets[few]);
        let ends = self.sets[few].level_ends.clone();
        let others = if few == many { movers.clone() } else { by_level(&mut self.sets[many]) };
        let mut start = 0;
        let mut result = Ok(());
        for end in ends {
            let level = &movers[start..end];
            // In a block that is its own mirror image, lower levels are already done.
            let (facing, beyond) = if few == many {
                (&others[start..], &others[end..])
            } else {
                (&others[..], &others[..])
            };
            for &rank in level {
                self.fill_row(few, many, rank as usize, facing);
            }
            for &rank in beyond {
                self.fill_row(many, few, rank as usize, level);
            }
            start = end;
            result = self.report();
            if result.is_err() {
                break;
            }
        }
        self.sets[many].by_level = others;
        self.sets[few].by_level = movers;
        result
    }

    fn report(&mut self) -> Result<(), BuildError> {
        if self.positions - self.reported < REPORTED {
            return Ok(());
        }
        self.reported = self.positions;
        continue_if((self.progress)(BuildProgress { positions: self.positions, completed: None }))
    }

    /// Solves the mover's row of this rank, which has `own` seeds, against rows of the other
    /// player, which have `other`.
    fn fill_row(&mut self, own: usize, other: usize, rank: usize, facing: &[u32]) {
        let mut best = std::mem::take(&mut self.best);
        let row = self.sets[own].rows[rank];
        let shares = &mut best[..facing.len()];
        shares.fill(0);
        for house in row.occupied() {
            let played = Played { row, own, other, house, facing };
            self.offer_move(&played, shares);
        }
        let start = (self.index.block_start(own, other) + rank as u64 * self.index.row_count(other))
            as usize;
        for (&share, &rank) in shares.iter().zip(facing) {
            self.shares[start + rank as usize] = share;
        }
        self.positions += facing.len() as u64;
        self.best = best;
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
            let after = Turned::new(&self.index, sown, left, other + given);
            let fed = &set.fed[given - 1];
            played.offer(best, |rank| all - self.shares[after.place(fed[rank])]);
        } else if seeds == distance {
            if own == 1 {
                return played.offer(best, |_| 1);
            }
            let start = self.index.block_start(own - 1, other)
                + self.index.rank(sown) * self.index.row_count(other);
            played.offer(best, |rank| 1 + self.shares[start as usize + rank]);
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
        let stays = Turned::new(&self.index, sown, own, other);
        if row.get(last) > 0 {
            return played.offer(best, |rank| all - self.shares[stays.place(rank as u32)]);
        }
        let kept = self.index.rank(sown.without(last));
        let narrow = self.index.row_count(own - 1);
        let robbed = &set.robbed[facing];
        played.offer(best, |rank| {
            let caught = set.rows[rank].get(facing) as usize;
            if caught == 0 && !empty_capture {
                all - self.shares[stays.place(rank as u32)]
            } else if caught == other {
                all
            } else if own == 1 {
                1 + caught as u8
            } else {
                let start = self.index.block_start(other - caught, own - 1) + kept;
                let after = Turned { start, width: narrow };
                all - self.shares[after.place(robbed[rank])]
            }
        });
    }

    /// The share that playing a house brings, by simulating the move.
    fn played_out(&self, own: Row<W>, other: Row<W>, house: usize, all: u8) -> u8 {
        let sown = self.sowing.sow(Rows { own, other }, house);
        let gain = sown.gain as u8;
        let share = |rows: Rows<W>| self.shares[self.index.of(rows) as usize];
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

/// Numbers of the positions in which a row waits for the other player's move.
struct Turned {
    start: u64,
    width: u64,
}

impl Turned {
    /// For a row with `seeds` seeds, against rows with `other` seeds.
    #[inline]
    fn new<W: Word>(index: &Index, row: Row<W>, seeds: usize, other: usize) -> Turned {
        let start = index.block_start(other, seeds) + index.rank(row);
        Turned { start, width: index.row_count(seeds) }
    }

    /// The place of the position where the row of this rank is to move.
    #[inline]
    fn place(&self, rank: u32) -> usize {
        (self.start + u64::from(rank) * self.width) as usize
    }
}

fn continue_if(go_on: bool) -> Result<(), BuildError> {
    if go_on { Ok(()) } else { Err(BuildError::Stopped) }
}
