//! Memory for large tables, and prefetching.
//!
//! Knows bytes and words; does not know what is stored in them. Tables are probed at random, so
//! prefetching and huge pages pay: on 6x7 prefetching makes the full search a quarter faster, and
//! huge pages the solver a tenth. On Unix and Windows memory comes from mappings, which take
//! `unsafe` code, elsewhere from the heap.
#![allow(unsafe_code)]

#[cfg(any(test, not(any(unix, windows))))]
mod heap;
#[cfg(any(unix, windows))]
mod mapped;

use std::io::{self, Read};
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

#[cfg(not(any(unix, windows)))]
use heap as system;
#[cfg(any(unix, windows))]
use mapped as system;

use super::faults::{self, Call};
use super::files::File;
/// A word that threads share. The model checker of `tools/checks/loom` has its own.
pub use std::sync::atomic::AtomicU64 as Word;

pub use system::ZeroedBytes;

/// `count` zero bytes, or `None` if the system refuses.
pub fn zeroed_bytes(count: usize, pages: Pages) -> Option<ZeroedBytes> {
    faults::check(Call::Map).ok()?;
    system::zeroed_bytes(count, pages)
}

/// The page size to ask for.
///
/// Huge pages spare the processor most address translations. But the system may have to free each
/// of them first, which takes milliseconds that a short search does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// The system's default.
    Default,
    /// Huge pages, where the system has them.
    Huge,
}

/// Zeroed words that threads share. Where memory is mapped, the system provides each page on first
/// use, so that even an enormous allocation costs nothing up front.
pub struct SharedWords(system::Words);

impl SharedWords {
    /// `count` words, all zero, or `None` if the system refuses.
    pub fn zeroed(count: usize, pages: Pages) -> Option<SharedWords> {
        faults::check(Call::Map).ok()?;
        system::Words::zeroed(count, pages).map(SharedWords)
    }

    /// The words.
    #[inline(always)]
    pub fn words(&self) -> &[Word] {
        self.0.as_slice()
    }

    /// Allocates the pages of these words now, where the system can. Other threads may use the
    /// words meanwhile.
    ///
    /// Otherwise a page is allocated on the first read and replaced on the first write. The
    /// replacement interrupts every processor that runs the process, at the price of hundreds of
    /// probes.
    pub fn prefault(&self, words: Range<usize>) {
        self.0.prefault(words);
    }

    /// Moves these words into huge pages, where the system can. Other threads may use the words
    /// meanwhile. May take long, since the system may have to free huge pages first.
    pub fn move_to_huge_pages(&self, words: Range<usize>) {
        self.0.move_to_huge_pages(words);
    }
}

/// The next `length` bytes of `file`, copied: bytes of a mapped file could change under their reader.
/// There must be at least one.
pub fn read_file(mut file: &File, length: u64) -> io::Result<ZeroedBytes> {
    let memory = usize::try_from(length).ok().and_then(|length| zeroed_bytes(length, Pages::Huge));
    let mut memory = memory.ok_or_else(|| io::Error::other("not enough memory"))?;
    file.read_exact(&mut memory)?;
    Ok(memory)
}

/// Bytes that threads may share for as long as they are borrowed.
pub fn shared_bytes(bytes: &mut [u8]) -> &[AtomicU8] {
    let count = bytes.len();
    // SAFETY: `AtomicU8` has the size and the alignment of `u8`, and nobody else can use the
    // bytes while they are borrowed mutably.
    unsafe { std::slice::from_raw_parts(bytes.as_mut_ptr().cast(), count) }
}

/// Whether [`SharedWords::move_to_huge_pages`] may have an effect.
pub const HAS_HUGE_PAGES: bool = cfg!(any(unix, windows));

/// Whether [`prefetch`] has an effect.
pub const CAN_PREFETCH: bool = cfg!(target_arch = "x86_64");

/// Hints that `item` will be read soon. Has no other effect.
#[inline(always)]
pub fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: prefetching affects nothing but caches, and every x86_64 processor has SSE.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

/// Loads a word that will be read soon, where there is no [`prefetch`]. The processor waits for it in
/// the end, but for several such loads at once.
#[inline(always)]
pub fn load_ahead(word: &Word) {
    std::hint::black_box(word.load(Ordering::Relaxed));
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::platform::files::{open_plain, replace};

    #[test]
    fn words_start_as_zero_and_keep_what_is_written() {
        let memory = SharedWords::zeroed(1000, Pages::Huge).unwrap();
        assert_eq!(memory.words().len(), 1000);
        assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
        memory.words()[999].store(7, Relaxed);
        prefetch(&memory.words()[999]);
        assert_eq!(memory.words()[999].load(Relaxed), 7);
    }

    #[test]
    fn prefaulting_and_moving_keep_the_words_while_threads_write() {
        let memory = SharedWords::zeroed(10_000, Pages::Default).unwrap();
        std::thread::scope(|scope| {
            for first in 0..2 {
                let words = memory.words().iter().enumerate().skip(first).step_by(2);
                scope.spawn(|| words.for_each(|(place, word)| word.store(place as u64, Relaxed)));
            }
            memory.prefault(512..10_000);
            memory.move_to_huge_pages(0..10_000);
        });
        let kept = |(place, word): (usize, &Word)| word.load(Relaxed) == place as u64;
        assert!(memory.words().iter().enumerate().all(kept));
    }

    #[test]
    fn no_words_are_fine_and_too_many_are_refused() {
        assert!(SharedWords::zeroed(0, Pages::Default).unwrap().words().is_empty());
        assert!(SharedWords::zeroed(usize::MAX, Pages::Default).is_none());
        assert!(SharedWords::zeroed(usize::MAX >> 6, Pages::Huge).is_none());
        assert!(zeroed_bytes(usize::MAX >> 3, Pages::Huge).is_none());
    }

    #[test]
    fn the_heap_serves_where_there_are_no_mappings() {
        let words = heap::Words::zeroed(1001, Pages::Huge).unwrap();
        assert_eq!(words.as_slice().len(), 1001);
        assert_eq!(words.as_slice().as_ptr().addr() % 64, 0, "buckets lie in one cache line");
        words.as_slice()[1000].store(7, Relaxed);
        words.prefault(0..1000);
        words.move_to_huge_pages(0..1000);
        assert_eq!(words.as_slice().iter().map(|word| word.load(Relaxed)).sum::<u64>(), 7);
        assert!(heap::Words::zeroed(usize::MAX, Pages::Default).is_none());
        assert_eq!(heap::zeroed_bytes(3, Pages::Default), Some(vec![0; 3]));
        assert_eq!(heap::zeroed_bytes(usize::MAX, Pages::Default), None);
    }

    #[test]
    fn a_file_is_copied_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        replace(&path, &[b"some ", b"bytes"]).unwrap();
        let read = |length| read_file(&open_plain(&path).unwrap(), length);
        assert_eq!(read(10).unwrap()[..], b"some bytes"[..]);
        assert!(read(11).is_err(), "the file is shorter");
        assert_eq!(read(u64::MAX).unwrap_err().to_string(), "not enough memory");
    }

    #[test]
    fn bytes_start_as_zero_and_keep_what_is_written() {
        let mut bytes = zeroed_bytes(5000, Pages::Default).unwrap();
        assert!(bytes.len() == 5000 && bytes.iter().all(|&byte| byte == 0));
        bytes[4999] = 7;
        assert_eq!(bytes[4999], 7);
    }
}
