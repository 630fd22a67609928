//! Reads an engine's stdout and stderr without ever holding more than a bounded amount.

use std::convert::Infallible;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longer lines are truncated, in bytes.
const MAX_LINE: usize = 1 << 16;
/// Bytes read at a time.
const CHUNK: usize = 1 << 14;
/// Every line counts as this many bytes of output beside its own, so that empty lines count too.
const LINE_OVERHEAD: u64 = 64;

/// A line of an engine's output.
#[derive(Clone, Debug)]
pub struct OutputLine {
    /// When it arrived.
    pub at: Instant,
    /// The text without its line ending.
    pub text: String,
}

/// What a read has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrived {
    /// Some bytes.
    Bytes,
    /// Nothing yet.
    Nothing,
    /// The end of the output.
    End,
}

/// Splits a source that does not block into lines.
pub struct LineReader<R> {
    source: R,
    /// What has been read but not taken; at most an incomplete line and a chunk.
    buffer: Vec<u8>,
    /// Where bytes arrive.
    chunk: Box<[u8]>,
    /// Where the first line in the buffer begins.
    start: usize,
    /// When the last bytes arrived.
    at: Instant,
    /// Output so far in bytes, including lines that are truncated or never end.
    volume: u64,
    has_ended: bool,
}

impl<R: Read> LineReader<R> {
    /// A reader of `source`.
    pub fn new(source: R) -> LineReader<R> {
        let (buffer, chunk) = (Vec::new(), vec![0; CHUNK].into_boxed_slice());
        let at = Instant::now();
        LineReader { source, buffer, chunk, start: 0, at, volume: 0, has_ended: false }
    }

    /// The source.
    pub fn source(&mut self) -> &mut R {
        &mut self.source
    }

    /// The volume of output so far.
    pub fn volume(&self) -> u64 {
        self.volume
    }

    /// Reads what has arrived, up to a limit.
    pub fn fill(&mut self) -> Arrived {
        self.buffer.drain(..self.start);
        self.start = 0;
        // Of a line that is too long only the beginning is kept.
        self.buffer.truncate(MAX_LINE);
        let count = match self.source.read(&mut self.chunk) {
            Ok(count) => count,
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                return Arrived::Nothing;
            }
            Err(_) => 0,
        };
        if count == 0 {
            self.has_ended = true;
            return Arrived::End;
        }
        self.at = Instant::now();
        self.buffer.extend_from_slice(&self.chunk[..count]);
        self.volume += count as u64;
        Arrived::Bytes
    }

    /// The next line that has been read. The last one need not be terminated.
    pub fn next_line(&mut self) -> Option<OutputLine> {
        let rest = &self.buffer[self.start..];
        // Searching a slice cannot fail, and this searches many bytes at a time.
        let length = (&mut &*rest).skip_until(b'\n').unwrap_or(0);
        let end = match rest[..length].last() {
            Some(b'\n') => length - 1,
            Some(_) if self.has_ended => length,
            _ => return None,
        };
        let line = text(&rest[..end.min(MAX_LINE)]);
        self.start = (self.start + end + 1).min(self.buffer.len());
        self.volume += LINE_OVERHEAD;
        Some(OutputLine { at: self.at, text: line })
    }
}

/// The last non-blank line of an engine's stderr.
pub struct LastStderrLine {
    text: Arc<Mutex<String>>,
    /// Closed at the end of input.
    end: Receiver<Infallible>,
}

impl LastStderrLine {
    /// Reads `source` to its end on a thread of its own and passes each line to `log`.
    pub fn of(
        source: impl Read + Send + 'static,
        log: impl Fn(&str) + Send + 'static,
    ) -> LastStderrLine {
        let text = Arc::new(Mutex::new(String::new()));
        let (sender, end) = channel();
        let shared = Arc::clone(&text);
        std::thread::spawn(move || {
            let _closes_on_return: Sender<Infallible> = sender;
            let mut source = BufReader::new(source);
            while let Ok(Some(line)) = bounded_line(&mut source) {
                log(&line);
                if !line.trim().is_empty() {
                    *shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = line;
                }
            }
        });
        LastStderrLine { text, end }
    }

    /// The line, once the process has exited: waits briefly for output still in the pipe.
    pub fn after_exit(&self) -> String {
        // Either the reader has finished or it is too late: use what has arrived.
        let _ = self.end.recv_timeout(Duration::from_millis(500));
        self.text.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// The next line, or `None` at the end of input. Blocks.
fn bounded_line(source: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if source.by_ref().take(MAX_LINE as u64).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.pop_if(|last| *last == b'\n').is_none() {
        source.skip_until(b'\n')?;
    }
    Ok(Some(text(&line)))
}

/// Invalid UTF-8 is replaced.
fn text(line: &[u8]) -> String {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok(text) => text.to_owned(),
        Err(_) => String::from_utf8_lossy(line).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A source that gives a few bytes at a time, and between them nothing.
    struct Trickle<'a> {
        bytes: &'a [u8],
        pause: bool,
    }

    impl Read for Trickle<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            self.pause = !self.pause;
            if self.pause {
                return Err(ErrorKind::WouldBlock.into());
            }
            let length = self.bytes.len().min(5000);
            self.bytes.by_ref().take(5000).read(&mut buffer[..length])
        }
    }

    #[test]
    fn a_line_without_end_fills_no_memory() {
        let mut reader = LineReader::new(io::repeat(b'x'));
        for fills in 1..50 {
            assert_eq!(reader.fill(), Arrived::Bytes);
            assert!(reader.next_line().is_none());
            assert!(reader.buffer.len() <= MAX_LINE + CHUNK, "{}", reader.buffer.len());
            assert_eq!(reader.volume(), fills * CHUNK as u64);
        }
    }

    #[test]
    fn empty_lines_are_output_too() {
        let mut reader = LineReader::new(io::repeat(b'\n'));
        assert_eq!(reader.fill(), Arrived::Bytes);
        let lines = std::iter::from_fn(|| reader.next_line()).count() as u64;
        assert_eq!(lines, CHUNK as u64);
        assert_eq!(reader.volume(), lines * (1 + LINE_OVERHEAD));
    }

    fn lines_of(input: &[u8]) -> Vec<String> {
        let mut reader = LineReader::new(Trickle { bytes: input, pause: false });
        let mut lines = Vec::new();
        loop {
            let arrived = reader.fill();
            lines.extend(std::iter::from_fn(|| reader.next_line()).map(|line| line.text));
            if arrived == Arrived::End {
                assert!(reader.volume() >= input.len() as u64);
                return lines;
            }
        }
    }

    fn stderr_of(input: &[u8]) -> Vec<String> {
        let mut source = BufReader::new(input);
        std::iter::from_fn(|| bounded_line(&mut source).expect("memory")).collect()
    }

    #[test]
    fn lines_end_at_lf_crlf_or_end_of_input() {
        for lines in [lines_of, stderr_of] {
            assert_eq!(lines(b"one\r\ntwo\n\nthree"), ["one", "two", "", "three"]);
            assert_eq!(lines(b"one\n"), ["one"]);
            assert_eq!(lines(b""), Vec::<String>::new());
        }
    }

    #[test]
    fn a_long_line_is_truncated_and_the_next_one_is_intact() {
        let mut input = vec![b'x'; 10 * MAX_LINE];
        input.extend_from_slice(b"\nnext\n");
        for lines in [lines_of(&input), stderr_of(&input)] {
            assert_eq!(lines[0].len(), MAX_LINE);
            assert_eq!(lines[1..], ["next"]);
        }
    }

    #[test]
    fn invalid_utf8_becomes_replacement_characters() {
        assert_eq!(lines_of(b"a\xff\xfeb\n"), ["a\u{fffd}\u{fffd}b"]);
    }
}
