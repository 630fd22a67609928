//! Large memory, files as memory, and a hint to fetch some of it early.
//!
//! The hint and large pages pay in tables that are read at random all the time: on 6x7 the hint
//! alone raises the speed of the full search by a quarter, and large pages that of the solver by
//! a tenth. This takes `unsafe`, which is why it has a module of its own.
#![allow(unsafe_code)]

use std::fs::File;
use std::ops::Range;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut, MmapOptions};

/// The size of the pages that memory is handed out in.
///
/// Large ones spare the processor most address look-ups. But where the system has to find them
/// first each can take milliseconds, which a short search would wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pages {
    /// Whatever the system usually does.
    Usual,
    /// Large ones, if the system has them.
    Large,
}

/// Zeroed words that threads share. The system hands out the memory as it is touched, so even an
/// enormous one costs nothing to make.
pub struct SharedWords {
    memory: MmapMut,
}

impl SharedWords {
    /// That many words, all zero, or `None` if the system refuses.
    pub fn zeroed(count: usize, pages: Pages) -> Option<SharedWords> {
        let bytes = count.checked_mul(size_of::<AtomicU64>())?;
        let memory = zeroed_bytes(bytes.max(1), pages)?;
        Some(SharedWords { memory })
    }

    /// The words.
    #[inline(always)]
    pub fn words(&self) -> &[AtomicU64] {
        // SAFETY: the mapping is private to this process, lives and stays in place as long as
        // `self`, starts on a page boundary (so it is aligned), and is never handed out in any
        // other way than here; any bytes are valid words, and atomics may be shared.
        unsafe {
            std::slice::from_raw_parts(
                self.memory.as_ptr().cast::<AtomicU64>(),
                self.memory.len() / size_of::<AtomicU64>(),
            )
        }
    }

    /// Has the system hand out the memory of these words now, where it can. Other threads may go on
    /// using them.
    ///
    /// Else the system hands out a page at the first touch, and another one at the first write to
    /// what was read before. That second time it interrupts all processors that run the process,
    /// which takes them as long as hundreds of look-ups.
    pub fn prefault(&self, words: Range<usize>) {
        #[cfg(target_os = "linux")]
        {
            let Range { start, end } = in_bytes(words);
            let advice = memmap2::Advice::PopulateWrite;
            if let Err(error) = self.memory.advise_range(advice, start, end - start) {
                log::debug!("no memory beforehand: {error}");
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = words;
    }

    /// Moves these words into large pages, where the system can. Other threads may go on using
    /// them. May take long, as the system may have to find large pages first.
    pub fn move_to_huge_pages(&self, words: Range<usize>) {
        self.prefault(words.clone());
        #[cfg(target_os = "linux")]
        {
            // Not known to `memmap2`, nor to systems older than Linux 6.1, which refuse it.
            const COLLAPSE: i32 = 25;
            let piece = &self.memory[in_bytes(words)];
            // SAFETY: the range lies within our mapping, and moving its contents into large pages
            // changes neither them nor their addresses.
            unsafe { libc::madvise(piece.as_ptr().cast_mut().cast(), piece.len(), COLLAPSE) };
        }
    }
}

#[cfg(target_os = "linux")]
fn in_bytes(words: Range<usize>) -> Range<usize> {
    words.start * size_of::<AtomicU64>()..words.end * size_of::<AtomicU64>()
}

/// That many zero bytes that the system hands out as they are touched, or `None` if it refuses.
pub fn zeroed_bytes(count: usize, pages: Pages) -> Option<MmapMut> {
    let memory = MmapOptions::new().len(count).map_anon().ok()?;
    #[cfg(target_os = "linux")]
    if pages == Pages::Large
        && let Err(error) = memory.advise(memmap2::Advice::HugePage)
    {
        log::debug!("no large pages: {error}");
    }
    #[cfg(not(target_os = "linux"))]
    let _ = pages;
    Some(memory)
}

/// The contents of `file` as memory, read as it is needed.
pub fn mapped_file(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the mapping is private and read-only. Bytes that another process changes under it
    // may read as anything, which its readers must take from an untrusted file anyway; they only
    // ever read bytes, all of which are valid, through the slice that the mapping derefs to. A
    // file that is cut short ends this process by a signal, which loses no more than a full disk
    // would: published tables are replaced by renaming, never written to.
    unsafe { Mmap::map(file) }
}

/// Tells the processor that `item` will be wanted soon. Changes nothing else.
#[inline(always)]
pub fn prefetch<T>(item: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches, and SSE is part of x86_64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = item;
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_start_as_zero_and_keep_what_is_written() {
        let memory = SharedWords::zeroed(1000, Pages::Large).unwrap();
        assert_eq!(memory.words().len(), 1000);
        assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
        memory.words()[999].store(7, Relaxed);
        assert_eq!(memory.words()[999].load(Relaxed), 7);
    }

    #[test]
    fn populated_memory_keeps_its_words() {
        let memory = SharedWords::zeroed(10_000, Pages::Usual).unwrap();
        memory.words()[600].store(7, Relaxed);
        memory.prefault(512..10_000);
        memory.move_to_huge_pages(0..10_000);
        assert_eq!(memory.words()[600].load(Relaxed), 7);
        assert_eq!(memory.words()[9_999].load(Relaxed), 0);
    }

    #[test]
    fn no_words_and_too_many_words_are_fine() {
        assert!(SharedWords::zeroed(0, Pages::Usual).unwrap().words().is_empty());
        assert!(SharedWords::zeroed(usize::MAX, Pages::Usual).is_none());
        assert!(SharedWords::zeroed(1 << 58, Pages::Large).is_none());
    }
}
