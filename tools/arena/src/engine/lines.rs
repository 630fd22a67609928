//! Reads the output of an engine, whatever it is, within bounds.

use std::io::{BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::cancel::Never;

/// The longest line that is kept whole; of a longer one only the beginning is.
const LONGEST_LINE: usize = 1 << 16;
/// How many lines wait to be heard. When there are more, the engine has to wait.
const WAITING_LINES: usize = 1024;

/// A line that an engine said.
#[derive(Clone, Debug)]
pub struct Line {
    /// When it arrived.
    pub at: Instant,
    /// What it says, without the end of the line.
    pub text: String,
}

/// What a line counts for beside its letters.
const LINE_WEIGHT: u64 = 64;

/// The lines of `source`, until it ends, and how much was read. The channel is closed then.
pub fn listen(source: impl Read + Send + 'static) -> (Receiver<Line>, Arc<AtomicU64>) {
    let (sender, lines) = bounded(WAITING_LINES);
    let volume = Arc::new(AtomicU64::new(0));
    let source = Counted { source, volume: Arc::clone(&volume) };
    let count = Arc::clone(&volume);
    std::thread::spawn(move || {
        let mut source = BufReader::new(source);
        while let Some(text) = bounded_line(&mut source) {
            count.fetch_add(LINE_WEIGHT, Ordering::Relaxed);
            if sender.send(Line { at: Instant::now(), text }).is_err() {
                return;
            }
        }
    });
    (lines, volume)
}

/// A source whose bytes are counted.
struct Counted<R> {
    source: R,
    volume: Arc<AtomicU64>,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.volume.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The last line that was written to stderr.
pub struct LastWords {
    words: Arc<Mutex<String>>,
    /// Closed when there is nothing more to read.
    end: Receiver<Never>,
}

impl LastWords {
    /// Reads `source` until it ends and remembers the last line that says anything.
    pub fn of(source: impl Read + Send + 'static) -> LastWords {
        let words = Arc::new(Mutex::new(String::new()));
        let (sender, end) = bounded(0);
        let shared = Arc::clone(&words);
        std::thread::spawn(move || {
            let _open_until_the_end: Sender<Never> = sender;
            let mut source = BufReader::new(source);
            while let Some(text) = bounded_line(&mut source) {
                if !text.trim().is_empty() {
                    *shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = text;
                }
            }
        });
        LastWords { words, end }
    }

    /// The last words of a process that has ended: what is still on its way is waited for.
    pub fn at_the_end(&self) -> String {
        // Whether it has ended or is just late, what there is counts.
        let _ = self.end.recv_timeout(Duration::from_millis(500));
        self.words.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone()
    }
}

/// The next line, or `None` at the end. Bytes that are no text become replacement characters.
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
        let room = LONGEST_LINE - line.len();
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
        listen(std::io::Cursor::new(input.to_vec())).0.iter().map(|line| line.text).collect()
    }

    #[test]
    fn lines_end_with_lf_crlf_or_the_input() {
        assert_eq!(lines_of(b"one\r\ntwo\n\nthree"), ["one", "two", "", "three"]);
        assert_eq!(lines_of(b""), Vec::<String>::new());
    }

    #[test]
    fn a_long_line_is_cut_and_the_next_one_is_whole() {
        let mut input = vec![b'x'; 10 * LONGEST_LINE];
        input.extend_from_slice(b"\nnext\n");
        let lines = lines_of(&input);
        assert_eq!(lines[0].len(), LONGEST_LINE);
        assert_eq!(lines[1..], ["next"]);
    }

    #[test]
    fn bytes_that_are_no_text_do_no_harm() {
        assert_eq!(lines_of(b"a\xff\xfeb\n"), ["a\u{fffd}\u{fffd}b"]);
    }
}
