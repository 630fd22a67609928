//! The real program as a child process, spoken to through pipes.
//!
//! Nothing here waits without an end: a reply that does not come within [`PATIENCE`] fails the
//! test with all that was said so far. The patience is far beyond what any reply needs, so that
//! a busy machine fails no test.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long any single reply may take.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// A running engine. Dropped, it is killed.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<String>,
    complaints: Option<JoinHandle<String>>,
    /// The whole conversation, for messages.
    said: Vec<String>,
}

/// How an engine ended.
pub struct Farewell {
    /// Its exit status.
    pub status: ExitStatus,
    /// What it said that nobody had listened to yet.
    pub rest: Vec<String>,
}

impl Engine {
    /// An engine waiting for commands.
    pub fn start() -> Engine {
        Engine::with_arguments(&[])
    }

    /// An engine with command-line arguments.
    pub fn with_arguments(arguments: &[&str]) -> Engine {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla"));
        command.args(arguments);
        Engine::from_command(command)
    }

    /// An engine that this command starts.
    pub fn from_command(mut command: Command) -> Engine {
        let mut child = spawn_piped(&mut command);
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut stderr = child.stderr.take().expect("a pipe");
        let (sender, output) = channel();
        std::thread::spawn(move || {
            for line in stdout.lines() {
                let line = line.expect("replies are UTF-8");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        let complaints = std::thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).expect("stderr can be read");
            String::from_utf8_lossy(&text).into_owned()
        });
        let input = child.stdin.take();
        Engine { child, input, output, complaints: Some(complaints), said: Vec::new() }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends several lines at once, so that the engine finds them all in its input together.
    pub fn send_all(&mut self, lines: &[&str]) {
        self.send_bytes(format!("{}\n", lines.join("\n")).as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let escaped: String = String::from_utf8_lossy(bytes).chars().take(300).collect();
        self.said.push(format!("> {}", escaped.trim_end()));
        let input = self.input.as_mut().expect("the input is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the engine listens");
    }

    /// Ends the engine's input.
    pub fn close_input(&mut self) {
        self.said.push("> (end)".to_owned());
        self.input = None;
    }

    /// The next line it says.
    pub fn line(&mut self) -> String {
        match self.next_line(PATIENCE) {
            Ok(line) => line,
            Err(error) => panic!("no reply ({error}) after\n{}", self.conversation()),
        }
    }

    /// Whether it says nothing for `time`.
    pub fn is_silent_for(&mut self, time: Duration) -> bool {
        self.next_line(time).is_err()
    }

    /// All lines up to the first that begins with `word`, that one included.
    pub fn until(&mut self, word: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.line());
            let line = &lines[lines.len() - 1];
            if line.split(' ').next() == Some(word) {
                return lines;
            }
        }
    }

    /// Waits for `bestmove` and returns its move and the `info` lines before it.
    pub fn best_move(&mut self) -> (String, Vec<String>) {
        let mut lines = self.until("bestmove");
        let best = lines.pop().expect("a bestmove line");
        let stray = lines.iter().find(|line| !line.starts_with("info "));
        assert_eq!(stray, None, "in\n{}", self.conversation());
        let mv = best.split(' ').nth(1).expect("bestmove has a move").to_owned();
        (mv, lines)
    }

    /// Sends `line` to an idle engine and returns all that it answers.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends `line` to an idle engine and returns the error that is its only answer.
    pub fn ask_wrong(&mut self, line: &str) -> String {
        let answer = self.ask(line);
        assert!(answer.len() == 1 && answer[0].starts_with("error "), "{line:?}: {answer:?}");
        answer[0].clone()
    }

    /// Sends `line` to an idle engine, which obeys without a word.
    pub fn tell(&mut self, line: &str) {
        assert_eq!(self.ask(line), Vec::<String>::new(), "{line:?}");
    }

    /// The legal moves.
    pub fn moves(&mut self) -> Vec<String> {
        let answer = self.ask("moves");
        assert_eq!(answer.len(), 1, "{answer:?}");
        let mut words = answer[0].split(' ').map(str::to_owned);
        assert_eq!(words.next().as_deref(), Some("moves"));
        words.collect()
    }

    /// Lets it search and checks that its move is legal.
    pub fn go(&mut self, limits: &str) -> (String, Vec<String>) {
        let legal = self.moves();
        self.send(&format!("go {limits}"));
        let (mv, infos) = self.best_move();
        assert!(legal.contains(&mv), "{mv} is none of {legal:?} in\n{}", self.conversation());
        (mv, infos)
    }

    /// Closes the reading end of its output.
    pub fn stop_listening(&mut self) {
        // The reader thread ends, and with it the pipe, at the next line it cannot pass on.
        self.output = channel().1;
    }

    /// Ends the input, if it is still open, waits for the end, and checks that the engine went
    /// in peace.
    pub fn finish(mut self) -> Farewell {
        self.close_input();
        let mut rest = Vec::new();
        loop {
            match self.next_line(PATIENCE) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(error) => panic!("it does not end ({error}) after\n{}", self.conversation()),
            }
        }
        let status = self.wait();
        let complaints = self.complaints.take().expect("only taken here").join();
        assert_eq!(complaints.expect("the thread has not failed"), "", "on stderr");
        Farewell { status, rest }
    }

    /// Sends `quit` and expects a silent end with success.
    pub fn quit(mut self) {
        self.send("quit");
        let farewell = self.finish();
        assert_eq!(farewell.rest, Vec::<String>::new());
        assert!(farewell.status.success(), "{}", farewell.status);
    }

    /// Waits until the process has ended.
    pub fn wait(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("the process can be asked") {
                return status;
            }
            assert!(start.elapsed() < PATIENCE, "it does not end:\n{}", self.conversation());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The next line it says within `patience`.
    pub fn next_line(&mut self, patience: Duration) -> Result<String, RecvTimeoutError> {
        let line = self.output.recv_timeout(patience)?;
        self.said.push(format!("< {line}"));
        Ok(line)
    }

    fn conversation(&self) -> String {
        let tail = self.said.len().saturating_sub(60);
        self.said[tail..].join("\n")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // An error says that it has ended already, which is as good.
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

/// Fails unless `part` is in `text`.
pub fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "'{part}' is not in '{text}'");
}

/// The number after `word` in an `info` line.
pub fn number_after(word: &str, line: &str) -> Option<u64> {
    let mut words = line.split(' ').skip_while(|&next| next != word).skip(1);
    words.next()?.parse().ok()
}
