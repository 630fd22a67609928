//! How the table grows: by splitting buckets, one at a time while one thread uses it, all at once while
//! several share it.

use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

use super::keys::TableKey;
use super::{BoundTable, LOAD, SLOTS};
use crate::platform::memory::Word;
use crate::platform::threads;

/// Buckets sampled to estimate how full a shared table is.
const SAMPLED: usize = 1 << 12;
/// Fewer buckets than this are split before another thread would have started.
const SHARE_OF_THREAD: usize = 1 << 14;

impl<const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32>
    BoundTable<LOWEST, BOUND_BITS, MOVE_BITS>
{
    /// From now on one thread uses the table, and it grows by itself.
    pub fn use_alone(&mut self) {
        self.shared = false;
    }

    /// From now on threads may share the table, and it grows only here, with the help of this many
    /// threads, until it is at most nine sixteenths full and has room for this many `entries`. Returns
    /// how many may be stored before the next call.
    pub fn make_room_to_share(&mut self, threads: usize, entries: u64) -> u64 {
        self.make_room(threads, entries, SHARE_OF_THREAD)
    }

    /// The same, where a thread is worth starting for `share_of_thread` buckets.
    pub fn make_room(&mut self, threads: usize, entries: u64, share_of_thread: usize) -> u64 {
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
            let room = most.saturating_sub(filled) as u64;
            if is_whole && 4 * filled <= 3 * most && room >= entries {
                return room;
            }
            for round in rounds(boundary) {
                self.split_round(round, index_bits, threads, share_of_thread);
            }
            *self.index_bits.get_mut() = index_bits + 1;
            *self.boundary.get_mut() = 2 << index_bits;
        }
    }

    /// Splits the buckets of one of the [`rounds`].
    fn split_round(
        &self,
        Range { start, end }: Range<usize>,
        index_bits: u32,
        threads: usize,
        share_of_thread: usize,
    ) {
        let share = (end - start).div_ceil(threads.max(1));
        threads::scope(|scope| {
            for first in (start..end).step_by(share) {
                let split_share = move || {
                    (first..end.min(first + share))
                        .for_each(|bucket| self.split(bucket, index_bits, self.slot_words));
                };
                if share < share_of_thread || threads::spawn_scoped(scope, split_share).is_err() {
                    split_share();
                }
            }
        });
    }

    /// Estimates how many slots of the shared table are in use from a sample of its buckets.
    pub fn count_shared(&mut self) {
        let buckets = (2usize << *self.index_bits.get_mut()) - *self.boundary.get_mut();
        let step = buckets.div_ceil(SAMPLED).max(1);
        let bucket_words = SLOTS * self.slot_words;
        let words = &self.memory.words()[..bucket_words * buckets];
        let in_use = |bucket: &[Word]| {
            let slots = bucket.iter().step_by(self.slot_words);
            slots.filter(|slot| slot.load(Relaxed) != 0).count()
        };
        let sample = words.chunks(bucket_words).step_by(step);
        *self.filled.get_mut() = step * sample.map(in_use).sum::<usize>();
    }

    /// Splits the last bucket that is not split yet.
    #[inline(never)]
    pub(super) fn split_last<K: TableKey>(&self, index_bits: u32) {
        let last = self.boundary.load(Relaxed) - 1;
        self.split(last, index_bits, K::SLOT_WORDS);
        if last == 0 {
            self.index_bits.store(index_bits + 1, Relaxed);
            self.boundary.store(2 << index_bits, Relaxed);
        } else {
            self.boundary.store(last, Relaxed);
        }
    }

    /// Moves the entries of a bucket of a table of `index_bits` to their buckets in one of the
    /// double size.
    #[inline(always)]
    fn split(&self, bucket: usize, index_bits: u32, slot_words: usize) {
        let bucket_words = SLOTS * slot_words;
        let words = self.memory.words();
        let mut halves = [[[0; 2]; SLOTS]; 2];
        let mut filled = [0; 2];
        for slot in words[bucket_words * bucket..][..bucket_words].chunks_exact(slot_words) {
            let entry = slot[0].load(Relaxed);
            let half = ((entry << (index_bits - self.smallest)) >> 63) as usize;
            // No more than the slots of the source come before this one.
            let target = &mut halves[half][filled[half] % SLOTS];
            for (word, target) in slot.iter().zip(target) {
                *target = word.load(Relaxed);
                word.store(0, Relaxed);
            }
            filled[half] += usize::from(entry != 0);
        }
        let target = &words[2 * bucket_words * bucket..][..2 * bucket_words];
        for (slot, entry) in target.chunks_exact(slot_words).zip(halves.into_iter().flatten()) {
            for (word, value) in slot.iter().zip(entry) {
                word.store(value, Relaxed);
            }
        }
    }
}

/// The buckets below `boundary` in rounds: those of a round may be split in any order and at the same time.
///
/// Splitting bucket `i` overwrites the buckets `2 i` and `2 i + 1`, so the round `start..end` overwrites
/// `2 * start..2 * end`. Nothing is in these when it begins, or else entries would be lost or be split twice:
///
/// - Buckets below `end` are not split yet. But `2 * start >= end`, as `start` is half of `end` rounded *up*.
///   Only the last round, `0..1`, overwrites the bucket that it reads.
/// - Buckets from `end` on were split before, into `2 * end` and those beyond it.
pub(super) fn rounds(boundary: usize) -> impl Iterator<Item = Range<usize>> {
    let mut end = boundary;
    std::iter::from_fn(move || {
        let start = end.div_ceil(2).min(end.checked_sub(1)?);
        Some(start..std::mem::replace(&mut end, start))
    })
}
