//! The contents of the book: see [`crate::games::book_file`] for what surrounds them.
//!
//! A sequence of bits, lowest first in each byte. For 0, 1, 2 ... seeds in play:
//!
//! ```text
//!  count           24 bits: how many positions
//!  low bits        6 bits: the parameter of the code of Rice for numbers
//!  entries         by ascending number
//! ```
//!
//! An entry is the position's number minus the smallest possible one (the previous number plus one,
//! or the first number with these seeds), in the code of Rice; the share's distance from three
//! quarters of the seeds, rounded down, in the code of Rice with two low bits, 2n for n above and
//! 2n - 1 for n below; and the rank of its move in unary. The engine's shares are large: most
//! moves of its opponent are bad.

use super::bits::{BitReader, BitWriter, MOST_LOW_BITS, rice_length};
use super::{BookEntry, HOUSES, MOST_SEEDS, ShareLevel};
use crate::games::book_file::{BookError, Magic, seal, unseal};
use crate::games::kalah::endgame::index::Index;

pub(super) const MAGIC: &Magic = b"RATLKALB";
const COUNT_BITS: u32 = 24;
const PARAMETER_BITS: u32 = 6;
const SHARE_LOW_BITS: u32 = 2;
/// Bits of the shortest entry: number, share and rank.
const LEAST_BITS: usize = 1 + (1 + SHARE_LOW_BITS as usize) + 1;

/// The bytes of a book; see [`super::ShareBook::encode`].
pub fn encode(
    index: &Index,
    entries: impl IntoIterator<Item = (u64, BookEntry)>,
) -> Option<Vec<u8>> {
    let mut sorted: Vec<(u64, BookEntry)> = entries.into_iter().collect();
    sorted.sort_by_key(|&(number, _)| number);
    sorted.dedup_by_key(|&mut (number, _)| number);
    let mut rest = &sorted[..];
    let mut writer = BitWriter::default();
    for seeds in 0..=MOST_SEEDS {
        let end = rest.partition_point(|&(number, _)| number < index.size(seeds));
        let (level, larger) = rest.split_at(end);
        write_level(&mut writer, index, seeds, level)?;
        rest = larger;
    }
    rest.is_empty().then(|| seal(MAGIC, &writer.into_bytes()))
}

fn write_level(
    writer: &mut BitWriter,
    index: &Index,
    seeds: usize,
    level: &[(u64, BookEntry)],
) -> Option<()> {
    let mut smallest = first_number(index, seeds);
    let gaps: Vec<u64> = level
        .iter()
        .map(|&(number, _)| {
            let gap = number - smallest;
            smallest = number + 1;
            gap
        })
        .collect();
    let length = |&low_bits: &u32| gaps.iter().map(|&gap| rice_length(gap, low_bits)).sum::<u64>();
    let low_bits = (0..=MOST_LOW_BITS).min_by_key(length).unwrap_or(0);
    if level.len() >= 1 << COUNT_BITS {
        return None;
    }
    writer.bits(level.len() as u64, COUNT_BITS);
    writer.bits(low_bits.into(), PARAMETER_BITS);
    for (gap, &(_, BookEntry { share, rank })) in gaps.into_iter().zip(level) {
        if usize::from(share) > seeds || usize::from(rank) >= HOUSES {
            return None;
        }
        writer.rice(gap, low_bits);
        writer.rice(distance(share, seeds), SHARE_LOW_BITS);
        writer.unary(rank.into());
    }
    Some(())
}

/// The inverse of [`encode`].
pub fn decode(index: &Index, bytes: &[u8]) -> Result<Vec<ShareLevel>, BookError> {
    let contents = unseal(MAGIC, bytes)?;
    let mut reader = BitReader::new(contents);
    let levels: Option<Vec<ShareLevel>> =
        (0..=MOST_SEEDS).map(|seeds| read_level(&mut reader, index, seeds)).collect();
    levels.filter(|_| reader.left() < 8).ok_or(BookError::Content)
}

fn read_level(reader: &mut BitReader<'_>, index: &Index, seeds: usize) -> Option<ShareLevel> {
    let count = reader.bits(COUNT_BITS)? as usize;
    let low_bits = reader.bits(PARAMETER_BITS)? as u32;
    // A count beyond the bits left is damage.
    if count > reader.left() / LEAST_BITS || low_bits > MOST_LOW_BITS {
        return None;
    }
    let mut level =
        ShareLevel { numbers: Vec::with_capacity(count), entries: Vec::with_capacity(count) };
    let mut smallest = first_number(index, seeds);
    for _ in 0..count {
        let number = smallest.checked_add(reader.rice(low_bits)?)?;
        let share = share_at(reader.rice(SHARE_LOW_BITS)?, seeds)?;
        let rank = reader.unary()?;
        if number >= index.size(seeds) || rank >= HOUSES as u64 {
            return None;
        }
        smallest = number + 1;
        level.numbers.push(number);
        level.entries.push(BookEntry { share, rank: rank as u8 });
    }
    Some(level)
}

/// The first number of a position with this many seeds.
fn first_number(index: &Index, seeds: usize) -> u64 {
    seeds.checked_sub(1).map_or(0, |fewer| index.size(fewer))
}

/// The share that takes least space.
fn usual_share(seeds: usize) -> u64 {
    3 * seeds as u64 / 4
}

/// The distance of a share from the usual one, above and below in turn.
fn distance(share: u8, seeds: usize) -> u64 {
    match (u64::from(share), usual_share(seeds)) {
        (share, usual) if share >= usual => 2 * (share - usual),
        (share, usual) => 2 * (usual - share) - 1,
    }
}

/// The inverse of [`distance`]; `None` if there is no such share.
fn share_at(distance: u64, seeds: usize) -> Option<u8> {
    let steps = distance.div_ceil(2);
    let share = match distance.is_multiple_of(2) {
        true => usual_share(seeds).checked_add(steps)?,
        false => usual_share(seeds).checked_sub(steps)?,
    };
    u8::try_from(share).ok().filter(|&share| usize::from(share) <= seeds)
}
