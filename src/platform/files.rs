//! What books and tables in files have in common.
//!
//! Knows files and bytes; knows nothing of what they say.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// A path as it can stand in a message: one printable line.
pub fn printable(path: &Path) -> String {
    let escaped = |letter: char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    path.display().to_string().chars().map(escaped).collect()
}

/// Opens a file to be read. Refuses whatever is no plain file: a folder, and a pipe or a device,
/// whose end may never come.
pub fn open_plain(path: &Path) -> io::Result<File> {
    // Asked before it is opened, because to open a pipe may take for ever already.
    match fs::metadata(path)? {
        kind if kind.is_file() => File::open(path),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a plain file")),
    }
}

/// Puts a file with these bytes, one part after the other, in the place of the one that is there, or
/// leaves that alone. Whatever happens, half a file is never found under the name.
pub fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let temporary = beside(path, &format!("{}.tmp", std::process::id()));
    let replaced = write(&temporary, parts)
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| sync_folder(path));
    if replaced.is_err() {
        // The error that is told is the one that matters.
        drop(fs::remove_file(&temporary));
    }
    replaced
}

fn write(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let mut file = File::create(path)?;
    parts.iter().try_for_each(|part| file.write_all(part))?;
    file.sync_all()
}

/// Makes a rename last.
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

/// `path` with another ending appended.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
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

    #[test]
    fn paths_in_messages_are_one_printable_line() {
        assert_eq!(printable(Path::new("a b/\0\u{1b}[31m\n.ü")), "a b/\\u{0}\\u{1b}[31m\\n.ü");
    }

    #[test]
    fn a_file_is_replaced_as_a_whole_or_not_at_all() {
        let folder = std::env::temp_dir().join(format!("ratlla-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        replace(&path, &[b"old"]).unwrap();
        replace(&path, &[b"all ", b"new"]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all new");
        // A folder that is not empty cannot be replaced by a file.
        let full = folder.join("full");
        fs::create_dir_all(full.join("of something")).unwrap();
        assert!(replace(&full, &[b"new"]).is_err());
        assert!(replace(&folder.join("no/such/place"), &[]).is_err());
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 2, "nothing is left over");
        fs::remove_dir_all(&folder).unwrap();
    }

    /// Values that the authors of FNV publish.
    #[test]
    fn the_checksum_is_the_published_one() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
