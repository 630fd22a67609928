//! Memory with `unsafe` inside: lazily zeroed pages, advice about them, and
//! prefetching. Apart from the jump in `cpu` there is no other `unsafe`.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// A zeroed slice whose pages the system provides on first touch, so that a
/// large table costs nothing until it is used.
pub struct ZeroedSlots {
    start: NonNull<AtomicU64>,
    length: usize,
}

/// The system has no memory for the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory;

impl std::fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("not enough memory for the table")
    }
}

impl std::error::Error for OutOfMemory {}

// SAFETY: the slots are owned by the value and only ever seen as atomics.
unsafe impl Send for ZeroedSlots {}
// SAFETY: shared access hands out `&[AtomicU64]`, which is itself `Sync`.
unsafe impl Sync for ZeroedSlots {}

impl ZeroedSlots {
    /// `length` slots, all zero.
    pub fn new(length: usize) -> Result<Self, OutOfMemory> {
        let layout = Layout::array::<AtomicU64>(length).map_err(|_| OutOfMemory)?;
        if layout.size() == 0 {
            return Ok(Self { start: NonNull::dangling(), length: 0 });
        }
        // SAFETY: the layout has a size greater than zero.
        let memory = unsafe { alloc_zeroed(layout) };
        let start = NonNull::new(memory.cast()).ok_or(OutOfMemory)?;
        let slots = Self { start, length };
        slots.ask_for_huge_pages();
        Ok(slots)
    }

    /// Asks for large pages, which spare the processor most address look-ups of
    /// random access. Advice only: a refusal changes nothing.
    #[cfg(target_os = "linux")]
    fn ask_for_huge_pages(&self) {
        const HUGE_PAGE: usize = 2 << 20;
        const MADV_HUGEPAGE: i32 = 14;
        unsafe extern "C" {
            fn madvise(address: *mut std::ffi::c_void, length: usize, advice: i32) -> i32;
        }
        let bytes = self.length * size_of::<AtomicU64>();
        let skip = self.start.cast::<u8>().align_offset(HUGE_PAGE);
        if bytes < skip.saturating_add(HUGE_PAGE) {
            return;
        }
        // SAFETY: the range lies inside our own allocation, starts on a page
        // boundary, and the advice does not change its contents.
        unsafe { madvise(self.start.as_ptr().byte_add(skip).cast(), bytes - skip, MADV_HUGEPAGE) };
    }

    #[cfg(not(target_os = "linux"))]
    fn ask_for_huge_pages(&self) {}
}

impl Deref for ZeroedSlots {
    type Target = [AtomicU64];

    #[inline(always)]
    fn deref(&self) -> &[AtomicU64] {
        // SAFETY: `start` points to `length` initialised slots (all-zero bytes
        // are a valid `AtomicU64`) that live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl Drop for ZeroedSlots {
    fn drop(&mut self) {
        if self.length > 0 {
            let layout = Layout::array::<AtomicU64>(self.length).expect("it was allocated with it");
            // SAFETY: allocated in `new` with this same layout.
            unsafe { dealloc(self.start.as_ptr().cast(), layout) };
        }
    }
}

/// Tells the processor that `slot` will be read soon.
#[inline(always)]
pub fn prefetch(slot: &AtomicU64) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch has no effect on the program's state.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(slot).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = slot;
}
