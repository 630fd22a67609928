//! Scores computed so far, in files that survive a crash.
//!
//! A line is `stones key score checksum`, the checksum in hexadecimal. Lines are only appended, each
//! with one write. A truncated or damaged line does not match its checksum and is ignored: its
//! position is solved again.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use ratlla::games::connect4::book::key::{Key, stones};
use ratlla::games::connect4::solver::{Position, SolverScore};
use ratlla::platform::files::beside;

/// The exact scores of positions, by number of stones and key.
pub type Scores = HashMap<(u32, Key), SolverScore>;

/// A file to which scores are appended.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens a journal, or creates it.
    pub fn open(path: &Path) -> Result<Journal> {
        let context = || format!("cannot write journal {}", path.display());
        let mut file =
            OpenOptions::new().append(true).create(true).open(path).with_context(context)?;
        // Ends a truncated last line, so that it does not merge with the next.
        file.write_all(b"\n").with_context(context)?;
        Ok(Journal { file })
    }

    /// Appends one score. Once this returns, it survives the end of the process.
    pub fn append(&mut self, stones: u32, key: Key, score: SolverScore) -> Result<()> {
        let entry = format!("{stones} {} {score}", key.0);
        let line = format!("{entry} {:08x}\n", checksum(&entry));
        self.file.write_all(line.as_bytes()).context("cannot write the journal")
    }
}

/// The path of the journal of a book, or of one shard of it.
pub fn journal_path(book: &Path, shard: Option<(usize, usize)>) -> PathBuf {
    match shard {
        Some((index, of)) => beside(book, &format!("{index}-of-{of}.journal")),
        None => beside(book, "journal"),
    }
}

/// All scores in all journals of a book, those of shards included.
pub fn read_journals(book: &Path) -> Result<Scores> {
    let folder = match book.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = book.file_name().context("the book has no file name")?.to_string_lossy();
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
pub fn known(scores: &Scores, position: &Position) -> Option<SolverScore> {
    scores.get(&(stones(position), Key::of(position)?)).copied()
}

fn parse(line: &str) -> Option<((u32, Key), SolverScore)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn journals_of_all_shards_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = folder.path().join("book.bin");
        for (shard, key) in [(None, 1), (Some((1, 2)), 2), (Some((2, 2)), 3)] {
            let mut journal = Journal::open(&journal_path(&book, shard)).expect("opens");
            journal.append(4, Key(key), -2).expect("writes");
        }
        let scores = read_journals(&book).expect("reads");
        assert_eq!(scores.len(), 3);
        assert_eq!(scores.get(&(4, Key(3))), Some(&-2));
    }

    #[test]
    fn a_truncated_line_is_ignored_and_the_next_one_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = folder.path().join("book.bin");
        let path = journal_path(&book, None);
        let mut journal = Journal::open(&path).expect("opens");
        journal.append(8, Key(123_456), 7).expect("writes");
        let whole = fs::read(&path).expect("reads");
        for length in 0..whole.len() - 1 {
            fs::write(&path, &whole[..length]).expect("writes");
            let mut journal = Journal::open(&path).expect("opens");
            journal.append(9, Key(99), -1).expect("writes");
            let scores = read_journals(&book).expect("reads");
            assert_eq!(scores, Scores::from([((9, Key(99)), -1)]), "truncated to {length} bytes");
        }
    }

    #[test]
    fn a_damaged_line_is_ignored() {
        let entry = "8 123456 7";
        let line = format!("{entry} {:08x}", checksum(entry));
        assert_eq!(parse(&line), Some(((8, Key(123_456)), 7)));
        for index in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[index] ^= 1;
            let damaged = String::from_utf8_lossy(&bytes).into_owned();
            assert_eq!(parse(&damaged), None, "{damaged}");
        }
    }
}
