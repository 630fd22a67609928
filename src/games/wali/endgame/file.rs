//! Wali's endgame table as a file: the values of the complete classes.

use std::path::Path;

use super::index::{self, CLASSES};
use crate::games::endgame_file::{self, HEADER, TableGame};

/// How many classes are complete in the file at `path`, and their values.
pub fn read(path: &Path) -> Result<(usize, Vec<u8>), String> {
    let (memory, classes) = endgame_file::open(path, check)?;
    Ok((classes, memory[HEADER..].to_vec()))
}

/// How many classes are complete in the table in `bytes`, any of which may be anything.
pub fn check(bytes: &[u8]) -> Result<usize, String> {
    let (parameters, _) =
        endgame_file::check(bytes, TableGame::Wali, |parameters| {
            match parameters.map(|number| number as usize) {
                [classes @ 0..=CLASS_COUNT, 0, 0] => Ok(payload_length(classes) as u64),
                [classes, ..] => {
                    Err(format!("expected at most {CLASS_COUNT} classes, got {classes}"))
                }
            }
        })?;
    Ok(parameters[0] as usize)
}

const CLASS_COUNT: usize = CLASSES.len();

/// Writes the first `classes` classes of `values` so that `path` holds either all of them or what
/// it held before.
pub fn publish(path: &Path, classes: usize, values: &[u8]) -> Result<(), String> {
    let values = &values[..payload_length(classes)];
    endgame_file::publish(path, TableGame::Wali, [classes as u32, 0, 0], values)
}

fn payload_length(classes: usize) -> usize {
    CLASSES[..classes].iter().map(|&class| index::size(class)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small_table() -> Vec<u8> {
        (0..payload_length(1)).map(|place| (place % 251) as u8).collect()
    }

    #[test]
    fn what_is_published_is_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("table");
        let values = small_table();
        publish(&path, 1, &values).unwrap();
        assert_eq!(read(&path), Ok((1, values)));
        let incomplete = super::super::Endgames::load(&path).unwrap_err();
        assert!(incomplete.contains("only 1 of 5 classes"), "{incomplete}");
    }

    #[test]
    fn wrong_parameters_are_refused() {
        let values = small_table();
        for (parameters, part) in [
            ([9, 0, 0], "expected at most 5 classes, got 9"),
            ([1, 1, 0], "expected at most 5 classes"),
            ([3, 0, 0], "wrong size"),
        ] {
            let header = endgame_file::header(TableGame::Wali, parameters, &values);
            let error = check(&[&header, &values[..]].concat()).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
