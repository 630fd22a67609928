//! Supervision by job objects: whatever the engine starts belongs to its job, and the system kills a
//! job when its last handle is closed, which is ours, however this program ends.

use std::ffi::OsStr;
use std::io;
use std::os::windows::io::AsRawHandle as _;
use std::os::windows::process::CommandExt as _;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};

use win32job::{ExtendedLimitInfo, Job};

/// Ctrl-C in the console reaches this program alone.
const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

/// The job of an engine; `None` once it is closed.
pub struct Supervision(Option<Job>);

impl Supervision {
    /// A command that starts the engine.
    pub fn command(_supervisor: &Path, program: &OsStr) -> Command {
        let mut command = Command::new(program);
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
        command
    }

    /// Puts a process into a job of its own.
    pub fn of(child: &Child) -> io::Result<Supervision> {
        let mut limits = ExtendedLimitInfo::new();
        limits.limit_kill_on_job_close();
        let job = Job::create_with_limit_info(&limits).map_err(io::Error::other)?;
        job.assign_process(child.as_raw_handle() as isize).map_err(io::Error::other)?;
        Ok(Supervision(Some(job)))
    }

    /// Kills the engine and its job.
    pub fn kill(&mut self, child: &mut Child) {
        // First the engine itself, for its exit status; fails only if it has exited.
        drop(child.kill());
        self.0 = None;
    }

    /// Kills what an engine that has just exited leaves behind, and returns its status.
    pub fn finish(self, status: ExitStatus) -> ExitStatus {
        status
    }
}
