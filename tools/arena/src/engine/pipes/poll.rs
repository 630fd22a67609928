//! Pipes on Unix, which do not block and can be waited for.

use std::io::{self, Read, Write as _};
use std::os::fd::AsFd;
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use nix::fcntl::{FcntlArg, OFlag, fcntl};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};

use super::Woken;
use crate::cancel::CancelToken;

/// Room for the output of an engine that ponders, which nobody reads meanwhile, in bytes.
#[cfg(target_os = "linux")]
const PIPE_SIZE: i32 = 1 << 20;

/// The stdin of an engine.
pub struct InputPipe(ChildStdin);

impl InputPipe {
    /// Takes over a pipe.
    pub fn new(stdin: ChildStdin) -> io::Result<InputPipe> {
        fcntl(&stdin, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        Ok(InputPipe(stdin))
    }

    /// Writes everything. Fails with `TimedOut` if the engine has not read it by the deadline, with
    /// `Interrupted` if the token is cancelled, otherwise if the pipe is closed.
    pub fn write_all(
        &mut self,
        mut bytes: &[u8],
        deadline: Instant,
        cancel: &CancelToken,
    ) -> io::Result<()> {
        while !bytes.is_empty() {
            match self.0.write(bytes) {
                Ok(0) => return Err(io::ErrorKind::BrokenPipe.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    match wait(&self.0, PollFlags::POLLOUT, cancel, deadline)? {
                        Woken::Ready => {}
                        Woken::Cancelled => return Err(io::ErrorKind::Interrupted.into()),
                        Woken::Timeout => return Err(io::ErrorKind::TimedOut.into()),
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The stdout of an engine. Reading fails with `WouldBlock` while there is nothing to read.
pub struct OutputPipe(ChildStdout);

impl OutputPipe {
    /// Takes over a pipe. `is_left_alone` if nobody reads it for long while the engine writes.
    pub fn new(stdout: ChildStdout, is_left_alone: bool) -> io::Result<OutputPipe> {
        fcntl(&stdout, FcntlArg::F_SETFL(OFlag::O_NONBLOCK))?;
        #[cfg(target_os = "linux")]
        if is_left_alone {
            // Refused if the user has too many large pipes: then the usual size has to do.
            let _ = fcntl(&stdout, FcntlArg::F_SETPIPE_SZ(PIPE_SIZE));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = is_left_alone;
        Ok(OutputPipe(stdout))
    }

    /// Waits until there is something to read, the token is cancelled or the deadline has passed.
    pub fn wait(&mut self, cancel: &CancelToken, deadline: Instant) -> io::Result<Woken> {
        wait(&self.0, PollFlags::POLLIN, cancel, deadline)
    }
}

impl Read for OutputPipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

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
