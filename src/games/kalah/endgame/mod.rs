//! Endgame tables: the share of the seeds in play that the player to move gets, for all positions
//! with few seeds. Built in memory by the solver, or by a tool and loaded from a file.

pub mod build;
mod cache;
pub mod file;
pub mod index;
mod layers;
mod row_set;

use std::fmt;

use super::sowing::Rules;
use crate::platform::memory::{ZeroedBytes, prefetch};
pub(super) use cache::TableCache;
pub use cache::load_table;

/// The rules that decide which tables a game can use; the seeds at the start do not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Houses of each player.
    pub houses: usize,
    /// See [`Rules::empty_capture`].
    pub empty_capture: bool,
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let captures = if self.empty_capture { " with empty captures" } else { "" };
        write!(f, "{} houses{captures}", self.houses)
    }
}

impl From<Rules> for Variant {
    fn from(rules: Rules) -> Variant {
        Variant { houses: rules.houses(), empty_capture: rules.empty_capture() }
    }
}

/// A table of shares, one byte each, by the position's number.
pub struct Endgames {
    variant: Variant,
    seeds: usize,
    /// The shares and where they start, after the header of a file.
    memory: Option<(ZeroedBytes, usize)>,
}

impl Endgames {
    /// A table without positions.
    pub fn none(variant: Variant) -> Endgames {
        Endgames { variant, seeds: 0, memory: None }
    }

    /// The games it is for.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// It holds all positions with at most this many seeds in play.
    #[inline]
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// The share of the position with this number, which has at most [`Endgames::seeds`].
    #[inline]
    pub fn share(&self, number: u64) -> u32 {
        u32::from(self.shares()[number as usize])
    }

    /// Starts loading what [`Endgames::share`] will read.
    #[inline]
    pub fn prefetch(&self, number: u64) {
        if let Some(share) = self.shares().get(number as usize) {
            prefetch(share);
        }
    }

    /// All shares.
    #[inline]
    pub fn shares(&self) -> &[u8] {
        self.memory.as_ref().map_or(&[], |(memory, start)| &memory[*start..])
    }
}
