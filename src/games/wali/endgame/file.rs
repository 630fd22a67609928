//! Wali's endgame table as a file: the values of the complete classes.

use std::path::Path;

use super::index::{self, Class};
use crate::games::endgame_file::{self, HEADER, Parameters, TableGame};
use crate::games::wali::bits::{AnyShape, Shape, THREE};
use crate::platform::memory::ZeroedBytes;

/// The most stones of a side that a table can be about.
pub const MOST_STONES: usize = 8;

/// What a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The board. The number of stones to drop is of no account.
    pub shape: AnyShape,
    /// The most stones of each side.
    pub most: usize,
    /// How many classes are complete.
    pub classes: usize,
}

/// A file in memory, checked.
pub struct TableFile {
    /// What it is about.
    pub header: TableHeader,
    memory: ZeroedBytes,
}

/// The values.
impl AsRef<[u8]> for TableFile {
    fn as_ref(&self) -> &[u8] {
        &self.memory[HEADER..]
    }
}

/// Reads the file at `path`.
pub fn read(path: &Path) -> Result<TableFile, String> {
    let (memory, header) = endgame_file::open(path, check)?;
    Ok(TableFile { header, memory })
}

/// What the table in `bytes` is about, any of which may be anything.
pub fn check(bytes: &[u8]) -> Result<TableHeader, String> {
    let header = |parameters| TableHeader::from_parameters(parameters);
    let (parameters, _) = endgame_file::check(bytes, TableGame::Wali, |parameters| {
        header(parameters).map(TableHeader::payload_length)
    })?;
    header(parameters)
}

impl TableHeader {
    /// Rows and columns, the most stones of a side, and how many classes are complete.
    fn parameters(self) -> Parameters {
        let size = self.shape.rows() << 8 | self.shape.columns();
        [size, self.most, self.classes].map(|number| number as u32)
    }

    fn from_parameters(parameters: Parameters) -> Result<TableHeader, String> {
        let [size, most, complete] = parameters.map(|number| number as usize);
        if size >> 8 == 0 {
            return Err("old table format without the board's size: build it again".to_owned());
        }
        let shape = AnyShape::new(size >> 8, size & 0xff, THREE)?;
        if !(THREE..=MOST_STONES).contains(&most) {
            return Err(format!("expected {THREE} to {MOST_STONES} stones a side, got {most}"));
        }
        let classes = index::classes(shape, most).len();
        if complete > classes {
            return Err(format!("expected at most {classes} classes, got {complete}"));
        }
        Ok(TableHeader { shape, most, classes: complete })
    }

    /// The number of positions in the complete classes.
    pub fn payload_length(self) -> u64 {
        let all: Vec<Class> = index::classes(self.shape, self.most);
        all[..self.classes].iter().map(|&class| index::size(self.shape, class)).sum()
    }
}

/// Writes the complete classes of `values` so that `path` holds either all of them or what
/// it held before.
pub fn publish(path: &Path, header: TableHeader, values: &[u8]) -> Result<(), String> {
    let values = &values[..header.payload_length() as usize];
    endgame_file::publish(path, TableGame::Wali, header.parameters(), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(classes: usize) -> TableHeader {
        TableHeader { shape: AnyShape::new(3, 4, THREE).unwrap(), most: 3, classes }
    }

    fn small_table() -> Vec<u8> {
        (0..header(1).payload_length()).map(|place| (place % 251) as u8).collect()
    }

    #[test]
    fn what_is_published_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let values = small_table();
        publish(&path, header(1), &values).unwrap();
        let read = read(&path).unwrap();
        assert_eq!(read.header, header(1));
        assert_eq!(read.as_ref(), values);
        let incomplete = super::super::Endgames::load(&path).err().unwrap();
        assert!(incomplete.contains("only 1 of 5 classes"), "{incomplete}");
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let values = small_table();
        for (parameters, part) in [
            ([3 << 8 | 4, 3, 6], "expected at most 5 classes, got 6"),
            ([3 << 8 | 4, 2, 1], "expected 3 to 8 stones a side, got 2"),
            ([3 << 8 | 4, 9, 1], "expected 3 to 8 stones a side, got 9"),
            ([6 << 8 | 6, 3, 1], "at most 32 cells"),
            ([5, 0, 0], "build it again"),
            ([3 << 8 | 4, 3, 3], "wrong size"),
        ] {
            let header = endgame_file::header(TableGame::Wali, parameters, &values);
            let error = check(&[&header, &values[..]].concat()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
