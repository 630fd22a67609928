//! The memory that all searches share, so that a server with many games cannot exhaust it.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The memory that is free, in MiB.
pub struct Budget(AtomicUsize);

impl Budget {
    /// A budget of so many MiB.
    pub fn new(mib: usize) -> Budget {
        Budget(AtomicUsize::new(mib))
    }

    /// A quarter of what is free: much for a single game, something for each of many, of which there are 20 in 256
    /// MiB and 40 in 64 GiB. `None` if nothing is free.
    pub fn take(&self) -> Option<Share<'_>> {
        let rest = |free: usize| (free > 0).then(|| free - quarter(free));
        let before = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, rest).ok()?;
        Some(Share { budget: self, mib: quarter(before) })
    }
}

fn quarter(free: usize) -> usize {
    (free / 4).max(1)
}

/// A part of the budget, returned when it is dropped.
pub struct Share<'a> {
    budget: &'a Budget,
    /// Its size in MiB.
    pub mib: usize,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        self.budget.0.fetch_add(self.mib, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_never_exceed_the_budget_and_return_to_it() {
        let budget = Budget::new(256);
        for _ in 0..2 {
            let shares: Vec<Share<'_>> = std::iter::from_fn(|| budget.take()).collect();
            let sizes: Vec<usize> = shares.iter().map(|share| share.mib).collect();
            assert_eq!(sizes[..3], [64, 48, 36]);
            assert_eq!(sizes.iter().sum::<usize>(), 256);
        }
    }

    #[test]
    fn the_largest_budget_has_few_shares() {
        let budget = Budget::new(65536);
        let shares: Vec<Share<'_>> = std::iter::from_fn(|| budget.take()).collect();
        assert_eq!(shares.len(), 40);
    }
}
