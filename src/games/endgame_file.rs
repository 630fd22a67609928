//! Endgame tables as files: one format for every game, mapped into memory.
//!
//! ```text
//! byte  0.. 8  "RATLENDG"
//!       8..12  version
//!      12..16  game: 1 Kalah, 2 Wali
//!      16..28  three parameters of that game
//!      28..32  0
//!      32..40  length of the payload
//!      40..48  checksum of the payload
//!      48..56  checksum of bytes 0..48
//!      56..64  0
//!      64..    the payload: one byte per position
//! ```
//!
//! Numbers are little-endian. A file is never trusted: header, length and checksum are checked
//! before anything is used. It is written under another name, flushed and renamed, so a name never
//! leads to half a table. Knows nothing of positions and their values.

use std::path::Path;

use crate::platform::files::{open_plain, printable, replace};
use crate::platform::memory::{ZeroedBytes, read_file};

const MAGIC: &[u8; 8] = b"RATLENDG";
const VERSION: u32 = 2;
/// How tables began before they had one format.
const OLD_MAGICS: [&[u8; 8]; 2] = [b"ratlkalh", b"RATLWALI"];
/// Where the payload starts.
pub const HEADER: usize = 64;

/// What a table is about. The numbers are those in files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableGame {
    /// Parameters: houses, seeds, and 1 for captures with nothing opposite.
    Kalah = 1,
    /// Parameters: rows, columns, and the most stones of a side.
    Wali = 2,
}

/// The parameters of a table; see [`TableGame`].
pub type Parameters = [u32; 3];

/// Writes a table so that `path` holds either all of it or what it held before.
pub fn publish(
    path: &Path,
    game: TableGame,
    parameters: Parameters,
    payload: &[u8],
) -> Result<(), String> {
    let replaced = replace(path, &[&header(game, parameters, payload), payload]);
    replaced.map_err(|error| format!("cannot write {}: {error}", printable(path)))
}

/// The header of a table.
pub fn header(game: TableGame, parameters: Parameters, payload: &[u8]) -> [u8; HEADER] {
    let mut header = [0; HEADER];
    header[..8].copy_from_slice(MAGIC);
    let words = [VERSION, game as u32].into_iter().chain(parameters);
    for (field, word) in header[8..28].chunks_exact_mut(4).zip(words) {
        field.copy_from_slice(&word.to_le_bytes());
    }
    header[32..40].copy_from_slice(&(payload.len() as u64).to_le_bytes());
    header[40..48].copy_from_slice(&checksum(payload).to_le_bytes());
    let own = checksum(&header[..48]);
    header[48..56].copy_from_slice(&own.to_le_bytes());
    header
}

/// Reads the file at `path` and has `parse` check its bytes. Errors name the file.
pub fn open<T>(
    path: &Path,
    parse: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<(ZeroedBytes, T), String> {
    let contents = open_plain(path).and_then(|file| read_file(&file));
    let named = |reason: String| format!("{}: {reason}", printable(path));
    let memory = contents.map_err(|error| named(error.to_string()))?;
    let parsed = parse(&memory).map_err(named)?;
    Ok((memory, parsed))
}

/// The parameters and the payload of a table, any byte of which may be anything.
/// `payload_length` gives the length for some parameters, or the reason to refuse them.
pub fn check(
    bytes: &[u8],
    game: TableGame,
    payload_length: impl FnOnce(Parameters) -> Result<u64, String>,
) -> Result<(Parameters, &[u8]), String> {
    if OLD_MAGICS.iter().any(|magic| bytes.starts_with(*magic)) {
        return Err(format!("old table format (expected version {VERSION}): build it again"));
    }
    let (header, payload) = bytes.split_at_checked(HEADER).ok_or_else(|| {
        format!("not an endgame table: expected at least {HEADER} bytes, got {}", bytes.len())
    })?;
    if &header[..8] != MAGIC {
        return Err("not an endgame table: unknown file type".to_owned());
    }
    let version = number(&header[8..12]);
    if version != u64::from(VERSION) {
        return Err(format!("unsupported table version {version} (expected {VERSION})"));
    }
    if number(&header[48..56]) != checksum(&header[..48]) || number(&header[56..]) != 0 {
        return Err("damaged header: its checksum does not match".to_owned());
    }
    if number(&header[12..16]) != game as u64 {
        return Err(format!("a table of another game (expected {game:?})"));
    }
    let parameters = [16, 20, 24].map(|place| number(&header[place..place + 4]) as u32);
    let expected = payload_length(parameters)?;
    if number(&header[32..40]) != expected || payload.len() as u64 != expected {
        let found = payload.len();
        return Err(format!("wrong size: expected {expected} positions, found {found}"));
    }
    if number(&header[40..48]) != checksum(payload) {
        return Err("damaged positions: their checksum does not match".to_owned());
    }
    Ok((parameters, payload))
}

/// Up to eight little-endian bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

/// A checksum with eight more bytes: different for every different `word`, and for every different
/// `sum`.
#[inline]
pub fn mix(sum: u64, word: u64) -> u64 {
    let mixed = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// A checksum eight bytes at a time. Detects damage; no defence against malice.
pub fn checksum(bytes: &[u8]) -> u64 {
    let words = bytes.chunks_exact(8);
    let rest = number(words.remainder());
    let sum = words.fold(bytes.len() as u64, |sum, word| mix(sum, number(word)));
    mix(mix(sum, rest), 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PARAMETERS: Parameters = [7, 0, u32::MAX];

    fn table(payload: &[u8]) -> Vec<u8> {
        [&header(TableGame::Kalah, PARAMETERS, payload), payload].concat()
    }

    /// Accepts payloads of five bytes.
    fn check_five(bytes: &[u8]) -> Result<(Parameters, &[u8]), String> {
        check(bytes, TableGame::Kalah, |_| Ok(5))
    }

    #[test]
    fn what_is_published_can_be_opened() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        publish(&path, TableGame::Wali, PARAMETERS, b"12345").unwrap();
        let parse = |bytes: &[u8]| check(bytes, TableGame::Wali, |_| Ok(5)).map(|found| found.0);
        let (memory, parameters) = open(&path, parse).unwrap();
        assert_eq!((&memory[HEADER..], parameters), (&b"12345"[..], PARAMETERS));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left over");
        let error = open(&path, |bytes| check_five(bytes).map(drop)).unwrap_err();
        assert!(error.contains("table: a table of another game (expected Kalah)"), "{error}");
        assert!(open(folder.path(), |_| Ok(())).is_err(), "a folder");
        assert!(open(&folder.path().join("none"), |_| Ok(())).is_err());
        let nowhere = folder.path().join("no/such");
        let error = publish(&nowhere, TableGame::Wali, PARAMETERS, &[]).unwrap_err();
        assert!(error.starts_with("cannot write "), "{error}");
    }

    #[test]
    fn every_changed_byte_and_every_cut_is_found() {
        let good = table(b"12345");
        assert_eq!(check_five(&good), Ok((PARAMETERS, &b"12345"[..])));
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            assert!(check_five(&bad).is_err(), "byte {place}");
            assert!(check_five(&good[..place]).is_err(), "cut at {place}");
        }
        let longer = [&good[..], b"6"].concat();
        assert!(check_five(&longer).unwrap_err().contains("expected 5 positions, found 6"));
    }

    #[test]
    fn errors_name_the_cause() {
        let changed = |place: usize, byte: u8| {
            let mut bytes = table(b"12345");
            bytes[place] = byte;
            check_five(&bytes).unwrap_err()
        };
        assert!(changed(0, b'r').contains("not an endgame table"));
        assert!(changed(8, 3).contains("unsupported table version 3 (expected 2)"));
        assert!(changed(16, 3).contains("damaged header"));
        assert!(changed(60, 3).contains("damaged header"));
        assert!(changed(HEADER, 3).contains("damaged positions"));
        assert!(check_five(b"short").unwrap_err().contains("expected at least 64 bytes, got 5"));
        assert!(check_five(b"ratlkalh and more").unwrap_err().contains("build it again"));
        let empty = table(b"");
        let refused = check(&empty, TableGame::Kalah, |[first, ..]| Err(first.to_string()));
        assert_eq!(refused, Err("7".to_owned()));
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(check(&bytes, TableGame::Wali, |_| Ok(0)).is_err());
        }
    }
}
