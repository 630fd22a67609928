//! An engine process: lines in, lines out, guaranteed termination. Knows no dialect.
//!
//! No call blocks indefinitely and no buffer grows without bound, even if the process misbehaves.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, at, select};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use ratlla_client::supervisor;

use super::forfeit::{EngineError, Forfeit, ForfeitKind};
use super::output::{LastStderrLine, OutputLine, read_lines};
use crate::cancel::CancelToken;

/// How long a process may take to exit after it has closed a pipe.
const EXIT_TIMEOUT: Duration = Duration::from_secs(1);
/// How long a process may leave its input unread.
const WRITE_TIMEOUT: Duration = Duration::from_secs(10);

/// An engine process below its supervisor. Dropping it ends the engine and all its descendants.
pub struct Process {
    supervisor: Child,
    input: Option<ChildStdin>,
    lines: Receiver<OutputLine>,
    output_bytes: Arc<AtomicU64>,
    stderr: LastStderrLine,
    cancel: CancelToken,
}

impl Process {
    /// Starts `command` in the directory `dir`. `supervisor` is an executable that calls
    /// [`supervisor::run_if_asked`] first thing in `main`.
    pub fn start(
        supervisor: &Path,
        command: &[String],
        dir: Option<&Path>,
        cancel: &CancelToken,
    ) -> io::Result<Process> {
        let mut supervisor = Command::new(supervisor);
        supervisor.args(supervisor::arguments(command)).process_group(0);
        supervisor.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            supervisor.current_dir(dir);
        }
        let mut supervisor = supervisor.spawn()?;
        let missing = || io::Error::other("no pipe");
        let input = supervisor.stdin.take().ok_or_else(missing)?;
        let stdout = supervisor.stdout.take().ok_or_else(missing)?;
        let stderr = supervisor.stderr.take().ok_or_else(missing)?;
        fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let (lines, output_bytes) = read_lines(stdout);
        Ok(Process {
            supervisor,
            input: Some(input),
            lines,
            output_bytes,
            stderr: LastStderrLine::of(stderr),
            cancel: cancel.clone(),
        })
    }

    /// Sends one line and returns the time just before.
    pub fn send(&mut self, line: &str) -> Result<Instant, EngineError> {
        let now = Instant::now();
        match self.write(format!("{line}\n").as_bytes()) {
            Ok(()) => Ok(now),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let detail = format!("'{}' was not read from stdin", printable(line));
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
                    if self.cancel.is_cancelled() {
                        return Err(io::ErrorKind::Interrupted.into());
                    }
                    if Instant::now() >= deadline {
                        return Err(io::ErrorKind::TimedOut.into());
                    }
                    let mut ready = [PollFd::new(input.as_fd(), PollFlags::POLLOUT)];
                    poll(&mut ready, PollTimeout::from(100u8))?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// The next line, or `None` if none has arrived by `deadline`.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<OutputLine>, EngineError> {
        if Instant::now() >= deadline {
            return match self.lines.try_recv() {
                Ok(line) if line.at <= deadline => Ok(Some(line)),
                _ => Ok(None),
            };
        }
        let next = select! {
            recv(self.lines) -> line => line,
            recv(self.cancel.cancelled) -> _ => return Err(EngineError::Cancelled),
            recv(at(deadline)) -> _ => return Ok(None),
        };
        next.map(Some).map_err(|_| self.exit_forfeit().into())
    }

    /// Discards output that has not been read.
    pub fn discard_output(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// The volume of output so far.
    pub fn output_bytes(&self) -> u64 {
        self.output_bytes.load(Ordering::Relaxed)
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
