//! The transposition table of the playing search: best move and score bound by position key.
//!
//! All threads share it without locks. An entry is two words, the data and the key XORed with the
//! data: a torn write fails the key check and reads as a miss. Different positions may still share
//! a key, so a best move need not be legal. Knows keys, scores and move codes; knows nothing of
//! games.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::Relaxed};

use super::score::Score;
use crate::platform::memory::{HAS_HUGE_PAGES, Pages, SharedWords, prefetch};
use crate::platform::threads;

/// How a score relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at most the score (fail-low).
    Upper,
    /// The true value is at least the score (fail-high).
    Lower,
    /// The score is the true value.
    Exact,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// [`crate::game::Game::code`] of the best move.
    pub best: u16,
    /// The score; distances to wins and losses count from this position, not from the root.
    pub score: Score,
    /// The depth in plies to which the position was searched.
    pub depth: u8,
    /// Whether the score is exact or a bound.
    pub bound: Bound,
    /// Whether the bound holds for perfect play: see [`super::score::Certainty`].
    pub proved: bool,
    /// Whether the tree below was searched to its end, in this search. What earlier searches found
    /// depended on their history, so [`TranspositionTable::probe`] does not return it as such.
    pub finished: bool,
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

/// An entry and its age in one word:
///
/// ```text
/// bit  0..16 best move   16..32 score   32..40 depth   40..42 bound
///     42 proved   43 finished   44..64 age
/// ```
///
/// Zero is an empty slot: a bound is never 0.
#[derive(Clone, Copy)]
struct Packed(u64);

impl Packed {
    fn new(entry: Entry, age: u32) -> Packed {
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
                | u64::from(entry.finished) << 43
                | u64::from(age) << AGE_SHIFT,
        )
    }

    /// The entry for a search of the age `now`.
    fn entry(self, now: u32) -> Option<Entry> {
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
            finished: self.0 >> 43 & 1 == 1 && self.searches_ago(now) == 0,
        })
    }

    fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    /// How many searches ago it was stored.
    fn searches_ago(self, now: u32) -> u32 {
        now.wrapping_sub((self.0 >> AGE_SHIFT) as u32) % AGES
    }

    /// Replacement priority, lowest replaced first: depth, less 8 plies for each search of age.
    fn priority(self, now: u32) -> i32 {
        if self.0 == 0 {
            return i32::MIN + 1;
        }
        i32::from(self.depth()) - 8 * self.searches_ago(now) as i32
    }
}

/// Where the age is in an entry's word: in its highest bits.
const AGE_SHIFT: u32 = 44;
/// How many ages there are. Then they begin again, and an entry this old would pass for a new one;
/// [`TranspositionTable::new_search`] removes it before.
const AGES: u32 = 1 << (u64::BITS - AGE_SHIFT);
/// Entries of so many searches ago are removed, a part of the table with each search: one that is not
/// yet old enough when its part has its turn is so the next time, and that is before the ages begin
/// again.
const OLD: u32 = AGES / 2;

/// Slots of a bucket, which is one cache line.
const SLOTS: usize = 4;
/// Words of a bucket. Each slot is two: key XOR data, then the data.
const WORDS: usize = 2 * SLOTS;

/// Larger tables are neither prefaulted nor moved to huge pages: the machine may have less memory
/// than it granted, and a short search does not touch all of it.
const LARGEST_PREFAULTED: u64 = 4 << 30;
/// Larger tables are replaced by fresh memory, of which the system clears only what is used, when it is
/// used. For small ones that takes several times as long as clearing them, in bytes.
const LARGEST_CLEARED_IN_PLACE: usize = 4 << 20;
/// Words prefaulted or moved per step: 2 MiB, a huge page.
const CHUNK: usize = 1 << 18;

/// The table. Probing and storing take `&self`, from any number of threads.
pub struct TranspositionTable {
    memory: Arc<SharedWords>,
    buckets: usize,
    /// Of the present search: its number, below [`AGES`].
    age: AtomicU32,
    /// Chunks of the memory that are prefaulted or being prefaulted.
    prefaulted: AtomicUsize,
    /// Whether moving the memory to huge pages has started.
    moving: AtomicBool,
}

impl TranspositionTable {
    /// An empty table of `mebibytes`, or an error if the memory cannot be allocated.
    pub fn new(mebibytes: usize) -> Result<TranspositionTable, String> {
        let buckets = mebibytes.saturating_mul((1 << 20) / (8 * WORDS)).max(1);
        // Allocating huge pages here would delay short searches: see `Pages`.
        let memory = SharedWords::zeroed(buckets.saturating_mul(WORDS), Pages::Default)
            .ok_or_else(|| format!("cannot allocate {mebibytes} MiB"))?;
        Ok(TranspositionTable {
            memory: Arc::new(memory),
            buckets,
            age: AtomicU32::new(0),
            prefaulted: AtomicUsize::new(0),
            moving: AtomicBool::new(false),
        })
    }

    /// Replaces the table by an empty one of `mebibytes`, freeing the old one first if both do not
    /// fit. On an error the table is empty and keeps its size.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), String> {
        if self.bytes() == mebibytes.saturating_mul(1 << 20) {
            self.clear();
            return Ok(());
        }
        let fresh = TranspositionTable::new(mebibytes).or_else(|_| {
            let size = self.bytes() >> 20;
            *self = TranspositionTable::new(0)?;
            TranspositionTable::new(mebibytes).inspect_err(|_| {
                // The memory just freed can usually be allocated again.
                if let Ok(old) = TranspositionTable::new(size) {
                    *self = old;
                }
            })
        })?;
        *self = fresh;
        Ok(())
    }

    /// The size in bytes.
    pub fn bytes(&self) -> usize {
        8 * WORDS * self.buckets
    }

    /// Removes all entries.
    pub fn clear(&mut self) {
        let fresh = (self.bytes() > LARGEST_CLEARED_IN_PLACE)
            .then(|| SharedWords::zeroed(self.buckets * WORDS, Pages::Default));
        match fresh.flatten() {
            Some(fresh) => self.memory = Arc::new(fresh),
            None => self.memory.words().iter().for_each(|word| word.store(0, Relaxed)),
        }
        *self.age.get_mut() = 0;
        *self.prefaulted.get_mut() = 0;
        *self.moving.get_mut() = false;
    }

    /// Moves the memory to huge pages, which makes probes faster: on a background thread, and only
    /// on the first call. It takes too long to pay in short searches.
    pub fn move_to_huge_pages(&self) {
        let is_possible = HAS_HUGE_PAGES && self.bytes() as u64 <= LARGEST_PREFAULTED;
        if !is_possible || self.moving.swap(true, Relaxed) {
            return;
        }
        let memory = Arc::downgrade(&self.memory);
        let words = self.buckets * WORDS;
        // Without a thread the table keeps its small pages.
        let _ = threads::spawn_detached(move || {
            for start in (0..words).step_by(CHUNK) {
                let Some(memory) = memory.upgrade() else { return };
                memory.move_to_huge_pages(start..words.min(start + CHUNK));
            }
        });
    }

    /// Allocates the memory's pages now rather than on first use, which would interrupt all threads
    /// of the search. Ends early once `is_cancelled`; the next call continues there. Several threads
    /// may call it at once and share the work.
    pub fn prefault(&self, is_cancelled: impl Fn() -> bool) {
        let words = self.buckets * WORDS;
        while self.bytes() as u64 <= LARGEST_PREFAULTED && !is_cancelled() {
            let start = self.prefaulted.fetch_add(1, Relaxed).saturating_mul(CHUNK);
            if start >= words {
                self.prefaulted.store(words.div_ceil(CHUNK), Relaxed);
                return;
            }
            self.memory.prefault(start..words.min(start + CHUNK));
        }
    }

    /// Ages all entries: those of earlier searches are replaced first. An entry is never taken for one
    /// of a later search, however many there are: what is too old goes.
    pub fn new_search(&self) {
        let now = (self.age.load(Relaxed) + 1) % AGES;
        self.age.store(now, Relaxed);
        let part = self.buckets.div_ceil(OLD as usize);
        let start = ((now % OLD) as usize * part).min(self.buckets);
        let end = (start + part).min(self.buckets);
        for slot in self.memory.words()[start * WORDS..end * WORDS].chunks_exact(2) {
            let data = Packed(slot[1].load(Relaxed));
            if data.0 != 0 && data.searches_ago(now) >= OLD {
                slot.iter().for_each(|word| word.store(0, Relaxed));
            }
        }
    }

    /// Prefetches the bucket that [`TranspositionTable::probe`] will read.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(&self.memory.words()[self.bucket_start(key)]);
    }

    /// The entry with this key, or `None` on a miss.
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key)
            .find(|&(check, data)| check ^ data == key)
            .and_then(|(_, data)| Packed(data).entry(self.age.load(Relaxed)))
    }

    /// Stores `entry`. It replaces the entry with the same key, unless that one is deeper or
    /// proved: then it is kept and its age is renewed. Otherwise it replaces the entry of its bucket
    /// with the lowest priority: an empty slot, then the shallowest and oldest.
    pub fn store(&self, key: u64, mut entry: Entry) {
        let now = self.age.load(Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        for (slot, (check, data)) in self.bucket(key).enumerate() {
            if check ^ data == key {
                let old = Packed(data).entry(now);
                entry = old.map_or(entry, |old| entry.or_better(old));
                victim = slot;
                break;
            }
            let priority = Packed(data).priority(now);
            if priority < lowest {
                lowest = priority;
                victim = slot;
            }
        }
        let data = Packed::new(entry, now).0;
        let start = self.bucket_start(key) + 2 * victim;
        let words = self.memory.words();
        words[start].store(key ^ data, Relaxed);
        words[start + 1].store(data, Relaxed);
    }

    /// Permille of slots with entries of the current search, from a sample of 1000.
    pub fn hashfull(&self) -> usize {
        let now = self.age.load(Relaxed);
        let words = self.memory.words();
        let sample = &words[..words.len().min(250 * WORDS)];
        let data = sample.iter().skip(1).step_by(2).map(|word| Packed(word.load(Relaxed)));
        let used = data.filter(|packed| packed.0 != 0 && packed.searches_ago(now) == 0).count();
        used * 1000 / (sample.len() / 2)
    }

    /// The slots that may hold this key, each as its two words.
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
        let score = Score::loss_in(12);
        Entry { best: 7, score, depth, bound: Bound::Lower, proved: true, finished: true }
    }

    #[test]
    fn what_an_earlier_search_finished_is_not_finished_now() {
        let table = TranspositionTable::new(1).unwrap();
        table.store(99, entry(5));
        table.new_search();
        let aged = Entry { finished: false, ..entry(5) };
        assert_eq!(table.probe(99), Some(aged));
        // The old entry is deeper, so it stays, and is of the present search from now on.
        table.store(99, Entry { depth: 4, ..aged });
        assert_eq!(table.probe(99), Some(aged));
    }

    /// However many searches come: neither what it finished nor its slot.
    #[test]
    fn an_old_entry_never_passes_for_one_of_the_present_search() {
        let aged = Entry { finished: false, ..entry(5) };
        // More buckets than searches until an entry is old, as many, and fewer.
        for mebibytes in [33, 32, 1] {
            let table = TranspositionTable::new(mebibytes).unwrap();
            let buckets = table.buckets as u128;
            let keys = [0, 1, buckets / 2, buckets - 1]
                .map(|bucket| (bucket << 64).div_ceil(buckets) as u64);
            keys.iter().for_each(|&key| table.store(key, entry(5)));
            for searches in 1..=AGES + 1 {
                table.new_search();
                for found in keys.map(|key| table.probe(key)) {
                    let gone = found.is_none() && searches >= OLD;
                    assert!(gone || found == Some(aged), "{found:?} after {searches} searches");
                }
                assert!(searches % 256 > 0 || table.hashfull() == 0);
            }
            assert_eq!(keys.map(|key| table.probe(key)), [None; 4]);
        }
    }

    #[test]
    fn stored_entries_are_found_until_cleared() {
        let mut table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(99), None);
        table.store(99, entry(5));
        assert_eq!(table.probe(99), Some(entry(5)));
        assert_eq!(table.probe(98), None);
        table.clear();
        assert_eq!(table.probe(99), None);
    }

    #[test]
    fn zero_is_a_valid_key() {
        let table = TranspositionTable::new(1).unwrap();
        assert_eq!(table.probe(0), None);
        table.store(0, entry(1));
        assert_eq!(table.probe(0), Some(entry(1)));
    }

    /// Keys that all share one bucket: those of four entries are found, each with its own, and no other one.
    #[test]
    fn only_what_was_stored_is_answered() {
        const KEYS: u64 = 1 << 10;
        let table = TranspositionTable::new(0).unwrap();
        let own = |key: u64| Entry { best: key as u16, ..entry(5) };
        for stored in 0..KEYS / 2 {
            let key = stored * 0x1D5 % (KEYS / 2) * 2;
            table.store(key, own(key));
            assert_eq!(table.probe(key), Some(own(key)));
            let answers = (0..KEYS).filter_map(|key| Some((key, table.probe(key)?)));
            let mut count = 0;
            for (key, answer) in answers {
                assert!(key % 2 == 0 && answer == own(key), "{key}: {answer:?}");
                count += 1;
            }
            assert_eq!(count, SLOTS.min(stored as usize + 1));
        }
    }

    /// Two threads that write a slot at the same time may leave the first word of one and the second of the
    /// other.
    #[test]
    fn words_of_two_stores_are_a_miss() {
        for (one, other) in [(1, 2), (0, 1), (3, 1 << 63), (u64::MAX, 0)] {
            let words = [one, other].map(|key| {
                let table = TranspositionTable::new(0).unwrap();
                table.store(key, Entry { best: key as u16, ..entry(key as u8 % 2) });
                [0, 1].map(|word| table.memory.words()[word].load(Relaxed))
            });
            for [first, second] in [[words[0][0], words[1][1]], [words[1][0], words[0][1]]] {
                let table = TranspositionTable::new(0).unwrap();
                table.memory.words()[0].store(first, Relaxed);
                table.memory.words()[1].store(second, Relaxed);
                assert_eq!([one, other].map(|key| table.probe(key)), [None; 2]);
            }
        }
    }

    #[test]
    fn a_full_bucket_replaces_its_shallowest_and_oldest_entry() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..4 {
            table.store(key, entry(10 + key as u8));
        }
        table.store(4, entry(1));
        assert_eq!(table.probe(0), None, "the shallowest is replaced");
        table.new_search();
        table.new_search();
        table.store(4, entry(1));
        table.store(5, entry(1));
        assert_eq!(table.probe(1), None, "an old deep entry is replaced before a new shallow one");
        assert_eq!(table.probe(4), Some(entry(1)));
    }

    #[test]
    fn prefaulting_and_moving_keep_all_entries() {
        let table = TranspositionTable::new(8).unwrap();
        table.store(99, entry(5));
        table.prefault(|| false);
        table.move_to_huge_pages();
        assert_eq!(table.probe(99), Some(entry(5)));
    }

    #[test]
    fn impossible_sizes_are_errors() {
        assert!(TranspositionTable::new(usize::MAX).is_err());
        assert!(TranspositionTable::new(1 << 40).is_err());
    }

    #[test]
    fn hashfull_counts_only_the_current_search() {
        let table = TranspositionTable::new(1).unwrap();
        for key in 0..64 {
            table.store(key << 40, entry(1));
        }
        assert!(table.hashfull() > 0);
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
}
