//! What generators of books have computed so far, in files that survive a crash.
//!
//! A line is `level key value checksum`, the checksum in hexadecimal: what these numbers mean is the
//! generator's business. Lines are only appended, each with one write. A truncated or damaged line
//! does not match its checksum and is ignored: its position is solved again.

use std::collections::HashMap;
use std::fs;
use std::io::{BufReader, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use ratlla::lines::{Input, next_line};
use ratlla::platform::files::{File, append_plain, beside, folder_of, open_plain};

/// No line of a journal is longer.
const LONGEST_LINE: usize = 100;

/// The values of positions, by level and key.
pub type Values = HashMap<(u32, u64), i32>;

/// A file to which values are appended.
pub struct Journal {
    file: File,
}

impl Journal {
    /// Opens a journal, or creates it.
    pub fn open(path: &Path) -> Result<Journal> {
        let context = || format!("cannot write journal {}", path.display());
        let mut file = append_plain(path).with_context(context)?;
        // Ends a truncated last line, so that it does not merge with the next.
        file.write_all(b"\n").with_context(context)?;
        Ok(Journal { file })
    }

    /// Appends one value. Once this returns, it survives the end of the process.
    pub fn append(&mut self, level: u32, key: u64, value: i32) -> Result<()> {
        let entry = format!("{level} {key} {value}");
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

/// All values in all journals of a book, those of shards included.
pub fn read_journals(book: &Path) -> Result<Values> {
    let folder = folder_of(book);
    let name = book.file_name().context("the book has no file name")?.to_string_lossy();
    let mut values = Values::new();
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        if file.strip_prefix(&*name).is_some_and(|rest| rest.ends_with(".journal")) {
            read(&path, &mut values).with_context(|| path.display().to_string())?;
        }
    }
    Ok(values)
}

/// Adds the values in one journal.
fn read(path: &Path, values: &mut Values) -> Result<()> {
    let mut source = BufReader::new(open_plain(path)?);
    loop {
        match next_line(&mut source, LONGEST_LINE) {
            Input::Line(line) => values.extend(str::from_utf8(&line).ok().and_then(parse)),
            Input::TooLong(_) => {}
            Input::Unreadable(reason) => bail!(reason),
            Input::End => return Ok(()),
        }
    }
}

fn parse(line: &str) -> Option<((u32, u64), i32)> {
    let (entry, sum) = line.rsplit_once(' ')?;
    if sum.len() != 8 || u32::from_str_radix(sum, 16).ok()? != checksum(entry) {
        return None;
    }
    let mut words = entry.split(' ');
    let level = words.next()?.parse().ok()?;
    let key = words.next()?.parse().ok()?;
    let value = words.next()?.parse().ok()?;
    words.next().is_none().then_some(((level, key), value))
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
            journal.append(4, key, -2).expect("writes");
        }
        let values = read_journals(&book).expect("reads");
        assert_eq!(values.len(), 3);
        assert_eq!(values.get(&(4, 3)), Some(&-2));
    }

    #[test]
    fn a_truncated_line_is_ignored_and_the_next_one_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = folder.path().join("book.bin");
        let path = journal_path(&book, None);
        let mut journal = Journal::open(&path).expect("opens");
        journal.append(8, 123_456, 7).expect("writes");
        let whole = fs::read(&path).expect("reads");
        for length in 0..whole.len() - 1 {
            fs::write(&path, &whole[..length]).expect("writes");
            let mut journal = Journal::open(&path).expect("opens");
            journal.append(9, 99, -1).expect("writes");
            let values = read_journals(&book).expect("reads");
            assert_eq!(values, Values::from([((9, 99), -1)]), "truncated to {length} bytes");
        }
    }

    #[test]
    fn a_damaged_line_is_ignored() {
        let entry = "8 123456 7";
        let line = format!("{entry} {:08x}", checksum(entry));
        assert_eq!(parse(&line), Some(((8, 123_456), 7)));
        for index in 0..line.len() {
            let mut bytes = line.clone().into_bytes();
            bytes[index] ^= 1;
            let damaged = String::from_utf8_lossy(&bytes).into_owned();
            assert_eq!(parse(&damaged), None, "{damaged}");
        }
    }
}
