//! The transposition table of the exact solvers: proved bounds of positions, shared by all
//! threads without locks. Knows keys, bounds and moves as numbers; knows nothing of games.
//!
//! A slot is one 64-bit word, so it can never be read half written:
//!
//! ```text
//!   63                                                  0
//!  +----------------+------+------+---------+---------+
//!  |      check     | move | work |  upper  |  lower  |
//!  +----------------+------+------+---------+---------+
//! ```
//!
//! Keys are mixed one-to-one. The highest bits of a mixed key are the index of its bucket, and
//! `check` holds those after the index of the smallest table. A table never gets so small that a
//! bit is in neither, so bucket and check together *are* the position: no two positions are ever
//! confused. Keys of more than 64 bits take slots of two words, the second one the remaining bits
//! of the key XORed with the first word: if two threads write such a slot at the same time, its
//! words do not match (but for one chance in 2^64) and it reads as a miss.
//!
//! Four slots make a bucket; in a full one the entry that cost least work is replaced. The table
//! starts tiny, because one that fits the processor's caches is much faster, and stays three
//! quarters full by growing a bucket at a time (linear hashing): the last bucket not yet split,
//! number `i` of its size, becomes the buckets `2 i` and `2 i + 1` of the double size, which are
//! free by then:
//!
//! ```text
//!   0 ........ boundary           | 2 * boundary ................. end
//!   buckets by `index_bits` bits  | buckets by `index_bits + 1` bits
//! ```
//!
//! Nothing is answered that was not stored, and an entry is lost only if a store replaces it. `key_space`
//! tests that for all keys at every stage of the growth, `tools/checks/loom` for all orders of what threads do.

mod bounds;
mod busy_positions;
mod growth;
mod keys;
mod saved;

use std::fmt;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};

use crate::platform::memory::{CAN_PREFETCH, Pages, SharedWords, Word, load_ahead, prefetch};
pub use bounds::{BoundEntry, Bounds};
pub use busy_positions::BusyPositions;
pub use keys::{KeyMixer, MixedKey, TableKey};
pub use saved::{SavedTable, TableUsage};

const SLOTS: usize = 4;
/// Slots of a bucket in use before the table grows, on average.
const LOAD: usize = 3;
const WORK_BITS: u32 = 4;
/// Index bits of the smallest table of one-word slots: 2^3 buckets are four cache lines.
const SMALLEST: u32 = 3;
/// The same of two-word slots: fewer buckets lose entries of the larger boards before they grow.
const SMALLEST_WIDE: u32 = 12;

/// The system has no memory for a table of this many bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory(pub usize);

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot allocate {} MiB", self.0.div_ceil(1 << 20))
    }
}

impl std::error::Error for OutOfMemory {}

/// A table of scores in `LOWEST..LOWEST + 2^BOUND_BITS` and of moves below `2^MOVE_BITS - 1`.
/// See the module's text.
pub struct BoundTable<const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32> {
    memory: SharedWords,
    /// What the table may grow to, unless the keys need more.
    bytes: usize,
    /// [`TableKey::SLOT_WORDS`] of the keys.
    slot_words: usize,
    /// Bits of the index of a bucket that is not split yet.
    index_bits: AtomicU32,
    /// Buckets from this one on are split.
    boundary: AtomicUsize,
    /// Slots in use, counted unless the table is shared.
    filled: AtomicUsize,
    /// True while several threads use the table: splitting is not safe for two at once, and none
    /// of them writes to what all read with every probe.
    shared: bool,
    /// Bits of a key.
    key_bits: u32,
    /// Index bits the table starts with for these keys.
    smallest: u32,
    /// Index bits it may grow to.
    largest: u32,
    /// Sees all that is stored and answered, if a test asks for it.
    #[cfg(test)]
    witness: Option<witness::Witness>,
}

impl<const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32>
    BoundTable<LOWEST, BOUND_BITS, MOVE_BITS>
{
    const WORK_SHIFT: u32 = 2 * BOUND_BITS;
    const MOVE_SHIFT: u32 = Self::WORK_SHIFT + WORK_BITS;
    const CHECK_BITS: u32 = u64::BITS - Self::MOVE_SHIFT - MOVE_BITS;
    /// All of a word but the check.
    const PAYLOAD: u64 = u64::MAX >> Self::CHECK_BITS;
    /// Bounds are stored as their distance from the ends of the range, which mean "unknown". So 0,
    /// the free slot, says nothing, even if it seems to match.
    const HIGHEST: i32 = LOWEST + (1 << BOUND_BITS) - 1;

    /// A table of at most `bytes`, but large enough for keys of `key_bits` bits. It has to be
    /// [reset](Self::reset) before it is used.
    pub fn new<K: TableKey>(
        bytes: usize,
        key_bits: u32,
        pages: Pages,
    ) -> Result<Self, OutOfMemory> {
        let least = Self::bucket_bytes(K::SLOT_WORDS) << Self::smallest_index::<K>(key_bits);
        let reserved = bytes.max(least);
        let memory = SharedWords::zeroed(reserved / size_of::<u64>(), pages);
        Ok(Self {
            memory: memory.ok_or(OutOfMemory(reserved))?,
            bytes,
            slot_words: K::SLOT_WORDS,
            index_bits: AtomicU32::new(0),
            boundary: AtomicUsize::new(1),
            filled: AtomicUsize::new(0),
            shared: false,
            key_bits: 0,
            smallest: 0,
            largest: 0,
            #[cfg(test)]
            witness: None,
        })
    }

    /// The size of the smallest table for keys of `key_bits` bits, 0 if any size will do.
    pub fn least_bytes<K: TableKey>(key_bits: u32) -> usize {
        match key_bits.saturating_sub(Self::all_check_bits::<K>()) {
            0 => 0,
            index_bits => Self::bucket_bytes(K::SLOT_WORDS) << index_bits,
        }
    }

    const fn bucket_bytes(slot_words: usize) -> usize {
        SLOTS * slot_words * size_of::<u64>()
    }

    /// Bits of a mixed key that a slot holds.
    const fn all_check_bits<K: TableKey>() -> u32 {
        Self::CHECK_BITS + (K::SLOT_WORDS as u32 - 1) * u64::BITS
    }

    fn smallest_index<K: TableKey>(key_bits: u32) -> u32 {
        let smallest = if K::SLOT_WORDS == 1 { SMALLEST } else { SMALLEST_WIDE };
        key_bits.saturating_sub(Self::all_check_bits::<K>()).max(smallest)
    }

    /// Forgets everything and prepares for keys of `key_bits` bits, no more than the table was
    /// made for. Touches only the memory that was in use.
    pub fn reset<K: TableKey>(&mut self, key_bits: u32) {
        self.reset_from::<K>(key_bits, Self::smallest_index::<K>(key_bits));
    }

    /// The same, but it starts with 2^`smallest` buckets, which together with the slots must hold a key.
    /// Fewer than usual are for tests of all that can happen in a table.
    pub fn reset_from<K: TableKey>(&mut self, key_bits: u32, smallest: u32) {
        assert!(key_bits <= smallest + Self::all_check_bits::<K>());
        self.forget();
        let bucket = Self::bucket_bytes(K::SLOT_WORDS);
        self.slot_words = K::SLOT_WORDS;
        self.key_bits = key_bits;
        self.smallest = smallest;
        let largest = (self.bytes / bucket).max(1).ilog2().max(self.smallest);
        // A split looks for the next bit of the index in `check`.
        self.largest = largest.min(self.smallest + Self::CHECK_BITS);
        assert!((SLOTS * self.slot_words) << self.largest <= self.memory.words().len());
        self.shrink();
        self.shared = false;
    }

    /// Forgets everything. Touches only the memory that was in use.
    fn forget(&mut self) {
        let used = SLOTS * self.slot_words * self.buckets_in_use();
        for word in &self.memory.words()[..used] {
            word.store(0, Relaxed);
        }
        self.shrink();
        #[cfg(test)]
        if let Some(witness) = &mut self.witness {
            *witness = witness::Witness::default();
        }
    }

    /// From now on every answer must have been stored for the same key, or the test fails.
    #[cfg(test)]
    pub fn keep_whole_keys(&mut self) {
        self.witness = Some(witness::Witness::default());
    }

    /// An empty table becomes as small as it may be.
    fn shrink(&mut self) {
        self.index_bits = AtomicU32::new(self.smallest);
        self.boundary = AtomicUsize::new(1 << self.smallest);
        self.filled = AtomicUsize::new(0);
    }

    /// The buckets up to the last one in use.
    fn buckets_in_use(&mut self) -> usize {
        let index_bits = *self.index_bits.get_mut();
        let is_split = *self.boundary.get_mut() < 1 << index_bits;
        1 << (index_bits + u32::from(is_split))
    }

    /// Starts loading the bucket of `key`.
    #[inline(always)]
    pub fn prefetch<K: TableKey>(&self, key: MixedKey<K>) {
        if CAN_PREFETCH {
            prefetch(&self.bucket(key)[0]);
        }
    }

    /// Loads the bucket of `key`, where it could not be prefetched: to be called for all keys that
    /// will be probed next, so that the processor waits for their buckets at the same time.
    #[inline(always)]
    pub fn load_ahead<K: TableKey>(&self, key: MixedKey<K>) {
        if !CAN_PREFETCH {
            load_ahead(&self.bucket(key)[0]);
        }
    }

    /// What is known about the position of `key`, within `trivial` bounds.
    ///
    /// Without a branch on what is found, which no processor can predict.
    #[inline(always)]
    pub fn probe<K: TableKey>(&self, key: MixedKey<K>, trivial: Bounds) -> BoundEntry {
        let bucket = self.bucket(key);
        let mut found = 0;
        // Backwards: a free slot, which may match, comes after those in use.
        for slot in bucket.chunks_exact(K::SLOT_WORDS).rev() {
            let entry = slot[0].load(Relaxed);
            found = if self.is_about(slot, entry, key) { entry } else { found };
        }
        let Bounds { lower, upper } = Self::bounds_of(found);
        #[cfg(test)]
        if let Some(witness) = &self.witness {
            witness.answered(key, Self::bounds_of(found), Self::bounds_of(0));
        }
        BoundEntry {
            bounds: Bounds {
                lower: if lower == LOWEST { trivial.lower } else { lower },
                upper: if upper == Self::HIGHEST { trivial.upper } else { upper },
            },
            best_move: ((found >> Self::MOVE_SHIFT & ((1 << MOVE_BITS) - 1)) as u8).checked_sub(1),
        }
    }

    /// Stores that the score of `key` is at most (`is_upper`) or at least `bound`, which took
    /// `nodes` nodes to prove.
    #[inline(always)]
    pub fn store<K: TableKey>(
        &self,
        key: MixedKey<K>,
        bound: i32,
        is_upper: bool,
        nodes: u64,
        best_move: Option<u8>,
    ) {
        #[cfg(test)]
        if let Some(witness) = &self.witness {
            witness.stored(key, Self::bounds_of(Self::joined(0, bound, is_upper, nodes, None)));
        }
        let bucket = self.bucket(key);
        let (mut place, mut replaced, mut least) = (bucket, 0, u64::MAX);
        let mut known = 0;
        for slot in bucket.chunks_exact(K::SLOT_WORDS) {
            let entry = slot[0].load(Relaxed);
            if entry != 0 && self.is_about(slot, entry, key) {
                (place, replaced, known) = (slot, entry, entry);
                break;
            }
            let work = if entry == 0 { 0 } else { Self::work_of(entry) + 1 };
            if work < least {
                (place, replaced, least) = (slot, entry, work);
            }
        }
        let entry = self.check(key) | Self::joined(known, bound, is_upper, nodes, best_move);
        place[0].store(entry, Relaxed);
        if K::SLOT_WORDS > 1 {
            place[1].store(self.second_check(key) ^ entry, Relaxed);
        }
        self.count_if::<K>(replaced == 0);
    }

    /// Counts a slot that has come into use, and grows if there are too many.
    #[inline(always)]
    fn count_if<K: TableKey>(&self, new: bool) {
        if new && !self.shared {
            let filled = self.filled.load(Relaxed) + 1;
            self.filled.store(filled, Relaxed);
            let index_bits = self.index_bits.load(Relaxed);
            let buckets = (2 << index_bits) - self.boundary.load(Relaxed);
            if filled > buckets * LOAD && index_bits < self.largest {
                self.split_last::<K>(index_bits);
            }
        }
    }

    #[inline(always)]
    fn bucket<K: TableKey>(&self, key: MixedKey<K>) -> &[Word] {
        debug_assert_eq!(self.slot_words, K::SLOT_WORDS);
        let highest = key.0.bits_after(0);
        let shift = u64::BITS - self.index_bits.load(Relaxed);
        let whole = (highest >> shift) as usize;
        let split = whole >= self.boundary.load(Relaxed);
        let index = (highest >> (shift - u32::from(split))) as usize;
        &self.memory.words()[SLOTS * K::SLOT_WORDS * index..][..SLOTS * K::SLOT_WORDS]
    }

    /// True if the slot, whose first word is `entry`, is about this key.
    #[inline(always)]
    fn is_about<K: TableKey>(&self, slot: &[Word], entry: u64, key: MixedKey<K>) -> bool {
        let same = (entry ^ self.check(key)) <= Self::PAYLOAD;
        if K::SLOT_WORDS == 1 {
            return same;
        }
        same & (slot[1].load(Relaxed) ^ entry == self.second_check(key))
    }

    /// The part of the key in the first word of a slot, in its place.
    #[inline(always)]
    fn check<K: TableKey>(&self, key: MixedKey<K>) -> u64 {
        key.0.bits_after(self.smallest) & !Self::PAYLOAD
    }

    /// The part of the key in the second word.
    #[inline(always)]
    fn second_check<K: TableKey>(&self, key: MixedKey<K>) -> u64 {
        key.0.bits_after(self.smallest + Self::CHECK_BITS)
    }

    #[inline(always)]
    fn bounds_of(entry: u64) -> Bounds {
        let mask = (1 << BOUND_BITS) - 1;
        Bounds {
            lower: (entry & mask) as i32 + LOWEST,
            upper: Self::HIGHEST - ((entry >> BOUND_BITS) & mask) as i32,
        }
    }

    #[inline(always)]
    fn work_of(entry: u64) -> u64 {
        (entry >> Self::WORK_SHIFT) & ((1 << WORK_BITS) - 1)
    }

    /// The payload of `known` (or of nothing, if 0) joined with a new bound. A bound outside the
    /// stored range is weakened to the nearest one inside, which is still true.
    #[inline(always)]
    fn joined(known: u64, bound: i32, is_upper: bool, nodes: u64, best_move: Option<u8>) -> u64 {
        let old = Self::bounds_of(known);
        let bound = bound.clamp(LOWEST, Self::HIGHEST);
        let (lower, upper) = if is_upper {
            (old.lower, old.upper.min(bound))
        } else {
            (old.lower.max(bound), old.upper)
        };
        let most_work = (1 << WORK_BITS) - 1;
        let work = u64::from(nodes.max(1).ilog2() / 2).min(most_work).max(Self::work_of(known));
        best_move.map_or(0, |best| u64::from(best) + 1) << Self::MOVE_SHIFT
            | (work << Self::WORK_SHIFT)
            | (((Self::HIGHEST - upper) as u64) << BOUND_BITS)
            | (lower - LOWEST) as u64
    }
}

#[cfg(test)]
mod key_space;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod witness;
