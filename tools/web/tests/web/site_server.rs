//! Any web server for static files: Python's.

use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use ratlla_workspace::Watchdog;

/// A running server. Dropping it kills the process.
pub struct SiteServer {
    child: Child,
    _watchdog: Watchdog,
    /// The address of the folder.
    pub url: String,
}

impl SiteServer {
    /// Serves `folder` on a free port. `None` if the test is skipped.
    pub fn start(folder: &Path) -> Option<SiteServer> {
        let mut child = Command::new(ratlla_workspace::python()?)
            .args(["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory"])
            .arg(folder)
            .arg("0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Python starts");
        let watchdog = Watchdog::of(&child);
        let mut output = BufReader::new(child.stdout.take().expect("its output is piped"));
        let mut line = String::new();
        output.read_line(&mut line).expect("it prints its address");
        let port = line.split(" port ").nth(1).and_then(|rest| rest.split(' ').next());
        let port = port.unwrap_or_else(|| panic!("no port in {line:?}"));
        let url = format!("http://127.0.0.1:{port}/");
        std::thread::spawn(move || output.read_to_end(&mut Vec::new()));
        Some(SiteServer { child, _watchdog: watchdog, url })
    }
}

impl Drop for SiteServer {
    fn drop(&mut self) {
        // Fails only if it has exited.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
