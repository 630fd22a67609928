//! Reading lines without ever blocking the session.

use std::io::{BufReader, Read};

use crossbeam_channel::{Receiver, bounded};

use crate::lines::{Input, LONGEST_LINE, next_line};
use crate::platform::threads::spawn_named;

/// Lines read ahead.
const READ_AHEAD: usize = 64;

/// Reads `source` on a thread of its own.
pub fn read_lines(source: impl Read + Send + 'static) -> std::io::Result<Receiver<Input>> {
    let (sender, receiver) = bounded(READ_AHEAD);
    let read = move || {
        let mut source = BufReader::with_capacity(1 << 16, source);
        loop {
            let input = next_line(&mut source, LONGEST_LINE);
            let is_last = matches!(input, Input::End | Input::Unreadable(_));
            if sender.send(input).is_err() || is_last {
                return;
            }
        }
    };
    spawn_named("input", read)?;
    Ok(receiver)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_delivers_all_lines_and_the_end() {
        let receiver = read_lines(&b"x\ny\n"[..]).unwrap();
        let received: Vec<Input> = receiver.iter().collect();
        let line = |text: &[u8]| Input::Line(text.to_vec());
        assert_eq!(received, [line(b"x"), line(b"y"), Input::End]);
    }
}
