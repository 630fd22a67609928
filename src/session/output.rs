//! Writing lines without ever blocking the session.
//!
//! A reader may be slow, or not read at all. What it takes at once is written at once. Otherwise a
//! thread waits for it, so that the session goes on listening; what has not been taken yet is
//! counted, so that it can pause before there is too much of it.

use std::io::{self, Stdout, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, unbounded};

/// When so many bytes wait for the reader, no more should be said.
const ROOM: usize = 1 << 20;
/// What is written in one go: a pipe takes at least so much whenever it takes anything.
const PIECE: usize = 4096;

/// Where lines can go.
pub trait Destination: Write + Send + 'static {
    /// Whether some thousand bytes can be written now without waiting. `false` is always right.
    fn is_ready(&self) -> bool {
        false
    }
}

impl Destination for Stdout {
    #[cfg(unix)]
    fn is_ready(&self) -> bool {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let mut waited_for = [PollFd::new(self, PollFlags::OUT)];
        let at_once = Timespec::default();
        poll(&mut waited_for, Some(&at_once)) == Ok(1)
            && waited_for[0].revents().contains(PollFlags::OUT)
    }
}

/// What is told after each piece: how many bytes the reader, or the system for it, has taken.
pub type Taken = io::Result<usize>;

/// Lines on their way to a reader.
pub struct Output<D> {
    destination: Arc<Mutex<D>>,
    texts: Sender<String>,
    told: Sender<Taken>,
    taken: Receiver<Taken>,
    /// Bytes that were said and not taken yet.
    waiting: usize,
    /// When the reader last took something, or had nothing to take.
    moved: Instant,
}

impl<D: Destination> Output<D> {
    /// Lines to be written to `destination`.
    pub fn new(destination: D) -> io::Result<Output<D>> {
        let destination = Arc::new(Mutex::new(destination));
        let (texts, to_write) = unbounded();
        let (told, taken) = unbounded();
        let (shared, tell) = (Arc::clone(&destination), told.clone());
        let write = move || write_all(&shared, &to_write, &tell);
        std::thread::Builder::new().name("output".to_owned()).spawn(write)?;
        Ok(Output { destination, texts, told, taken, waiting: 0, moved: Instant::now() })
    }

    /// Says a text of whole lines, but for the end of the last one. Never waits.
    pub fn say(&mut self, mut text: String) {
        text.push('\n');
        if self.waiting == 0 {
            self.moved = Instant::now();
            if text.len() <= PIECE && self.is_ready() {
                if let Err(error) = write(&self.destination, text.as_bytes()) {
                    self.waiting = text.len();
                    drop(self.told.send(Err(error)));
                }
                return;
            }
        }
        self.waiting += text.len();
        if self.texts.send(text).is_err() {
            // The thread has ended because nobody reads any more.
            drop(self.told.send(Err(io::ErrorKind::BrokenPipe.into())));
        }
    }

    fn is_ready(&self) -> bool {
        self.destination.lock().unwrap_or_else(PoisonError::into_inner).is_ready()
    }

    /// Whether more can be said now without exhausting memory in the end.
    pub fn has_room(&self) -> bool {
        self.waiting < ROOM
    }

    /// Tells what was [`Taken`], to be handed to [`Output::note`].
    pub fn taken(&self) -> &Receiver<Taken> {
        &self.taken
    }

    /// Takes note of what was taken. An error says that nothing more can be.
    pub fn note(&mut self, taken: Option<Taken>) -> io::Result<()> {
        self.waiting -= taken.unwrap_or_else(|| Err(io::ErrorKind::BrokenPipe.into()))?;
        self.moved = Instant::now();
        Ok(())
    }

    /// How long something has been waiting for a reader who takes nothing.
    pub fn stalled(&self) -> Duration {
        if self.waiting == 0 { Duration::ZERO } else { self.moved.elapsed() }
    }

    /// Waits until all is taken, or nothing was for `patience`: then that is an error.
    pub fn drain(&mut self, patience: Duration) -> io::Result<()> {
        while self.waiting > 0 {
            let left = patience.saturating_sub(self.stalled());
            match self.taken.recv_timeout(left) {
                Err(error) if error.is_timeout() => {
                    let (bytes, time) = (self.waiting, patience.as_secs_f64());
                    let story = format!("nobody has read the last {bytes} bytes for {time} s");
                    return Err(io::Error::new(io::ErrorKind::TimedOut, story));
                }
                taken => self.note(taken.ok())?,
            }
        }
        Ok(())
    }
}

/// Writes what comes until nobody can say or read any more.
fn write_all<D: Write>(destination: &Mutex<D>, texts: &Receiver<String>, told: &Sender<Taken>) {
    while let Ok(mut text) = texts.recv() {
        // What was said in the meantime goes along.
        text.extend(texts.try_iter());
        for piece in text.as_bytes().chunks(PIECE) {
            let taken = write(destination, piece);
            let is_over = taken.is_err();
            if told.send(taken.map(|()| piece.len())).is_err() || is_over {
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

    /// Takes pieces as long as somebody receives them.
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

    /// Takes everything, and always at once.
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
    fn what_is_taken_at_once_is_written_at_once() {
        let sink = Sink::default();
        let mut output = Output::new(sink.clone()).unwrap();
        output.say("hello".to_owned());
        assert_eq!(*sink.0.lock().unwrap(), b"hello\n");
        // Too much to be taken at once; what follows stays behind it.
        output.say("x".repeat(2 * PIECE));
        output.say("goodbye".to_owned());
        output.drain(PATIENCE).unwrap();
        assert!(sink.0.lock().unwrap().ends_with(b"x\ngoodbye\n"));
    }

    #[test]
    fn lines_arrive_in_their_order() {
        let (sender, pieces) = sync_channel(1000);
        let mut output = Output::new(Pipe(sender)).unwrap();
        (0..100).for_each(|number| output.say(format!("line {number}")));
        output.drain(PATIENCE).unwrap();
        drop(output);
        let text = String::from_utf8(pieces.iter().flatten().collect()).unwrap();
        assert!(text.lines().eq((0..100).map(|number| format!("line {number}"))));
    }

    #[test]
    fn a_reader_who_takes_nothing_is_not_waited_for_without_end() {
        let (sender, pieces) = sync_channel(0);
        let mut output = Output::new(Pipe(sender)).unwrap();
        while output.has_room() {
            output.say("x".repeat(1000));
        }
        let error = output.drain(Duration::from_millis(50)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(output.stalled() >= Duration::from_millis(50));
        assert!(error.to_string().contains("nobody has read the last 10"), "{error}");
        // Once somebody reads there is room again, and nothing is lost.
        let reader = std::thread::spawn(move || pieces.iter().map(|piece| piece.len()).sum());
        output.drain(PATIENCE).unwrap();
        assert!(output.has_room() && output.stalled() == Duration::ZERO);
        drop(output);
        let read: usize = reader.join().unwrap();
        assert_eq!(read, ROOM.div_ceil(1001) * 1001);
    }

    #[test]
    fn a_reader_who_goes_away_is_noticed() {
        let (sender, pieces) = sync_channel(0);
        drop(pieces);
        let mut output = Output::new(Pipe(sender)).unwrap();
        output.say("hello".to_owned());
        assert_eq!(output.drain(PATIENCE).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        output.say("hello?".to_owned());
        assert_eq!(output.drain(PATIENCE).unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
