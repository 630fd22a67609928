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
