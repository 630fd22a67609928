//! The file format of the book.
//!
//! ```text
//!  "RATLBOOK"      8 bytes
//!  version         1 byte, now 1
//!  levels          for 0, 1, 2 ... stones: the number of entries, then the entries by
//!                  ascending key; empty levels at the end are omitted
//!  checksum        8 bytes, FNV-1a of all bytes before, little-endian
//! ```
//!
//! An entry is one number, `(key - smallest) * 64 + score + 32`, where `smallest` is the previous
//! key plus one, or 0 for the first entry of a level. Numbers are unsigned LEB128. Most entries
//! take two bytes.

use std::collections::BTreeMap;
use std::fmt;

use super::key::{Key, MAX_STONES, stones};
use super::{Book, Level};
use crate::games::connect4::solver::{Position, SolverScore};
use crate::platform::files::fnv;

const MAGIC: &[u8; 8] = b"RATLBOOK";
const VERSION: u8 = 1;
const CHECKSUM_BYTES: usize = 8;
/// Scores are stored with this offset, in [`SCORE_BITS`] bits.
const SCORE_OFFSET: SolverScore = 32;
const SCORE_BITS: u32 = 6;

/// Why bytes are not a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BookError {
    /// They do not start with the magic bytes.
    NotABook,
    /// They have this version, which is not supported.
    Version(u8),
    /// They do not match their checksum.
    Checksum,
    /// They contain impossible numbers.
    Content,
}

impl fmt::Display for BookError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotABook => f.write_str("not an opening book"),
            Self::Version(version) => {
                write!(f, "unsupported book version {version} (expected {VERSION})")
            }
            Self::Checksum => f.write_str("damaged book: its checksum does not match"),
            Self::Content => f.write_str("damaged book: impossible content"),
        }
    }
}

impl std::error::Error for BookError {}

/// The bytes of a book with these positions and scores, in any order, or `None` if one cannot be
/// encoded: another board, too many stones, or a score outside -32..=31.
pub fn encode(entries: &[(Position, SolverScore)]) -> Option<Vec<u8>> {
    let mut levels: Vec<BTreeMap<Key, u64>> = Vec::new();
    for (position, score) in entries {
        let stored = u64::try_from(score + SCORE_OFFSET).ok().filter(|s| s >> SCORE_BITS == 0)?;
        let (key, level) = (Key::of(position)?, stones(position) as usize);
        levels.resize_with(levels.len().max(level + 1), BTreeMap::new);
        levels[level].insert(key, stored);
    }
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    for level in levels {
        write_number(&mut bytes, level.len() as u64);
        let mut smallest = 0;
        for (Key(key), score) in level {
            write_number(&mut bytes, (key - smallest) << SCORE_BITS | score);
            smallest = key + 1;
        }
    }
    Some(with_checksum(bytes))
}

/// The bytes followed by their checksum.
pub(super) fn with_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
    let sum = fnv(&bytes);
    bytes.extend(sum.to_le_bytes());
    bytes
}

/// The inverse of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<Book, BookError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(BookError::NotABook)?;
    let (&version, rest) = rest.split_first().ok_or(BookError::NotABook)?;
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let (mut content, sum) = rest.split_last_chunk().ok_or(BookError::Checksum)?;
    if fnv(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u64::from_le_bytes(*sum) {
        return Err(BookError::Checksum);
    }
    let mut levels = Vec::new();
    while !content.is_empty() {
        if levels.len() > MAX_STONES as usize {
            return Err(BookError::Content);
        }
        levels.push(read_level(&mut content).ok_or(BookError::Content)?);
    }
    Ok(Book { levels })
}

fn read_level(content: &mut &[u8]) -> Option<Level> {
    let count = read_number(content)?;
    // An entry takes at least one byte, so a count beyond the bytes left is damage.
    let count = usize::try_from(count).ok().filter(|&count| count <= content.len())?;
    let mut level = Level { keys: Vec::with_capacity(count), scores: Vec::with_capacity(count) };
    let mut smallest = 0u64;
    for _ in 0..count {
        let number = read_number(content)?;
        let key = smallest.checked_add(number >> SCORE_BITS)?;
        smallest = key.checked_add(1)?;
        let score = (number & ((1 << SCORE_BITS) - 1)) as SolverScore - SCORE_OFFSET;
        level.keys.push(Key(key));
        level.scores.push(score as i8);
    }
    Some(level)
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0u64;
    for shift in (0..u64::BITS).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(byte & 0x7F);
        if bits << shift >> shift != bits {
            return None;
        }
        number |= bits << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}
