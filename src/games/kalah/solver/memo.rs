//! What the solver has found out about positions: bounds of their shares.
//!
//! No two positions are ever taken for each other: a position's number is scrambled one to one,
//! its upper bits are the place in the table and its lower bits are kept in the slot, one word:
//!
//! ```text
//! bit  0..9 least share   9..18 greatest share   18..22 best house + 1   22..26 effort, not 0
//!      26..64 the lower bits of the scrambled number
//! ```

use std::sync::atomic::Ordering::Relaxed;

use crate::memory::{Pages, SharedWords, prefetch};

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

/// Slots in a bucket: together they fill one cache line.
const SLOTS: usize = 8;
const TAG_SHIFT: u32 = 26;
const TAG_BITS: u32 = u64::BITS - TAG_SHIFT;
const SHARE_MASK: u64 = (1 << 9) - 1;
const MOST_EFFORT: u32 = 15;

/// The table. All words zero is an empty one.
pub struct Memo {
    memory: SharedWords,
    /// How many bits of a scrambled number are its place.
    place_bits: u32,
    /// How many bits of it are kept in the slot.
    tag_bits: u32,
}

impl Memo {
    /// An empty table of at most that many bytes (but at least one bucket) for the numbers below
    /// `count`, or why there is none.
    pub fn new(bytes: usize, count: u64) -> Result<Memo, String> {
        // Room for all positions twice over is as good as any more.
        let enough = usize::try_from(count.saturating_mul(16)).unwrap_or(usize::MAX);
        let place_bits = (bytes.min(enough) / (8 * SLOTS)).max(1).ilog2();
        let tag_bits = count.max(2).ilog2() + 1;
        let tag_bits = tag_bits.saturating_sub(place_bits);
        if tag_bits > TAG_BITS {
            return Err(format!("{count} positions are too many to be told apart"));
        }
        let memory = SharedWords::zeroed(SLOTS << place_bits, Pages::Large)
            .ok_or_else(|| format!("{bytes} bytes of memory cannot be had"))?;
        Ok(Memo { memory, place_bits, tag_bits })
    }

    /// Starts to fetch what [`Memo::get`] will read.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        prefetch(&self.memory.words()[self.place(number).0]);
    }

    /// What is known about the position with this number.
    #[inline]
    pub fn get(&self, number: u64) -> Option<Known> {
        let (start, tag) = self.place(number);
        let bucket = &self.memory.words()[start..start + SLOTS];
        // Slots fill up from the first, so an empty one, which may look like the tag 0, comes
        // after all others.
        let mut words = bucket.iter().map(|word| word.load(Relaxed));
        let found = words.find(|word| word >> TAG_SHIFT == tag);
        found.filter(|&word| word != 0).map(|word| Known {
            least: (word & SHARE_MASK) as u32,
            greatest: (word >> 9 & SHARE_MASK) as u32,
            best: ((word >> 18 & 15) as u8).checked_sub(1),
        })
    }

    /// Remembers what it took about `nodes` to find out, in place of what is known about the
    /// same position or else of what took the least effort.
    #[inline]
    pub fn put(&self, number: u64, known: Known, nodes: u64) {
        let (start, tag) = self.place(number);
        let bucket = &self.memory.words()[start..start + SLOTS];
        let (mut victim, mut least) = (0, u64::MAX);
        for (slot, word) in bucket.iter().enumerate() {
            let word = word.load(Relaxed);
            if word >> TAG_SHIFT == tag || word == 0 {
                victim = slot;
                break;
            }
            let kept = word >> 22 & 15;
            if kept < least {
                least = kept;
                victim = slot;
            }
        }
        let effort = (1 + (nodes | 1).ilog2()).min(MOST_EFFORT);
        let word = u64::from(known.least)
            | u64::from(known.greatest) << 9
            | known.best.map_or(0, |best| u64::from(best) + 1) << 18
            | u64::from(effort) << 22
            | tag << TAG_SHIFT;
        bucket[victim].store(word, Relaxed);
    }

    /// The first slot of the bucket of a number, and its tag there.
    #[inline]
    fn place(&self, number: u64) -> (usize, u64) {
        let bits = self.place_bits + self.tag_bits;
        let mask = u64::MAX >> (u64::BITS - bits);
        // Multiplying by an odd number and adding higher bits to lower ones can be undone.
        let scrambled = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask;
        let scrambled = (scrambled ^ scrambled >> (bits / 2)).wrapping_mul(0xd1b5_4a32_d192_ed03);
        let scrambled = scrambled & mask;
        let place = (scrambled >> self.tag_bits) as usize;
        (SLOTS * place, scrambled & !(u64::MAX << self.tag_bits))
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
        for bytes in [64, 1 << 10, 1 << 20] {
            let memo = Memo::new(bytes, 5000).unwrap();
            let mut places: Vec<_> = (0..5000).map(|number| memo.place(number)).collect();
            places.sort();
            places.dedup();
            assert_eq!(places.len(), 5000);
            assert!(places.iter().all(|(start, _)| start + SLOTS <= memo.memory.words().len()));
        }
    }

    #[test]
    fn what_is_put_can_be_got() {
        let memo = Memo::new(1 << 16, 1 << 40).unwrap();
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
        let memo = Memo::new(64, 1 << 20).unwrap();
        for number in 0..8 {
            memo.put(number, known(number as u32), 1 << (2 + number));
        }
        memo.put(100, known(100), 1);
        assert_eq!(memo.get(0), None);
        assert!((1..8).all(|number| memo.get(number) == Some(known(number as u32))));
        assert_eq!(memo.get(100), Some(known(100)));
    }

    #[test]
    fn too_many_positions_are_refused() {
        assert!(Memo::new(1 << 10, 1 << 60).is_err());
    }
}
