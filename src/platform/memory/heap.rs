//! The same from the heap, for targets without mappings. All of it is allocated at once.

use std::ops::Range;
use std::sync::atomic::AtomicU64;

use super::Pages;

/// Zeroed bytes with one owner.
pub type ZeroedBytes = Vec<u8>;

/// `count` zero bytes, or `None` if there is not enough memory.
pub fn zeroed_bytes(count: usize, _pages: Pages) -> Option<ZeroedBytes> {
    zeroed(count)
}

/// The words of a cache line, at the address of one: else half of the buckets of a table would lie in
/// two lines.
#[derive(Default)]
#[repr(align(64))]
struct CacheLine(#[expect(dead_code, reason = "read as words")] [AtomicU64; LINE_WORDS]);

const LINE_WORDS: usize = 8;

/// See [`super::SharedWords`].
pub struct Words {
    lines: Vec<CacheLine>,
    count: usize,
}

impl Words {
    pub fn zeroed(count: usize, _pages: Pages) -> Option<Words> {
        Some(Words { lines: zeroed(count.div_ceil(LINE_WORDS))?, count })
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[AtomicU64] {
        // SAFETY: a line is its words and nothing else, and the lines have room for `count` of them.
        unsafe { std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.count) }
    }

    pub fn prefault(&self, _words: Range<usize>) {}

    pub fn move_to_huge_pages(&self, _words: Range<usize>) {}
}

fn zeroed<T: Default>(count: usize) -> Option<Vec<T>> {
    let mut items = Vec::new();
    items.try_reserve_exact(count).ok()?;
    items.resize_with(count, T::default);
    Some(items)
}
