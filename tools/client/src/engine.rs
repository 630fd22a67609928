//! A running engine: a child process, a thread that writes to it and one that reads.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};

use crate::Launch;

/// So many lines may wait for an engine that does not read.
const WAITING_LINES: usize = 1024;
/// No honest answer is longer, in bytes.
const LONGEST_LINE: u64 = 1 << 20;

/// What comes from an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line, without its end.
    Line(String),
    /// The process has ended, or talks nonsense: this is the last event. Says how it ended.
    Gone(String),
}

/// The engine has stopped reading: a line could not be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unheard;

impl fmt::Display for Unheard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the engine does not read what is sent to it")
    }
}

impl std::error::Error for Unheard {}

/// A running engine. The process ends with this value, whatever it is doing.
pub struct Engine {
    child: Arc<Mutex<Child>>,
    lines: SyncSender<String>,
}

impl Engine {
    /// Starts the engine. What it says goes to `hear`, on a thread of its own; when `hear`
    /// returns false nobody listens any more, and no more is read.
    pub fn start(
        launch: &Launch,
        hear: impl FnMut(Event) -> bool + Send + 'static,
    ) -> io::Result<Engine> {
        let mut command = launch.command();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("the engine has no input or output");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let child = Arc::new(Mutex::new(child));
        let (lines, to_write) = sync_channel(WAITING_LINES);
        // Made first, so that the process ends if a thread cannot be started.
        let engine = Engine { child, lines };
        let child = engine.child.clone();
        std::thread::Builder::new().spawn(move || write_lines(input, &to_write))?;
        std::thread::Builder::new().spawn(move || read_lines(output, &child, hear))?;
        Ok(engine)
    }

    /// The number of its process.
    pub fn id(&self) -> u32 {
        self.child.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).id()
    }

    /// Sends one line. Never waits. If the engine has ended, [`Event::Gone`] tells so, not this.
    pub fn send(&self, line: &str) -> Result<(), Unheard> {
        match self.lines.try_send(line.to_owned()) {
            Err(TrySendError::Full(_)) => Err(Unheard),
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        end(&self.child);
    }
}

/// Ends the process and tells how it ended. It may have ended by itself: then that is told.
fn end(child: &Mutex<Child>) -> String {
    let mut child = child.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    // An error means that it has ended already.
    drop(child.kill());
    match child.wait() {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if input.write_all(format!("{line}\n").as_bytes()).is_err() {
            // The reading thread finds out why.
            return;
        }
    }
}

fn read_lines(output: ChildStdout, child: &Mutex<Child>, mut hear: impl FnMut(Event) -> bool) {
    let mut output = BufReader::new(output);
    let reason = loop {
        let mut line = Vec::new();
        match output.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) => break None,
            Err(error) => break Some(error.to_string()),
            Ok(length) if length as u64 == LONGEST_LINE => {
                break Some("it sent a line that is too long".to_owned());
            }
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !hear(Event::Line(text.trim_end_matches(['\r', '\n']).to_owned())) {
                    return;
                }
            }
        }
    };
    // A process that closes its output may go on for a moment, or for ever.
    let status = last_words(child);
    hear(Event::Gone(reason.unwrap_or(status)));
}

/// How a process without output ends, by itself or not.
fn last_words(child: &Mutex<Child>) -> String {
    for _ in 0..20 {
        {
            let mut child = child.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            if let Ok(Some(status)) = child.try_wait() {
                return status.to_string();
            }
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    end(child)
}
