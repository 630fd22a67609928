//! What was computed so far, in files that survive a sudden end.
//!
//! Every line is `stones key score checksum`, in decimal but for the checksum. Lines are only
//! ever appended, each with one write; one that was cut off or damaged does not fit its checksum
//! and is ignored, so that its position is simply computed again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ratlla::games::connect4::book::key::{Key, stones};
use ratlla::games::connect4::solver::{Position, Score};

/// The exact scores of positions, by number of stones and key.
pub type Scores = HashMap<(u32, Key), Score>;

/// A file to which scores are appended.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens a journal, a new one if there is none.
    pub fn open(path: &Path) -> Result<Journal> {
        let context = || format!("the journal {}", path.display());
        let mut file =
            OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
        // If the last line was cut off, it must not swallow the next one.
        file.write_all(b"\n").with_context(context)?;
        Ok(Journal { file })
    }

    /// Appends one score. It is safe from the end of this process once this returns.
    pub fn append(&mut self, stones: u32, key: Key, score: Score) -> Result<()> {
        let entry = format!("{stones} {} {score}", key.0);
        let line = format!("{entry} {:08x}\n", checksum(&entry));
        self.file.write_all(line.as_bytes()).context("cannot write the journal")
    }
}

/// Where the journal of a book is kept, or of one shard of it.
pub fn journal_path(book: &Path, shard: Option<(usize, usize)>) -> PathBuf {
    let ending = match shard {
        Some((index, of)) => format!(".{index}-of-{of}.journal"),
        None => ".journal".to_owned(),
    };
    let mut name = book.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// All scores in all journals of a book, those of shards included.
pub fn read_journals(book: &Path) -> Result<Scores> {
    let folder = match book.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = book.file_name().context("the book needs a file name")?.to_string_lossy();
    let mut scores = Scores::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file.strip_prefix(&*name).is_some_and(|rest| rest.ends_with(".journal")) {
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            let text = String::from_utf8_lossy(&bytes);
            scores.extend(text.lines().filter_map(parse));
        }
    }
    Ok(scores)
}

/// The score of a position, if it was computed.
pub fn known(scores: &Scores, position: &Position) -> Option<Score> {
    scores.get(&(stones(position), Key::of(position)?)).copied()
}

fn parse(line: &str) -> Option<((u32, Key), Score)> {
    let (entry, sum) = line.rsplit_once(' ')?;
    if sum.len() != 8 || u32::from_str_radix(sum, 16).ok()? != checksum(entry) {
        return None;
    }
    let mut words = entry.split(' ');
    let stones = words.next()?.parse().ok()?;
    let key = Key(words.next()?.parse().ok()?);
    let score = words.next()?.parse().ok()?;
    words.next().is_none().then_some(((stones, key), score))
}

/// FNV-1a with 32 bits.
fn checksum(text: &str) -> u32 {
    text.bytes().fold(0x811C_9DC5, |sum, byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}
