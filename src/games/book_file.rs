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

use crate::platform::files::fnv;

const VERSION: u8 = 1;
const CHECKSUM_BYTES: usize = 8;

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
    let rest = bytes.strip_prefix(magic).ok_or(BookError::NotABook)?;
    let (&version, rest) = rest.split_first().ok_or(BookError::NotABook)?;
    if version != VERSION {
        return Err(BookError::Version(version));
    }
    let (contents, sum) = rest.split_last_chunk().ok_or(BookError::Checksum)?;
    if fnv(&bytes[..bytes.len() - CHECKSUM_BYTES]) != u64::from_le_bytes(*sum) {
        return Err(BookError::Checksum);
    }
    Ok(contents)
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
        assert_eq!(read_number(&mut &[0xFF; 10][..]), None, "more than 64 bits");
    }
}
