//! The table as a file.
//!
//! ```text
//! byte  0.. 8  RATLWALI
//!       8..12  version
//!      12..16  how many classes are complete
//!      16..24  checksum of what follows: 64-bit FNV-1a
//!      24..    one byte for each position of the complete classes, see `Endgames`
//! ```
//!
//! Numbers are little-endian. A file is never trusted: its length is checked before anything is
//! allocated, its checksum before anything is used, and every byte has a meaning.

use std::io::Read;
use std::path::Path;

use super::index::{self, CLASSES};
use crate::platform::files::{fnv, open_plain, printable, replace};

const MAGIC: [u8; 8] = *b"RATLWALI";
const VERSION: u32 = 1;
const HEADER: usize = 24;

/// Reads the bytes of the classes that are complete in the file, and how many those are.
pub fn read(path: &Path) -> Result<(usize, Vec<u8>), String> {
    let name = printable(path);
    let failed = |error: std::io::Error| format!("{name}: {error}");
    let file = open_plain(path).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    read_from(file, length).map_err(|reason| format!("{name}: {reason}"))
}

/// The same from the `length` bytes that `source` has.
pub fn read_from(source: impl Read, length: u64) -> Result<(usize, Vec<u8>), String> {
    if length < HEADER as u64 {
        return Err(format!("{length} bytes are too few for a table of Wali endings"));
    }
    let mut source = source.take(length);
    let mut header = [0; HEADER];
    source.read_exact(&mut header).map_err(|error| format!("it cannot be read: {error}"))?;
    let (classes, checksum) = parse_header(&header)?;
    let expected = payload_length(classes);
    let found = length - HEADER as u64;
    if found != expected as u64 {
        return Err(format!(
            "{found} bytes of values, not {expected}: it is cut short or not what it says"
        ));
    }
    let mut values = vec![0; expected];
    source.read_exact(&mut values).map_err(|error| format!("it cannot be read: {error}"))?;
    if fnv(&values) != checksum {
        return Err("it is damaged: its checksum is wrong".to_owned());
    }
    Ok((classes, values))
}

fn parse_header(header: &[u8; HEADER]) -> Result<(usize, u64), String> {
    if header[..8] != MAGIC {
        return Err("no table of Wali endings".to_owned());
    }
    let word = |from: usize| {
        let bytes = [header[from], header[from + 1], header[from + 2], header[from + 3]];
        u32::from_le_bytes(bytes)
    };
    let version = word(8);
    if version != VERSION {
        return Err(format!("version {version} is not {VERSION}: build it anew"));
    }
    let classes = word(12) as usize;
    if classes > CLASSES.len() {
        return Err(format!("{classes} classes are more than there are"));
    }
    Ok((classes, u64::from(word(16)) | u64::from(word(20)) << 32))
}

/// Writes the first `classes` classes of `values` so that `path` has all of it or is not
/// touched.
pub fn publish(path: &Path, classes: usize, values: &[u8]) -> Result<(), String> {
    let values = &values[..payload_length(classes)];
    let (version, count) = (VERSION.to_le_bytes(), (classes as u32).to_le_bytes());
    let checksum = fnv(values).to_le_bytes();
    let replaced = replace(path, &[&MAGIC, &version, &count, &checksum, values]);
    replaced.map_err(|error| format!("cannot write {}: {error}", printable(path)))
}

fn payload_length(classes: usize) -> usize {
    CLASSES[..classes].iter().map(|&class| index::size(class)).sum()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use super::*;
    use proptest::prelude::*;

    /// A path of its own for each test.
    fn path(name: &str) -> PathBuf {
        let file = format!("ratlla-wali-{}-{name}", std::process::id());
        std::env::temp_dir().join(file)
    }

    fn small_table() -> Vec<u8> {
        (0..payload_length(1)).map(|place| (place % 251) as u8).collect()
    }

    #[test]
    fn what_is_published_is_read_back() {
        let path = path("round");
        let values = small_table();
        publish(&path, 1, &values).unwrap();
        assert_eq!(read(&path), Ok((1, values)));
        let incomplete = super::super::Endgames::load(&path).unwrap_err();
        assert!(incomplete.contains("only 1 of 5 classes"), "{incomplete}");
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_table_that_cannot_be_written_is_told() {
        let error = publish(Path::new("/no/such/folder/table"), 0, &[]).unwrap_err();
        assert!(error.contains("cannot write"), "{error}");
    }

    #[test]
    fn damage_is_told() {
        let path = path("damage");
        publish(&path, 1, &small_table()).unwrap();
        let good = fs::read(&path).unwrap();
        let with = |place: usize, byte: u8| {
            let mut bad = good.clone();
            bad[place] ^= byte;
            bad
        };
        for (bad, part) in [
            (with(0, 1), "no table of Wali endings"),
            (with(8, 2), "version 3 is not 1"),
            (with(12, 8), "9 classes are more than there are"),
            (with(12, 2), "bytes of values, not"),
            (with(16, 1), "checksum is wrong"),
            (with(HEADER + 5, 1), "checksum is wrong"),
            (good[..good.len() - 1].to_vec(), "cut short"),
            (good[..10].to_vec(), "10 bytes are too few"),
            (Vec::new(), "0 bytes are too few"),
            ([&good[..], b"x"].concat(), "not what it says"),
        ] {
            fs::write(&path, bad).unwrap();
            let error = read(&path).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
        fs::remove_file(path).unwrap();
        assert!(read(&std::env::temp_dir()).is_err(), "a folder");
    }

    proptest! {
        #[test]
        fn any_bytes_are_refused_or_read(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            let path = path("any");
            fs::write(&path, &bytes).unwrap();
            let table = read(&path);
            fs::remove_file(&path).unwrap();
            prop_assert!(table.is_err());
        }
    }
}
