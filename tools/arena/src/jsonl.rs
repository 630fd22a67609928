//! Files of JSON lines that survive a crash: a line counts once it is on disk, and an incomplete last
//! line is ignored and overwritten when the file is continued. Knows nothing of what the lines say.

use std::fs::{OpenOptions, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use ratlla::platform::files::{File, create, open_plain_with};
use serde::Serialize;

/// Longer lines are rejected, in bytes.
const MAX_LINE: u64 = 64 << 20;

/// Serialises a value as one line of JSON with its line ending.
pub fn json_line(value: &impl Serialize) -> anyhow::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    Ok(line)
}

/// Calls `line` with the number, from 1, and the content of every complete line. Returns the length of
/// the input up to the end of the last one.
pub fn read_lines(
    mut source: impl BufRead,
    mut line: impl FnMut(u64, &[u8]) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let mut complete_bytes = 0;
    for number in 1.. {
        let mut bytes = Vec::new();
        source.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes)?;
        ensure!((bytes.len() as u64) < MAX_LINE, "line {number}: longer than {MAX_LINE} bytes");
        if bytes.pop_if(|last| *last == b'\n').is_none() {
            break;
        }
        line(number, &bytes)?;
        complete_bytes += bytes.len() as u64 + 1;
    }
    Ok(complete_bytes)
}

/// A file that lines are appended to. It is locked while it is open.
pub struct LineFile {
    file: File,
}

impl LineFile {
    /// Creates a file with a first line. Never overwrites one.
    pub fn create(path: &Path, first: &[u8]) -> anyhow::Result<LineFile> {
        // With its first line or not at all: without it, nothing could continue the file.
        create(path, &[first]).map_err(|error| {
            let name = path.display();
            let hint = match error.kind() {
                ErrorKind::AlreadyExists => format!("; use --resume {name} to continue it"),
                _ => String::new(),
            };
            anyhow::Error::new(error).context(format!("cannot create the record {name}{hint}"))
        })?;
        let mut options = OpenOptions::new();
        let file = open_plain_with(exclusive(options.append(true)), path);
        let file = file.with_context(|| format!("cannot write the record {}", path.display()))?;
        let file = LineFile { file };
        file.lock(path)?;
        Ok(file)
    }

    /// Opens a file to continue it: locks it, reads it, and cuts off an incomplete last line. `read`
    /// returns what it found and the length of all complete lines.
    pub fn resume<T>(
        path: &Path,
        read: impl FnOnce(BufReader<&File>) -> anyhow::Result<(T, u64)>,
    ) -> anyhow::Result<(LineFile, T)> {
        let mut options = OpenOptions::new();
        let file = open_plain_with(exclusive(options.read(true).write(true)), path);
        let file = file.with_context(|| format!("cannot resume {}", path.display()))?;
        let mut file = LineFile { file };
        file.lock(path)?;
        let (found, complete_bytes) =
            read(BufReader::new(&file.file)).with_context(|| path.display().to_string())?;
        file.file.set_length(complete_bytes)?;
        file.file.seek(SeekFrom::End(0))?;
        Ok((file, found))
    }

    /// One whose every write fails, as on a full disk: it is open for reading.
    #[cfg(all(test, unix))]
    pub fn full() -> LineFile {
        LineFile {
            file: ratlla::platform::files::open(Path::new("/dev/null")).expect("a device of Unix"),
        }
    }

    /// Appends a line. When this returns, it is on disk.
    pub fn append(&mut self, line: &[u8]) -> anyhow::Result<()> {
        let written = self.file.write_all(line).and_then(|()| self.file.sync_data());
        written.context("cannot write to the record")
    }

    fn lock(&self, path: &Path) -> anyhow::Result<()> {
        if cfg!(windows) {
            // See [`exclusive`].
            return Ok(());
        }
        match self.file.try_lock() {
            Ok(()) => Ok(()),
            Err(TryLockError::WouldBlock) => {
                bail!("the record {} is in use by another arena", path.display())
            }
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

/// On Windows a lock would keep others from reading the file too. There the file is opened so that
/// nobody else can open it for writing.
#[cfg(windows)]
fn exclusive(options: &mut OpenOptions) -> &mut OpenOptions {
    const FILE_SHARE_READ: u32 = 1;
    std::os::windows::fs::OpenOptionsExt::share_mode(options, FILE_SHARE_READ)
}

/// Elsewhere the file is locked once it is open.
#[cfg(not(windows))]
fn exclusive(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All complete lines of a file, as text.
    fn lines(source: impl BufRead) -> anyhow::Result<(Vec<String>, u64)> {
        let mut found = Vec::new();
        let length = read_lines(source, |number, line| {
            assert_eq!(number, found.len() as u64 + 1);
            found.push(String::from_utf8_lossy(line).into_owned());
            Ok(())
        })?;
        Ok((found, length))
    }

    /// A write may be interrupted after any byte: what was complete stays, the rest is gone, and the
    /// next line begins where it ought to.
    #[test]
    fn a_file_is_continued_after_its_last_complete_line_wherever_it_was_torn() {
        let whole = "first\nsecond\n\nthird line\n";
        for torn in 0..=whole.len() {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("lines");
            std::fs::write(&path, &whole[..torn]).unwrap();
            let (mut file, found) = LineFile::resume(&path, |source| lines(source)).unwrap();
            let complete = whole[..torn].rfind('\n').map_or("", |end| &whole[..=end]);
            assert_eq!(found.concat(), complete.replace('\n', ""), "{torn}");
            file.append(b"next\n").unwrap();
            drop(file);
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{complete}next\n"));
        }
    }

    #[test]
    fn a_file_has_one_writer_and_is_never_overwritten() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines");
        let file = LineFile::create(&path, b"first\n").unwrap();
        let refused = |error: anyhow::Error| format!("{error:#}");
        let error = LineFile::resume(&path, |source| lines(source)).err().map(refused).unwrap();
        assert!(error.ends_with("is in use by another arena"), "{error}");
        let error = LineFile::create(&path, b"other\n").err().map(refused).unwrap();
        assert!(error.contains("--resume"), "{error}");
        drop(file);
        let (file, found) = LineFile::resume(&path, |source| lines(source)).unwrap();
        assert_eq!(found, ["first"]);
        drop(file);
        let missing = LineFile::resume(&dir.path().join("none"), |source| lines(source));
        assert!(missing.err().map(refused).unwrap().starts_with("cannot resume"));
    }

    /// A file that is refused stays as it is, torn line and all.
    #[test]
    fn a_file_that_is_refused_is_not_cut() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("lines");
        std::fs::write(&path, "first\ntor").unwrap();
        let refuse = |_: BufReader<&File>| -> anyhow::Result<((), u64)> { bail!("not ours") };
        assert!(LineFile::resume(&path, refuse).is_err());
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "first\ntor");
    }

    #[test]
    fn a_line_may_be_long_but_not_endless() {
        let endless = || BufReader::new(std::io::repeat(b'x'));
        let error = lines(endless()).unwrap_err().to_string();
        assert_eq!(error, format!("line 1: longer than {MAX_LINE} bytes"));
        let longest = endless().take(MAX_LINE - 2).chain(&b"\nnext\n"[..]);
        let (found, length) = lines(longest).unwrap();
        assert_eq!((found[0].len() as u64, found[1].as_str()), (MAX_LINE - 2, "next"));
        assert_eq!(length, MAX_LINE + 4);
        assert!(lines(endless().take(MAX_LINE - 1).chain(&b"\n"[..])).is_err());
    }
}
