//! An engine process, with one thread that writes to it and one that reads from it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fmt, thread};

use ratlla::platform::threads::spawn_named;

use crate::{EngineChild, Launch};

/// Lines that may be queued for an engine that does not read.
const QUEUED_LINES: usize = 1024;
/// The longest line accepted from an engine, in bytes.
const MAX_LINE: u64 = 1 << 20;

/// Output of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A line, without its terminator.
    Line(String),
    /// The process has exited, or its output is unusable. The last event; says why.
    Exited(String),
}

/// Why an engine cannot be talked to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The engine has stopped reading its input, so a line could not be queued.
    NotReading,
    /// The process has exited; says how.
    Exited(String),
    /// No reply in time.
    Timeout,
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NotReading => write!(f, "the engine does not read its input"),
            EngineError::Exited(status) => write!(f, "the engine has exited: {status}"),
            EngineError::Timeout => write!(f, "the engine does not reply"),
        }
    }
}

impl std::error::Error for EngineError {}

/// A running engine process. Dropping it kills the process.
pub struct Process {
    child: Arc<Mutex<EngineChild>>,
    input: SyncSender<String>,
}

impl Process {
    /// Starts the engine. `on_event` gets its output on a thread of its own; once it returns false,
    /// nothing more is read.
    pub fn start(
        launch: &Launch,
        on_event: impl FnMut(Event) -> bool + Send + 'static,
    ) -> io::Result<Process> {
        let mut child = launch.spawn(Stdio::inherit())?;
        let missing = || io::Error::other("the engine has no stdin or stdout");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let (input, queue) = sync_channel(QUEUED_LINES);
        // Created first, so that the child is killed if a thread cannot be started.
        let process = Process { child: Arc::new(Mutex::new(child)), input };
        let child = process.child.clone();
        spawn_named("to engine", move || write_lines(stdin, &queue))?;
        spawn_named("from engine", move || read_lines(stdout, &child, on_event))?;
        Ok(process)
    }

    /// The process id: the supervisor's on Linux, if there is one.
    pub fn id(&self) -> u32 {
        lock(&self.child).id()
    }

    /// Queues one line without blocking. A process that has exited is reported by
    /// [`Event::Exited`], not here.
    pub fn send(&self, line: &str) -> Result<(), EngineError> {
        match self.input.try_send(line.to_owned()) {
            Err(TrySendError::Full(_)) => Err(EngineError::NotReading),
            Ok(()) | Err(TrySendError::Disconnected(_)) => Ok(()),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The reading thread keeps the child.
        drop(lock(&self.child).kill());
    }
}

fn lock(child: &Mutex<EngineChild>) -> MutexGuard<'_, EngineChild> {
    child.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn write_lines(mut stdin: ChildStdin, queue: &Receiver<String>) {
    for line in queue {
        if stdin.write_all(format!("{line}\n").as_bytes()).is_err() {
            // The reading thread reports why.
            return;
        }
    }
}

fn read_lines(
    stdout: ChildStdout,
    child: &Mutex<EngineChild>,
    mut on_event: impl FnMut(Event) -> bool,
) {
    let mut stdout = BufReader::new(stdout);
    let error = loop {
        let mut line = Vec::new();
        match stdout.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) => break None,
            Err(error) => break Some(error.to_string()),
            Ok(length) if length as u64 == MAX_LINE => {
                break Some("output line too long".to_owned());
            }
            Ok(_) => {
                let text = String::from_utf8_lossy(&line);
                if !on_event(Event::Line(text.trim_end_matches(['\r', '\n']).to_owned())) {
                    return;
                }
            }
        }
    };
    let status = wait_or_kill(child);
    on_event(Event::Exited(error.unwrap_or(status)));
}

/// How a process that has closed its output ends. It may run on for ever, so it is killed after a
/// short while.
fn wait_or_kill(child: &Mutex<EngineChild>) -> String {
    for _ in 0..20 {
        if let Ok(Some(status)) = lock(child).try_wait() {
            return status.to_string();
        }
        thread::sleep(std::time::Duration::from_millis(10));
    }
    match lock(child).kill() {
        Ok(status) => status.to_string(),
        Err(error) => error.to_string(),
    }
}
