//! Non-blocking output: writes lines without ever blocking the session.
//!
//! The client may read slowly or not at all. Lines are gathered until they are flushed, so that an
//! `info` line and the `bestmove` right after it wake the client once. They are written directly while the pipe has room; otherwise an output thread writes them and may block,
//! so that the session keeps reading commands. Unwritten bytes are counted, so that the session can
//! pause before they exhaust memory. Knows bytes; does not know replies.

use std::io::{self, Stdout, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::platform::threads::spawn_named;

/// With this many bytes pending there is no room for more.
const CAPACITY: usize = 1 << 20;
/// Bytes per write: a pipe that polls as writable takes at least this many without blocking.
const CHUNK: usize = 4096;

/// Something to write lines to.
pub trait Destination: Write + Send + 'static {
    /// Whether 4096 bytes can be written now without blocking. `false` is always correct.
    fn is_ready(&self) -> bool {
        false
    }
}

impl Destination for Stdout {
    #[cfg(unix)]
    fn is_ready(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut polled = [PollFd::new(self, PollFlags::OUT)];
        let zero_timeout = Timespec::default();
        poll(&mut polled, Some(&zero_timeout)) == Ok(1)
            && polled[0].revents().contains(PollFlags::OUT)
    }
}

/// The result of one write of the output thread: the number of bytes written, or why it failed.
pub(crate) type WriteResult = io::Result<usize>;

/// The queue of lines to a destination, and the thread that writes them.
pub(crate) struct Output<D> {
    destination: Arc<Mutex<D>>,
    texts: Sender<String>,
    reports: Sender<WriteResult>,
    taken: Receiver<WriteResult>,
    /// Lines to write next: fewer bytes than a chunk.
    gathered: String,
    /// When the first of them came.
    gathering_since: Instant,
    /// Bytes queued and not yet written.
    pending: usize,
    /// When bytes were last written, or the queue was last empty.
    last_progress: Instant,
}

impl<D: Destination> Output<D> {
    /// Starts the output thread for `destination`.
    pub fn new(destination: D) -> io::Result<Output<D>> {
        let destination = Arc::new(Mutex::new(destination));
        let (texts, to_write) = unbounded();
        let (reports, taken) = unbounded();
        let (shared, sender) = (Arc::clone(&destination), reports.clone());
        let write = move || write_all(&shared, &to_write, &sender);
        spawn_named("output", write)?;
        let now = Instant::now();
        Ok(Output {
            destination,
            texts,
            reports,
            taken,
            gathered: String::new(),
            gathering_since: now,
            pending: 0,
            last_progress: now,
        })
    }

    /// Takes `text`, one or more lines without the final line end. Never blocks. What is less than
    /// a chunk waits for [`Output::flush`].
    pub fn write_line(&mut self, text: &str) {
        if self.gathered.len() + text.len() >= CHUNK {
            self.flush();
        }
        if self.gathered.is_empty() {
            self.gathering_since = Instant::now();
        }
        self.gathered.push_str(text);
        self.gathered.push('\n');
        if self.gathered.len() >= CHUNK {
            self.flush();
        }
    }

    /// Writes or queues what was gathered. Never blocks.
    pub fn flush(&mut self) {
        let text = std::mem::take(&mut self.gathered);
        if text.is_empty() {
            return;
        }
        if self.pending == 0 {
            self.last_progress = Instant::now();
            if text.len() <= CHUNK && self.is_ready() {
                if let Err(error) = write(&self.destination, text.as_bytes()) {
                    self.pending = text.len();
                    drop(self.reports.send(Err(error)));
                }
                return;
            }
        }
        self.pending += text.len();
        if self.texts.send(text).is_err() {
            // The output thread has ended after a failed write.
            drop(self.reports.send(Err(io::ErrorKind::BrokenPipe.into())));
        }
    }

    /// How long lines have been gathered without a flush; `None` if there are none.
    pub fn gathered_for(&self) -> Option<Duration> {
        (!self.gathered.is_empty()).then(|| self.gathering_since.elapsed())
    }

    fn is_ready(&self) -> bool {
        self.destination.lock().unwrap_or_else(PoisonError::into_inner).is_ready()
    }

    /// Whether less than 1 MiB is pending. Callers should pause while it is not.
    pub fn has_room(&self) -> bool {
        self.pending < CAPACITY
    }

    /// Bytes queued and not yet written, as far as recorded.
    pub fn pending(&self) -> usize {
        self.pending
    }

    /// The channel of write results; each must be passed to [`Output::record`].
    pub fn write_results(&self) -> &Receiver<WriteResult> {
        &self.taken
    }

    /// Accounts for a write result (`None`: the channel is closed). After an error nothing more can
    /// be written.
    pub fn record(&mut self, taken: Option<WriteResult>) -> io::Result<()> {
        match taken.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into())) {
            Ok(written) => {
                self.pending -= written;
                self.last_progress = Instant::now();
                Ok(())
            }
            Err(error) => {
                // The output thread has ended: nobody need wait for the rest.
                self.pending = 0;
                Err(error)
            }
        }
    }

    /// How long bytes have been pending without progress; zero if none are.
    pub fn stalled(&self) -> Duration {
        if self.pending == 0 { Duration::ZERO } else { self.last_progress.elapsed() }
    }

    /// Blocks until everything is written. `patience` without progress is an error.
    pub fn drain(&mut self, patience: Duration) -> io::Result<()> {
        self.flush();
        while self.pending > 0 {
            let left = patience.saturating_sub(self.stalled());
            match self.taken.recv_timeout(left) {
                Err(error) if error.is_timeout() => {
                    let (bytes, time) = (self.pending, patience.as_secs_f64());
                    let message = format!("the client left {bytes} bytes unread for {time} s");
                    return Err(io::Error::new(io::ErrorKind::TimedOut, message));
                }
                taken => self.record(taken.ok())?,
            }
        }
        Ok(())
    }
}

/// The output thread: writes texts until the [`Output`] is dropped or a write fails.
fn write_all<D: Write>(
    destination: &Mutex<D>,
    texts: &Receiver<String>,
    reports: &Sender<WriteResult>,
) {
    while let Ok(mut text) = texts.recv() {
        // Everything queued meanwhile goes into the same writes.
        text.extend(texts.try_iter());
        for chunk in text.as_bytes().chunks(CHUNK) {
            let written = write(destination, chunk);
            let failed = written.is_err();
            if reports.send(written.map(|()| chunk.len())).is_err() || failed {
                return;
            }
        }
    }
}

fn write<D: Write>(destination: &Mutex<D>, bytes: &[u8]) -> io::Result<()> {
    let mut destination = destination.lock().unwrap_or_else(PoisonError::into_inner);
    destination.write_all(bytes)?;
    destination.flush()
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};

    use super::*;

    /// Accepts writes while the receiver exists; a write blocks until it is received.
    struct Pipe(SyncSender<Vec<u8>>);

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let sent = self.0.send(bytes.to_vec());
            sent.map(|()| bytes.len()).map_err(|_| io::ErrorKind::BrokenPipe.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for Pipe {}

    /// Accepts every write without blocking.
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for Sink {
        fn is_ready(&self) -> bool {
            true
        }
    }

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn short_lines_are_written_directly_and_long_ones_queued_in_order() {
        let sink = Sink::default();
        let mut output = Output::new(sink.clone()).unwrap();
        output.write_line("hello");
        output.write_line("world");
        assert!(sink.0.lock().unwrap().is_empty());
        output.flush();
        assert_eq!(*sink.0.lock().unwrap(), b"hello\nworld\n");
        // Too long for a direct write; the next line must not overtake it.
        output.write_line(&"x".repeat(2 * CHUNK));
        output.write_line("goodbye");
        output.drain(PATIENCE).unwrap();
        assert!(sink.0.lock().unwrap().ends_with(b"x\ngoodbye\n"));
    }

    #[test]
    fn lines_arrive_in_order() {
        let (sender, chunks) = sync_channel(1000);
        let mut output = Output::new(Pipe(sender)).unwrap();
        (0..100).for_each(|number| output.write_line(&format!("line {number}")));
        output.drain(PATIENCE).unwrap();
        drop(output);
        let text = String::from_utf8(chunks.iter().flatten().collect()).unwrap();
        assert!(text.lines().eq((0..100).map(|number| format!("line {number}"))));
    }

    #[test]
    fn draining_times_out_if_the_client_does_not_read() {
        let (sender, chunks) = sync_channel(0);
        let mut output = Output::new(Pipe(sender)).unwrap();
        let mut lines = 0;
        while output.has_room() {
            output.write_line(&"x".repeat(1000));
            lines += 1;
        }
        let error = output.drain(Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(output.stalled() >= Duration::from_millis(50));
        assert!(error.to_string().contains("the client left 10"), "{error}");
        // Once the client reads there is room again, and nothing is lost.
        let reader = std::thread::spawn(move || chunks.iter().map(|chunk| chunk.len()).sum());
        output.drain(PATIENCE).unwrap();
        assert!(output.has_room() && output.stalled() == Duration::ZERO);
        drop(output);
        let read: usize = reader.join().unwrap();
        assert_eq!(read, lines * 1001);
    }

    #[test]
    fn a_closed_pipe_is_reported() {
        let (sender, chunks) = sync_channel(0);
        drop(chunks);
        let mut output = Output::new(Pipe(sender)).unwrap();
        output.write_line("hello");
        assert_eq!(output.drain(PATIENCE).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        output.write_line("hello?");
        assert_eq!(output.drain(PATIENCE).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
