//! An engine for a caller that waits for its replies.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::{EngineError, Event, Launch, Process};

/// A line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When it arrived.
    pub at: Instant,
    /// The line without its terminator.
    pub text: String,
}

/// A running engine. Dropping it kills the process.
pub struct Engine {
    process: Process,
    events: Receiver<(Instant, Event)>,
}

impl Engine {
    /// Starts the engine.
    pub fn start(launch: &Launch) -> io::Result<Engine> {
        let (sender, events) = channel();
        let on_event = move |event| sender.send((Instant::now(), event)).is_ok();
        Ok(Engine { process: Process::start(launch, on_event)?, events })
    }

    /// The process id: the supervisor's on Linux, if there is one.
    pub fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends one line without blocking and returns the time before it was sent. A process that has
    /// exited is reported when its output is read.
    pub fn send(&self, line: &str) -> Result<Instant, EngineError> {
        let now = Instant::now();
        self.process.send(line)?;
        Ok(now)
    }

    /// The next line, if it arrives within `timeout`.
    pub fn next_line(&mut self, timeout: Duration) -> Result<Line, EngineError> {
        match self.events.recv_timeout(timeout) {
            Ok((at, Event::Line(text))) => Ok(Line { at, text }),
            Ok((_, Event::Exited(status))) => Err(EngineError::Exited(status)),
            Err(RecvTimeoutError::Timeout) => Err(EngineError::Timeout),
            Err(RecvTimeoutError::Disconnected) => {
                Err(EngineError::Exited("output closed".to_owned()))
            }
        }
    }

    /// All lines up to and including the first for which `is_last` is true, if that arrives within
    /// `timeout`, however many lines come before. After an error the rest of the answer may still come: who asks
    /// again would take it for that to the next question, so drop the engine.
    pub fn lines_until(
        &mut self,
        timeout: Duration,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<Vec<Line>, EngineError> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        loop {
            let line = self.next_line(deadline.saturating_duration_since(Instant::now()))?;
            let found = is_last(&line.text);
            lines.push(line);
            if found {
                return Ok(lines);
            }
        }
    }
}
