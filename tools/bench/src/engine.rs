//! The engine as a process, seen by a client at the other end of its pipes.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail, ensure};
use ratlla_client::{Engine, Launch};

/// How long to wait for a line.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Starts an engine.
pub fn start(program: &Path) -> Result<Engine> {
    Engine::start(&Launch::new(program, [""; 0]))
        .with_context(|| format!("cannot start {}", program.display()))
}

/// Waits for a line that starts with `word`; returns the time of its arrival.
pub fn wait_for(engine: &mut Engine, word: &str) -> Result<Instant> {
    loop {
        let line = engine.next_line(TIMEOUT).with_context(|| format!("expected {word}"))?;
        ensure!(!line.text.starts_with("error"), "unexpected reply: {}", line.text);
        if line.text.split(' ').next() == Some(word) {
            return Ok(line.at);
        }
    }
}

/// The time from a command to the line that starts with `word`.
pub fn answer_time(engine: &mut Engine, command: &str, word: &str) -> Result<Duration> {
    let asked = engine.send(command)?;
    Ok(wait_for(engine, word)? - asked)
}

/// Starts an engine with a game on a board of these rows and columns, and waits until it is ready.
pub fn start_game(program: &Path, board: &str) -> Result<Engine> {
    let mut engine = start(program)?;
    engine.send(&format!("newgame {board}"))?;
    // Positions in the book would be answered without a search.
    engine.send("setoption name OwnBook value false")?;
    answer_time(&mut engine, "isready", "readyok")?;
    Ok(engine)
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
