//! A client of the real program, run as a child process.
//!
//! Every wait has a timeout: a reply that does not arrive within [`PATIENCE`] fails the test with
//! the conversation so far. That is far longer than any reply takes, so that no test fails just
//! because the machine is busy.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The timeout for a single reply.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine, killed when dropped.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    stderr: Option<JoinHandle<String>>,
    /// The conversation so far, for failure messages.
    log: Vec<String>,
}

/// How an engine exited.
pub struct EngineExit {
    /// The exit status.
    pub status: ExitStatus,
    /// The lines not read before.
    pub rest: Vec<String>,
}

impl Engine {
    /// An engine that reads commands.
    pub fn start() -> Engine {
        Engine::with_arguments(&[])
    }

    /// An engine with command-line arguments: the one just built, or what the environment variable
    /// `RATLLA_ENGINE` names, words separated by spaces, such as one for another system and the program
    /// that runs it.
    pub fn with_arguments(arguments: &[&str]) -> Engine {
        let other = std::env::var("RATLLA_ENGINE").ok();
        let words: Vec<&str> = match (&other, option_env!("CARGO_BIN_EXE_ratlla")) {
            (Some(words), _) => words.split_whitespace().collect(),
            (None, Some(built)) => vec![built],
            (None, None) => panic!("only tests of its package have it"),
        };
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).args(arguments);
        Engine::from_command(command)
    }

    /// The engine that `command` starts.
    pub fn from_command(mut command: Command) -> Engine {
        let mut child = spawn_piped(&mut command);
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut error_pipe = child.stderr.take().expect("a pipe");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("replies are UTF-8");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let stderr = std::thread::spawn(move || {
            let mut text = Vec::new();
            error_pipe.read_to_end(&mut text).expect("stderr can be read");
            String::from_utf8_lossy(&text).into_owned()
        });
        let input = child.stdin.take();
        Engine { child, input, output, stderr: Some(stderr), log: Vec::new() }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends several lines in one write, so that the engine reads them together.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send_bytes(format!("{}\n", lines.join("\n")).as_bytes());
    }

    /// Sends raw bytes.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let escaped: String = String::from_utf8_lossy(bytes).chars().take(300).collect();
        self.log.push(format!("> {}", escaped.trim_end()));
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine reads its input");
    }

    /// Closes the engine's stdin.
    pub fn close_input(&mut self) {
        self.log.push("> (end of input)".to_owned());
        self.input = None;
    }

    /// The next line of output.
    pub fn read_line(&mut self) -> String {
        match self.next_line(PATIENCE) {
            Ok(line) => line,
            Err(error) => panic!("no reply ({error}) after\n{}", self.conversation()),
        }
    }

    /// Whether nothing is written for `time`.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        self.next_line(time).is_err()
    }

    /// All lines up to and including the first whose first word is `word`.
    pub fn wait_for(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.read_line());
            let line = &lines[lines.len() - 1];
            if line.split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// Waits for `bestmove`. Returns its move and the lines before it, which must all be `info`.
    pub fn wait_for_best_move(&mut self) -> (String, Vec<String>) {
        let mut lines = self.wait_for("bestmove");
        let best = lines.pop().expect("a bestmove line");
        let stray = lines.iter().find(|line| !line.starts_with("info "));
        assert_eq!(stray, None, "in\n{}", self.conversation());
        let mv = best.split(' ').nth(1).expect("bestmove has a move").to_owned();
        (mv, lines)
    }

    /// Sends `line` to an idle engine and returns its answer.
    pub fn query(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.wait_for("readyok");
        lines.pop();
        lines
    }

    /// Sends `line` to an idle engine and returns the one error that it must answer with.
    pub fn expect_error(&mut self, line: &str) -> String {
        let answer = self.query(line);
        assert!(answer.len() == 1 && answer[0].starts_with("error "), "{line:?}: {answer:?}");
        answer[0].clone()
    }

    /// Sends a command to an idle engine, which must accept it without an answer.
    pub fn command(&mut self, line: &str) {
        assert_eq!(self.query(line), Vec::<String>::new(), "{line:?}");
    }

    /// The legal moves.
    pub fn moves(&mut self) -> Vec<String> {
        let answer = self.query("moves");
        assert_eq!(answer.len(), 1, "{answer:?}");
        let mut words = answer[0].split(' ').map(str::to_owned);
        assert_eq!(words.next().as_deref(), Some("moves"));
        words.collect()
    }

    /// Searches with these limits and checks that the best move is legal.
    pub fn go(&mut self, limits: &str) -> (String, Vec<String>) {
        let legal = self.moves();
        self.send(&format!("go {limits}"));
        let (mv, infos) = self.wait_for_best_move();
        assert!(legal.contains(&mv), "{mv} is not one of {legal:?} in\n{}", self.conversation());
        (mv, infos)
    }

    /// Processor time it has used.
    pub fn cpu_time(&self) -> Option<Duration> {
        cpu_time(&self.child)
    }

    /// Closes the reading end of the engine's stdout.
    pub fn close_output(&mut self) {
        // The reader thread ends and closes the pipe at the next line it cannot forward.
        self.output = channel().1;
    }

    /// Closes stdin, waits for the engine to exit, and checks that stderr is empty.
    pub fn finish(mut self) -> EngineExit {
        self.close_input();
        let mut rest = Vec::new();
        loop {
            match self.next_line(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("no exit ({error}) after\n{}", self.conversation()),
            }
        }
        let status = self.wait_for_exit();
        let stderr = self.stderr.take().expect("taken only here").join();
        assert_eq!(stderr.expect("the thread did not panic"), "", "on stderr");
        EngineExit { status, rest }
    }

    /// Sends `quit` and checks that the engine exits successfully without another word.
    pub fn quit(mut self) {
        self.send("quit");
        let exit = self.finish();
        assert_eq!(exit.rest, Vec::<String>::new());
        assert!(exit.status.success(), "{}", exit.status);
    }

    /// Waits for the process to exit.
    pub fn wait_for_exit(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process has a status") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "no exit:\n{}", self.conversation());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The next line of output within `timeout`.
    pub fn next_line(&mut self, timeout: Duration) -> Result<String, RecvTimeoutError> {
        let line = self.output.recv_timeout(timeout)?;
        self.log.push(format!("< {line}"));
        Ok(line)
    }

    fn conversation(&self) -> String {
        let tail = self.log.len().saturating_sub(60);
        self.log[tail..].join("\n")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // An error means that it has already exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a program with pipes for stdin, stdout and stderr.
pub fn spawn_piped(command: &mut Command) -> Child {
    command
        .env_remove("RUST_LOG")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// Processor time used by a process, to a hundredth of a second, where the system says so.
pub fn cpu_time(process: &Child) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", process.id())).ok()?;
    // The name, in parentheses, may contain anything; user and system time are the 12th and 13th
    // fields after it.
    let fields = text.rsplit(')').next()?.split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok());
    Some(Duration::from_millis(10 * ticks.sum::<u64>()))
}

/// Fails unless `part` is in `text`.
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "'{part}' is not in '{text}'");
}

/// The number after `word` in an `info` line.
pub fn number_after(word: &str, line: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|&next| next != word).skip(1);
    words.next()?.parse().ok()
}
