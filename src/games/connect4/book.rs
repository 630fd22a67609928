//! The opening book of the 6x7 board: exact scores of positions that take long to solve.
//!
//! The embedded book is not trusted: a damaged one is detected when it is first opened, and the
//! engine plays without it. `docs/book.md` says how it was made.

mod format;
pub mod key;
#[cfg(test)]
mod tests;

use std::path::Path;

use once_cell::sync::Lazy;

pub use format::encode;
use key::{Key, MAX_STONES, stones};

use super::solver::{Position, SolverScore};
use crate::games::book_file::{self, BookError};
use crate::platform::files::printable;

static EMBEDDED: Lazy<Option<Book>> = Lazy::new(|| {
    let book = Book::parse(include_bytes!("book.bin"));
    book.inspect_err(|error| log::warn!("opening book not used: {error}")).ok()
});

/// The embedded book, or `None` if it is damaged.
pub fn embedded() -> Option<&'static Book> {
    EMBEDDED.as_ref()
}

/// Exact scores of positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// By number of stones: keys in ascending order, and their scores.
    levels: Vec<Level>,
}

/// The positions with the same number of stones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Level {
    keys: Vec<Key>,
    scores: Vec<i8>,
}

impl Book {
    /// Reads a book in the format that [`encode`] writes. The memory used is at most nine times
    /// the size of `bytes`.
    pub fn parse(bytes: &[u8]) -> Result<Book, BookError> {
        format::decode(bytes)
    }

    /// Reads the book in a file. Errors name the file.
    pub fn open(path: &Path) -> Result<Book, String> {
        let bytes = book_file::read(format::MAGIC, path)?;
        Book::parse(&bytes).map_err(|error| format!("{}: {error}", printable(path)))
    }

    /// The exact score of a position for its side to move, if the book has it.
    pub fn score(&self, position: &Position) -> Option<SolverScore> {
        let key = Key::of(position)?;
        let level = self.levels.get(stones(position) as usize)?;
        let index = level.keys.binary_search(&key).ok()?;
        Some(level.scores[index].into())
    }

    /// The number of positions by number of stones, from 0.
    pub fn sizes(&self) -> Vec<usize> {
        self.levels.iter().map(|level| level.keys.len()).collect()
    }

    /// All entries in ascending order: number of stones, key and score.
    pub fn entries(&self) -> impl Iterator<Item = (u32, Key, SolverScore)> + '_ {
        let levels = (0..=MAX_STONES).zip(&self.levels);
        levels.flat_map(|(stones, level)| {
            let scores = level.scores.iter().map(|&score| SolverScore::from(score));
            level.keys.iter().zip(scores).map(move |(&key, score)| (stones, key, score))
        })
    }
}

/// The legal moves and the positions after them, in the order in which moves of equal score are
/// preferred: the most central first, and the same for mirror images.
pub fn by_preference(position: &Position) -> Vec<(u32, Position)> {
    let columns = position.legal_columns();
    let mut moves: Vec<_> =
        columns.filter_map(|column| Some((column, position.play(column)?))).collect();
    moves.sort_by_key(|&(column, next)| {
        ((2 * column + 1).abs_diff(position.columns()), Key::of(&next))
    });
    moves
}
