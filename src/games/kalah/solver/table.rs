//! The solver's transposition table: bounds of shares, by position number.

use crate::bound_table::{BoundTable, Bounds, KeyMixer, MixedKey, SavedTable};
use crate::platform::memory::Pages;

/// Bounds of a position's share, and the move to try first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KnownShare {
    /// The share is at least this.
    pub lower: u32,
    /// The share is at most this.
    pub upper: u32,
    /// The best house so far.
    pub best: Option<u8>,
}

/// Shares up to 511 and the numbers of up to 15 houses.
type Entries = BoundTable<0, 9, 4>;

/// The table.
pub struct ShareTable {
    entries: Entries,
    mixer: KeyMixer<u64>,
}

impl ShareTable {
    /// The least memory for the position numbers below `count`.
    pub fn least_bytes(count: u64) -> usize {
        Entries::least_bytes::<u64>(key_bits(count))
    }

    /// An empty table of at most `bytes` for the position numbers below `count`.
    pub fn new(bytes: usize, count: u64, pages: Pages) -> Result<ShareTable, String> {
        let key_bits = key_bits(count);
        let least = ShareTable::least_bytes(count);
        if least > bytes {
            let mebibytes = least.div_ceil(1 << 20);
            return Err(format!("{count} positions need a table of at least {mebibytes} MiB"));
        }
        let entries = Entries::new::<u64>(bytes, key_bits, pages);
        let mut entries = entries.map_err(|error| error.to_string())?;
        entries.reset::<u64>(key_bits);
        Ok(ShareTable { entries, mixer: KeyMixer::new(key_bits) })
    }

    /// The key of the position with this number.
    #[inline]
    pub fn key(&self, number: u64) -> MixedKey<u64> {
        self.mixer.mix(number)
    }

    /// The table, to be saved or loaded.
    pub fn saved(&mut self) -> &mut dyn SavedTable {
        &mut self.entries
    }

    /// See [`BoundTable::keep_whole_keys`].
    #[cfg(test)]
    pub fn keep_whole_keys(&mut self) {
        self.entries.keep_whole_keys();
    }

    /// See [`BoundTable::use_alone`].
    pub fn use_alone(&mut self) {
        self.entries.use_alone();
    }

    /// See [`BoundTable::make_room_to_share`].
    pub fn make_room_to_share(&mut self, threads: usize, entries: u64) -> u64 {
        self.entries.make_room_to_share(threads, entries)
    }

    /// See [`BoundTable::count_shared`].
    pub fn count_shared(&mut self) {
        self.entries.count_shared();
    }

    /// Starts loading what [`ShareTable::probe`] will read.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        self.entries.prefetch(self.key(number));
    }

    /// What is known about the position with this number and this many `seeds` in play.
    #[inline]
    pub fn probe(&self, number: u64, seeds: u32) -> KnownShare {
        let trivial = Bounds { lower: 0, upper: seeds as i32 };
        let entry = self.entries.probe(self.key(number), trivial);
        let Bounds { lower, upper } = entry.bounds;
        KnownShare { lower: lower as u32, upper: upper as u32, best: entry.best_move }
    }

    /// Stores that the share is at most (`is_upper`) or at least `bound`, which took `nodes` nodes
    /// to prove.
    #[inline]
    pub fn store(&self, number: u64, bound: u32, is_upper: bool, nodes: u64, best: Option<u8>) {
        self.entries.store(self.key(number), bound as i32, is_upper, nodes, best);
    }
}

fn key_bits(count: u64) -> u32 {
    count.max(2).ilog2() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_bounds_and_the_best_house_are_kept() {
        let table = ShareTable::new(1 << 16, 1 << 40, Pages::Default).unwrap();
        let nothing = KnownShare { lower: 0, upper: 288, best: None };
        assert_eq!(table.probe(77, 288), nothing);
        table.store(77, 9, false, 1, Some(11));
        assert_eq!(table.probe(77, 288), KnownShare { lower: 9, best: Some(11), ..nothing });
        table.store(77, 12, true, 1, Some(0));
        assert_eq!(table.probe(77, 288), KnownShare { lower: 9, upper: 12, best: Some(0) });
    }

    #[test]
    fn too_many_positions_for_the_memory_are_refused() {
        let error = ShareTable::new(1 << 10, 1 << 60, Pages::Default).err().unwrap();
        assert!(error.ends_with("need a table of at least 256 MiB"), "{error}");
        assert!(ShareTable::new(0, 1 << 37, Pages::Default).is_ok());
    }
}
