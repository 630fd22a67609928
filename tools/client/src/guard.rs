//! No engine outlives the arena: every engine runs under a guard.
//!
//! ```text
//! arena ──> guard ──> leash = the engine
//! ```
//!
//! The guard is this program started once more. It is told by the kernel when the arena dies,
//! however it dies, and adopts whatever the engine leaves behind, so it can end all of it. The
//! engine itself is started through a leash, a step that asks the kernel to kill the engine should
//! the guard die first, and then becomes the engine.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode};

use nix::errno::Errno;
use nix::sys::prctl::{set_child_subreaper, set_pdeathsig};
use nix::sys::signal::{SigSet, Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, dup2_stdin, dup2_stdout, getpid, getppid};

/// The first argument of the program when it is to be a guard.
pub const GUARD: &str = "__guard";
/// The first argument of the program when it is to become an engine.
const LEASH: &str = "__leash";
/// The exit status of a guard that could not start the engine.
const NOT_STARTED: u8 = 127;

/// The arguments of a guard for `command` that is started by this process.
pub fn arguments(command: &[String]) -> Vec<String> {
    let mut arguments = vec![GUARD.to_owned(), getpid().to_string()];
    arguments.extend_from_slice(command);
    arguments
}

/// Is a guard or a leash, if the arguments of the program say so.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let role = words.next()?;
    let run = match role.to_str()? {
        GUARD => watch,
        LEASH => become_engine,
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

/// Starts the engine and stays until it ends or the arena does. Its exit status is the engine's,
/// or 128 and the number of the signal that killed it.
fn watch(arena: Pid, command: &[OsString]) -> io::Result<ExitCode> {
    let signals: SigSet = [Signal::SIGTERM, Signal::SIGCHLD].into_iter().collect();
    signals.thread_block()?;
    set_child_subreaper(true)?;
    set_pdeathsig(Signal::SIGTERM)?;
    if getppid() != arena {
        return Ok(ExitCode::FAILURE);
    }
    let engine = Command::new(std::env::current_exe()?)
        .arg(LEASH)
        .arg(getpid().to_string())
        .args(command)
        .spawn()?;
    let engine = Pid::from_raw(engine.id().cast_signed());
    release_pipes()?;
    let status = loop {
        match signals.wait()? {
            Signal::SIGCHLD => {
                if let Some(status) = reap(engine) {
                    break status;
                }
            }
            _ => break NOT_STARTED,
        }
    };
    end_children();
    Ok(ExitCode::from(status))
}

/// Lets go of the engine's pipes: their other ends are to see what the engine does with them.
fn release_pipes() -> io::Result<()> {
    let nothing = std::fs::File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    Ok(())
}

/// Takes note of all children that have ended, and tells the status of the engine if it has.
fn reap(engine: Pid) -> Option<u8> {
    let mut found = None;
    loop {
        match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
            Ok(WaitStatus::Exited(pid, code)) if pid == engine => {
                found = Some(u8::try_from(code).unwrap_or(u8::MAX));
            }
            Ok(WaitStatus::Signaled(pid, signal, _)) if pid == engine => {
                found = u8::try_from(128 + signal as i32).ok();
            }
            Ok(WaitStatus::StillAlive) | Err(_) => return found,
            Ok(_) => {}
        }
    }
}

/// Kills every child, and what they leave behind, until there is nothing left.
fn end_children() {
    let list = format!("/proc/self/task/{}/children", getpid());
    loop {
        let children = std::fs::read_to_string(&list).unwrap_or_default();
        for pid in children.split_whitespace().filter_map(|pid| pid.parse().ok()) {
            // It may have ended by now, which is as good.
            let _ = kill(Pid::from_raw(pid), Signal::SIGKILL);
        }
        if matches!(waitpid(None, None), Err(Errno::ECHILD)) {
            return;
        }
    }
}

/// Becomes the engine, which dies with the guard.
fn become_engine(guard: Pid, command: &[OsString]) -> io::Result<ExitCode> {
    set_pdeathsig(Signal::SIGKILL)?;
    if getppid() != guard {
        return Ok(ExitCode::FAILURE);
    }
    let [program, arguments @ ..] = command else {
        return Err(io::Error::other("no command"));
    };
    Err(Command::new(program).args(arguments).exec())
}
