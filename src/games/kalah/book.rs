//! The opening book of Kalah with six houses: exact shares of positions that take long to solve,
//! and a move that keeps them.
//!
//! Stores have no part in shares, so an entry holds for every game with six houses in which its
//! houses occur. The embedded book is not trusted: a damaged one is detected when it is first
//! opened, and the engine plays without it. `docs/kalah.md` says how it was made.

mod bits;
mod format;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::path::Path;

use once_cell::sync::Lazy;

use super::board::House;
use super::endgame::Variant;
use super::endgame::index::Index;
use super::row::Word;
use super::sowing::{Rows, Rules, Sowing};
use crate::games::book_file::{self, BookError};
use crate::platform::files::printable;

/// Houses of each player.
pub const HOUSES: usize = 6;
/// Most seeds in play.
pub const MOST_SEEDS: usize = 48;

static EMBEDDED: Lazy<Option<ShareBook>> = Lazy::new(|| {
    if cfg!(not(feature = "kalah-book")) {
        return None;
    }
    let book = ShareBook::parse(include_bytes!("book.bin"));
    book.inspect_err(|error| log::warn!("opening book not used: {error}")).ok()
});

/// The embedded book, or `None` if it is damaged or left out.
pub fn embedded() -> Option<&'static ShareBook> {
    EMBEDDED.as_ref()
}

/// Exact shares of positions, with a move for each.
#[derive(Clone, Debug)]
pub struct ShareBook {
    index: Index,
    /// By seeds in play.
    levels: Vec<ShareLevel>,
}

/// The positions with equally many seeds in play: their numbers in ascending order, and what is
/// known about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct ShareLevel {
    numbers: Vec<u64>,
    entries: Vec<BookEntry>,
}

/// What the book knows about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookEntry {
    /// How many of the seeds in play the player to move gets with best play.
    pub share: u8,
    /// The place of a move that brings this share in the order of [`by_preference`], from 0.
    pub rank: u8,
}

impl ShareBook {
    /// Reads a book in the format that [`ShareBook::encode`] writes. The memory used is at most 30 times
    /// the size of `bytes`.
    pub fn parse(bytes: &[u8]) -> Result<ShareBook, BookError> {
        let index = new_index();
        let levels = format::decode(&index, bytes)?;
        Ok(ShareBook { index, levels })
    }

    /// Reads the book in a file. Errors name the file.
    pub fn open(path: &Path) -> Result<ShareBook, String> {
        let bytes = book_file::read(format::MAGIC, path)?;
        ShareBook::parse(&bytes).map_err(|error| format!("{}: {error}", printable(path)))
    }

    /// The bytes of a book with these positions, given by their number in [`new_index`], in any
    /// order; `None` if one cannot be encoded: it has no such number, more than its seeds as share,
    /// or a move that no position has.
    pub fn encode(entries: impl IntoIterator<Item = (u64, BookEntry)>) -> Option<Vec<u8>> {
        format::encode(&new_index(), entries)
    }

    /// The entry of a position that is not over.
    pub fn entry<W: Word>(&self, rules: Rules, rows: Rows<W>) -> Option<BookEntry> {
        if Variant::from(rules) != (Variant { houses: HOUSES, empty_capture: false }) {
            return None;
        }
        let level = self.levels.get(rows.in_play() as usize)?;
        let place = level.numbers.binary_search(&self.index.of(rows)).ok()?;
        Some(level.entries[place])
    }

    /// The number of positions by seeds in play, from 0.
    pub fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.numbers.len()).collect()
    }

    /// All entries, by ascending number of their position.
    pub fn entries(&self) -> impl Iterator<Item = (u64, BookEntry)> + '_ {
        self.levels
            .iter()
            .flat_map(|level| level.numbers.iter().copied().zip(level.entries.iter().copied()))
    }
}

/// Numbers the positions of a book.
pub fn new_index() -> Index {
    Index::new(HOUSES, MOST_SEEDS).expect("the numbers of 48 seeds in 12 houses fit 62 bits")
}

/// The moves of a position in an order that puts the best one first as a rule, so that ranks take
/// little space: moving again, then taking many seeds out of play, then the house next to the store.
pub fn by_preference<W: Word>(sowing: &Sowing<W>, rows: Rows<W>) -> Vec<House> {
    let mut houses: Vec<usize> = rows.own.occupied().collect();
    houses.sort_by_key(|&house| {
        let sown = sowing.sow(rows, house);
        Reverse((sown.again, sown.gain, house))
    });
    houses.into_iter().map(|house| House(house as u8)).collect()
}
