//! Writing a book to a file.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, Result};
use ratlla::games::connect4::book::{Book, encode};
use ratlla::games::connect4::solver::Position;

use crate::journal::{Scores, known};

/// Writes the book of `positions`, all of which have scores, in one step: whatever happens, the
/// file is the old one or the new one.
pub fn write_book<'a>(
    path: &Path,
    positions: impl Iterator<Item = &'a Position>,
    scores: &Scores,
) -> Result<()> {
    let entries: Option<Vec<_>> =
        positions.map(|position| Some((*position, known(scores, position)?))).collect();
    let entries = entries.context("a position without a score")?;
    let bytes = encode(&entries).context("a position or a score does not fit the format")?;
    let count = Book::parse(&bytes)?.entries().count();
    replace(path, &bytes).with_context(|| path.display().to_string())?;
    println!("{}: {count} entries, {} bytes", path.display(), bytes.len());
    Ok(())
}

/// Puts a file with these bytes in the place of the one that is there, or leaves that alone.
fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    let write = |mut file: File| {
        file.write_all(bytes)?;
        file.sync_all()
    };
    let written = File::create(&temporary).and_then(write);
    if written.is_err() {
        // What matters is told: why it could not be written.
        drop(fs::remove_file(&temporary));
        return written;
    }
    fs::rename(&temporary, path)
}
