//! A session inside this process, with scripted input and recorded output.

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use ratlla::session::output::Destination;

/// A session that makes no progress for this long hangs.
const TIMEOUT: Duration = Duration::from_secs(30);

/// The output of a session so far. Clones share it.
#[derive(Clone, Default)]
struct Output(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Output {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.0.lock().expect("no thread panics while holding the lock");
        String::from_utf8(bytes.clone())
            .expect("replies are UTF-8")
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Waits until `count` searches, perft counts and trees have ended.
    fn wait_for_jobs(&self, count: usize) {
        let (bytes, changed) = &*self.0;
        let guard = bytes.lock().expect("no thread panics while holding the lock");
        let missing = |bytes: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(bytes);
            text.lines().filter(|line| ends_job(line)).count() < count
        };
        let result = changed.wait_timeout_while(guard, TIMEOUT, missing);
        let timed_out = result.expect("no thread panics while holding the lock").1.timed_out();
        assert!(!timed_out, "timeout waiting for the end of job {count}");
    }
}

impl Destination for Output {}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.0.lock().expect("no thread panics while holding the lock").extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether a line of output ends a search, perft count or tree.
pub fn ends_job(line: &str) -> bool {
    // A tree in DOT ends with a brace.
    const STARTS: [&str; 4] = ["bestmove ", "perft total ", "tree value ", "tree {"];
    STARTS.iter().any(|start| line.starts_with(start)) || line == "}"
}

/// One line of input.
#[derive(Clone, Debug)]
pub struct Step {
    /// It is sent once this many searches, perft counts and trees have ended.
    pub after_jobs: usize,
    /// The line, without its newline.
    pub line: Vec<u8>,
}

/// The steps as input of a session.
struct Script {
    steps: std::vec::IntoIter<Step>,
    output: Output,
    pending: std::io::Cursor<Vec<u8>>,
}

impl Read for Script {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        loop {
            let read = self.pending.read(buffer)?;
            if read > 0 {
                return Ok(read);
            }
            let Some(mut step) = self.steps.next() else {
                return Ok(0);
            };
            self.output.wait_for_jobs(step.after_jobs);
            step.line.push(b'\n');
            self.pending = std::io::Cursor::new(step.line);
        }
    }
}

/// Runs a session and returns its output.
///
/// # Panics
///
/// If the session fails or does not end.
pub fn run_session(steps: Vec<Step>) -> Vec<String> {
    let output = Output::default();
    let script =
        Script { steps: steps.into_iter(), output: output.clone(), pending: Default::default() };
    let (ended, end) = std::sync::mpsc::channel();
    let written = output.clone();
    let session = std::thread::spawn(move || {
        let ending = ratlla::session::run(ratlla::games::REGISTRY, script, written, None);
        // After a timeout there is no receiver.
        let _ = ended.send(ending);
    });
    match end.recv_timeout(2 * TIMEOUT) {
        Ok(ending) => drop(ending.expect("the session ends without an error")),
        Err(error) => panic!("the session did not end ({error}):\n{}", output.lines().join("\n")),
    }
    session.join().expect("the session does not panic");
    output.lines()
}
