//! The transposition table: what the search knows about positions it has seen.
//!
//! Shared by all threads without a lock. An entry is two words, the data
//! and the key XORed with the data; a torn write makes the pair fail the key check, so that it
//! reads as a miss. Nothing read here is trusted to be a legal move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};

use super::score::Score;
use crate::platform::memory::{Pages, SharedWords, prefetch};
use crate::platform::threads;

/// Which side of the true value a score lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most the score.
    Upper,
    /// The true value is at least the score.
    Lower,
    /// The score is the true value.
    Exact,
}

/// What the table knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// [`crate::game::Game::code`] of the best move.
    pub best: u16,
    /// The score, distances counted from this position.
    pub score: Score,
    /// How many plies deep the position was searched.
    pub depth: u8,
    /// What the score says.
    pub bound: Bound,
    /// Whether that holds for perfect play: see [`super::score::Value`].
    pub proved: bool,
}

impl Entry {
    /// `old`, an entry of the same position, if it says more: proved or deeper.
    fn or_better(self, old: Entry) -> Entry {
        let keeps_old = match (old.proved, self.proved) {
            (true, false) => true,
            (false, true) => false,
            _ => old.depth > self.depth && self.bound != Bound::Exact,
        };
        if keeps_old { old } else { self }
    }
}

/// ```text
/// bit  0..16 best move   16..32 score   32..40 depth   40..42 bound   42 proved   48..56 age
/// ```
/// All bits zero is no entry: a bound is never 0.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, age: u8) -> Packed {
        let bound = match entry.bound {
            Bound::Upper => 1,
            Bound::Lower => 2,
            Bound::Exact => 3,
        };
        Packed(
            u64::from(entry.best)
                | u64::from(entry.score.to_bits()) << 16
                | u64::from(entry.depth) << 32
                | bound << 40
                | u64::from(entry.proved) << 42
                | u64::from(age) << 48,
        )
    }

    fn entry(self) -> Option<Entry> {
        let bound = match self.0 >> 40 & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Entry {
            best: self.0 as u16,
            score: Score::from_bits((self.0 >> 16) as u16),
            depth: self.depth(),
            bound,
            proved: self.0 >> 42 & 1 == 1,
        })
    }

    fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    fn age(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// How much it would hurt to lose this: deep and recent entries stay.
    fn keep(self, now: u8) -> i32 {
        if self.0 == 0 {
            return i32::MIN + 1;
        }
        i32::from(self.depth()) - 8 * i32::from(now.wrapping_sub(self.age()))
    }
}

/// Slots in a bucket: together they fill one cache line.
const SLOTS: usize = 4;
/// Words in a bucket: each slot is the data, XORed with the key, followed by the data.
const WORDS: usize = 2 * SLOTS;

/// The memory of larger tables is left alone until it is used: there may be less of it than was asked
/// for, and a short search does not need it all.
const LARGEST_PREFAULTED: u64 = 4 << 30;
/// Words that are prefaulted in one go: a large page.
const PIECE: usize = 1 << 18;

/// The table. Reading and writing need no exclusive access.
pub struct TranspositionTable {
    memory: Arc<SharedWords>,
    buckets: usize,
    age: AtomicU8,
    /// How many pieces of the memory have been prefaulted, or are being so.
    prefaulted: AtomicUsize,
    /// Whether somebody has begun to move the memory into large pages.
    moving: AtomicBool,
}

impl TranspositionTable {
    /// An empty table of `mebibytes`, or an error when there is not that much memory.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, String> {
        let buckets = mebibytes.saturating_mul((1 << 20) / (8 * WORDS)).max(1);
        // Large pages would make short searches wait: see `Pages`.
        let memory = SharedWords::zeroed(buckets.saturating_mul(WORDS), Pages::Usual)
            .ok_or_else(|| format!("cannot allocate {mebibytes} MiB"))?;
        Ok(TranspositionTable {
            memory: Arc::new(memory),
            buckets,
            age: AtomicU8::new(0),
            prefaulted: AtomicUsize::new(0),
            moving: AtomicBool::new(false),
        })
    }

    /// Becomes an empty table of `mebibytes`, even if there is not enough memory for the old one
    /// beside it. If there is not enough at all, the size stays.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), String> {
        if self.bytes() == mebibytes.saturating_mul(1 << 20) {
            self.clear();
            return Ok(());
        }
        let fresh = TranspositionTable::new(mebibytes).or_else(|_| {
            let size = self.bytes() >> 20;
            *self = TranspositionTable::new(0)?;
            TranspositionTable::new(mebibytes).inspect_err(|_| {
                // What was given back a moment ago can be had again.
                if let Ok(old) = TranspositionTable::new(size) {
                    *self = old;
                }
            })
        })?;
        *self = fresh;
        Ok(())
    }

    /// How much memory it has.
    pub fn bytes(&self) -> usize {
        8 * WORDS * self.buckets
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        match SharedWords::zeroed(self.buckets * WORDS, Pages::Usual) {
            Some(fresh) => self.memory = Arc::new(fresh),
            None => self.memory.words().iter().for_each(|word| word.store(0, Relaxed)),
        }
        *self.age.get_mut() = 0;
        *self.prefaulted.get_mut() = 0;
        *self.moving.get_mut() = false;
    }

    /// Moves the memory into large pages, where look-ups are faster, once and in the background:
    /// worth it in a search that takes its time.
    pub fn move_to_huge_pages(&self) {
        if self.bytes() as u64 > LARGEST_PREFAULTED || self.moving.swap(true, Relaxed) {
            return;
        }
        let memory = Arc::downgrade(&self.memory);
        let words = self.buckets * WORDS;
        // Without a thread for it the table works as well, only slower.
        let _ = threads::spawn_detached(move || {
            for start in (0..words).step_by(PIECE) {
                let Some(memory) = memory.upgrade() else { return };
                memory.move_to_huge_pages(start..words.min(start + PIECE));
            }
        });
    }

    /// Makes the memory ready for several threads, piece by piece, until `is_enough`. What this
    /// leaves undone the next call goes on with; calls may overlap.
    pub fn prefault(&self, is_enough: impl Fn() -> bool) {
        let words = self.buckets * WORDS;
        while self.bytes() as u64 <= LARGEST_PREFAULTED && !is_enough() {
            let start = self.prefaulted.fetch_add(1, Relaxed).saturating_mul(PIECE);
            if start >= words {
                self.prefaulted.store(words.div_ceil(PIECE), Relaxed);
                return;
            }
            self.memory.prefault(start..words.min(start + PIECE));
        }
    }

    /// Tells that a new search begins: what is there now may be overwritten sooner.
    pub fn new_search(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    /// Starts to fetch what [`TranspositionTable::probe`] will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.memory.words()[self.bucket_start(key)]);
    }

    /// What is known about the position with this key.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)
            .find(|&(check, data)| check ^ data == key)
            .and_then(|(_, data)| Packed(data).entry())
    }

    /// Stores `entry`, in place of an older entry of the same position or the least valuable of
    /// its bucket. A deeper or proved entry of the same position stays, and counts as new.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let now = self.age.load(Relaxed);
        let mut victim = 0;
        let mut least = i32::MAX;
        for (slot, (check, data)) in self.bucket(key).enumerate() {
            if check ^ data == key {
                entry = Packed(data).entry().map_or(entry, |old| entry.or_better(old));
                victim = slot;
                break;
            }
            let keep = Packed(data).keep(now);
            if keep < least {
                least = keep;
                victim = slot;
            }
        }
        let data = Packed::new(entry, now).0;
        let start = self.bucket_start(key) + 2 * victim;
        let words = self.memory.words();
        words[start].store(key ^ data, Relaxed);
        words[start + 1].store(data, Relaxed);
    }

    /// How full the table is with entries of the current search, in thousandths.
    pub fn hashfull(&self) -> usize {
        let now = self.age.load(Relaxed);
        let words = self.memory.words();
        let sample = &words[..words.len().min(250 * WORDS)];
        let data = sample.iter().skip(1).step_by(2).map(|word| Packed(word.load(Relaxed)));
        let used = data.filter(|packed| packed.0 != 0 && packed.age() == now).count();
        used * 1000 / (sample.len() / 2)
    }

    /// The slots where the position with this key may be.
    #[inline]
    fn bucket(&self, key: u64) -> impl Iterator<Item = (u64, u64)> + '_ {
        let start = self.bucket_start(key);
        let words = &self.memory.words()[start..start + WORDS];
        words.chunks_exact(2).map(|slot| (slot[0].load(Relaxed), slot[1].load(Relaxed)))
    }

    #[inline]
    fn bucket_start(&self, key: u64) -> usize {
        WORDS * ((u128::from(key) * self.buckets as u128) >> 64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry { best: 7, score: Score::loss_in(12), depth, bound: Bound::Lower, proved: true }
    }

    #[test]
    fn what_is_put_can_be_got_until_cleared() {
        let mut table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(99), None);
        table.store(99, entry(5));
        assert_eq!(table.probe(99), Some(entry(5)));
        assert_eq!(table.probe(98), None);
        table.clear();
        assert_eq!(table.probe(99), None);
    }

    #[test]
    fn the_key_zero_is_a_key_like_any_other() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(0), None);
        table.store(0, entry(1));
        assert_eq!(table.probe(0), Some(entry(1)));
    }

    #[test]
    fn a_full_bucket_gives_up_its_shallowest_and_oldest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..4 {
            table.store(key, entry(10 + key as u8));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(0), None, "the shallowest goes");
        table.new_search();
        table.new_search();
        table.store(4, entry(1));
        table.store(5, entry(1));
        assert_eq!(table.probe(1), None, "an old deep entry goes before a new shallow one");
        assert_eq!(table.probe(4), Some(entry(1)));
    }

    #[test]
    fn populating_and_moving_forget_nothing() {
        let table = TranspositionTable::new(8).unwrap();
        table.store(99, entry(5));
        table.prefault(|| false);
        table.move_to_huge_pages();
        assert_eq!(table.probe(99), Some(entry(5)));
    }

    #[test]
    fn an_absurd_size_is_an_error() {
        assert!(TranspositionTable::new(usize::MAX).is_err());
        assert!(TranspositionTable::new(1 << 40).is_err());
    }

    #[test]
    fn fullness_counts_the_current_search() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..64 {
            table.store(key << 40, entry(1));
        }
        assert!(table.hashfull() > 0);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
}
