//! An engine process: lines in, lines out, guaranteed termination. Knows no dialect.
//!
//! No call blocks indefinitely and no buffer grows without bound, even if the process misbehaves.

use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use ratlla_client::{EngineChild, Launch};

use super::forfeit::{EngineError, Forfeit, ForfeitKind};
use super::log::{Direction, ProcessLog};
use super::output::{Arrived, LastStderrLine, LineReader, OutputLine};
use super::pipes::{InputPipe, OutputPipe, Woken};
use super::{EngineContext, FLOOD};
use crate::cancel::CancelToken;
use crate::settings::EngineSpec;
use crate::text::quoted;

/// How long a process may take to exit after it has closed a pipe.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a process may leave its input unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// More output than this is not discarded at once, in bytes.
const MAX_DISCARD: u64 = 4 << 20;

/// A supervised engine process. Dropping it ends the engine and all its descendants.
pub struct Process {
    /// Closed before the process is killed, so that it can exit.
    input: Option<InputPipe>,
    child: EngineChild,
    output: LineReader<OutputPipe>,
    /// What is sent, assembled here.
    text: String,
    stderr: LastStderrLine,
    cancel: CancelToken,
    log: ProcessLog,
}

impl Process {
    /// Starts the engine. The supervisor of the context is an executable that calls
    /// [`ratlla_client::supervisor::run_if_asked`] first thing in `main`.
    pub fn start(spec: &EngineSpec, context: &EngineContext) -> io::Result<Process> {
        let (program, arguments) = spec.command.split_first().ok_or(io::ErrorKind::NotFound)?;
        let mut launch = Launch::new(program, arguments).supervised_by(&context.supervisor);
        if let Some(dir) = &spec.dir {
            launch = launch.in_folder(dir);
        }
        let mut child = launch.spawn(Stdio::piped())?;
        let missing = || io::Error::other("no pipe");
        let input = InputPipe::new(child.stdin.take().ok_or_else(missing)?)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let output = OutputPipe::new(stdout, spec.ponder)?;
        let log = ProcessLog::new(context.log.clone(), &spec.name);
        let stderr_log = log.clone();
        let stderr =
            LastStderrLine::of(stderr, move |line| stderr_log.write(Direction::Stderr, line));
        Ok(Process {
            input: Some(input),
            child,
            output: LineReader::new(output),
            text: String::new(),
            stderr,
            cancel: context.cancel.clone(),
            log,
        })
    }

    /// The log of this process.
    pub fn log(&self) -> &ProcessLog {
        &self.log
    }

    /// Sends one line and returns the time just before.
    pub fn send(&mut self, line: &str) -> Result<Instant, EngineError> {
        self.send_all(&[line])
    }

    /// Sends lines at once and returns the time just before.
    pub fn send_all(&mut self, lines: &[&str]) -> Result<Instant, EngineError> {
        self.text.clear();
        for line in lines {
            self.log.write(Direction::Sent, line);
            self.text += line;
            self.text.push('\n');
        }
        let now = Instant::now();
        let sent = match &mut self.input {
            Some(input) => input.write_all(self.text.as_bytes(), now + WRITE_TIMEOUT, &self.cancel),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        };
        match sent {
            Ok(()) => Ok(now),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let line = quoted(lines.first().unwrap_or(&""));
                let detail = format!("'{line}' was not read from stdin");
                Err(Forfeit::new(ForfeitKind::Stall, detail).into())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(EngineError::Cancelled),
            Err(_) => Err(self.exit_forfeit().into()),
        }
    }

    /// The next line, or `None` if none has arrived by `deadline` or if it does not end.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<OutputLine>, EngineError> {
        let before = self.output.volume();
        while self.output.volume() - before <= FLOOD {
            if let Some(line) = self.next_line() {
                return Ok((line.at <= deadline).then_some(line));
            }
            match self.output.source().wait(&self.cancel, deadline) {
                Ok(Woken::Cancelled) => return Err(EngineError::Cancelled),
                Ok(Woken::Timeout) => return Ok(None),
                Ok(Woken::Ready) | Err(_) => {}
            }
            if self.output.fill() == Arrived::End {
                let line = self.next_line();
                return line.map(Some).ok_or_else(|| self.exit_forfeit().into());
            }
        }
        Ok(None)
    }

    fn next_line(&mut self) -> Option<OutputLine> {
        let line = self.output.next_line()?;
        self.log.write(Direction::Received, &line.text);
        Some(line)
    }

    /// Discards output that has not been read, unless there is no end of it. Returns whether there was
    /// any.
    pub fn discard_output(&mut self) -> bool {
        let before = self.output.volume();
        loop {
            while self.next_line().is_some() {}
            let discarded = self.output.volume() - before;
            if discarded > MAX_DISCARD || self.output.fill() != Arrived::Bytes {
                return discarded > 0;
            }
        }
    }

    /// The volume of output so far.
    pub fn output_bytes(&self) -> u64 {
        self.output.volume()
    }

    /// Closes the engine's stdin.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Whether the process is still running.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Waits until `deadline` for the process to exit, and returns its status if it did.
    pub fn wait_exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            // Output that nobody reads must not keep it from exiting.
            self.discard_output();
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The forfeit of an engine whose pipes are closed.
    fn exit_forfeit(&mut self) -> Forfeit {
        let Some(status) = self.wait_exit(Instant::now() + EXIT_TIMEOUT) else {
            return Forfeit::new(ForfeitKind::Disconnect, "closed its stdin or stdout");
        };
        if status.success() {
            return Forfeit::new(ForfeitKind::Disconnect, "process exited with status 0");
        }
        let stderr = self.stderr.after_exit();
        let stderr = match stderr.as_str() {
            "" => stderr,
            _ => format!("; stderr: {}", quoted(&stderr)),
        };
        Forfeit::new(ForfeitKind::Crash, format!("{status}{stderr}"))
    }
}
