//! Reads an engine's stdout and stderr without ever holding more than a bounded amount.

use std::convert::Infallible;
use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

/// Longer lines are truncated, in bytes.
const MAX_LINE: usize = 1 << 16;
/// Lines buffered before the engine's writes block.
const MAX_QUEUED_LINES: usize = 1024;
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

/// Reads `source` on a thread of its own. Returns the lines, whose channel closes at the end of
/// input, and a running count of the output in bytes.
pub fn read_lines(source: impl Read + Send + 'static) -> (Receiver<OutputLine>, Arc<AtomicU64>) {
    let (sender, lines) = bounded(MAX_QUEUED_LINES);
    let volume = Arc::new(AtomicU64::new(0));
    let source = CountingReader { source, volume: Arc::clone(&volume) };
    let count = Arc::clone(&volume);
    std::thread::spawn(move || {
        let mut source = BufReader::new(source);
        while let Some(text) = bounded_line(&mut source) {
            count.fetch_add(LINE_OVERHEAD, Ordering::Relaxed);
            if sender.send(OutputLine { at: Instant::now(), text }).is_err() {
                return;
            }
        }
    });
    (lines, volume)
}

/// Counts the bytes read, including those of lines that are truncated or never end.
struct CountingReader<R> {
    source: R,
    volume: Arc<AtomicU64>,
}

impl<R: Read> Read for CountingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.volume.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The last non-blank line of an engine's stderr.
pub struct LastStderrLine {
    text: Arc<Mutex<String>>,
    /// Closed at the end of input.
    end: Receiver<Infallible>,
}

impl LastStderrLine {
    /// Reads `source` to its end on a thread of its own.
    pub fn of(source: impl Read + Send + 'static) -> LastStderrLine {
        let text = Arc::new(Mutex::new(String::new()));
        let (sender, end) = bounded(0);
        let shared = Arc::clone(&text);
        std::thread::spawn(move || {
            let _closes_on_return: Sender<Infallible> = sender;
            let mut source = BufReader::new(source);
            while let Some(line) = bounded_line(&mut source) {
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

/// The next line, or `None` at the end of input. Invalid UTF-8 is replaced.
fn bounded_line(source: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut anything = false;
    loop {
        let bytes = match source.fill_buf() {
            Ok(bytes) if !bytes.is_empty() => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            _ => return anything.then(|| text(&line)),
        };
        anything = true;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let part = &bytes[..end.unwrap_or(bytes.len())];
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&part[..part.len().min(room)]);
        let used = part.len() + usize::from(end.is_some());
        source.consume(used);
        if end.is_some() {
            return Some(text(&line));
        }
    }
}

fn text(line: &[u8]) -> String {
    String::from_utf8_lossy(line).trim_end_matches('\r').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(input: &[u8]) -> Vec<String> {
        read_lines(std::io::Cursor::new(input.to_vec())).0.iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_end_at_lf_crlf_or_end_of_input() {
        assert_eq!(lines_of(b"one\r\ntwo\n\nthree"), ["one", "two", "", "three"]);
        assert_eq!(lines_of(b""), Vec::<String>::new());
    }

    #[test]
    fn a_long_line_is_truncated_and_the_next_one_is_intact() {
        let mut input = vec![b'x'; 10 * MAX_LINE];
        input.extend_from_slice(b"\nnext\n");
        let lines = lines_of(&input);
        assert_eq!(lines[0].len(), MAX_LINE);
        assert_eq!(lines[1..], ["next"]);
    }

    #[test]
    fn invalid_utf8_becomes_replacement_characters() {
        assert_eq!(lines_of(b"a\xff\xfeb\n"), ["a\u{fffd}\u{fffd}b"]);
    }
}
