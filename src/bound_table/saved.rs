//! A table as a stream of words: what a long job saves and resumes from.
//!
//! ```text
//! word 0  VERSION                          6  words of a slot
//!      1  LOWEST                           7  `index_bits`
//!      2  BOUND_BITS                       8  `boundary`
//!      3  MOVE_BITS                        9  `filled`
//!      4  bits of a key                   10.. the buckets in use
//!      5  index bits of the smallest table
//! ```
//!
//! Every entry is a proved bound of one position, so a search with the loaded table finds what was
//! proved before, and nothing else of an interrupted search need be kept.

use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::Ordering::Relaxed;

use super::{BoundTable, SLOTS};
use crate::platform::memory::Word;

/// Raised whenever slots, the mixing of keys, or what a solver means by a key or a score change:
/// entries of another version may be about other positions.
const VERSION: u64 = 1;

/// Words copied at a time.
const CHUNK: usize = 1 << 13;

/// A table of bounds that can be saved and loaded, whatever it is about.
pub trait SavedTable {
    /// Writes the table as little-endian words. Nobody may use it meanwhile: a bucket could be
    /// split after one half is written.
    fn save(&mut self, output: &mut dyn Write) -> io::Result<()>;

    /// Replaces everything in the table by what [`SavedTable::save`] wrote for a table of the same
    /// kind that was not larger than this one may become. On an error the table is empty.
    fn load(&mut self, input: &mut dyn Read) -> io::Result<()>;

    /// Entries in use and slots that the table may grow to.
    fn usage(&mut self) -> TableUsage;
}

/// How much of a table is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableUsage {
    /// Entries in use; an estimate if threads share the table.
    pub entries: usize,
    /// Entries that the table can hold at most.
    pub capacity: usize,
}

impl<const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32> SavedTable
    for BoundTable<LOWEST, BOUND_BITS, MOVE_BITS>
{
    fn save(&mut self, output: &mut dyn Write) -> io::Result<()> {
        let shape = [
            u64::from(*self.index_bits.get_mut()),
            *self.boundary.get_mut() as u64,
            *self.filled.get_mut() as u64,
        ];
        let head: Vec<u8> =
            self.kind().into_iter().chain(shape).flat_map(u64::to_le_bytes).collect();
        output.write_all(&head)?;
        let mut bytes = Vec::with_capacity(8 * CHUNK);
        for chunk in self.words_in_use() {
            bytes.clear();
            bytes.extend(chunk.iter().flat_map(|word| word.load(Relaxed).to_le_bytes()));
            output.write_all(&bytes)?;
        }
        Ok(())
    }

    fn load(&mut self, input: &mut dyn Read) -> io::Result<()> {
        self.forget();
        let loaded = self.load_shape(input).and_then(|()| self.load_words(input));
        if loaded.is_err() {
            self.forget();
        }
        loaded
    }

    fn usage(&mut self) -> TableUsage {
        TableUsage { entries: *self.filled.get_mut(), capacity: SLOTS << self.largest }
    }
}

impl<const LOWEST: i32, const BOUND_BITS: u32, const MOVE_BITS: u32>
    BoundTable<LOWEST, BOUND_BITS, MOVE_BITS>
{
    /// What a slot means depends on these.
    fn kind(&self) -> [u64; 7] {
        [
            VERSION,
            i64::from(LOWEST) as u64,
            BOUND_BITS.into(),
            MOVE_BITS.into(),
            self.key_bits.into(),
            self.smallest.into(),
            self.slot_words as u64,
        ]
    }

    /// Reads everything before the slots. Afterwards the buckets in use are those of the saved
    /// table, still empty.
    fn load_shape(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut kind = [0; 7];
        let mut shape = [0; 3];
        for word in kind.iter_mut().chain(&mut shape) {
            *word = read_word(input)?;
        }
        if kind[0] != VERSION {
            return Err(invalid(format!(
                "a table of version {}, expected version {VERSION}",
                kind[0]
            )));
        }
        if kind != self.kind() {
            return Err(invalid("a table of another kind".to_owned()));
        }
        let [index_bits, boundary, filled] = shape;
        let (smallest, largest) = (u64::from(self.smallest), u64::from(self.largest));
        let is_split = index_bits < 64 && boundary < 1 << index_bits;
        if index_bits + u64::from(is_split) > largest {
            return Err(invalid("a table that is larger than this one may be".to_owned()));
        }
        let is_stage = index_bits >= smallest && (1..=1 << index_bits).contains(&boundary);
        // An estimate may be too high, but not by as much as all slots.
        if !is_stage || filled > (2 * SLOTS as u64) << index_bits {
            return Err(invalid("a table of an impossible size".to_owned()));
        }
        *self.index_bits.get_mut() = index_bits as u32;
        *self.boundary.get_mut() = boundary as usize;
        *self.filled.get_mut() = filled as usize;
        Ok(())
    }

    fn load_words(&mut self, input: &mut dyn Read) -> io::Result<()> {
        let mut bytes = vec![0; 8 * CHUNK];
        for chunk in self.words_in_use() {
            let bytes = &mut bytes[..8 * chunk.len()];
            input.read_exact(bytes)?;
            for (word, bytes) in chunk.iter().zip(bytes.as_chunks().0) {
                word.store(u64::from_le_bytes(*bytes), Relaxed);
            }
        }
        Ok(())
    }

    /// The words of the buckets in use, in chunks: those not split yet, then the others. What is
    /// between them is free.
    fn words_in_use(&mut self) -> impl Iterator<Item = &[Word]> {
        let (end, boundary) = (self.buckets_in_use(), *self.boundary.get_mut());
        let bucket_words = SLOTS * self.slot_words;
        let words = self.memory.words();
        let part = |first, end| words[bucket_words * first..bucket_words * end].chunks(CHUNK);
        part(0, boundary).chain(part(end.min(2 * boundary), end))
    }
}

fn read_word(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, reason)
}
