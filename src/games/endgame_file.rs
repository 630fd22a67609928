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
//! Numbers are little-endian. A file is never trusted: its header is checked, and compared with its
//! length, before anything else is read or any memory is taken; its checksum before anything is
//! used. It is written under another name, flushed and renamed, so a name never leads to half a
//! table. Knows nothing of positions and their values.

use std::io;
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

/// Reads the file at `path` and has `parse` check its bytes, but only if its first [`HEADER`] bytes
/// begin a table of `game` and its length is what `payload_length` says for their parameters. Errors
/// name the file.
pub fn open<T>(
    path: &Path,
    game: TableGame,
    payload_length: impl FnOnce(Parameters) -> Result<u64, String>,
    parse: impl FnOnce(&[u8]) -> Result<T, String>,
) -> Result<(ZeroedBytes, T), String> {
    let text = |error: io::Error| error.to_string();
    let read = || {
        let file = open_plain(path).map_err(text)?;
        let (head, length) = (file.head::<HEADER>().map_err(text)?, file.length().map_err(text)?);
        check_header(&head, length, game, payload_length)?;
        let memory = read_file(&file, length).map_err(text)?;
        let parsed = parse(&memory)?;
        Ok((memory, parsed))
    };
    read().map_err(|reason: String| format!("{}: {reason}", printable(path)))
}

/// The parameters and the payload of a table, any byte of which may be anything.
pub fn check(
    bytes: &[u8],
    game: TableGame,
    payload_length: impl FnOnce(Parameters) -> Result<u64, String>,
) -> Result<(Parameters, &[u8]), String> {
    let (parameters, sum) = check_header(bytes, bytes.len() as u64, game, payload_length)?;
    let payload = &bytes[HEADER..];
    if sum != checksum(payload) {
        return Err("damaged positions: their checksum does not match".to_owned());
    }
    Ok((parameters, payload))
}

/// The parameters of a table of `length` bytes that starts with `head`, and the checksum that its
/// payload must have.
fn check_header(
    head: &[u8],
    length: u64,
    game: TableGame,
    payload_length: impl FnOnce(Parameters) -> Result<u64, String>,
) -> Result<(Parameters, u64), String> {
    if OLD_MAGICS.iter().any(|magic| head.starts_with(*magic)) {
        return Err(format!("old table format (expected version {VERSION}): build it again"));
    }
    let Some(header) = head.first_chunk::<HEADER>() else {
        return Err(format!(
            "not an endgame table: expected at least {HEADER} bytes, got {length}"
        ));
    };
    if &header[..8] != MAGIC {
        return Err("not an endgame table: unknown file type".to_owned());
    }
    let version = number(&header[8..12]);
    if version != u64::from(VERSION) {
        return Err(format!("unsupported table version {version} (expected {VERSION})"));
    }
    if number(&header[48..56]) != checksum(&header[..48]) {
        return Err("damaged header: its checksum does not match".to_owned());
    }
    if number(&header[28..32]) != 0 || number(&header[56..]) != 0 {
        return Err("damaged header: expected zeros".to_owned());
    }
    if number(&header[12..16]) != game as u64 {
        return Err(format!("a table of another game (expected {game:?})"));
    }
    let parameters = [16, 20, 24].map(|place| number(&header[place..place + 4]) as u32);
    let expected = payload_length(parameters)?;
    let found = length.saturating_sub(HEADER as u64);
    if number(&header[32..40]) != expected || found != expected {
        return Err(format!("wrong size: expected {expected} positions, found {found}"));
    }
    Ok((parameters, number(&header[40..48])))
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
        let open = |path: &Path, game| {
            let parse = |bytes: &[u8]| check(bytes, game, |_| Ok(5)).map(|found| found.0);
            open(path, game, |_| Ok(5), parse)
        };
        let (memory, parameters) = open(&path, TableGame::Wali).unwrap();
        assert_eq!((&memory[HEADER..], parameters), (&b"12345"[..], PARAMETERS));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1, "nothing is left over");
        let error = open(&path, TableGame::Kalah).unwrap_err();
        assert!(error.contains("table: a table of another game (expected Kalah)"), "{error}");
        assert!(open(folder.path(), TableGame::Wali).is_err(), "a folder");
        assert!(open(&folder.path().join("none"), TableGame::Wali).is_err());
        let nowhere = folder.path().join("no/such");
        let error = publish(&nowhere, TableGame::Wali, PARAMETERS, &[]).unwrap_err();
        assert!(error.starts_with("cannot write "), "{error}");
    }

    /// Everything that the first bytes and the length show is an error before the rest is read.
    #[test]
    fn a_file_that_is_no_table_is_refused_by_its_header() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let good = table(b"12345");
        let refused = |bytes: &[u8], length: u64| {
            std::fs::write(&path, bytes).unwrap();
            std::fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
            let parse = |_: &[u8]| -> Result<(), String> { panic!("was read") };
            open(&path, TableGame::Kalah, |_| Ok(5), parse).unwrap_err()
        };
        let whole = good.len() as u64;
        for place in 0..HEADER {
            // The checksum of the payload is a part of the header, whose own checksum tells.
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            refused(&bad, whole);
        }
        for length in (0..whole).chain([whole + 1, 3 << 30]) {
            let error = refused(&good, length);
            assert!(error.contains("expected "), "{length}: {error}");
        }
        refused(b"", 3 << 30);
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
        for magic in OLD_MAGICS {
            let error = check_five(&[&magic[..], b" and more"].concat()).unwrap_err();
            assert!(error.contains("build it again"), "{error}");
        }
        let empty = table(b"");
        let refused = check(&empty, TableGame::Kalah, |[first, ..]| Err(first.to_string()));
        assert_eq!(refused, Err("7".to_owned()));
    }

    /// What a header says is checked even if its checksum is right.
    #[test]
    fn a_lie_with_the_right_checksum_is_found() {
        let lie = |place: usize, byte: u8| {
            let mut bytes = table(b"12345");
            bytes[place] = byte;
            let sum = checksum(&bytes[..48]);
            bytes[48..56].copy_from_slice(&sum.to_le_bytes());
            check_five(&bytes).map(drop)
        };
        assert_eq!(lie(16, 7), Ok(()), "the first parameter is 7");
        for (place, part) in [
            (8, "unsupported table version 9"),
            (12, "of another game"),
            (28, "damaged header"),
            (31, "damaged header"),
            (32, "wrong size"),
            (39, "wrong size"),
            (40, "damaged positions"),
            (56, "damaged header"),
            (63, "damaged header"),
        ] {
            let error = lie(place, 9).unwrap_err();
            assert!(error.contains(part), "byte {place}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            prop_assert!(check(&bytes, TableGame::Wali, |_| Ok(0)).is_err());
        }
    }
}
