//! An engine as a process: lines in, lines out, and a certain end.
//!
//! Nothing here waits without an end, and nothing grows without a bound, whatever the process
//! does.

use std::io::{self, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, select};
use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use ratlla_client::supervisor;

use super::fault::{Fault, FaultKind, Trouble};
use super::lines::{LastWords, Line, listen};
use crate::cancel::Cancel;

/// How long a process that was told to end, or whose output has ended, gets to be gone.
const FAREWELL: Duration = Duration::from_secs(1);
/// How long the process may not read what it is told.
const DEAF: Duration = Duration::from_secs(10);

/// A running engine, under its guard. Dropped, it ends, with all that it has started.
pub struct Process {
    guard: Child,
    input: Option<ChildStdin>,
    lines: Receiver<Line>,
    volume: Arc<AtomicU64>,
    last_words: LastWords,
    cancel: Cancel,
}

impl Process {
    /// Starts `command` in the directory `dir`. `arena` is the program that knows how to be a
    /// guard: see [`supervisor::run_if_asked`].
    pub fn start(
        arena: &Path,
        command: &[String],
        dir: Option<&Path>,
        cancel: &Cancel,
    ) -> io::Result<Process> {
        let mut guard = Command::new(arena);
        guard.args(supervisor::arguments(command)).process_group(0);
        guard.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            guard.current_dir(dir);
        }
        let mut guard = guard.spawn()?;
        let missing = || io::Error::other("no pipe");
        let input = guard.stdin.take().ok_or_else(missing)?;
        let output = guard.stdout.take().ok_or_else(missing)?;
        let errors = guard.stderr.take().ok_or_else(missing)?;
        fcntl(&input, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        let (lines, volume) = listen(output);
        Ok(Process {
            guard,
            input: Some(input),
            lines,
            volume,
            last_words: LastWords::of(errors),
            cancel: cancel.clone(),
        })
    }

    /// Sends one line, and tells when that was.
    pub fn send(&mut self, line: &str) -> Result<Instant, Trouble> {
        let now = Instant::now();
        let text = format!("{line}\n");
        match self.write(text.as_bytes()) {
            Ok(()) => Ok(now),
            Err(error) if error.kind() == io::ErrorKind::TimedOut => {
                let story = format!("it does not read its input, not even '{}'", shown(line));
                Err(Fault::new(FaultKind::Stall, story).into())
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Err(Trouble::Cancelled),
            Err(_) => Err(self.why_it_is_gone().into()),
        }
    }

    fn write(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        let input = self.input.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        let deadline = Instant::now() + DEAF;
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

    /// The next line, or `None` if none has come by `deadline`.
    pub fn line(&mut self, deadline: Instant) -> Result<Option<Line>, Trouble> {
        if Instant::now() >= deadline {
            return match self.lines.try_recv() {
                Ok(line) if line.at <= deadline => Ok(Some(line)),
                _ => Ok(None),
            };
        }
        let patience = deadline - Instant::now();
        let next = select! {
            recv(self.lines) -> line => line,
            recv(self.cancel.heard) -> _ => return Err(Trouble::Cancelled),
            recv(after(patience)) -> _ => return Ok(None),
        };
        next.map(Some).map_err(|_| self.why_it_is_gone().into())
    }

    /// Forgets what it has said that nobody has heard.
    pub fn forget_output(&self) {
        while self.lines.try_recv().is_ok() {}
    }

    /// How much it has said so far.
    pub fn volume(&self) -> u64 {
        self.volume.load(Ordering::Relaxed)
    }

    /// Ends its input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Whether the process still runs.
    pub fn is_alive(&mut self) -> bool {
        matches!(self.guard.try_wait(), Ok(None))
    }

    /// How it ended, if it does by `deadline`.
    pub fn ended_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            if let Ok(Some(status)) = self.guard.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    }

    /// The verdict on an engine that cannot be spoken to any more.
    fn why_it_is_gone(&mut self) -> Fault {
        let Some(status) = self.ended_by(Instant::now() + FAREWELL) else {
            return Fault::new(FaultKind::Disconnect, "it has closed its output or its input");
        };
        if status.success() {
            return Fault::new(FaultKind::Disconnect, "its process has ended, with status 0");
        }
        let words = self.last_words.at_the_end();
        let words = if words.is_empty() { words } else { format!(": {}", shown(&words)) };
        Fault::new(FaultKind::Crash, format!("{}{words}", status_text(status)))
    }

    /// Ends it: first by closing its input, then by force.
    fn end(&mut self) {
        self.input = None;
        let pid = Pid::from_raw(self.guard.id().cast_signed());
        supervisor::terminate(&mut self.guard);
        if self.is_alive() {
            // An error says that it has ended already, which is as good.
            let _ = killpg(pid, Signal::SIGKILL);
        }
        // A guard that was itself killed has left the engine's children behind.
        if self.guard.wait().is_ok_and(|status| status.code().is_none()) {
            let _ = killpg(pid, Signal::SIGKILL);
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// How the engine ended, from the status of its guard.
fn status_text(status: ExitStatus) -> String {
    match status.code() {
        Some(code @ 129..) => match Signal::try_from(code - 128) {
            Ok(signal) => format!("killed by {signal}"),
            Err(_) => format!("exit status {code}"),
        },
        Some(code) => format!("exit status {code}"),
        None => "killed".to_owned(),
    }
}

/// A line as it can be shown in a message: nothing unprintable, not too long.
pub fn shown(line: &str) -> String {
    const MOST: usize = 120;
    let printable = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let mut text: String = line.trim().chars().take(MOST).map(printable).collect();
    if line.chars().nth(MOST).is_some() {
        text.push('…');
    }
    text
}
