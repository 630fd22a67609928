//! Tables on disk. A file is written under another name, flushed and renamed, so that a name
//! never leads to half a table; what is read is checked before anything is believed.
//!
//! ```text
//! byte  0..8   "ratlkalh"           32..40 how many shares follow
//!       8..16  version, 1           40..48 checksum of the shares
//!      16..20  houses               48..56 checksum of bytes 0..48
//!      20..24  seeds                56..64 0
//!      24..32  1 if nothing opposite may be captured, else 0
//!      64..    the shares, by position number
//! ```
//!
//! Numbers are little-endian.

use std::path::Path;

use super::super::sowing::HOUSES;
use super::index::Index;
use super::{Endgames, Kind, Shares};
use crate::platform::files::{open_plain, printable, replace};
use crate::platform::memory::map_file;

const MAGIC: &[u8; 8] = b"ratlkalh";
const VERSION: u64 = 1;
const HEADER: usize = 64;
const MOST_SEEDS: u32 = 255;

/// Writes a table so that `path` holds either all of it or what it held before.
pub fn publish(path: &Path, kind: Kind, seeds: usize, shares: &[u8]) -> Result<(), String> {
    let replaced = replace(path, &[&header(kind, seeds, shares), shares]);
    replaced.map_err(|error| format!("{}: {error}", printable(path)))
}

fn header(kind: Kind, seeds: usize, shares: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    header[8..16].copy_from_slice(&VERSION.to_le_bytes());
    header[16..20].copy_from_slice(&(kind.houses as u32).to_le_bytes());
    header[20..24].copy_from_slice(&(seeds as u32).to_le_bytes());
    header[24..32].copy_from_slice(&u64::from(kind.empty_capture).to_le_bytes());
    header[32..40].copy_from_slice(&(shares.len() as u64).to_le_bytes());
    header[40..48].copy_from_slice(&checksum(shares).to_le_bytes());
    let own = checksum(&header[..48]);
    header[48..56].copy_from_slice(&own.to_le_bytes());
    header
}

/// Maps the table at `path`, or says what is wrong with it.
pub fn open(path: &Path) -> Result<Endgames, String> {
    let escaped = printable(path);
    let file = open_plain(path).map_err(|error| format!("{escaped}: {error}"))?;
    let memory = map_file(&file).map_err(|error| format!("{escaped}: {error}"))?;
    let (kind, seeds) = check(&memory).map_err(|reason| format!("{escaped}: {reason}"))?;
    Ok(Endgames { kind, seeds, shares: Shares::Mapped(memory, HEADER) })
}

/// The kind and the seeds of the table in `bytes`, every byte of which may be anything.
pub fn check(bytes: &[u8]) -> Result<(Kind, usize), String> {
    let (header, shares) = bytes
        .split_at_checked(HEADER)
        .ok_or_else(|| format!("{} bytes are too few for a table of Kalah endings", bytes.len()))?;
    if &header[..8] != MAGIC {
        return Err("no table of Kalah endings".to_owned());
    }
    let version = number(&header[8..16]);
    if version != VERSION {
        return Err(format!("format {version} is not the one known here, {VERSION}"));
    }
    if number(&header[48..56]) != checksum(&header[..48]) || number(&header[56..]) != 0 {
        return Err("the header is damaged".to_owned());
    }
    let (houses, seeds) = (number(&header[16..20]), number(&header[20..24]));
    let houses = usize::try_from(houses).unwrap_or(usize::MAX);
    if !HOUSES.contains(&houses) || seeds > u64::from(MOST_SEEDS) {
        return Err(format!("{houses} houses and {seeds} seeds are out of range"));
    }
    let seeds = seeds as usize;
    let index = Index::new(houses, seeds)
        .ok_or_else(|| format!("no table has {houses} houses and {seeds} seeds"))?;
    let expected = index.size(seeds);
    if number(&header[32..40]) != expected || shares.len() as u64 != expected {
        let found = shares.len();
        return Err(format!("it holds {found} positions, there should be {expected}"));
    }
    if number(&header[40..48]) != checksum(shares) {
        return Err("the positions are damaged".to_owned());
    }
    for layer in 1..=seeds {
        let places = index.size(layer - 1) as usize..index.size(layer) as usize;
        if shares[places].iter().any(|&share| usize::from(share) > layer) {
            return Err(format!("a position with {layer} seeds has a share of more"));
        }
    }
    let empty_capture = number(&header[24..32]) != 0;
    Ok((Kind { houses, empty_capture }, seeds))
}

/// Up to eight little-endian bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// Finds any change of a few bytes for certain to the eye of chance; no defence against malice.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mix = |sum: u64, word: u64| {
        let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ mixed >> 29
    };
    let words = bytes.chunks_exact(8);
    let rest = number(words.remainder());
    let sum = words.fold(bytes.len() as u64, |sum, word| mix(sum, number(word)));
    mix(mix(sum, rest), 1)
}

#[cfg(test)]
mod tests {
    use super::super::build::build;
    use super::*;

    fn table() -> Endgames {
        let kind = Kind { houses: 3, empty_capture: true };
        build(kind, 5, None, &mut |_| true).unwrap()
    }

    fn bytes() -> Vec<u8> {
        let table = table();
        let mut bytes = header(table.kind(), table.seeds(), table.shares()).to_vec();
        bytes.extend_from_slice(table.shares());
        bytes
    }

    /// Corrects the checksums of a header that was changed.
    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let shares = checksum(&bytes[HEADER..]);
        bytes[40..48].copy_from_slice(&shares.to_le_bytes());
        let own = checksum(&bytes[..48]);
        bytes[48..56].copy_from_slice(&own.to_le_bytes());
        bytes
    }

    #[test]
    fn what_is_published_is_read() {
        let directory = std::env::temp_dir().join(format!("ratlla-kalah-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let path = directory.join("table");
        let table = table();
        publish(&path, table.kind(), table.seeds(), table.shares()).unwrap();
        let read = open(&path).unwrap();
        assert_eq!((read.kind(), read.seeds()), (table.kind(), 5));
        assert_eq!(read.shares(), table.shares());
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 1, "nothing is left over");
        assert!(open(&directory.join("none")).is_err());
        let nowhere = directory.join("no/such/place");
        assert!(publish(&nowhere, table.kind(), 5, table.shares()).is_err());
        std::fs::remove_dir_all(&directory).unwrap();
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_found() {
        let good = bytes();
        assert!(check(&good).is_ok());
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            assert!(check(&bad).is_err(), "byte {place}");
            assert!(check(&good[..place]).is_err(), "cut at {place}");
        }
        let longer: Vec<u8> = good.iter().copied().chain([0]).collect();
        assert!(check(&longer).unwrap_err().contains("there should be"));
    }

    #[test]
    fn lies_with_right_checksums_do_no_harm() {
        for (place, value, part) in [
            (16, 0, "out of range"),
            (16, 13, "out of range"),
            (21, 1, "out of range"),
            (20, 255, "should be"),
            (20, 4, "should be"),
            (33, 9, "should be"),
            (HEADER, 3, "has a share of more"),
        ] {
            let mut bad = bytes();
            bad[place] = value;
            let error = check(&sealed(bad)).unwrap_err();
            assert!(error.contains(part), "{place}: {error}");
        }
    }
}
