//! Files of recorded games, which grow game by game and survive an interruption.
//!
//! The first line says how the games were made. Then come the records of each game, closed by the
//! line `end` and the game's number. What follows the last such line is an interrupted game.

use std::fs::OpenOptions;
use std::io::{self, BufRead, BufReader, Read as _, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};
use ratlla::platform::files::{self, File, open_plain_with};

use super::record::Record;

/// No line is longer, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// A file that games are appended to.
pub struct RecordFile {
    file: File,
    /// The number of the next game.
    pub next: usize,
}

impl RecordFile {
    /// Opens a file of games made as `header` says, or creates it, and resumes after the last
    /// complete game.
    pub fn open(path: &Path, header: &str) -> Result<RecordFile> {
        let context = || format!("cannot write {}", path.display());
        let mut options = OpenOptions::new();
        let options = options.read(true).write(true).create(true).truncate(false);
        let mut file = open_plain_with(options, path).with_context(context)?;
        let (mut next, mut length, mut complete) = (0, 0, 0);
        let mut reader = BufReader::new(&file);
        let mut line = String::new();
        while next_line(&mut reader, &mut line).with_context(context)? && line.ends_with('\n') {
            if length == 0 {
                let other = "the file contains games recorded with other settings";
                ensure!(line.trim_end() == header, "{}: {other}", path.display());
            }
            length += line.len();
            if let Some(number) = end_of_game(&line)? {
                (next, complete) = (number + 1, length);
            }
        }
        file.set_length(complete as u64).with_context(context)?;
        file.seek(SeekFrom::Start(complete as u64)).with_context(context)?;
        if complete == 0 {
            writeln!(file, "{header}").with_context(context)?;
        }
        Ok(RecordFile { file, next })
    }

    /// Appends the next game, with one write.
    pub fn append(&mut self, records: &[Record]) -> Result<()> {
        let mut text: String = records.iter().map(|record| record.line() + "\n").collect();
        text += &format!("end {}\n", self.next);
        self.file.write_all(text.as_bytes()).context("cannot write a game")?;
        self.next += 1;
        Ok(())
    }
}

/// Reads the next line with its end into `line`; whether there is one.
fn next_line(source: &mut impl BufRead, line: &mut String) -> io::Result<bool> {
    line.clear();
    let length = source.take(LONGEST_LINE).read_line(line)? as u64;
    match length < LONGEST_LINE {
        true => Ok(length > 0),
        false => Err(io::Error::other(format!("a line longer than {LONGEST_LINE} bytes"))),
    }
}

fn end_of_game(line: &str) -> Result<Option<usize>> {
    let number = line.trim_end().strip_prefix("end ");
    number.map(|number| number.parse().context("expected a game's number after 'end'")).transpose()
}

/// Calls `visit` with each complete game, and returns the first line, which says how they were made.
pub fn read(path: &Path, visit: &mut dyn FnMut(&[Record]) -> Result<()>) -> Result<String> {
    let file = files::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut source = BufReader::new(file);
    let (mut header, mut game, mut text) = (None, Vec::new(), String::new());
    for number in 1.. {
        let context = || format!("{}, line {number}", path.display());
        if !next_line(&mut source, &mut text).with_context(context)? {
            break;
        }
        let line = text.lines().next().unwrap_or_default();
        if header.is_none() {
            header = Some(line.to_owned());
        } else if end_of_game(line).with_context(context)?.is_some() {
            visit(&game).with_context(context)?;
            game.clear();
        } else {
            game.push(Record::parse(line).with_context(context)?);
        }
    }
    match header {
        Some(header) => Ok(header),
        None => bail!("{}: the file is empty", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratlla::search::result::ReportedScore;

    fn record(points: i32) -> Record {
        Record {
            title: "boom".to_owned(),
            position: "somewhere".to_owned(),
            score: ReportedScore::Points(points),
            result: 1.0,
        }
    }

    fn games(path: &Path) -> Vec<Vec<Record>> {
        let mut found = Vec::new();
        let header = read(path, &mut |game| {
            found.push(game.to_vec());
            Ok(())
        });
        assert_eq!(header.unwrap(), "# made so");
        found
    }

    #[test]
    fn an_interrupted_game_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        let mut file = RecordFile::open(&path, "# made so").unwrap();
        file.append(&[record(1), record(2)]).unwrap();
        file.append(&[]).unwrap();
        let mut text = std::fs::read_to_string(&path).unwrap();
        text += &format!("{}\nboom\tsome", record(3).line());
        std::fs::write(&path, text).unwrap();
        let mut file = RecordFile::open(&path, "# made so").unwrap();
        assert_eq!(file.next, 2);
        file.append(&[record(4)]).unwrap();
        assert_eq!(games(&path), [vec![record(1), record(2)], vec![], vec![record(4)]]);
        assert!(RecordFile::open(&path, "# made otherwise").is_err());
        assert_eq!(games(&path).len(), 3);
    }
}
