//! Files: opening them safely and replacing them atomically.
//!
//! Knows files and bytes; does not know what they mean. Without an operating system every call
//! fails as unsupported.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
#[cfg(all(feature = "cli", unix))]
use std::sync::Arc;

/// A path for a message: one printable line, without its middle if it is long.
pub fn printable(path: &Path) -> String {
    const END: usize = 100;
    let escaped = |letter: &char| match letter.is_control() {
        true => letter.escape_default().to_string(),
        false => letter.to_string(),
    };
    let letters: Vec<char> = path.display().to_string().chars().collect();
    if letters.len() <= 2 * END + 1 {
        return letters.iter().map(escaped).collect();
    }
    let end = |part: &[char]| part.iter().map(escaped).collect::<String>();
    format!("{}…{}", end(&letters[..END]), end(&letters[letters.len() - END..]))
}

/// From now on a write beyond the limit on the size of files (`ulimit -f`) fails, as on a full disk, instead
/// of ending the process. Programs started by this one are not affected.
#[cfg(feature = "cli")]
pub fn survive_size_limit() {
    #[cfg(unix)]
    if let Err(error) = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, Arc::default()) {
        log::warn!("a limit on the size of files would end the program: {error}");
    }
}

/// Opens a regular file for reading. Refuses directories, and pipes and devices, which may be
/// endless.
pub fn open_plain(path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a pipe may block forever.
    match fs::metadata(path)? {
        kind if kind.is_file() => File::open(path),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::other("not a regular file")),
    }
}

/// The whole content of a file that a user names on a command line, which may also be a pipe. Never
/// reads more than a byte beyond `longest`, so a device without an end is refused, too.
pub fn read_bounded(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(longest + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("longer than {longest} bytes"),
        ));
    }
    Ok(bytes)
}

/// Like [`read_bounded`], for text.
pub fn read_text_bounded(path: &Path, longest: u64) -> io::Result<String> {
    let text = String::from_utf8(read_bounded(path, longest)?);
    text.map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("invalid UTF-8 at byte {place}"))
    })
}

/// Opens a file to append to, and creates it if there is none. Refuses everything but regular files:
/// writing to a pipe may block for ever.
pub fn append_plain(path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a pipe may block already.
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() => Err(io::Error::other("not a regular file")),
        _ => File::options().create(true).append(true).open(path),
    }
}

/// Replaces the file at `path` by one with the concatenation of `parts`, atomically: on an error,
/// and even after a crash, `path` still has its old contents.
pub fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    // Two processes that replace the same file must not share a temporary one.
    let temporary = beside(path, &format!("{}.tmp", std::process::id()));
    replace_through(path, &temporary, |file| parts.iter().try_for_each(|part| file.write_all(part)))
}

/// The same with what `write` writes, first to the file `temporary`, which a killed process leaves
/// behind.
pub fn replace_through(
    path: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    if cfg!(not(any(unix, windows))) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let write_all = || {
        let mut file = File::create(temporary)?;
        write(&mut file)?;
        file.sync_all()
    };
    let replaced =
        write_all().and_then(|()| fs::rename(temporary, path)).and_then(|()| sync_directory(path));
    if replaced.is_err() {
        // Only the first error is reported.
        drop(fs::remove_file(temporary));
    }
    replaced
}

/// Makes the rename of a file to `path` durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        File::open(directory)?.sync_all()?;
    }
    Ok(())
}

/// `path` with another extension appended.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// The 64-bit FNV-1a checksum, which detects damage, not tampering.
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
        let long = format!("/begin/{}/end", "x".repeat(5000));
        let text = printable(Path::new(&long));
        assert!(text.starts_with("/begin/x") && text.ends_with("x/end"), "{text}");
        assert_eq!(text.chars().count(), 201);
    }

    #[test]
    fn a_bounded_read_takes_all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"12345").unwrap();
        assert_eq!(read_bounded(&path, 5).unwrap(), b"12345");
        assert_eq!(read_text_bounded(&path, 6).unwrap(), "12345");
        let error = read_bounded(&path, 4).unwrap_err();
        assert_eq!(error.to_string(), "longer than 4 bytes");
        fs::write(&path, b"ab\xff").unwrap();
        let error = read_text_bounded(&path, 5).unwrap_err();
        assert_eq!(error.to_string(), "invalid UTF-8 at byte 3");
        assert!(read_bounded(folder.path(), 5).is_err(), "a folder");
        assert!(read_bounded(&folder.path().join("none"), 5).is_err());
        #[cfg(target_os = "linux")]
        assert!(read_bounded(Path::new("/dev/zero"), 1000).is_err(), "without an end");
    }

    #[test]
    fn replacing_writes_all_parts_and_leaves_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let directory = folder.path();
        let path = directory.join("file");
        replace(&path, &[b"old"]).unwrap();
        replace(&path, &[b"all ", b"new"]).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"all new");
        // A file cannot replace a directory that is not empty.
        let full = directory.join("full");
        fs::create_dir_all(full.join("of something")).unwrap();
        assert!(replace(&full, &[b"new"]).is_err());
        assert!(replace(&directory.join("no/such/place"), &[]).is_err());
        assert_eq!(fs::read_dir(directory).unwrap().count(), 2, "a temporary file is left over");
    }

    /// Values published by the authors of FNV.
    #[test]
    fn the_checksum_has_the_published_values() {
        assert_eq!(fnv(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
