//! The transposition table: proved bounds of positions, shared by all threads.
//!
//! A slot is one 64-bit word, so it can never be read half written:
//!
//! ```text
//!   63            16 15     12 11      6 5       0
//!  +----------------+---------+---------+---------+
//!  |      check     |  work   |  upper  |  lower  |
//!  +----------------+---------+---------+---------+
//! ```
//!
//! `check` holds the bits of the mixed key that the smallest table does not
//! imply by the index. The mix is one-to-one, so on boards whose key fits 64
//! bits index and check together *are* the position and no two positions are
//! ever confused. On wider boards the key is a 64-bit digest.
//!
//! Four slots make a bucket, half a cache line; in a full one the entry that
//! cost least work gives way. The table starts tiny, because one that fits the
//! processor's caches is much faster, and stays three quarters full by growing a
//! bucket at a time: the last bucket not yet split, number `i` of its size, gives
//! way to the buckets `2 i` and `2 i + 1` of the double size, which are free by
//! then:
//!
//! ```text
//!   0 ........ boundary           | 2 * boundary ................. end
//!   buckets by `index_bits` bits  | buckets by `index_bits + 1` bits
//! ```

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use super::score::{Bounds, Score};
use crate::platform::memory::{Pages, SharedWords, prefetch};
use crate::platform::threads;

const SLOTS: usize = 4;
/// Slots of a bucket that are in use before the table grows, on average.
const LOAD: usize = 3;
const CHECK_BITS: u32 = 48;
const WORK_BITS: u32 = 4;
const BOUND_BITS: u32 = 6;
const BOUND_MASK: u64 = (1 << BOUND_BITS) - 1;
/// All of a slot but the check.
const LOW_BITS: u64 = (1 << (64 - CHECK_BITS)) - 1;
/// Bounds are stored as their distance from the ends of the range, which mean
/// "nothing known". So 0, the free slot, says nothing, whatever its check.
const UNKNOWN_LOWER: Score = -(1 << (BOUND_BITS - 1));
const UNKNOWN_UPPER: Score = (1 << (BOUND_BITS - 1)) - 1;
/// Smallest table: 2^3 buckets are four cache lines.
const SMALLEST: u32 = 3;
/// How many buckets are enough to tell how full the table is.
const SAMPLED: usize = 1 << 12;
/// Fewer buckets than this are split before another thread has started.
const SHARE_OF_THREAD: usize = 1 << 14;
/// 2^64 divided by the golden ratio, which spreads neighbours best. Its upper
/// `n` bits do the same for keys of `n` bits; made odd, multiplying by them is
/// one-to-one.
const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// The system has no memory for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not enough memory for the table")
    }
}

impl std::error::Error for OutOfMemory {}

/// The mixed key of a position: index and check in one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MixedKey(u64);

impl MixedKey {
    /// A number in 0..32 that looks random, and is 0 for the seed 0.
    #[inline(always)]
    pub fn noise(self, seed: u64) -> i32 {
        (self.0.wrapping_mul(seed) >> 59) as i32
    }
}

/// See the module's text.
pub struct Table {
    memory: SharedWords,
    /// Bits of the index of a bucket that is not split yet.
    index_bits: AtomicU32,
    /// Buckets from this one on are split.
    boundary: AtomicUsize,
    /// Slots in use, counted unless the table is shared.
    filled: AtomicUsize,
    /// True while several threads use the table: splitting is no work for two,
    /// and none of them writes to what all read with every look-up.
    shared: bool,
    /// Index bits the table starts with for this board.
    smallest: u32,
    /// Index bits the memory allows.
    largest: u32,
}

impl Table {
    /// A table of at most `mebibytes` (at least 1).
    pub fn new(mebibytes: usize) -> Result<Self, OutOfMemory> {
        let bytes = mebibytes.max(1).checked_mul(1 << 20).ok_or(OutOfMemory)?;
        let largest = (bytes / (SLOTS * size_of::<AtomicU64>())).ilog2();
        Ok(Self {
            memory: SharedWords::zeroed(SLOTS << largest, Pages::Large).ok_or(OutOfMemory)?,
            index_bits: AtomicU32::new(SMALLEST),
            boundary: AtomicUsize::new(1 << SMALLEST),
            filled: AtomicUsize::new(0),
            shared: false,
            smallest: SMALLEST,
            largest,
        })
    }

    /// Forgets everything and gets ready for keys of `key_bits` bits. Touches
    /// only the memory that was in use.
    pub fn reset(&mut self, key_bits: u32) {
        let index_bits = *self.index_bits.get_mut();
        let split = *self.boundary.get_mut() < 1 << index_bits;
        for slot in &self.memory.words()[..SLOTS << (index_bits + u32::from(split))] {
            slot.store(0, Relaxed);
        }
        self.smallest = SMALLEST.max(key_bits.min(64).saturating_sub(CHECK_BITS)).min(self.largest);
        self.resize(self.smallest);
    }

    fn resize(&mut self, index_bits: u32) {
        self.index_bits = AtomicU32::new(index_bits);
        self.boundary = AtomicUsize::new(1 << index_bits);
        self.filled = AtomicUsize::new(0);
        self.shared = false;
    }

    /// From now on the table is for one thread and grows by itself.
    pub fn use_alone(&mut self) {
        self.shared = false;
    }

    /// From now on threads may share the table, and it grows only here: until at
    /// most three quarters of the slots are in use that should be, with the help
    /// of this many threads. Returns how many more entries may be stored before the next
    /// call.
    pub fn make_room_to_share(&mut self, threads: usize) -> u64 {
        self.shared = true;
        loop {
            let index_bits = *self.index_bits.get_mut();
            let boundary = *self.boundary.get_mut();
            let most = LOAD << index_bits;
            let filled = *self.filled.get_mut();
            let is_whole = boundary == 1 << index_bits;
            if is_whole && index_bits == self.largest {
                return u64::MAX;
            }
            if is_whole && 4 * filled <= 3 * most {
                return (most - filled) as u64;
            }
            self.split_all(index_bits, boundary, threads);
        }
    }

    /// Splits the buckets below `boundary`, the upper half of them first: all of
    /// these move beyond the others, so threads can share the work.
    fn split_all(&mut self, index_bits: u32, boundary: usize, threads: usize) {
        let mut end = boundary;
        while end > 0 {
            let start = end / 2;
            let share = (end - start).div_ceil(threads.max(1));
            let table = &*self;
            threads::scope(|scope| {
                for first in (start..end).step_by(share) {
                    let split_share = move || {
                        (first..end.min(first + share))
                            .for_each(|bucket| table.split(bucket, index_bits));
                    };
                    if share < SHARE_OF_THREAD {
                        split_share();
                    } else {
                        scope.spawn(split_share);
                    }
                }
            });
            end = start;
        }
        *self.index_bits.get_mut() = index_bits + 1;
        *self.boundary.get_mut() = 2 << index_bits;
    }

    /// Takes notice of what threads have stored in the shared table: looks at
    /// some buckets, all of them if there are few.
    pub fn count_shared(&mut self) {
        let buckets = (2usize << *self.index_bits.get_mut()) - *self.boundary.get_mut();
        let step = buckets.div_ceil(SAMPLED).max(1);
        let sample = self.memory.words()[..SLOTS * buckets].chunks(SLOTS).step_by(step);
        let in_use =
            |bucket: &[AtomicU64]| bucket.iter().filter(|slot| slot.load(Relaxed) != 0).count();
        *self.filled.get_mut() = step * sample.map(in_use).sum::<usize>();
    }

    /// Mixes a key (the digest of one, on wide boards) of at most `key_bits` bits.
    #[inline(always)]
    pub fn mix(key: u64, key_bits: u32) -> MixedKey {
        let spare = 64 - key_bits.min(64);
        let factor = (MIX >> spare) | 1;
        MixedKey(key.wrapping_mul(factor << spare))
    }

    /// Starts loading the bucket of `key`.
    #[inline(always)]
    pub fn prefetch(&self, key: MixedKey) {
        prefetch(&self.bucket(key)[0]);
    }

    /// What is known about the position of `key`, within the given bounds.
    ///
    /// Without a branch on what is found, which nobody can foresee.
    #[inline(always)]
    pub fn probe(&self, key: MixedKey, trivial: Bounds) -> Bounds {
        let check = self.check(key);
        let mut found = 0;
        for slot in self.bucket(key) {
            let entry = slot.load(Relaxed);
            found |= if is_about(entry, check) { entry } else { 0 };
        }
        let known = bounds_of(found);
        Bounds {
            lower: if known.lower == UNKNOWN_LOWER { trivial.lower } else { known.lower },
            upper: if known.upper == UNKNOWN_UPPER { trivial.upper } else { known.upper },
        }
    }

    /// Remembers that the score of `key` is at most (`is_upper`) or at least
    /// `bound`, which took `nodes` nodes to prove.
    #[inline(always)]
    pub fn store(&self, key: MixedKey, bound: Score, is_upper: bool, nodes: u64) {
        let check = self.check(key);
        let bucket = self.bucket(key);
        let (mut place, mut replaced, mut least) = (&bucket[0], 0, u64::MAX);
        for slot in bucket {
            let entry = slot.load(Relaxed);
            if entry != 0 && is_about(entry, check) {
                (place, replaced) = (slot, entry);
                break;
            }
            let worth = if entry == 0 { 0 } else { work_of(entry) + 1 };
            if worth < least {
                (place, replaced, least) = (slot, entry, worth);
            }
        }
        let known = if is_about(replaced, check) { replaced } else { 0 };
        place.store(merged(known, check, bound, is_upper, nodes), Relaxed);
        self.count_if(replaced == 0);
    }

    /// Counts a slot that is in use from now on, and grows if there are too many.
    #[inline(always)]
    fn count_if(&self, new: bool) {
        if new && !self.shared {
            let filled = self.filled.load(Relaxed) + 1;
            self.filled.store(filled, Relaxed);
            let index_bits = self.index_bits.load(Relaxed);
            let buckets = (2 << index_bits) - self.boundary.load(Relaxed);
            if filled > buckets * LOAD && index_bits < self.largest {
                self.split_last(index_bits);
            }
        }
    }

    /// Splits the last bucket that is not split yet.
    #[inline(never)]
    fn split_last(&self, index_bits: u32) {
        let last = self.boundary.load(Relaxed) - 1;
        self.split(last, index_bits);
        if last == 0 {
            self.index_bits.store(index_bits + 1, Relaxed);
            self.boundary.store(2 << index_bits, Relaxed);
        } else {
            self.boundary.store(last, Relaxed);
        }
    }

    /// Moves what is in a bucket of a table of `index_bits` to where it belongs
    /// in one of the double size.
    #[inline(always)]
    fn split(&self, bucket: usize, index_bits: u32) {
        let source = &self.memory.words()[SLOTS * bucket..][..SLOTS];
        let mut halves = [[0; SLOTS]; 2];
        let mut filled = [0; 2];
        for slot in source {
            let entry = slot.load(Relaxed);
            slot.store(0, Relaxed);
            let half = ((entry << (index_bits - self.smallest)) >> 63) as usize;
            // No more than the slots of the source come before this one.
            halves[half][filled[half] % SLOTS] = entry;
            filled[half] += usize::from(entry != 0);
        }
        let target = &self.memory.words()[2 * SLOTS * bucket..][..2 * SLOTS];
        for (slot, entry) in target.iter().zip(halves.into_iter().flatten()) {
            slot.store(entry, Relaxed);
        }
    }

    #[inline(always)]
    fn bucket(&self, key: MixedKey) -> &[AtomicU64; SLOTS] {
        let shift = 64 - self.index_bits.load(Relaxed);
        let whole = (key.0 >> shift) as usize;
        let split = whole >= self.boundary.load(Relaxed);
        let index = (key.0 >> (shift - u32::from(split))) as usize;
        self.memory.words()[SLOTS * index..][..SLOTS].try_into().expect("the slice has this length")
    }

    #[inline(always)]
    fn check(&self, key: MixedKey) -> u64 {
        (key.0 << self.smallest) & !LOW_BITS
    }
}

/// True if an entry has this check.
#[inline(always)]
fn is_about(entry: u64, check: u64) -> bool {
    (entry ^ check) <= LOW_BITS
}

#[inline(always)]
fn bounds_of(entry: u64) -> Bounds {
    Bounds {
        lower: (entry & BOUND_MASK) as Score + UNKNOWN_LOWER,
        upper: UNKNOWN_UPPER - ((entry >> BOUND_BITS) & BOUND_MASK) as Score,
    }
}

#[inline(always)]
fn work_of(entry: u64) -> u64 {
    (entry >> (2 * BOUND_BITS)) & ((1 << WORK_BITS) - 1)
}

/// `known` (or nothing, if 0) joined with a new bound. A bound outside the
/// stored range is weakened to the nearest one inside, which is still true.
#[inline(always)]
fn merged(known: u64, check: u64, bound: Score, is_upper: bool, nodes: u64) -> u64 {
    let old = bounds_of(known);
    let bound = bound.clamp(UNKNOWN_LOWER, UNKNOWN_UPPER);
    let (lower, upper) = if is_upper {
        (old.lower, old.upper.min(bound))
    } else {
        (old.lower.max(bound), old.upper)
    };
    let work = u64::from(nodes.max(1).ilog2() / 2).min((1 << WORK_BITS) - 1).max(work_of(known));
    check
        | (work << (2 * BOUND_BITS))
        | (((UNKNOWN_UPPER - upper) as u64) << BOUND_BITS)
        | (lower - UNKNOWN_LOWER) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    const NOTHING: Bounds = Bounds { lower: -100, upper: 100 };

    /// Stores many bounds, checks that what is found is what was stored, and
    /// returns how many positions are still found.
    fn exercise(table: &Table, key_bits: u32, positions: u64) -> usize {
        let mut stored: HashMap<u64, Bounds> = HashMap::new();
        for number in 0..positions {
            // Consecutive keys, as siblings have them, and every key twice.
            let key = (number / 2) % (1 << (key_bits - 1));
            let bound = (key % 7) as Score;
            let is_upper = number % 2 == 0;
            table.store(Table::mix(key, key_bits), bound, is_upper, number);
            let known = stored.entry(key).or_insert(NOTHING);
            *(if is_upper { &mut known.upper } else { &mut known.lower }) = bound;
        }
        let found = |(&key, &expected): (&u64, &Bounds)| {
            let known = table.probe(Table::mix(key, key_bits), NOTHING);
            assert!(known == NOTHING || known == expected, "{key}: {known:?} {expected:?}");
            known != NOTHING
        };
        stored.iter().filter(|&entry| found(entry)).count()
    }

    #[test]
    fn growing_keeps_entries_apart() {
        for key_bits in [25, 49, 57, 64] {
            let mut table = Table::new(4).expect("there is memory");
            table.reset(key_bits);
            let positions = 100_000;
            let found = exercise(&table, key_bits, 2 * positions);
            assert!(found as u64 > positions / 2, "{key_bits} bits: {found}");
        }
    }

    #[test]
    fn a_small_table_forgets_but_never_confuses() {
        let mut table = Table::new(1).expect("there is memory");
        table.reset(64);
        let found = exercise(&table, 64, 1_000_000);
        assert!((10_000..500_000).contains(&found), "{found}");
    }

    #[test]
    fn a_reset_table_is_empty() {
        let mut table = Table::new(1).expect("there is memory");
        table.reset(49);
        exercise(&table, 49, 10_000);
        table.reset(49);
        let key = Table::mix(1, 49);
        assert_eq!(table.probe(key, NOTHING), NOTHING);
        table.store(key, 3, true, 1);
        assert_eq!(table.probe(key, NOTHING), Bounds { upper: 3, ..NOTHING });
    }

    #[test]
    fn a_shared_table_grows_only_when_told() {
        let mut table = Table::new(1).expect("there is memory");
        table.reset(49);
        let found = exercise(&table, 49, 2_000);
        let mut room = table.make_room_to_share(2);
        assert!(exercise(&table, 49, 2_000) >= found);
        while room < u64::MAX {
            exercise(&table, 49, 200_000);
            table.count_shared();
            let before = std::mem::replace(&mut room, table.make_room_to_share(2));
            assert!(room >= before);
        }
        assert!(exercise(&table, 49, 40_000) > 19_000);
    }

    #[test]
    fn too_much_memory_is_an_error() {
        assert!(Table::new(usize::MAX).is_err());
        assert!(Table::new(usize::MAX >> 24).is_err());
    }
}
