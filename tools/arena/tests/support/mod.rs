//! Runs the real arena with dummy engines.

// No test program uses all of it.
#![allow(dead_code)]

pub mod browser;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use ratlla_arena::record::{self, GameRecord};
use ratlla_arena::settings::MatchSettings;
use tempfile::TempDir;

/// The exit status of a match with forfeits.
pub const FORFEITS: i32 = 3;

/// Far longer than anything here takes.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// A command that runs the arena with these arguments.
pub fn arena(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-arena"));
    command.args(words);
    command
}

/// The `--engine` words of a dummy with this name, dialect and behaviour.
pub fn dummy(name: &str, proto: &str, behaviour: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    vec![
        "--engine".to_owned(),
        format!("name={name}"),
        format!("cmd={program} {proto} {behaviour}"),
        format!("proto={proto}"),
    ]
}

/// A temporary directory to play matches in.
pub struct MatchDir {
    dir: TempDir,
}

/// A finished match.
pub struct Played {
    /// The output of the arena.
    pub output: Output,
    /// The settings in the record.
    pub settings: MatchSettings,
    /// The games in the record.
    pub games: Vec<GameRecord>,
}

impl Played {
    /// Its stderr.
    pub fn errors(&self) -> String {
        String::from_utf8_lossy(&self.output.stderr).into_owned()
    }

    /// Its stdout.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }
}

impl MatchDir {
    /// An empty directory.
    pub fn new() -> MatchDir {
        MatchDir { dir: TempDir::new().expect("a directory") }
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file in it.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, content).expect("a file");
        path
    }

    /// Plays a match and reads its record. The exit status must say whether there were forfeits.
    pub fn play(&self, engines: &[Vec<String>], words: &[&str]) -> Played {
        let path = self.file("games.jsonl");
        let mut command = arena(&["match", "--record"]);
        command.arg(&path).args(engines.iter().flatten()).args(words);
        let output = command.output().expect("the arena starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        let (settings, games) = record::read(&path).unwrap_or_else(|_| panic!("{errors}"));
        let forfeits = games.iter().filter(|game| game.forfeit.is_some()).count();
        let expected = if forfeits == 0 { 0 } else { FORFEITS };
        assert_eq!(output.status.code(), Some(expected), "{errors}");
        Played { output, settings, games }
    }
}

/// Runs the arena, which must fail, and returns its stderr.
pub fn refused(words: &[&str]) -> String {
    let output = arena(words).output().expect("the arena starts");
    assert!(!output.status.success(), "{words:?} was not refused");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Polls until `condition` holds.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < TIMEOUT, "timed out waiting until {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The running processes with `mark` in their arguments.
pub fn processes_with(mark: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("a list of processes");
    let command_line = |entry: std::io::Result<std::fs::DirEntry>| {
        let path = entry.ok()?.path();
        let words = std::fs::read(path.join("cmdline")).ok()?;
        let words = String::from_utf8_lossy(&words).replace('\0', " ");
        words.contains(mark).then(|| format!("{}: {words}", path.display()))
    };
    processes.filter_map(command_line).collect()
}

/// The number of complete lines in a file; 0 if it does not exist.
pub fn count_lines(path: &Path) -> usize {
    std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}
