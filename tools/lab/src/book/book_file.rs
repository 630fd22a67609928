//! Writing a book to a file.

use std::path::Path;

use anyhow::{Context, Result};
use ratlla::games::connect4::book::{Book, encode};
use ratlla::games::connect4::solver::Position;
use ratlla::platform::files::replace;

use super::{Scores, known};

/// Writes the book of `positions`, all of which have scores, atomically: a failure leaves the
/// old file.
pub fn write_book<'a>(
    path: &Path,
    positions: impl Iterator<Item = &'a Position>,
    scores: &Scores,
) -> Result<()> {
    let entries: Option<Vec<_>> =
        positions.map(|position| Some((*position, known(scores, position)?))).collect();
    let entries = entries.context("a position has no score")?;
    let bytes = encode(&entries).context("a position or score does not fit the book format")?;
    let count = Book::parse(&bytes)?.entries().count();
    replace(path, &[&bytes]).with_context(|| path.display().to_string())?;
    println!("{}: {count} entries, {} bytes", path.display(), bytes.len());
    Ok(())
}
