//! Runs a program to its end, which must come.

use std::io::{Read, Write as _};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything takes that a test runs.
const PATIENCE: Duration = Duration::from_secs(60);

/// How a program ended.
#[derive(Debug)]
pub struct Finished {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it wrote to stdout.
    pub output: String,
    /// What it wrote to stderr.
    pub errors: String,
}

/// Runs a command to its end, with this input.
pub fn run(command: &mut Command, input: &str) -> Finished {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        // A program may end before it has read everything.
        scope.spawn(move || drop(pipe.write_all(input.as_bytes())));
        let [output, errors] = [text(stdout), text(stderr)].map(|read| scope.spawn(read));
        let status = wait(&mut child);
        let [output, errors] = [output, errors].map(|text| text.join().expect("UTF-8"));
        Finished { status: status.expect("no end of the program in a minute"), output, errors }
    })
}

/// Reads a pipe to its end.
fn text(pipe: Option<impl Read + Send + 'static>) -> Box<dyn FnOnce() -> String + Send> {
    Box::new(move || {
        let mut bytes = Vec::new();
        pipe.expect("a pipe").read_to_end(&mut bytes).expect("a pipe can be read");
        String::from_utf8(bytes).expect("text")
    })
}

/// The exit status; `None` if the process had to be killed.
fn wait(child: &mut Child) -> Option<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("a child has a status") {
            return Some(status);
        }
        if start.elapsed() > PATIENCE {
            child.kill().expect("it runs");
            child.wait().expect("it has ended");
            return None;
        }
        thread::sleep(Duration::from_millis(1));
    }
}
