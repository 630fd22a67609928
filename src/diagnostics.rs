//! Messages to stderr that never hold up what they are about.

use std::io::{self, Write, stderr};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use env_logger::Target;

/// How long a message is waited for: the last one should arrive before the program ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// stderr, which may be a terminal that nobody reads: a thread writes each message.
#[derive(Default)]
struct Diagnostics {
    /// Answers once the last message is written, if that took long. Until then others are dropped.
    unwritten: Option<Receiver<()>>,
}

/// Where the log goes.
pub fn target() -> Target {
    Target::Pipe(Box::new(Diagnostics::default()))
}

impl Write for Diagnostics {
    fn write(&mut self, message: &[u8]) -> io::Result<usize> {
        self.unwritten.take_if(|written| written.try_recv().is_ok());
        if self.unwritten.is_none() {
            let (done, written) = channel();
            let text = message.to_vec();
            // If stderr cannot be written, nobody can be told.
            let write = move || {
                drop(stderr().write_all(&text));
                done.send(())
            };
            if thread::Builder::new().name("diagnostics".to_owned()).spawn(write).is_ok()
                && written.recv_timeout(PATIENCE).is_err()
            {
                self.unwritten = Some(written);
            }
        }
        Ok(message.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
