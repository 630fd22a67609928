//! What the solver has found out about positions: bounds of their shares.
//!
//! No two positions are ever taken for each other: a position's number is scrambled one to one
//! into a code, the lower bits of which are the place in the table; the others are kept in the
//! slot, one word:
//!
//! ```text
//! bit  0..9 least share   9..18 greatest share   18..22 best house + 1   22..26 effort, not 0
//!      26..64 the tag: the upper bits of the code
//! ```
//!
//! A small table is quicker than a large one, as more of it is near the processor. So it starts
//! small, and is doubled whenever as many entries have been lost as it has slots.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::platform::memory::{Pages, SharedWords, prefetch};

/// Bounds of a position's share, and the move to try first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The share is at least this.
    pub least: u32,
    /// The share is at most this.
    pub greatest: u32,
    /// The best house so far.
    pub best: Option<u8>,
}

/// Slots in a bucket, half a cache line.
const SLOTS: usize = 4;
const TAG_SHIFT: u32 = 26;
const TAG_BITS: u32 = u64::BITS - TAG_SHIFT;
const SHARE_MASK: u64 = (1 << 9) - 1;
const MOST_EFFORT: u32 = 15;
/// Buckets to start with: 16 MiB.
const FIRST_BUCKET_BITS: u32 = 19;

/// The table. All words zero is an empty one.
pub struct Memo {
    /// As many as it may ever use; the system hands them out as they are touched.
    memory: SharedWords,
    /// How many buckets are in use: a power of two.
    buckets: usize,
    /// Entries that gave way to others since the table was doubled.
    lost: usize,
    /// The bits of a code.
    mask: u64,
    half: u32,
    /// How many bits of a code are not in its tag.
    untagged: u32,
}

impl Memo {
    /// An empty table of at most that many bytes (but at least one bucket) for the numbers below
    /// `count`, or why there is none.
    pub fn new(bytes: usize, count: u64, pages: Pages) -> Result<Memo, String> {
        let bits = count.max(2).ilog2() + 1;
        let most = (bytes / (8 * SLOTS)).max(1).ilog2();
        let untagged = most.min(FIRST_BUCKET_BITS).max(bits.saturating_sub(TAG_BITS));
        if untagged > most {
            return Err(format!("{count} positions are too many to be told apart"));
        }
        let memory = SharedWords::zeroed(SLOTS << most, pages)
            .ok_or_else(|| format!("{bytes} bytes of memory cannot be had"))?;
        let mask = u64::MAX >> (u64::BITS - bits);
        Ok(Memo { memory, buckets: 1 << untagged, lost: 0, mask, half: bits.div_ceil(2), untagged })
    }

    /// What a position with this number is called here.
    #[inline]
    pub fn code(&self, number: u64) -> u64 {
        // Multiplying by an odd number and adding higher bits to lower ones can be undone.
        let mixed = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & self.mask;
        let mixed = (mixed ^ mixed >> self.half).wrapping_mul(0xd1b5_4a32_d192_ed03) & self.mask;
        mixed ^ mixed >> self.half
    }

    /// Starts to fetch what [`Memo::get`] will read.
    #[inline]
    pub fn prefetch(&self, code: u64) {
        prefetch(&self.memory.words()[self.start(code)]);
    }

    /// What is known about a position.
    #[inline]
    pub fn get(&self, code: u64) -> Option<Known> {
        let tag = code >> self.untagged;
        let words = self.bucket(code).iter().map(|word| word.load(Relaxed));
        // At most one slot fits. Looking at all is quicker than guessing which: an empty one may
        // look like the tag 0, but adds nothing.
        let found = words.fold(
            0,
            |found, word| {
                if word >> TAG_SHIFT == tag { found | word } else { found }
            },
        );
        (found != 0).then(|| Known {
            least: (found & SHARE_MASK) as u32,
            greatest: (found >> 9 & SHARE_MASK) as u32,
            best: ((found >> 18 & 15) as u8).checked_sub(1),
        })
    }

    /// Remembers what it took about `nodes` to find out, in place of what is known about the
    /// same position or else of what took the least effort.
    #[inline]
    pub fn put(&mut self, code: u64, known: Known, nodes: u64) {
        let tag = code >> self.untagged;
        let bucket = self.bucket(code);
        let (mut victim, mut least) = (0, u64::MAX);
        for (slot, word) in bucket.iter().enumerate() {
            let word = word.load(Relaxed);
            let same = word != 0 && word >> TAG_SHIFT == tag;
            // The effort of an empty slot is 0.
            let kept = if same { 0 } else { 1 + (word >> 22 & 15) };
            if kept < least {
                (victim, least) = (slot, kept);
            }
        }
        let effort = (1 + (nodes | 1).ilog2()).min(MOST_EFFORT);
        let word = u64::from(known.least)
            | u64::from(known.greatest) << 9
            | known.best.map_or(0, |best| u64::from(best) + 1) << 18
            | u64::from(effort) << 22
            | tag << TAG_SHIFT;
        bucket[victim].store(word, Relaxed);
        if least > 1 {
            self.lose();
        }
    }

    /// An entry has given way to another.
    #[inline]
    fn lose(&mut self) {
        self.lost += 1;
        if self.lost > SLOTS * self.buckets {
            self.grow();
        }
    }

    /// Doubles the table if there is room.
    #[cold]
    fn grow(&mut self) {
        self.lost = 0;
        let words = self.memory.words();
        let used = SLOTS * self.buckets;
        if words.len() < 2 * used {
            return;
        }
        // The next bit of the code tells what moves to the new half.
        let bit = TAG_SHIFT + self.buckets.ilog2() - self.untagged;
        for (old, new) in words[..used].iter().zip(&words[used..]) {
            let word = old.load(Relaxed);
            if word >> bit & 1 == 1 {
                new.store(word, Relaxed);
                old.store(0, Relaxed);
            }
        }
        self.buckets *= 2;
    }

    #[inline]
    fn bucket(&self, code: u64) -> &[AtomicU64] {
        let start = self.start(code);
        &self.memory.words()[start..start + SLOTS]
    }

    /// The first word of the bucket of a code.
    #[inline]
    fn start(&self, code: u64) -> usize {
        SLOTS * (code as usize & (self.buckets - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(least: u32) -> Known {
        Known { least, greatest: 288, best: Some(11) }
    }

    #[test]
    fn every_number_has_its_own_place_and_tag() {
        for bytes in [32, 1 << 10, 1 << 20] {
            let memo = Memo::new(bytes, 5000, Pages::Usual).unwrap();
            let place =
                |number| (memo.start(memo.code(number)), memo.code(number) >> memo.untagged);
            let mut places: Vec<_> = (0..5000).map(place).collect();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), 5000);
            assert!(places.iter().all(|(start, _)| start + SLOTS <= memo.memory.words().len()));
        }
    }

    #[test]
    fn what_is_put_can_be_got() {
        let mut memo = Memo::new(1 << 16, 1 << 40, Pages::Usual).unwrap();
        assert_eq!(memo.get(77), None);
        memo.put(77, known(0), 1);
        memo.put(78, known(9), 1000);
        assert_eq!(memo.get(77), Some(known(0)));
        assert_eq!(memo.get(78), Some(known(9)));
        memo.put(77, known(1), 1);
        assert_eq!(memo.get(77), Some(known(1)));
        let nothing = Known { least: 0, greatest: 0, best: None };
        memo.put(0, nothing, 0);
        assert_eq!(memo.get(0), Some(nothing));
    }

    #[test]
    fn a_full_bucket_gives_up_what_took_the_least_effort() {
        let mut memo = Memo::new(32, 1 << 20, Pages::Usual).unwrap();
        for number in 0..4 {
            memo.put(number, known(number as u32), 1 << (2 + number));
        }
        memo.put(100, known(100), 1);
        assert_eq!(memo.get(0), None);
        assert!((1..4).all(|number| memo.get(number) == Some(known(number as u32))));
        assert_eq!(memo.get(100), Some(known(100)));
    }

    #[test]
    fn a_table_that_loses_much_grows_and_keeps_what_it_has() {
        let mut memo = Memo::new(64 << 20, 1 << 40, Pages::Usual).unwrap();
        let first = memo.buckets;
        let code = |memo: &Memo, number: u64| memo.code(number);
        let mut number = 0;
        while memo.buckets == first {
            number += 1;
            memo.put(code(&memo, number), known(number as u32 & 255), 1);
        }
        let there = (1..=number).filter(|&number| {
            let found = memo.get(code(&memo, number));
            assert!(found.is_none_or(|found| found == known(number as u32 & 255)));
            found.is_some()
        });
        assert!(there.count() > SLOTS * first * 9 / 10);
    }

    #[test]
    fn too_many_positions_are_refused() {
        assert!(Memo::new(1 << 10, 1 << 60, Pages::Usual).is_err());
    }
}
