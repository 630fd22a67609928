//! What books and tables in files have in common.
//!
//! Knows files and bytes; knows nothing of what they say.

use std::fs::File;
use std::io;
use std::path::Path;

/// Opens a file to be read. Refuses whatever is no plain file: a folder, and a pipe or a device,
/// whose end may never come.
pub fn open_plain(path: &Path) -> io::Result<File> {
    // Asked before it is opened, because to open a pipe may take for ever already.
    match std::fs::metadata(path)? {
        kind if kind.is_file() => File::open(path),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a plain file")),
    }
}

/// FNV-1a with 64 bits: a checksum that finds damage, and is no defence against malice.
pub fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that the authors of FNV publish.
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
