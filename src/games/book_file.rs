//! Opening books as bytes: what the formats of all games have in common.
//!
//! ```text
//!  magic           8 bytes, which say what game the book is for
//!  version         1 byte, now 1
//!  contents        the game's business
//!  checksum        8 bytes, FNV-1a of all bytes before, little-endian
//! ```
//!
//! A book is never trusted: magic, version and checksum are verified before anything is used.
//! Knows nothing of positions and their scores.

use std::fmt;
use std::io;
use std::path::Path;

use crate::platform::files::{fnv, open_plain, printable};

const VERSION: u8 = 1;
const CHECKSUM_BYTES: usize = 8;
/// Magic and version.
const HEAD: usize = 9;
/// No book is longer, in bytes.
const LONGEST: u64 = 64 << 20;

/// The first bytes of a book.
pub type Magic = [u8; 8];

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

/// The bytes of a book with these contents.
pub fn seal(magic: &Magic, contents: &[u8]) -> Vec<u8> {
    let mut bytes = [&magic[..], &[VERSION], contents].concat();
    bytes.extend(fnv(&bytes).to_le_bytes());
    bytes
}

/// The contents of a book, any byte of which may be anything.
pub fn unseal<'a>(magic: &Magic, bytes: &'a [u8]) -> Result<&'a [u8], BookError> {
    check_head(magic, bytes)?;
    let (contents, sum) = bytes[HEAD..].split_last_chunk().ok_or(BookError::Checksum)?;
    if fnv(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u64::from_le_bytes(*sum) {
        return Err(BookError::Checksum);
    }
    Ok(contents)
}

/// The bytes of the file at `path`, if they begin like a book: nothing else is read of another file.
/// Errors name the file.
pub fn read(magic: &Magic, path: &Path) -> Result<Vec<u8>, String> {
    let text = |error: io::Error| error.to_string();
    let read = || {
        let file = open_plain(path).map_err(text)?;
        let head = file.head::<HEAD>().map_err(text)?;
        check_head(magic, &head).map_err(|error| error.to_string())?;
        file.read_bounded(LONGEST).map_err(text)
    };
    read().map_err(|reason| format!("{}: {reason}", printable(path)))
}

/// Whether these bytes begin like a book.
fn check_head(magic: &Magic, bytes: &[u8]) -> Result<(), BookError> {
    match bytes.strip_prefix(magic).and_then(|rest| rest.first()) {
        None => Err(BookError::NotABook),
        Some(&VERSION) => Ok(()),
        Some(&version) => Err(BookError::Version(version)),
    }
}

/// Appends a number in unsigned LEB128.
pub fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number in unsigned LEB128 from the front, if there is one that fits.
pub fn read_number(bytes: &mut &[u8]) -> Option<u64> {
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

#[cfg(test)]
mod tests {
    use super::*;

    const MAGIC: &Magic = b"RATLTEST";

    #[test]
    fn what_is_sealed_can_be_unsealed_and_damage_is_detected() {
        let bytes = seal(MAGIC, b"contents");
        assert_eq!(unseal(MAGIC, &bytes), Ok(&b"contents"[..]));
        for length in 0..bytes.len() {
            assert!(unseal(MAGIC, &bytes[..length]).is_err(), "cut to {length} bytes");
        }
        for bit in 0..8 * bytes.len() {
            let mut flipped = bytes.clone();
            flipped[bit / 8] ^= 1 << (bit % 8);
            assert!(unseal(MAGIC, &flipped).is_err(), "bit {bit}");
        }
        assert_eq!(unseal(b"RATLELSE", &bytes), Err(BookError::NotABook));
        assert_eq!(unseal(MAGIC, b"RATLTEST\x02"), Err(BookError::Version(2)));
        assert_eq!(unseal(MAGIC, b"RATLTEST\x01"), Err(BookError::Checksum));
    }

    #[test]
    fn numbers_read_back() {
        for number in [0, 1, 127, 128, 1 << 35, u64::MAX] {
            let mut bytes = Vec::new();
            write_number(&mut bytes, number);
            let mut rest = &bytes[..];
            assert_eq!((read_number(&mut rest), rest.len()), (Some(number), 0));
            assert_eq!(read_number(&mut &bytes[..bytes.len() - 1]), None);
        }
    }

    /// Nine bytes have 63 bits of a number, so that only one is left for the tenth.
    #[test]
    fn a_number_of_more_than_64_bits_is_refused() {
        for first in [0x80, 0xFF] {
            let low = if first == 0xFF { u64::MAX >> 1 } else { 0 };
            for last in 0..=u8::MAX {
                let bytes = [&[first; 9][..], &[last]].concat();
                let expected = (last <= 1).then_some(u64::from(last) << 63 | low);
                assert_eq!(read_number(&mut &bytes[..]), expected, "{bytes:?}");
                assert_eq!(read_number(&mut &[&bytes[..], &[0]].concat()[..]), expected);
            }
        }
    }

    #[test]
    fn a_file_that_is_no_book_is_refused_by_its_first_bytes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book");
        let file = |bytes: &[u8], length: u64| {
            std::fs::write(&path, bytes).unwrap();
            std::fs::File::options().write(true).open(&path).unwrap().set_len(length).unwrap();
            read(MAGIC, &path)
        };
        let book = seal(MAGIC, b"contents");
        let whole = book.len() as u64;
        assert_eq!(file(&book, whole), Ok(book.clone()));
        assert_eq!(file(&book, LONGEST).map(|bytes| bytes.len() as u64), Ok(LONGEST));
        let error = file(&book, LONGEST + 1).unwrap_err();
        assert!(error.ends_with("book: longer than 67108864 bytes"), "{error}");
        // Too much to read in the time of a test, if it were read.
        const HUGE: u64 = 1 << 40;
        for length in 0..9 {
            assert!(file(&book, length).unwrap_err().ends_with(": not an opening book"));
        }
        for place in 0..8 {
            let mut bad = book.clone();
            bad[place] ^= 1;
            assert!(file(&bad, HUGE).unwrap_err().ends_with(": not an opening book"));
        }
        let mut newer = book;
        newer[8] = 2;
        assert!(
            file(&newer, HUGE).unwrap_err().ends_with("unsupported book version 2 (expected 1)")
        );
        assert!(read(MAGIC, folder.path()).unwrap_err().ends_with("a folder, not a regular file"));
    }
}
