//! A job as a file that an interrupted one resumes from: what is known so far, in words, and the
//! solver's table of proved bounds.
//!
//! ```text
//! "RATLSOLV" | length of the text | text, padded to whole words | table | checksum
//! ```
//!
//! Numbers are little-endian words of eight bytes; the checksum is over everything before it. The
//! file is verified as a whole before anything in it is used, and replaced as a whole: a killed job
//! leaves the last complete one.

use std::fs::{self, OpenOptions};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ratlla::bound_table::SavedTable;
use ratlla::games::endgame_file::mix;
use ratlla::platform::files::{File, beside, open_plain, open_plain_with, replace_through};

use super::job::Progress;

const MAGIC: [u8; 8] = *b"RATLSOLV";
/// Bytes of a word.
const WORD: usize = 8;
/// Bytes read or written at a time.
const BUFFER: usize = 1 << 20;
/// No text of a job is longer.
const LONGEST_TEXT: u64 = 1 << 20;

/// The checkpoint of the one job that holds its lock.
pub struct Checkpoint {
    path: PathBuf,
    /// Locked until the process ends, however it ends.
    _lock: File,
}

impl Checkpoint {
    /// The checkpoint at `path`, which need not exist yet. Fails if another job uses it, or if it
    /// could not be written there.
    pub fn at(path: &Path) -> Result<Checkpoint> {
        let lock = lock_of(path);
        let file = open_plain_with(OpenOptions::new().write(true).create(true), &lock);
        let file = file.with_context(|| format!("cannot write {}", lock.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Checkpoint { path: path.to_owned(), _lock: file }),
            Err(fs::TryLockError::WouldBlock) => bail!("{} is in use", path.display()),
            Err(fs::TryLockError::Error(error)) => Err(error).context(lock.display().to_string()),
        }
    }

    /// Replaces the file.
    pub fn save(&self, progress: &Progress, table: &mut dyn SavedTable) -> Result<()> {
        let mut text = serde_json::to_vec(progress)?;
        text.resize(text.len().next_multiple_of(WORD), b' ');
        let write = |file: &mut File| {
            let mut output = Summed { inner: BufWriter::with_capacity(BUFFER, file), sum: 0 };
            output.write_all(&MAGIC)?;
            output.write_all(&(text.len() as u64).to_le_bytes())?;
            output.write_all(&text)?;
            table.save(&mut output)?;
            let sum = end_of(output.sum);
            output.inner.write_all(&sum.to_le_bytes())?;
            output.inner.flush()
        };
        // One job has the lock, so what a killed one left under this name may be overwritten.
        replace_through(&self.path, &temporary_of(&self.path), write)
            .with_context(|| format!("cannot write {}", self.path.display()))
    }

    /// Reads the file, if there is one: its progress, after its table was loaded into `table`. Fails
    /// if the file is damaged, or of another job than the `new` one.
    pub fn load(&self, new: &Progress, table: &mut dyn SavedTable) -> Result<Option<Progress>> {
        if !self.path.exists() {
            return Ok(None);
        }
        let mut read = || {
            verify(&mut open_plain(&self.path)?)?;
            let mut input = BufReader::with_capacity(BUFFER, open_plain(&self.path)?);
            let progress = read_text(&mut input)?;
            ensure!(
                progress.is_of_same_job(new),
                "a checkpoint of {progress}, expected one of {new}"
            );
            table.load(&mut input)?;
            let mut rest = Vec::new();
            input.read_to_end(&mut rest)?;
            ensure!(rest.len() == WORD, "a checkpoint with a table of another length");
            Ok(progress)
        };
        read().map(Some).with_context(|| self.path.display().to_string())
    }

    /// Removes the files, those of killed processes included: the job is done.
    pub fn remove(self) {
        for path in [&self.path, &temporary_of(&self.path), &lock_of(&self.path)] {
            // A file that cannot be removed does no harm.
            drop(fs::remove_file(path));
        }
    }
}

fn temporary_of(path: &Path) -> PathBuf {
    beside(path, "tmp")
}

fn lock_of(path: &Path) -> PathBuf {
    beside(path, "lock")
}

/// Fails unless this is a whole checkpoint whose checksum matches.
fn verify(file: &mut File) -> Result<()> {
    let length = file.length()?;
    ensure!(file.head::<WORD>()? == MAGIC, "not a checkpoint");
    ensure!(length.is_multiple_of(WORD as u64), "a damaged checkpoint: cut off");
    let mut magic = [0; WORD];
    file.read_exact(&mut magic)?;
    let mut sum = sum_of(0, &magic);
    let mut words_left = length / WORD as u64 - 1;
    let mut buffer = vec![0; BUFFER];
    while words_left > 1 {
        let most = (words_left - 1).min((BUFFER / WORD) as u64) as usize;
        let part = &mut buffer[..WORD * most];
        file.read_exact(part)?;
        sum = sum_of(sum, part);
        words_left -= most as u64;
    }
    let mut expected = [0; WORD];
    if words_left > 0 {
        file.read_exact(&mut expected)?;
    }
    let is_whole = words_left > 0 && u64::from_le_bytes(expected) == end_of(sum);
    ensure!(is_whole, "a damaged checkpoint: its checksum does not match");
    Ok(())
}

/// Reads what comes before the table.
fn read_text(input: &mut dyn Read) -> Result<Progress> {
    let mut words = [[0; WORD]; 2];
    for word in &mut words {
        input.read_exact(word)?;
    }
    let length = u64::from_le_bytes(words[1]);
    ensure!(length <= LONGEST_TEXT, "a checkpoint with a text of {length} bytes");
    let mut text = vec![0; length as usize];
    input.read_exact(&mut text)?;
    serde_json::from_slice(&text).context("a checkpoint of another version")
}

/// The checksum `sum`, continued with these whole words.
fn sum_of(sum: u64, bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<WORD>();
    assert!(rest.is_empty(), "checkpoints consist of whole words");
    words.iter().fold(sum, |sum, &word| mix(sum, u64::from_le_bytes(word)))
}

/// The checksum at the end of the file. Not the sum so far: the sum after that would be 0, and more
/// zeros would go unnoticed.
fn end_of(sum: u64) -> u64 {
    mix(sum, 1)
}

/// A writer that computes the checksum of what it is given, always whole words.
struct Summed<W> {
    inner: W,
    sum: u64,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write_all(bytes)?;
        self.sum = sum_of(self.sum, bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}
