//! The one module with `unsafe`: large memory, files as memory, and a hint to fetch some of it
//! early.
//!
//! The hint and large pages pay in tables that are read at random all the time. On 6x7 the hint
//! alone raises the speed of the full search by a quarter, large pages by a tenth.
#![allow(unsafe_code)]

use std::fs::File;
use std::sync::atomic::AtomicU64;

use memmap2::{Mmap, MmapMut, MmapOptions};

/// Zeroed words that threads share. The system hands out the memory as it is touched, in large
/// pages where it can, so even an enormous one costs nothing to make.
pub struct SharedWords {
    memory: MmapMut,
}

impl SharedWords {
    /// That many words, all zero, or `None` if the system refuses.
    pub fn zeroed(count: usize) -> Option<SharedWords> {
        let bytes = count.checked_mul(size_of::<AtomicU64>())?;
        let memory = zeroed_bytes(bytes.max(1))?;
        Some(SharedWords { memory })
    }

    /// The words.
    #[inline]
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
}

/// That many zero bytes that the system hands out as they are touched, in large pages where it
/// can, or `None` if it refuses.
pub fn zeroed_bytes(count: usize) -> Option<MmapMut> {
    let memory = MmapOptions::new().len(count).map_anon().ok()?;
    #[cfg(target_os = "linux")]
    if let Err(error) = memory.advise(memmap2::Advice::HugePage) {
        log::debug!("no large pages: {error}");
    }
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

/// Tells the processor that `items[index]` will be wanted soon. Changes nothing else.
#[inline]
pub fn prefetch<T>(items: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = items.get(index) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect but on the caches, and SSE is part of x86_64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, index);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;

    #[test]
    fn words_start_as_zero_and_keep_what_is_written() {
        let memory = SharedWords::zeroed(1000).unwrap();
        assert_eq!(memory.words().len(), 1000);
        assert!(memory.words().iter().all(|word| word.load(Relaxed) == 0));
        memory.words()[999].store(7, Relaxed);
        assert_eq!(memory.words()[999].load(Relaxed), 7);
    }

    #[test]
    fn no_words_and_too_many_words_are_fine() {
        assert!(SharedWords::zeroed(0).unwrap().words().is_empty());
        assert!(SharedWords::zeroed(usize::MAX).is_none());
        assert!(SharedWords::zeroed(1 << 58).is_none());
    }

    #[test]
    fn a_prefetch_outside_is_ignored() {
        let memory = SharedWords::zeroed(8).unwrap();
        prefetch(memory.words(), 3);
        prefetch(memory.words(), 1 << 40);
    }
}
