//! An engine process: lines in, lines out, guaranteed termination. Knows no dialect.
//!
//! No call blocks indefinitely and no buffer grows without bound, even if the process misbehaves.
//! The thread that wants an answer reads it itself: a thread that hands lines over would cost more
//! than everything else that the arena does for a move.

use std::io::{self, Write as _};
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use ratlla_client::supervisor;

use super::EngineContext;
use super::forfeit::{EngineError, Forfeit, ForfeitKind};
use super::log::{Direction, ProcessLog};
use super::output::{Arrived, LastStderrLine, LineReader, OutputLine};
use crate::cancel::CancelToken;
use crate::settings::EngineSpec;

/// How long a process may take to exit after it has closed a pipe.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a process may leave its input unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);
/// Room for the output of an engine that ponders, which nobody reads meanwhile, in bytes.
const PIPE_SIZE: i32 = 1 << 20;
/// More output than this is not discarded at once, in bytes.
const MAX_DISCARD: u64 = 4 << 20;

/// An engine process below its supervisor. Dropping it ends the engine and all its descendants.
pub struct Process {
    supervisor: Child,
    input: Option<ChildStdin>,
    output: LineReader<ChildStdout>,
    stderr: LastStderrLine,
    cancel: CancelToken,
    log: ProcessLog,
}

impl Process {
    /// Starts the engine. The supervisor of the context is an executable that calls
    /// [`supervisor::run_if_asked`] first thing in `main`.
    pub fn start(spec: &EngineSpec, context: &EngineContext) -> io::Result<Process> {
        let mut supervisor = Command::new(&context.supervisor);
        supervisor.args(supervisor::arguments(&spec.command)).process_group(0);
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &spec.dir {
            supervisor.current_dir(dir);
        }
        let mut supervisor = supervisor.spawn()?;
        let missing = || io::Error::other("no pipe");
        let input = supervisor.stdin.take().ok_or_else(missing)?;
        let stdout = supervisor.stdout.take().ok_or_else(missing)?;
        let stderr = supervisor.stderr.take().ok_or_else(missing)?;
        fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        fcntl(&stdout, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        if spec.ponder {
            // Refused if the user has too many large pipes: then the usual size has to do.
            let _ = fcntl(&stdout, FcntlArg::F_SETPIPE_SZ(PIPE_SIZE));
        }
        let log = ProcessLog::new(context.log.clone(), &spec.name);
        let stderr_log = log.clone();
        let stderr =
            LastStderrLine::of(stderr, move |line| stderr_log.write(Direction::Stderr, line));
        Ok(Process {
            supervisor,
            input: Some(input),
            output: LineReader::new(stdout),
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
        for line in lines {
            self.log.write(Direction::Sent, line);
        }
        let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
        let now = Instant::now();
        match self.write(text.as_bytes()) {
            Ok(()) => Ok(now),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let line = printable(lines.first().unwrap_or(&""));
                let detail = format!("'{line}' was not read from stdin");
                Err(Forfeit::new(ForfeitKind::Stall, detail).into())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(EngineError::Cancelled),
            Err(_) => Err(self.exit_forfeit().into()),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let deadline = Instant::now() + WRITE_TIMEOUT;
        while !bytes.is_empty() {
            match input.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::BrokenPipe.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= deadline {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    if wait(&*input, PollFlags::POLLOUT, &self.cancel, deadline)?
                        == Woken::Cancelled
                    {
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next line, or `None` if none has arrived by `deadline`.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<OutputLine>, EngineError> {
        loop {
            if let Some(line) = self.next_line() {
                return Ok((line.at <= deadline).then_some(line));
            }
            let woken = wait(self.output.source(), PollFlags::POLLIN, &self.cancel, deadline);
            match woken {
                Ok(Woken::Cancelled) => return Err(EngineError::Cancelled),
                Ok(Woken::Timeout) => return Ok(None),
                Ok(Woken::Ready) | Err(_) => {}
            }
            if self.output.fill() == Arrived::End {
                let line = self.next_line();
                return line.map(Some).ok_or_else(|| self.exit_forfeit().into());
            }
        }
    }

    fn next_line(&mut self) -> Option<OutputLine> {
        let line = self.output.next_line()?;
        self.log.write(Direction::Received, &line.text);
        Some(line)
    }

    /// Discards output that has not been read, unless there is no end of it.
    pub fn discard_output(&mut self) {
        let before = self.output.volume();
        loop {
            while self.next_line().is_some() {}
            let is_endless = self.output.volume() - before > MAX_DISCARD;
            if is_endless || self.output.fill() != Arrived::Bytes {
                return;
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
        matches!(self.supervisor.try_wait(), Ok(None))
    }

    /// Waits until `deadline` for the process to exit, and returns its status if it did.
    pub fn wait_exit(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.supervisor.try_wait() {
                return Some(supervisor::engine_status(status));
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
            _ => format!("; stderr: {}", printable(&stderr)),
        };
        Forfeit::new(ForfeitKind::Crash, format!("{status}{stderr}"))
    }
}

impl Drop for Process {
    /// Closes stdin, then asks the supervisor to end the engine, then kills the process group.
    fn drop(&mut self) {
        self.input = None;
        let pid = Pid::from_raw(self.supervisor.id().cast_signed());
        supervisor::terminate(&mut self.supervisor);
        if self.is_alive() {
            // An error means that the group is already gone.
            let _ = killpg(pid, Signal::SIGKILL);
        }
        // A supervisor that was itself killed has left the engine's descendants behind.
        if self.supervisor.wait().is_ok_and(|status| status.code().is_none()) {
            let _ = killpg(pid, Signal::SIGKILL);
        }
    }
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    Ready,
    Cancelled,
    Timeout,
}

/// Waits until a pipe is ready, the token is cancelled or the deadline has passed.
fn wait(
    pipe: &impl AsFd,
    events: PollFlags,
    cancel: &CancelToken,
    deadline: Instant,
) -> io::Result<Woken> {
    let left = deadline.saturating_duration_since(Instant::now());
    // Rounded up, so that the deadline has passed once the time is over.
    let milliseconds = left.as_micros().div_ceil(1000).min(60_000) as u16;
    let mut waiting =
        [PollFd::new(pipe.as_fd(), events), PollFd::new(cancel.as_fd(), PollFlags::POLLIN)];
    poll(&mut waiting, PollTimeout::from(milliseconds))?;
    let is_ready = |fd: &PollFd<'_>| fd.revents().is_some_and(|events| !events.is_empty());
    Ok(match &waiting {
        [_, cancelled] if is_ready(cancelled) => Woken::Cancelled,
        [pipe, _] if is_ready(pipe) => Woken::Ready,
        _ if Instant::now() >= deadline => Woken::Timeout,
        _ => Woken::Ready,
    })
}

/// Engine output quoted for a message: control characters replaced, long lines truncated.
pub fn printable(line: &str) -> String {
    const MAX_CHARS: usize = 120;
    let replaced = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let mut text: String = line.trim().chars().take(MAX_CHARS).map(replaced).collect();
    if line.chars().nth(MAX_CHARS).is_some() {
        text.push('…');
    }
    text
}
