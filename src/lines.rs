//! Reading lines of bounded length from a stream.

use std::io::{BufRead, Read};

/// What a stream of lines holds next.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A line, without its end.
    Line(Vec<u8>),
    /// A line that was skipped because it is too long: its length.
    TooLong(usize),
    /// The end.
    End,
    /// What follows cannot be read: why.
    Unreadable(String),
}

/// The longest line that is kept: enough for any game, and memory stays bounded.
pub const LONGEST_LINE: usize = 64 << 20;

/// Reads the next line. Nothing comes after [`Input::End`] and [`Input::Unreadable`].
pub fn next_line(source: &mut impl BufRead, longest: usize) -> Input {
    let mut line = Vec::new();
    let limit = longest as u64 + 1;
    match source.by_ref().take(limit).read_until(b'\n', &mut line) {
        Err(error) => Input::Unreadable(error.to_string()),
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

/// Bytes as text, without the byte order mark that some editors put at the start of a file.
pub fn text_of(bytes: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(bytes).map_err(|error| {
        format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to() + 1)
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
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
    fn an_error_is_not_the_end() {
        struct Broken;
        impl Read for Broken {
            fn read(&mut self, _: &mut [u8]) -> std::io::Result<usize> {
                Err(std::io::ErrorKind::IsADirectory.into())
            }
        }
        let input = next_line(&mut std::io::BufReader::new(Broken), 9);
        assert_eq!(input, Input::Unreadable("is a directory".to_owned()));
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_whole() {
        let expected = [line(b"12345"), Input::TooLong(8), line(b"ok"), Input::End];
        assert_eq!(lines(b"12345\n1234567\nok\n", 5), expected);
        assert_eq!(lines(b"123456", 5), [Input::TooLong(6), Input::End]);
        // One byte beyond the limit; with its line end that is two.
        assert_eq!(lines(b"123456\n1", 5), [Input::TooLong(7), line(b"1"), Input::End]);
        assert_eq!(lines(b"12345", 5), [line(b"12345"), Input::End]);
    }
}
