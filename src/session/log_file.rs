//! The log file: a copy of all input and output.
//!
//! Lines are written by a thread of their own, so that a slow or stuck disk never holds up the
//! session. Knows lines and files; does not know commands.

use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::Duration;

use super::output::{Destination, Output};
use crate::platform::files::{self, File};

/// A disk that takes nothing for this long is given up, if much is waiting, and at the end.
const PATIENCE: Duration = Duration::from_secs(2);
/// The same if this many bytes are waiting: the disk is too slow.
const MOST_PENDING: usize = 64 << 20;

impl Destination for File {}

/// An open log file.
pub struct LogFile {
    output: Output,
}

impl LogFile {
    /// Opens the regular file at `path` to append to it.
    pub fn open(path: &Path) -> io::Result<LogFile> {
        LogFile::to(files::append_plain(path)?)
    }

    fn to(destination: impl Destination) -> io::Result<LogFile> {
        Ok(LogFile { output: Output::new(destination)? })
    }

    /// Writes a line, soon and without blocking. The error is that of an earlier line; the file is of no
    /// use then.
    pub fn write(&mut self, line: &str) -> io::Result<()> {
        while let Ok(written) = self.output.write_results().try_recv() {
            self.output.record(Some(written))?;
        }
        let is_stuck = !self.output.has_room() && self.output.stalled() >= PATIENCE;
        if is_stuck || self.output.pending() >= MOST_PENDING {
            let bytes = self.output.pending();
            return Err(io::Error::new(ErrorKind::TimedOut, format!("{bytes} bytes are waiting")));
        }
        self.output.write_line(line);
        self.output.flush();
        Ok(())
    }
}

/// Waits a while for the last lines.
impl Drop for LogFile {
    fn drop(&mut self) {
        if let Err(error) = self.output.drain(PATIENCE) {
            log::debug!("the log file is incomplete: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::time::Instant;

    use super::*;

    #[test]
    fn lines_are_there_when_the_log_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for round in 0..2 {
            let mut log = LogFile::open(&path).unwrap();
            (0..1000).for_each(|number| log.write(&format!("{round} {number}")).unwrap());
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = (0..2).flat_map(|round| (0..1000).map(move |n| format!("{round} {n}")));
        assert!(text.lines().eq(expected));
    }

    /// A disk on which every write hangs until the receiver is dropped.
    struct Stuck(SyncSender<()>);

    impl Write for Stuck {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            let _ = self.0.send(());
            Err(ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for Stuck {}

    /// The longest time that writing to a stuck disk takes until it is given up.
    fn longest_write() -> Duration {
        let (sender, receiver) = sync_channel(0);
        let mut log = LogFile::to(Stuck(sender)).unwrap();
        let started = Instant::now();
        let mut longest = Duration::ZERO;
        let error = loop {
            let before = Instant::now();
            let written = log.write(&"x".repeat(100_000));
            longest = longest.max(before.elapsed());
            match written {
                Ok(()) => std::thread::sleep(Duration::from_millis(20)),
                Err(error) => break error,
            }
            assert!(started.elapsed() < 10 * PATIENCE, "never given up");
        };
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(started.elapsed() >= PATIENCE, "given up too early");
        drop(receiver);
        longest
    }

    /// A full disk.
    struct FullDisk;

    impl Write for FullDisk {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for FullDisk {}

    #[test]
    fn a_log_that_cannot_be_written_is_closed_at_once() {
        let mut log = LogFile::to(FullDisk).unwrap();
        let error = loop {
            match log.write("a line") {
                Ok(()) => std::thread::sleep(Duration::from_millis(1)),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::StorageFull);
        let before = Instant::now();
        drop(log);
        assert!(before.elapsed() < PATIENCE / 2, "waited for what nobody writes");
    }

    #[test]
    fn a_stuck_disk_blocks_nobody_and_is_given_up() {
        // A busy machine does not stall every time.
        assert!((0..5).any(|_| longest_write() < Duration::from_secs(1)), "blocked");
    }
}
