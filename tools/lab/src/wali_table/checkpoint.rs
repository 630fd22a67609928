//! A table under construction, as a file that an interrupted build resumes from: the values of all
//! classes up to the one being solved, and how far that is.
//!
//! ```text
//! word 0  "RATLPART"             4  level              8  checksum of the values
//!      1  rows, columns, most    5  done               9  checksum of the open moves
//!      2  places of classes      6  highest           10  checksum of words 0..10
//!      3  length of the values   7  decided           11.. values, open moves
//! ```

use std::path::Path;

use anyhow::{Context, Result, ensure};
use ratlla::games::endgame_file::checksum;
use ratlla::games::wali::bits::Shape;
use ratlla::games::wali::endgame::file::TableHeader;
use ratlla::games::wali::endgame::retrograde::Stage;
use ratlla::platform::files::{open_plain, replace};

const MAGIC: u64 = u64::from_le_bytes(*b"RATLPART");
const WORDS: usize = 11;
const HEADER: usize = 8 * WORDS;

/// Where a build continues.
#[derive(Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// How many pairs of a class and its mirror are complete.
    pub complete: usize,
    /// How far the next one is.
    pub stage: Stage,
    /// The values of all classes up to this one.
    pub values: Vec<u8>,
    /// The open moves of the positions being solved.
    pub open_moves: Vec<u8>,
}

/// What a table is about, in one word.
fn word(header: TableHeader) -> u64 {
    let TableHeader { shape, most } = header;
    (shape.rows() << 16 | shape.columns() << 8 | most) as u64
}

/// Replaces the checkpoint at `path`, safely even if the process is killed meanwhile.
pub fn save(
    path: &Path,
    header: TableHeader,
    complete: usize,
    stage: Stage,
    values: &[u8],
    open_moves: &[u8],
) -> Result<()> {
    let Stage { level, done, highest, decided } = stage;
    let mut words = [
        MAGIC,
        word(header),
        complete as u64,
        values.len() as u64,
        level.into(),
        done,
        highest.into(),
        decided,
        checksum(values),
        checksum(open_moves),
        0,
    ];
    words[WORDS - 1] = checksum(&bytes(&words[..WORDS - 1]));
    replace(path, &[&bytes(&words), values, open_moves])
        .with_context(|| format!("cannot write {}", path.display()))
}

fn bytes(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Reads the checkpoint at `path` of a table with this header. Only if it begins like one, and has
/// the length that it says, is the rest read.
pub fn load(path: &Path, header: TableHeader) -> Result<Checkpoint> {
    read(path, header).with_context(|| path.display().to_string())
}

fn read(path: &Path, header: TableHeader) -> Result<Checkpoint> {
    let file = open_plain(path)?;
    let (head, length) = (file.head::<HEADER>()?, file.length()?);
    let words: Vec<u64> = head.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
    ensure!(words.len() == WORDS && words[0] == MAGIC, "not a checkpoint");
    ensure!(words[WORDS - 1] == checksum(&head[..HEADER - 8]), "damaged header");
    ensure!(words[1] == word(header), "of another table");
    // The open moves are those of some of the positions with values.
    let (values, payload) = (words[3], length - HEADER as u64);
    ensure!(
        values <= payload && values <= header.payload_length() && payload - values <= values,
        "cut off or too long"
    );
    let mut contents = file.read_bounded(length)?;
    contents.drain(..HEADER);
    let open_moves = contents.split_off(values as usize);
    ensure!(
        words[8] == checksum(&contents) && words[9] == checksum(&open_moves),
        "damaged, its checksum does not match"
    );
    let stage =
        Stage { level: words[4] as u8, done: words[5], highest: words[6] as u8, decided: words[7] };
    Ok(Checkpoint { complete: words[2] as usize, stage, values: contents, open_moves })
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File};

    use super::*;
    use ratlla::games::wali::bits::AnyShape;

    #[test]
    fn a_checkpoint_reads_back_and_damage_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("part");
        let header = |most| TableHeader { shape: AnyShape::new(3, 4, 3).unwrap(), most };
        let stage = Stage { level: 3, done: 70_000_000_000, highest: 9, decided: 5 };
        save(&path, header(3), 2, stage, b"values", b"open").unwrap();
        let read = load(&path, header(3)).unwrap();
        let expected =
            Checkpoint { complete: 2, stage, values: b"values".into(), open_moves: b"open".into() };
        assert_eq!(read, expected);
        let error = format!("{:#}", load(&path, header(4)).unwrap_err());
        assert!(error.contains("of another table"), "{error}");
        let good = fs::read(&path).unwrap();
        for place in 0..good.len() {
            let mut bad = good.clone();
            bad[place] ^= 1;
            fs::write(&path, bad).unwrap();
            assert!(load(&path, header(3)).is_err(), "byte {place}");
            fs::write(&path, &good[..place]).unwrap();
            assert!(load(&path, header(3)).is_err(), "cut at {place}");
        }
        // More than any table has, and more than can be read in the time of a test.
        for (bytes, part) in [(&good[..], "too long"), (b"junk", "not a checkpoint")] {
            fs::write(&path, bytes).unwrap();
            File::options().write(true).open(&path).unwrap().set_len(1 << 40).unwrap();
            let error = format!("{:#}", load(&path, header(3)).unwrap_err());
            assert!(error.contains(part), "{error}");
        }
    }
}
