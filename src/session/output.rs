//! Non-blocking output: writes lines without ever blocking the session.
//!
//! The client may read slowly or not at all. Lines are gathered until they are flushed, so that an
//! `info` line and the `bestmove` right after it wake the client once. A pipe with room gets them directly,
//! which makes a move of a hundred nodes a fifth faster; otherwise an output thread writes them and may
//! block, so that the session keeps reading commands. Unwritten bytes are counted, so that the session can
//! pause before they exhaust memory. Knows bytes; does not know replies.

use std::io::{self, Stdout, Write};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::platform::threads::spawn_named;

/// With this many bytes pending there is no room for more.
const CAPACITY: usize = 1 << 20;
/// Bytes per write: what a pipe takes whole or not at all.
const CHUNK: usize = 4096;

/// Something to write lines to.
pub trait Destination: Write + Send + 'static {
    /// A second way to the same place on which no write ever blocks: what does not fit is not written,
    /// an error of the kind [`io::ErrorKind::WouldBlock`].
    fn unblocked(&self) -> Option<Box<dyn Write + Send>> {
        None
    }
}

impl Destination for Stdout {
    /// Where stdout is a pipe. Polling it first would not do: another writer may fill it meanwhile, and a
    /// terminal that polls as writable still blocks in the middle of a write.
    #[cfg(target_os = "linux")]
    fn unblocked(&self) -> Option<Box<dyn Write + Send>> {
        Some(Box::new(crate::platform::files::unblocked_stdout()?))
    }
}

/// The result of one write of the output thread: the number of bytes written, or why it failed.
pub(crate) type WriteResult = io::Result<usize>;

/// The queue of lines to a destination, and the thread that writes them.
pub(crate) struct Output {
    unblocked: Option<Box<dyn Write + Send>>,
    texts: Sender<Vec<u8>>,
    reports: Sender<WriteResult>,
    taken: Receiver<WriteResult>,
    /// Lines to write next: fewer bytes than a chunk.
    gathered: Vec<u8>,
    /// When the first of them came.
    gathering_since: Instant,
    /// Bytes queued and not yet written.
    pending: usize,
    /// When bytes were last written, or the queue was last empty.
    last_progress: Instant,
}

impl Output {
    /// Starts the output thread for `destination`.
    pub fn new(destination: impl Destination) -> io::Result<Output> {
        let unblocked = destination.unblocked();
        let (texts, to_write) = unbounded();
        let (reports, taken) = unbounded();
        let sender = reports.clone();
        let write = move || write_all(destination, &to_write, &sender);
        spawn_named("output", write)?;
        let now = Instant::now();
        Ok(Output {
            unblocked,
            texts,
            reports,
            taken,
            gathered: Vec::new(),
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
        self.gathered.extend_from_slice(text.as_bytes());
        self.gathered.push(b'\n');
        if self.gathered.len() >= CHUNK {
            self.flush();
        }
    }

    /// Writes or queues what was gathered. Never blocks.
    pub fn flush(&mut self) {
        let mut text = std::mem::take(&mut self.gathered);
        if text.is_empty() {
            return;
        }
        if self.pending == 0 {
            self.last_progress = Instant::now();
            let written = self.write_unblocked(&text);
            if written == text.len() {
                return;
            }
            text.drain(..written);
        }
        self.pending += text.len();
        if self.texts.send(text).is_err() {
            // The output thread has ended after a failed write.
            drop(self.reports.send(Err(io::ErrorKind::BrokenPipe.into())));
        }
    }

    /// Writes as much as can be written without blocking. An error but for that is left to the output thread,
    /// which meets it, too.
    fn write_unblocked(&mut self, text: &[u8]) -> usize {
        let unblocked = self.unblocked.as_mut().filter(|_| text.len() <= CHUNK);
        unblocked.and_then(|unblocked| unblocked.write(text).ok()).unwrap_or(0)
    }

    /// How long lines have been gathered without a flush; `None` if there are none.
    pub fn gathered_for(&self) -> Option<Duration> {
        (!self.gathered.is_empty()).then(|| self.gathering_since.elapsed())
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
fn write_all(
    mut destination: impl Write,
    texts: &Receiver<Vec<u8>>,
    reports: &Sender<WriteResult>,
) {
    while let Ok(mut text) = texts.recv() {
        // Everything queued meanwhile goes into the same writes.
        text.extend(texts.try_iter().flatten());
        for chunk in text.chunks(CHUNK) {
            let written = destination.write_all(chunk).and_then(|()| destination.flush());
            let failed = written.is_err();
            if reports.send(written.map(|()| chunk.len())).is_err() || failed {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{SyncSender, sync_channel};
    use std::sync::{Arc, Mutex};

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

    /// Keeps what is written. Its unblocked way has room for so many bytes.
    #[derive(Clone, Default)]
    struct Sink {
        bytes: Arc<Mutex<Vec<u8>>>,
        room: Arc<Mutex<usize>>,
    }

    impl Sink {
        fn text(&self) -> String {
            String::from_utf8(self.bytes.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.bytes.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    struct Unblocked(Sink);

    impl Write for Unblocked {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let Sink { bytes: written, room } = &self.0;
            let mut room = room.lock().unwrap();
            let fits = bytes.len().min(*room);
            *room -= fits;
            match fits {
                0 => Err(io::ErrorKind::WouldBlock.into()),
                _ => written.lock().unwrap().write(&bytes[..fits]),
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Destination for Sink {
        fn unblocked(&self) -> Option<Box<dyn Write + Send>> {
            Some(Box::new(Unblocked(self.clone())))
        }
    }

    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn short_lines_are_written_directly_and_long_ones_queued_in_order() {
        let sink = Sink { room: Arc::new(Mutex::new(1 << 20)), ..Sink::default() };
        let mut output = Output::new(sink.clone()).unwrap();
        output.write_line("hello");
        output.write_line("world");
        assert_eq!(sink.text(), "");
        output.flush();
        assert_eq!(sink.text(), "hello\nworld\n");
        // Too long for a direct write; the next line must not overtake it.
        output.write_line(&"x".repeat(2 * CHUNK));
        output.write_line("goodbye");
        output.drain(PATIENCE).unwrap();
        assert!(sink.text().ends_with("x\ngoodbye\n"));
    }

    #[test]
    fn what_does_not_fit_is_queued_in_order() {
        for room in 0..30 {
            let sink = Sink { room: Arc::new(Mutex::new(room)), ..Sink::default() };
            let mut output = Output::new(sink.clone()).unwrap();
            let lines = ["hello", "to all", "of the world"];
            for line in lines {
                output.write_line(line);
                output.flush();
            }
            output.drain(PATIENCE).unwrap();
            assert_eq!(sink.text(), lines.map(|line| format!("{line}\n")).concat(), "{room}");
        }
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
