//! Memory mapped by the operating system.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use memmap2::{MmapMut, MmapOptions, MmapRaw};

use super::Pages;

/// Zeroed bytes with one owner, allocated page by page on first use.
pub type ZeroedBytes = MmapMut;

/// `count` zero bytes, or `None` if the system refuses.
pub fn zeroed_bytes(count: usize, pages: Pages) -> Option<ZeroedBytes> {
    let memory = MmapOptions::new().len(count).map_anon().ok()?;
    #[cfg(all(target_os = "linux", not(miri)))]
    if pages == Pages::Huge
        && let Err(error) = memory.advise(memmap2::Advice::HugePage)
    {
        log::debug!("no huge pages: {error}");
    }
    #[cfg(not(all(target_os = "linux", not(miri))))]
    let _ = pages;
    Some(memory)
}

/// See [`super::SharedWords`].
pub struct Words {
    /// Raw, because no reference to its bytes may exist while threads write to its words.
    memory: MmapRaw,
}

impl Words {
    pub fn zeroed(count: usize, pages: Pages) -> Option<Words> {
        let bytes = count.checked_mul(size_of::<AtomicU64>())?;
        zeroed_bytes(bytes, pages).map(|memory| Words { memory: memory.into() })
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[AtomicU64] {
        let count = self.memory.len() / size_of::<AtomicU64>();
        // SAFETY: the mapping starts at a page boundary, is initialised (to zero), lives as long as
        // `self`, belongs to it alone, and is accessed only through this slice.
        unsafe { std::slice::from_raw_parts(self.memory.as_mut_ptr().cast(), count) }
    }

    pub fn prefault(&self, words: Range<usize>) {
        const MADV_POPULATE_WRITE: i32 = 23;
        self.advise(words, MADV_POPULATE_WRITE);
    }

    pub fn move_to_huge_pages(&self, words: Range<usize>) {
        const MADV_COLLAPSE: i32 = 25;
        self.prefault(words.clone());
        self.advise(words, MADV_COLLAPSE);
    }

    /// Gives the kernel one of the two advices above. Without effect where they are unknown: before
    /// Linux 5.14 and 6.1, on other systems, and in Miri.
    fn advise(&self, words: Range<usize>, advice: i32) {
        let words = &self.as_slice()[words];
        #[cfg(all(target_os = "linux", not(miri)))]
        {
            let start = words.as_ptr().cast_mut().cast();
            // SAFETY: the range lies within our mapping, and neither advice changes contents or
            // addresses.
            if unsafe { libc::madvise(start, size_of_val(words), advice) } != 0 {
                log::debug!("madvise({advice}): {}", std::io::Error::last_os_error());
            }
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = (words, advice);
    }
}
