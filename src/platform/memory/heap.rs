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

/// See [`super::SharedWords`].
pub struct Words(Vec<AtomicU64>);

impl Words {
    pub fn zeroed(count: usize, _pages: Pages) -> Option<Words> {
        zeroed(count).map(Words)
    }

    #[inline(always)]
    pub fn as_slice(&self) -> &[AtomicU64] {
        &self.0
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
