//! A time limit for a program that a test has started. Whoever waits for the program, its output or its
//! connections then waits no more, and the test fails.

use std::process::{Child, Command};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// No test needs a program for longer.
pub const LIFETIME: Duration = Duration::from_secs(600);

/// Kills a program after some time. To be dropped when the program has exited.
pub struct Watchdog {
    _end: Sender<()>,
}

impl Watchdog {
    /// Watches over a child for [`LIFETIME`].
    pub fn of(child: &Child) -> Watchdog {
        Watchdog::with(child, LIFETIME)
    }

    /// Watches over a child for this long.
    pub fn with(child: &Child, lifetime: Duration) -> Watchdog {
        let (end, ended) = channel();
        let id = child.id();
        thread::spawn(move || {
            if ended.recv_timeout(lifetime) == Err(RecvTimeoutError::Timeout) {
                eprintln!("process {id} is killed: a test has waited for it for {lifetime:?}");
                drop(Command::new("kill").args(["-9", &id.to_string()]).status());
            }
        });
        Watchdog { _end: end }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn sleep() -> Child {
        Command::new("sleep").arg("60").spawn().unwrap()
    }

    #[test]
    fn a_program_is_killed_in_time_and_not_before() {
        let mut child = sleep();
        let watchdog = Watchdog::with(&child, Duration::from_millis(20));
        assert!(!child.wait().unwrap().success());
        drop(watchdog);
        let mut child = sleep();
        drop(Watchdog::with(&child, Duration::from_millis(20)));
        thread::sleep(Duration::from_millis(60));
        assert!(child.try_wait().unwrap().is_none());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
