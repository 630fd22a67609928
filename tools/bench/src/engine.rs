//! The engine as a process, seen by a client at the other end of its pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};

/// How long to wait for a reply.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A running engine. It ends with this value.
pub struct Engine {
    child: Child,
    input: ChildStdin,
    /// Lines, and when they arrived.
    lines: Receiver<(Instant, String)>,
}

impl Engine {
    /// Starts the engine.
    pub fn start(program: &Path) -> Result<Engine> {
        let mut child = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let input = child.stdin.take().context("the engine has no stdin")?;
        let output = child.stdout.take().context("the engine has no stdout")?;
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(|line| line.ok()) {
                if sender.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        });
        Ok(Engine { child, input, lines })
    }

    /// Sends a command; returns the time before sending.
    pub fn send(&mut self, command: &str) -> Result<Instant> {
        let now = Instant::now();
        self.input.write_all(format!("{command}\n").as_bytes())?;
        Ok(now)
    }

    /// Waits for a line that starts with `word`; returns the time of its arrival.
    pub fn wait_for(&mut self, word: &str) -> Result<Instant> {
        loop {
            let next = self.lines.recv_timeout(TIMEOUT);
            let (time, line) = next.with_context(|| format!("the engine did not send {word}"))?;
            ensure!(!line.starts_with("error"), "unexpected reply: {line}");
            if line.split(' ').next() == Some(word) {
                return Ok(time);
            }
        }
    }

    /// The time from a command to the line that starts with `word`.
    pub fn answer_time(&mut self, command: &str, word: &str) -> Result<Duration> {
        let asked = self.send(command)?;
        Ok(self.wait_for(word)? - asked)
    }

    /// Starts a game on a board of these rows and columns, and waits until the engine is ready.
    pub fn new_game(&mut self, board: &str) -> Result<()> {
        // Positions in the book would be answered without a search.
        let commands = format!("newgame {board}\nsetoption name OwnBook value false\nisready");
        self.answer_time(&commands, "readyok").map(drop)
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Fails only if the process has ended already.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The engine beside this program in the target directory. Under `cargo run` it is rebuilt, because
/// cargo builds only this program and may leave an old engine there.
pub fn beside_this_program() -> Result<PathBuf> {
    let own = std::env::current_exe()?;
    let program = own.with_file_name(format!("ratlla{}", std::env::consts::EXE_SUFFIX));
    if let Some(cargo) = std::env::var_os("CARGO") {
        let mut build = Command::new(cargo);
        build.args(["build", "--quiet", "--package", "ratlla", "--bin", "ratlla"]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        ensure!(build.status()?.success(), "cargo could not build the engine");
    }
    if !program.exists() {
        bail!(
            "no engine at {}: build it with 'cargo build --release' or pass --engine",
            program.display()
        );
    }
    Ok(program)
}
