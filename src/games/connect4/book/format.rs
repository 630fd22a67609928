//! The contents of the book: see [`crate::games::book_file`] for what surrounds them.
//!
//! For 0, 1, 2 ... stones the number of entries, then the entries by ascending key; empty levels at
//! the end are omitted. An entry is one number, `(key - smallest) * 64 + score + 32`, where
//! `smallest` is the previous key plus one, or 0 for the first entry of a level. Numbers are
//! unsigned LEB128. Most entries take two bytes.

use std::collections::BTreeMap;

use super::key::{COLUMNS, Key, MAX_STONES, ROWS, stones};
use super::{Book, Level};
use crate::games::book_file::{BookError, Magic, read_number, seal, unseal, write_number};
use crate::games::connect4::solver::{Position, SolverScore, loss_next, win_now};

pub(super) const MAGIC: &Magic = b"RATLBOOK";
/// Scores are stored with this offset, in [`SCORE_BITS`] bits.
const SCORE_OFFSET: SolverScore = 32;
const SCORE_BITS: u32 = 6;

/// The bytes of a book with these positions and scores, in any order, or `None` if one cannot be
/// encoded: another board, too many stones, or a score that no position with so many stones has.
pub fn encode(entries: &[(Position, SolverScore)]) -> Option<Vec<u8>> {
    let mut levels: Vec<BTreeMap<Key, u64>> = Vec::new();
    for (position, score) in entries {
        let key = Key::of(position)?;
        let stones = stones(position);
        if !is_possible(stones, key, *score) {
            return None;
        }
        let level = stones as usize;
        levels.resize_with(levels.len().max(level + 1), BTreeMap::new);
        levels[level].insert(key, (score + SCORE_OFFSET) as u64);
    }
    let mut contents = Vec::new();
    for level in levels {
        write_number(&mut contents, level.len() as u64);
        let mut smallest = 0;
        for (Key(key), score) in level {
            write_number(&mut contents, (key - smallest) << SCORE_BITS | score);
            smallest = key + 1;
        }
    }
    Some(seal(MAGIC, &contents))
}

/// The inverse of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<Book, BookError> {
    let mut content = unseal(MAGIC, bytes)?;
    let mut levels = Vec::new();
    while !content.is_empty() {
        if levels.len() > MAX_STONES as usize {
            return Err(BookError::Content);
        }
        let level = read_level(&mut content, levels.len() as u32);
        levels.push(level.ok_or(BookError::Content)?);
    }
    Ok(Book { levels })
}

/// Whether a position with so many stones, which is not over, may have this key and this score. Not
/// every such key is that of a position.
fn is_possible(stones: u32, Key(key): Key, score: SolverScore) -> bool {
    let empties = ROWS * COLUMNS - stones;
    key < 3u64.pow(stones + COLUMNS) && (loss_next(empties)..=win_now(empties)).contains(&score)
}

fn read_level(content: &mut &[u8], stones: u32) -> Option<Level> {
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
        if !is_possible(stones, Key(key), score) {
            return None;
        }
        level.keys.push(Key(key));
        level.scores.push(score as i8);
    }
    Some(level)
}
