//! Randomness that is not reproducible.

use std::hash::{BuildHasher, RandomState};

use super::clock::Instant;

/// A seed that differs from call to call: from the system's randomness, which the standard library
/// seeds its hashers with, and from the clock, which is all there is without a system.
pub fn random_seed() -> u64 {
    RandomState::new().hash_one(Instant::now())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_differ() {
        assert_ne!(random_seed(), random_seed());
    }
}
