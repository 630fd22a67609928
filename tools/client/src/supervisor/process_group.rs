//! Supervision by process groups: whatever the engine starts belongs to its group, unless it asks for
//! another.

use std::ffi::OsStr;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;

/// The process group of an engine.
pub struct Supervision(Pid);

impl Supervision {
    /// A command that starts the engine as the leader of a group.
    pub fn command(_supervisor: &Path, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command.process_group(0);
        command
    }

    /// Supervises a process that [`Supervision::command`] has started.
    pub fn of(child: &Child) -> io::Result<Supervision> {
        Ok(Supervision(Pid::from_raw(child.id().cast_signed())))
    }

    /// Kills the engine and its group.
    pub fn kill(&mut self, _child: &mut Child) {
        // An error means that the group is already gone.
        let _ = killpg(self.0, Signal::SIGKILL);
    }

    /// Kills what an engine that has just exited leaves behind, and returns its status.
    pub fn finish(self, status: ExitStatus) -> ExitStatus {
        let _ = killpg(self.0, Signal::SIGKILL);
        status
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    use std::time::{Duration, Instant};

    use super::*;

    /// How long the processes would run.
    const LONG: Duration = Duration::from_secs(60);

    /// A shell in a group of its own, after its first line of output.
    fn start(script: &str) -> (Child, Supervision, BufReader<std::process::ChildStdout>) {
        let mut command = Supervision::command(Path::new(""), OsStr::new("sh"));
        let mut child = command.args(["-c", script]).stdout(Stdio::piped()).spawn().unwrap();
        let supervision = Supervision::of(&child).unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        (child, supervision, output)
    }

    /// Waits until no process holds the output any more.
    fn assert_all_end(mut output: impl std::io::Read) {
        let start = Instant::now();
        output.read_to_string(&mut String::new()).unwrap();
        assert!(start.elapsed() < LONG / 2, "a process was left behind");
    }

    #[test]
    fn killing_an_engine_kills_what_it_has_started() {
        let (mut child, mut supervision, output) = start("sleep 60 & echo; wait");
        supervision.kill(&mut child);
        assert!(!supervision.finish(child.wait().unwrap()).success());
        assert_all_end(output);
    }

    #[test]
    fn what_an_engine_leaves_behind_is_killed() {
        let (mut child, supervision, output) = start("sleep 60 & echo");
        assert!(supervision.finish(child.wait().unwrap()).success());
        assert_all_end(output);
    }
}
