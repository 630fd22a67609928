//! A running engine: a child process, a thread that writes to it and one that reads.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};

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
    process: Arc<Mutex<Process>>,
    lines: SyncSender<String>,
}

/// The process of an engine, or of its guard.
struct Process {
    child: Child,
    is_guard: bool,
}

impl Engine {
    /// Starts the engine. What it says goes to `hear`, on a thread of its own; when `hear`
    /// returns false nobody listens any more, and no more is read.
    pub fn start(
        launch: &Launch,
        hear: impl FnMut(Event) -> bool + Send + 'static,
    ) -> io::Result<Engine> {
        let mut command = launch.command()?;
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("the engine has no input or output");
        let input = child.stdin.take().ok_or_else(missing)?;
        let output = child.stdout.take().ok_or_else(missing)?;
        let process = Process { child, is_guard: launch.is_guarded() };
        let (lines, to_write) = sync_channel(WAITING_LINES);
        // Made first, so that the process ends if a thread cannot be started.
        let engine = Engine { process: Arc::new(Mutex::new(process)), lines };
        let process = engine.process.clone();
        std::thread::Builder::new().spawn(move || write_lines(input, &to_write))?;
        std::thread::Builder::new().spawn(move || read_lines(output, &process, hear))?;
        Ok(engine)
    }

    /// The number of its process, or of its guard's if it has one.
    pub fn id(&self) -> u32 {
        lock(&self.process).child.id()
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
        lock(&self.process).end();
    }
}

fn lock(process: &Mutex<Process>) -> MutexGuard<'_, Process> {
    process.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

impl Process {
    /// Ends it and tells how it ended. It may have ended by itself: then that is told.
    fn end(&mut self) -> String {
        #[cfg(target_os = "linux")]
        if self.is_guard {
            crate::guard::dismiss(&mut self.child);
        }
        // An error means that it has ended already.
        drop(self.child.kill());
        match self.child.wait() {
            Ok(status) => self.told(status),
            Err(error) => error.to_string(),
        }
    }

    /// How it ended, if it has.
    fn ended(&mut self) -> Option<String> {
        let status = self.child.try_wait().ok().flatten()?;
        Some(self.told(status))
    }

    fn told(&self, status: ExitStatus) -> String {
        #[cfg(target_os = "linux")]
        if self.is_guard {
            return crate::guard::status_of_engine(status).to_string();
        }
        status.to_string()
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

fn read_lines(output: ChildStdout, process: &Mutex<Process>, mut hear: impl FnMut(Event) -> bool) {
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
    let status = last_words(process);
    hear(Event::Gone(reason.unwrap_or(status)));
}

/// How a process without output ends, by itself or not.
fn last_words(process: &Mutex<Process>) -> String {
    for _ in 0..20 {
        if let Some(how) = lock(process).ended() {
            return how;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    lock(process).end()
}
