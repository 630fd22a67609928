//! Wali's endgame table as a file: the values of all positions.

use std::fmt;
use std::path::Path;

use super::index;
use crate::games::endgame_file::{self, HEADER, Parameters, TableGame};
use crate::games::wali::bits::{AnyShape, Shape, THREE};
use crate::platform::memory::ZeroedBytes;

/// The most stones of a side that a table can be about.
pub const MOST_STONES: usize = 16;

/// What a file is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableHeader {
    /// The board. The number of stones to drop is of no account.
    pub shape: AnyShape,
    /// The most stones of each side.
    pub most: usize,
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
    let (memory, header) = endgame_file::open(path, TableGame::Wali, payload_length, check)?;
    Ok(TableFile { header, memory })
}

/// What the table in `bytes` is about, any of which may be anything.
pub fn check(bytes: &[u8]) -> Result<TableHeader, String> {
    let (parameters, _) = endgame_file::check(bytes, TableGame::Wali, payload_length)?;
    TableHeader::from_parameters(parameters)
}

/// The number of positions of a table with these parameters.
fn payload_length(parameters: Parameters) -> Result<u64, String> {
    TableHeader::from_parameters(parameters).map(TableHeader::payload_length)
}

impl fmt::Display for TableHeader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TableHeader { shape, most } = self;
        write!(f, "{}x{} with up to {most} stones a side", shape.rows(), shape.columns())
    }
}

impl TableHeader {
    /// Rows, columns, and the most stones of a side.
    fn parameters(self) -> Parameters {
        [self.shape.rows(), self.shape.columns(), self.most].map(|number| number as u32)
    }

    fn from_parameters(parameters: Parameters) -> Result<TableHeader, String> {
        let [rows, columns, most] = parameters.map(|number| number as usize);
        if columns == 0 {
            return Err("old table format without the board's size: build it again".to_owned());
        }
        let shape = AnyShape::new(rows, columns, THREE)?;
        if !(THREE..=MOST_STONES).contains(&most) {
            return Err(format!("expected {THREE} to {MOST_STONES} stones a side, got {most}"));
        }
        Ok(TableHeader { shape, most })
    }

    /// The number of positions.
    pub fn payload_length(self) -> u64 {
        let classes = index::classes(self.shape, self.most);
        classes.into_iter().map(|class| index::size(self.shape, class)).sum()
    }
}

/// Writes all values so that `path` holds either all of them or what it held before.
pub fn publish(path: &Path, header: TableHeader, values: &[u8]) -> Result<(), String> {
    endgame_file::publish(path, TableGame::Wali, header.parameters(), values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> TableHeader {
        TableHeader { shape: AnyShape::new(3, 4, THREE).unwrap(), most: 3 }
    }

    fn small_table() -> Vec<u8> {
        (0..header().payload_length()).map(|place| (place % 251) as u8).collect()
    }

    #[test]
    fn what_is_published_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let values = small_table();
        publish(&path, header(), &values).unwrap();
        let read = read(&path).unwrap();
        assert_eq!(read.header, header());
        assert_eq!(read.as_ref(), values);
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let values = small_table();
        for (parameters, part) in [
            ([3, 4, 2], "expected 3 to 16 stones a side, got 2"),
            ([3, 4, 17], "expected 3 to 16 stones a side, got 17"),
            ([6, 6, 3], "at most 32 cells"),
            ([5, 0, 0], "build it again"),
            ([3, 4, 4], "wrong size"),
        ] {
            let header = endgame_file::header(TableGame::Wali, parameters, &values);
            let error = check(&[&header, &values[..]].concat()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
