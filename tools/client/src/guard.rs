//! No engine outlives the program that started it: it runs under a guard.
//!
//! ```text
//! program ──> guard ──> leash = the engine
//! ```
//!
//! The guard is the program started once more. It is told by the kernel when the program dies,
//! however it dies, and adopts whatever the engine leaves behind, so it can end all of it. The
//! engine itself is started through a leash, a step that asks the kernel to kill the engine should
//! the guard die first, and then becomes the engine.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

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
/// Beyond this, the exit status of a guard is the signal that killed the engine.
const KILLED: i32 = 128;
/// How long a guard that is told to end gets for it.
const FAREWELL: Duration = Duration::from_secs(1);

/// The arguments of a guard for `command` that is started by this process. The guard is told to end
/// when the thread ends that starts it.
pub fn arguments<W: AsRef<OsStr>>(command: &[W]) -> Vec<OsString> {
    let mut arguments = vec![GUARD.into(), getpid().to_string().into()];
    arguments.extend(command.iter().map(|word| word.as_ref().to_owned()));
    arguments
}

/// Tells a guard to end the engine and all that it has started, and waits for a moment until it has.
pub fn dismiss(guard: &mut Child) {
    let pid = Pid::from_raw(guard.id().cast_signed());
    let end = Instant::now() + FAREWELL;
    let mut told = false;
    while matches!(guard.try_wait(), Ok(None)) && Instant::now() < end {
        // That it cannot be told means that it has just ended.
        told = told || kill(pid, Signal::SIGTERM).is_ok();
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// How the engine ended, by how its guard did.
pub fn status_of_engine(guard: ExitStatus) -> ExitStatus {
    match guard.code() {
        Some(code) if code > KILLED => ExitStatus::from_raw(code - KILLED),
        _ => guard,
    }
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

/// Starts the engine and stays until it ends or the program does. Its exit status is the engine's,
/// or 128 and the number of the signal that killed it.
fn watch(program: Pid, command: &[OsString]) -> io::Result<ExitCode> {
    let control: SigSet = [Signal::SIGTERM, Signal::SIGCHLD].into_iter().collect();
    control.thread_block()?;
    set_child_subreaper(true)?;
    set_pdeathsig(Signal::SIGTERM)?;
    if getppid() != program {
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
        match control.wait()? {
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
                found = u8::try_from(KILLED + signal as i32).ok();
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
