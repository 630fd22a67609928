//! Files: opening them safely, reading no more than is expected, and replacing them atomically.
//!
//! Knows files and bytes; does not know what they mean. Everything that the programs do with files of
//! users goes through this module, so that [`faults`] can make any of it fail. Without an operating
//! system every call fails as unsupported.

use std::fs::{self, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
#[cfg(all(feature = "cli", unix))]
use std::sync::Arc;

use super::faults::{self, Call};

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

/// Everything from here to the end, if that is at most `longest` bytes. Never reads more than a byte beyond, so
/// that something without an end is refused, too.
pub fn read_to_end_bounded(source: impl Read, longest: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(longest.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > longest {
        let reason = format!("longer than {longest} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
    }
    Ok(bytes)
}

/// An open file.
#[derive(Debug)]
pub struct File(fs::File);

impl File {
    /// Its length in bytes.
    pub fn length(&self) -> io::Result<u64> {
        self.0.metadata().map(|metadata| metadata.len())
    }

    /// Everything from here to the end: see [`read_to_end_bounded`].
    pub fn read_bounded(&self, longest: u64) -> io::Result<Vec<u8>> {
        read_to_end_bounded(self, longest)
    }

    /// The first bytes, as many as there are, at most `N`; then goes back to the start.
    pub fn head<const N: usize>(&self) -> io::Result<Vec<u8>> {
        let mut head = Vec::with_capacity(N);
        self.take(N as u64).read_to_end(&mut head)?;
        (&self.0).seek(SeekFrom::Start(0))?;
        Ok(head)
    }

    /// Cuts or extends it to this length.
    pub fn set_length(&self, length: u64) -> io::Result<()> {
        faults::check(Call::Truncate)?;
        self.0.set_len(length)
    }

    /// Waits until everything is on disk.
    pub fn sync(&self) -> io::Result<()> {
        faults::check(Call::Sync)?;
        self.0.sync_all()
    }

    /// Waits until its contents are on disk.
    pub fn sync_data(&self) -> io::Result<()> {
        faults::check(Call::Sync)?;
        self.0.sync_data()
    }

    /// Locks it for as long as it is open, unless another process has.
    pub fn try_lock(&self) -> Result<(), TryLockError> {
        self.0.try_lock()
    }
}

impl Read for &File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        faults::check(Call::Read)?;
        (&self.0).read(buffer)
    }
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        (&*self).read(buffer)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(fault) = faults::next(Call::Write) {
            drop(self.0.write_all(&bytes[..bytes.len() / 2]));
            return Err(fault.error());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Seek for File {
    fn seek(&mut self, position: SeekFrom) -> io::Result<u64> {
        self.0.seek(position)
    }
}

/// If stdout is a pipe: that pipe, opened once more in a mode in which writes never block. Other processes
/// that share it still do.
#[cfg(all(feature = "cli", target_os = "linux"))]
pub fn unblocked_stdout() -> Option<impl Write + Send> {
    use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
    const STDOUT: &str = "/proc/self/fd/1";
    let is_pipe = fs::metadata(STDOUT).is_ok_and(|stdout| stdout.file_type().is_fifo());
    let mut options = OpenOptions::new();
    options.write(true).custom_flags(libc::O_NONBLOCK);
    is_pipe.then(|| options.open(STDOUT).ok()).flatten()
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
    open_plain_with(OpenOptions::new().read(true), path)
}

/// Opens a file to append to, and creates it if there is none. Refuses everything but regular files:
/// writing to a pipe may block for ever.
pub fn append_plain(path: &Path) -> io::Result<File> {
    open_plain_with(OpenOptions::new().create(true).append(true), path)
}

/// Opens a regular file in any other way, or creates it.
pub fn open_plain_with(options: &OpenOptions, path: &Path) -> io::Result<File> {
    // Checked before opening, because opening a pipe may block already.
    check_plain(path)?;
    faults::check(Call::Open)?;
    options.open(path).map(File)
}

/// Fails if there is something else than a regular file under this name.
fn check_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(kind) if kind.is_dir() => Err(io::Error::other("a folder, not a regular file")),
        Ok(kind) if !kind.is_file() => {
            Err(io::Error::other("a pipe or a device, not a regular file"))
        }
        _ => Ok(()),
    }
}

/// Opens a file that a user names on a command line, which may also be a pipe, for reading.
pub fn open(path: &Path) -> io::Result<File> {
    faults::check(Call::Open)?;
    fs::File::open(path).map(File)
}

/// The content of such a file, at most `longest` bytes.
pub fn read_bounded(path: &Path, longest: u64) -> io::Result<Vec<u8>> {
    open(path)?.read_bounded(longest)
}

/// Like [`read_bounded`], for text.
pub fn read_text_bounded(path: &Path, longest: u64) -> io::Result<String> {
    String::from_utf8(read_bounded(path, longest)?).map_err(|error| {
        let place = error.utf8_error().valid_up_to() + 1;
        io::Error::new(io::ErrorKind::InvalidData, format!("invalid UTF-8 at byte {place}"))
    })
}

/// Replaces the file at `path` by one with the concatenation of `parts`, atomically: on an error,
/// and even after a crash, `path` still has its old contents. If only making the new name durable
/// fails, that is an error, too. Replaces nothing but regular files.
pub fn replace(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    replace_through(path, &temporary(path), |file| write_parts(file, parts))
}

/// The same with what `write` writes, first to the file `temporary`, which a killed process leaves
/// behind.
pub fn replace_through(
    path: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    publish(path, temporary, write, |from, to| fs::rename(from, to))
}

/// Creates a file with the concatenation of `parts`, atomically. Fails if there is one already.
pub fn create(path: &Path, parts: &[&[u8]]) -> io::Result<()> {
    let give_name =
        |from: &Path, to: &Path| give_free_name(from, to, |from, to| fs::hard_link(from, to));
    publish(path, &temporary(path), |file| write_parts(file, parts), give_name)
}

/// Moves a file to a name that no file has.
fn give_free_name(
    from: &Path,
    to: &Path,
    link: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    match link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // There are no hard links here: an empty file reserves the name.
        Err(_) => {
            drop(fs::File::create_new(to)?);
            fs::rename(from, to).inspect_err(|_| drop(fs::remove_file(to)))
        }
    }
}

/// Replaces a file as [`replace`] does; a pipe or a device is written to.
pub fn replace_or_send(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(kind) if !kind.is_file() => {
            faults::check(Call::Open)?;
            File(fs::File::options().write(true).open(path)?).write_all(bytes)
        }
        // What a link leads to is replaced, not the link.
        Ok(_) => replace(&path.canonicalize()?, &[bytes]),
        Err(_) => replace(path, &[bytes]),
    }
}

/// Two processes that replace the same file must not share a temporary one.
fn temporary(path: &Path) -> PathBuf {
    beside(path, &format!("{}.tmp", std::process::id()))
}

fn write_parts(file: &mut File, parts: &[&[u8]]) -> io::Result<()> {
    parts.iter().try_for_each(|part| file.write_all(part))
}

/// Writes the file `temporary` and then gives it its name.
fn publish(
    path: &Path,
    temporary: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
    give_name: impl FnOnce(&Path, &Path) -> io::Result<()>,
) -> io::Result<()> {
    if cfg!(not(any(unix, windows))) {
        return Err(io::ErrorKind::Unsupported.into());
    }
    let write_all = || {
        check_plain(path)?;
        faults::check(Call::Open)?;
        let mut file = File(fs::File::create(temporary)?);
        write(&mut file)?;
        file.sync()
    };
    let published = write_all().and_then(|()| {
        faults::check(Call::Rename)?;
        give_name(temporary, path)
    });
    if published.is_err() {
        // Only the first error is reported.
        drop(fs::remove_file(temporary));
        return published;
    }
    sync_directory(path)
}

/// Makes the rename of a file to `path` durable.
fn sync_directory(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        open(folder_of(path))?.sync()?;
    }
    Ok(())
}

/// The folder that a file is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
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

    /// All the ways to read a file of at most `longest` bytes.
    fn reads(path: &Path, longest: u64) -> [io::Result<Vec<u8>>; 2] {
        [read_bounded(path, longest), open_plain(path).and_then(|file| file.read_bounded(longest))]
    }

    #[test]
    fn a_bounded_read_takes_all_or_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, b"12345").unwrap();
        for longest in [5, 6, u64::MAX] {
            reads(&path, longest).into_iter().for_each(|read| assert_eq!(read.unwrap(), b"12345"));
        }
        for longest in [4, 0] {
            let message = format!("longer than {longest} bytes");
            for read in reads(&path, longest) {
                assert_eq!(read.unwrap_err().to_string(), message);
            }
        }
        assert_eq!(read_text_bounded(&path, 5).unwrap(), "12345");
        fs::write(&path, b"ab\xff").unwrap();
        let error = read_text_bounded(&path, 5).unwrap_err();
        assert_eq!(error.to_string(), "invalid UTF-8 at byte 3");
        fs::write(&path, b"").unwrap();
        assert!(reads(&path, 0).into_iter().all(|read| read.unwrap().is_empty()));
        let refused = |path: &Path| reads(path, 1000).iter().all(Result::is_err);
        assert!(refused(folder.path()) && refused(&folder.path().join("none")));
        assert!(!cfg!(target_os = "linux") || refused(Path::new("/dev/zero")), "without an end");
    }

    #[test]
    fn the_head_of_a_file_is_read_again_with_the_rest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for content in ["", "12", "123", "12345"] {
            fs::write(&path, content).unwrap();
            let file = open_plain(&path).unwrap();
            assert_eq!(file.head::<3>().unwrap(), content.as_bytes()[..content.len().min(3)]);
            assert_eq!(file.length().unwrap(), content.len() as u64);
            assert_eq!(file.read_bounded(5).unwrap(), content.as_bytes());
        }
    }

    #[test]
    fn a_created_file_replaces_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        create(&path, &[b"all ", b"new"]).unwrap();
        let error = create(&path, &[b"newer"]).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"all new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // Where there are no hard links.
        let no_link = |_: &Path, _: &Path| Err(io::ErrorKind::Unsupported.into());
        let other = folder.path().join("other");
        fs::write(&other, b"other").unwrap();
        let error = give_free_name(&other, &path, no_link).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"all new");
        let free = folder.path().join("free");
        give_free_name(&other, &free, no_link).unwrap();
        assert_eq!((fs::read(&free).unwrap(), other.exists()), (b"other".to_vec(), false));
        give_free_name(&folder.path().join("none"), &folder.path().join("void"), no_link)
            .unwrap_err();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "no name stays reserved");
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_replaced_and_a_device_is_written_to() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["file", "link"].map(|name| folder.path().join(name));
        replace_or_send(&path, b"old").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        replace_or_send(&link, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        replace_or_send(Path::new("/dev/null"), b"nothing").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert!(replace_or_send(folder.path(), b"").is_err(), "a folder");
        // Anyone may write to it, and some may replace it.
        assert!(replace(Path::new("/dev/null"), &[]).unwrap_err().to_string().contains("device"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
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
