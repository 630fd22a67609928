//! Reading lines without ever blocking the session.

use std::io::{BufRead, BufReader, Read};

use crossbeam_channel::{Receiver, bounded};

/// What arrives on the input.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line too long to keep: its length so far was this.
    TooLong(usize),
    /// There is no more.
    End,
}

/// Longer lines are skipped: enough for any game, and no memory is exhausted.
pub const LONGEST_LINE: usize = 64 << 20;
/// Lines read ahead.
const AHEAD: usize = 64;

/// Reads `source` on a thread of its own.
pub fn read_lines(source: impl Read + Send + 'static) -> std::io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(AHEAD);
    let read = move || {
        let mut source = BufReader::with_capacity(1 << 16, source);
        loop {
            let input = next_line(&mut source, LONGEST_LINE);
            let is_last = input == Input::End;
            if sender.send(input).is_err() || is_last {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(receiver)
}

/// The next line, read at once. An error ends the input like its end does: there is nothing else to do.
pub fn next_line(source: &mut impl BufRead, longest: usize) -> Input {
    let mut line = Vec::new();
    let most = longest as u64 + 1;
    match source.by_ref().take(most).read_until(b'\n', &mut line) {
        Err(error) => {
            log::error!("cannot read the input: {error}");
            Input::End
        }
        Ok(0) => Input::End,
        Ok(_) if line.last() == Some(&b'\n') => {
            line.pop();
            Input::Line(line)
        }
        Ok(length) if length > longest => {
            let skipped = source.skip_until(b'\n').unwrap_or(0);
            Input::TooLong(length + skipped)
        }
        Ok(_) => Input::Line(line),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], longest: usize) -> Vec<Input> {
        let mut source = text;
        let mut inputs = Vec::new();
        loop {
            inputs.push(next_line(&mut source, longest));
            if inputs.last() == Some(&Input::End) {
                return inputs;
            }
        }
    }

    fn line(text: &[u8]) -> Input {
        Input::Line(text.to_vec())
    }

    #[test]
    fn lines_end_with_a_line_feed_or_the_input() {
        assert_eq!(lines(b"a\r\n\nb", 9), [line(b"a\r"), line(b""), line(b"b"), Input::End]);
        assert_eq!(lines(b"", 9), [Input::End]);
        assert_eq!(lines(b"a\n", 9), [line(b"a"), Input::End]);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_whole() {
        let expected = [line(b"12345"), Input::TooLong(8), line(b"ok"), Input::End];
        assert_eq!(lines(b"12345\n1234567\nok\n", 5), expected);
        assert_eq!(lines(b"123456", 5), [Input::TooLong(6), Input::End]);
    }

    #[test]
    fn a_thread_delivers_them() {
        let receiver = read_lines(&b"x\ny\n"[..]).unwrap();
        let received: Vec<Input> = receiver.iter().collect();
        assert_eq!(received, [line(b"x"), line(b"y"), Input::End]);
    }
}
