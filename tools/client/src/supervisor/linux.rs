//! Supervision by a process between the program and the engine.
//!
//! ```text
//! program ──> supervisor ──> exec shim = the engine
//! ```
//!
//! Supervisor and exec shim are the program itself, started again. The kernel signals the supervisor
//! when the program dies, and makes it the parent of all processes that the engine orphans, so it can
//! kill them all. The exec shim asks the kernel to kill it should the supervisor die first, then
//! replaces itself by the engine.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::signal::{SigSet, Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stdin, dup2_stdout, getpid, getppid};

/// The first argument that makes the program a supervisor.
const SUPERVISOR: &str = "__supervisor";
/// The first argument that makes the program an exec shim.
const EXEC_SHIM: &str = "__exec_shim";
/// Exit status if the engine could not be started, or was killed on request.
const NOT_STARTED: u8 = 127;
/// Exit statuses above this are the signal that killed the engine, as in a shell.
const SIGNAL_BASE: i32 = 128;
/// How long a supervisor may take to terminate.
const GRACE_PERIOD: Duration = Duration::from_secs(1);

/// The supervisor of an engine, in a process group of its own.
pub struct Supervision(Pid);

impl Supervision {
    /// A command that starts an engine below a supervisor, which is the program at that path.
    pub fn command(supervisor: &Path, program: &OsStr) -> Command {
        let mut command = Command::new(supervisor);
        command.args(arguments(&[program])).process_group(0);
        command
    }

    /// Supervises what [`Supervision::command`] has started.
    pub fn of(supervisor: &Child) -> io::Result<Supervision> {
        Ok(Supervision(Pid::from_raw(supervisor.id().cast_signed())))
    }

    /// Has the supervisor kill the engine and all its descendants. If it is stuck, its process group is
    /// killed.
    pub fn kill(&mut self, supervisor: &mut Child) {
        terminate(supervisor);
        if matches!(supervisor.try_wait(), Ok(None)) {
            // An error means that the group is already gone.
            let _ = killpg(self.0, Signal::SIGKILL);
        }
    }

    /// The status of an engine whose supervisor has just exited. One that was itself killed has left the
    /// engine's descendants behind.
    pub fn finish(self, status: ExitStatus) -> ExitStatus {
        if status.code().is_none() {
            let _ = killpg(self.0, Signal::SIGKILL);
        }
        engine_status(status)
    }
}

/// The arguments of a supervisor for `command`. It must be started by this process; it terminates
/// when the thread that started it ends.
fn arguments<W: AsRef<OsStr>>(command: &[W]) -> Vec<OsString> {
    let mut arguments = vec![SUPERVISOR.into(), getpid().to_string().into()];
    arguments.extend(command.iter().map(|word| word.as_ref().to_owned()));
    arguments
}

/// Has a supervisor kill the engine and all its descendants, and waits up to a second for it.
fn terminate(supervisor: &mut Child) {
    let pid = Pid::from_raw(supervisor.id().cast_signed());
    let deadline = Instant::now() + GRACE_PERIOD;
    let mut signalled = false;
    while matches!(supervisor.try_wait(), Ok(None)) && Instant::now() < deadline {
        // Fails only if it has just exited.
        signalled = signalled || kill(pid, Signal::SIGTERM).is_ok();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The engine's exit status, from its supervisor's.
fn engine_status(supervisor: ExitStatus) -> ExitStatus {
    match supervisor.code() {
        Some(code) if code > SIGNAL_BASE => ExitStatus::from_raw(code - SIGNAL_BASE),
        _ => supervisor,
    }
}

/// Runs as a supervisor or an exec shim if the program's arguments ask for it.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let role = words.next()?;
    let run = match role.to_str()? {
        SUPERVISOR => supervise,
        EXEC_SHIM => exec_engine,
        _ => return None,
    };
    let parent = words.next()?.to_str()?.parse().ok().map(Pid::from_raw)?;
    let command: Vec<OsString> = words.collect();
    Some(run(parent, &command).unwrap_or_else(|error| {
        let program = command.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        eprintln!("cannot start {program}: {error}");
        ExitCode::from(NOT_STARTED)
    }))
}

/// Runs the engine until it exits or the program does. Exits with the engine's status, or 128 plus the
/// signal that killed it.
fn supervise(program: Pid, command: &[OsString]) -> io::Result<ExitCode> {
    let control: SigSet = [Signal::SIGTERM, Signal::SIGCHLD].into_iter().collect();
    control.thread_block()?;
    set_child_subreaper(true)?;
    set_pdeathsig(Signal::SIGTERM)?;
    if getppid() != program {
        return Ok(ExitCode::FAILURE);
    }
    let engine = Command::new(std::env::current_exe()?)
        .arg(EXEC_SHIM)
        .arg(getpid().to_string())
        .args(command)
        .spawn()?;
    let engine = Pid::from_raw(engine.id().cast_signed());
    release_pipes()?;
    let status = loop {
        match control.wait()? {
            Signal::SIGCHLD => {
                if let Some(status) = reap(engine) {
                    break status;
                }
            }
            _ => break NOT_STARTED,
        }
    };
    kill_children();
    Ok(ExitCode::from(status))
}

/// Closes this process's copies of the engine's pipes, so that the program sees it close its own.
fn release_pipes() -> io::Result<()> {
    let null = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&null)?;
    dup2_stdout(&null)?;
    Ok(())
}

/// Reaps all exited children and returns the engine's status if it is one of them.
fn reap(engine: Pid) -> Option<u8> {
    let mut found = None;
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                found = Some(u8::try_from(code).unwrap_or(u8::MAX));
            }
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                found = u8::try_from(SIGNAL_BASE + signal as i32).ok();
            }
            Ok(WaitStatus::StillAlive) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

/// Kills all children and the descendants they orphan.
fn kill_children() {
    let list = format!("/proc/self/task/{}/children", getpid());
    loop {
        let children = std::fs::read_to_string(&list).unwrap_or_default();
        for pid in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
            // Fails only if it has just exited.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        if matches!(waitpid(None, None), Err(Errno::ECHILD)) {
            return;
        }
    }
}

/// Replaces this process by the engine, which dies with the supervisor.
fn exec_engine(supervisor: Pid, command: &[OsString]) -> io::Result<ExitCode> {
    set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != supervisor {
        return Ok(ExitCode::FAILURE);
    }
    let [program, arguments @ ..] = command else {
        return Err(io::Error::other("no command"));
    };
    Err(Command::new(program).args(arguments).exec())
}
