//! A session inside this process: scripted input, output that everybody can look at.

use std::io::{Read, Write};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use ratlla::session::output::Destination;

/// How long anything in a session may take before it counts as hanging.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a session has written so far. Clones share it.
#[derive(Clone, Default)]
pub struct Output(Arc<(Mutex<Vec<u8>>, Condvar)>);

impl Output {
    /// All lines.
    pub fn lines(&self) -> Vec<String> {
        let bytes = self.0.0.lock().expect("nobody panics with the lock");
        String::from_utf8(bytes.clone())
            .expect("replies are UTF-8")
            .lines()
            .map(str::to_owned)
            .collect()
    }

    /// Waits until that many searches and counts of move sequences have ended.
    fn wait_for_jobs(&self, count: usize) {
        let (bytes, bell) = &*self.0;
        let guard = bytes.lock().expect("nobody panics with the lock");
        let missing = |bytes: &mut Vec<u8>| {
            let text = String::from_utf8_lossy(bytes);
            text.lines().filter(|line| ends_job(line)).count() < count
        };
        let result = bell.wait_timeout_while(guard, PATIENCE, missing);
        let timed_out = result.expect("nobody panics with the lock").1.timed_out();
        assert!(!timed_out, "the end of job {count} does not come");
    }
}

impl Destination for Output {}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.0.lock().expect("nobody panics with the lock").extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Whether a line is the last one of a search or a count.
pub fn ends_job(line: &str) -> bool {
    line.starts_with("bestmove ") || line.starts_with("perft total ")
}

/// One line of input, to be sent once that many searches and counts have ended.
#[derive(Clone, Debug)]
pub struct Step {
    /// How many.
    pub after_jobs: usize,
    /// The line, without its end.
    pub line: Vec<u8>,
}

/// The input: the steps, one after the other.
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

/// Runs a session through `steps` and returns what it said. Fails if it does not end.
pub fn play(steps: Vec<Step>) -> Vec<String> {
    let output = Output::default();
    let script =
        Script { steps: steps.into_iter(), output: output.clone(), pending: Default::default() };
    let (ended, end) = std::sync::mpsc::channel();
    let written = output.clone();
    let session = std::thread::spawn(move || {
        let ending = ratlla::session::run(script, written, None);
        // Nobody listens any more if it took too long.
        let _ = ended.send(ending);
    });
    match end.recv_timeout(2 * PATIENCE) {
        Ok(ending) => drop(ending.expect("the session ends well")),
        Err(error) => panic!("the session has not ended ({error}):\n{}", output.lines().join("\n")),
    }
    session.join().expect("the session has not panicked");
    output.lines()
}
