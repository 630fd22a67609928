//! The server as a process.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use ratlla_workspace::Watchdog;

use super::processes;

/// On any port; a later option overrides it.
const FREE_PORT: [&str; 2] = ["--port", "0"];

/// A running server. Dropping it kills the process.
pub struct Server {
    child: Child,
    _watchdog: Watchdog,
    /// The address and port.
    pub address: String,
    /// The secret part of the URL.
    pub token: String,
}

impl Server {
    /// Starts it on a free port unless the arguments name one.
    pub fn start(arguments: &[&str]) -> Server {
        let program = env!("CARGO_BIN_EXE_ratlla-gui");
        Server::of(Command::new(program).args(FREE_PORT).args(arguments))
    }

    /// Starts it where so many files may be open; with a `kind` of `-S` unless it asks for more.
    pub fn start_with_open_files(kind: &str, count: u32) -> Server {
        let script = format!("ulimit {kind} -n {count} && exec \"$0\" \"$@\"");
        let program = env!("CARGO_BIN_EXE_ratlla-gui");
        Server::of(Command::new("sh").args(["-c", &script, program]).args(FREE_PORT))
    }

    fn of(command: &mut Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let watchdog = Watchdog::of(&child);
        let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it prints its address");
        let mut parts = line.split("http://").nth(1).unwrap_or_default().split('/');
        let (Some(address), Some(token)) = (parts.next(), parts.next()) else {
            panic!("no address in {line:?}");
        };
        let (address, token) = (address.to_owned(), token.to_owned());
        // Later output must not fill the pipe.
        std::thread::spawn(move || output.read_to_end(&mut Vec::new()));
        Server { child, _watchdog: watchdog, address, token }
    }

    /// The URL of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.token)
    }

    /// The ids of its running child processes: the supervisors of its engines.
    pub fn engines(&self) -> Vec<u32> {
        processes::children(self.child.id())
    }

    /// The ids of all its running descendants.
    pub fn descendants(&self) -> Vec<u32> {
        processes::descendants(self.child.id())
    }

    /// The processor time that it and its descendants have used.
    pub fn processor_time(&self) -> Duration {
        let all = self.descendants().into_iter().chain([self.child.id()]);
        all.map(processes::processor_time).sum()
    }

    /// Sends a signal and waits until it has exited.
    pub fn end_by(&mut self, signal: &str) {
        let id = self.child.id().to_string();
        let status = Command::new("kill").args(["-s", signal, &id]).status();
        assert!(status.expect("kill runs").success());
        self.child.wait().expect("it ends");
    }

    /// Kills the engines, and returns how many there were.
    pub fn kill_engines(&self) -> usize {
        let engines = self.engines();
        for id in &engines {
            let status = Command::new("kill").args(["-9", &id.to_string()]).status();
            assert!(status.expect("kill runs").success());
        }
        engines.len()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails only if it has exited.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
