//! A child process, and what it starts in turn.

use std::io;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};

use crate::supervisor::Supervision;

/// An engine process with pipes. Dropping it kills it, and if it is supervised all processes that it
/// has started.
pub struct EngineChild {
    /// The engine, or its supervisor.
    child: Child,
    /// `None` without supervision, and once the engine has exited.
    supervision: Option<Supervision>,
    status: Option<ExitStatus>,
    /// Its input, until it is taken.
    pub stdin: Option<ChildStdin>,
    /// Its output, until it is taken.
    pub stdout: Option<ChildStdout>,
    /// Its messages, if they are piped, until they are taken.
    pub stderr: Option<ChildStderr>,
}

impl EngineChild {
    pub(crate) fn spawn(mut command: Command, supervised: bool) -> io::Result<EngineChild> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (stdin, stdout, stderr) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let supervision = supervised.then(|| Supervision::of(&child)).transpose();
        let mut child =
            EngineChild { child, supervision: None, status: None, stdin, stdout, stderr };
        // On an error the child is dropped, and killed.
        child.supervision = supervision?;
        Ok(child)
    }

    /// The process id: the supervisor's on Linux, if there is one.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// How the engine ended, if it has.
    pub fn try_wait(&mut self) -> io::Result<Option<ExitStatus>> {
        if self.status.is_none()
            && let Some(status) = self.child.try_wait()?
        {
            self.finish(status);
        }
        Ok(self.status)
    }

    /// Kills the engine unless it has exited, and returns how it ended.
    pub fn kill(&mut self) -> io::Result<ExitStatus> {
        if let Some(status) = self.status {
            return Ok(status);
        }
        if let Some(supervision) = &mut self.supervision {
            supervision.kill(&mut self.child);
        }
        // Fails only if it has exited already.
        drop(self.child.kill());
        let status = self.child.wait()?;
        Ok(self.finish(status))
    }

    fn finish(&mut self, status: ExitStatus) -> ExitStatus {
        let status = match self.supervision.take() {
            Some(supervision) => supervision.finish(status),
            None => status,
        };
        self.status = Some(status);
        status
    }
}

impl Drop for EngineChild {
    fn drop(&mut self) {
        self.stdin = None;
        drop(self.kill());
    }
}
