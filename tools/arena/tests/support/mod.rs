//! The real arena, with dummies for engines.

// Each test program uses only a part of this.
#![allow(dead_code)]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use ratlla_arena::record::{self, GameRecord};
use ratlla_arena::settings::Settings;
use tempfile::TempDir;

/// Far beyond what anything here takes: only a fault lasts so long.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// The arena, about to be started with these words.
pub fn arena(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-arena"));
    command.args(words);
    command
}

/// The words of a dummy engine with this name, dialect and behaviour.
pub fn dummy(name: &str, proto: &str, behaviour: &str) -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    vec![
        "--engine".to_owned(),
        format!("name={name}"),
        format!("cmd={program} {proto} {behaviour}"),
        format!("proto={proto}"),
    ]
}

/// A directory for files, and what to do with it.
pub struct Place {
    dir: TempDir,
}

/// A match that was played.
pub struct Played {
    /// What the arena printed.
    pub output: Output,
    /// The settings in the record.
    pub settings: Settings,
    /// The games in the record.
    pub games: Vec<GameRecord>,
}

impl Played {
    /// What was printed.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output.stdout).into_owned()
    }
}

impl Place {
    /// An empty directory.
    pub fn new() -> Place {
        Place { dir: TempDir::new().expect("a directory") }
    }

    /// A file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// A file in it with this content.
    pub fn write(&self, name: &str, content: &str) -> PathBuf {
        let path = self.file(name);
        std::fs::write(&path, content).expect("a file");
        path
    }

    /// Plays a match and reads its record.
    pub fn play(&self, engines: &[Vec<String>], words: &[&str]) -> Played {
        let path = self.file("games.jsonl");
        let mut command = arena(&["match", "--record"]);
        command.arg(&path).args(engines.iter().flatten()).args(words);
        let output = command.output().expect("the arena starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let (settings, games) = record::read(&path).expect("a record");
        Played { output, settings, games }
    }
}

/// Runs the arena and expects it to refuse; tells what it says.
pub fn refused(words: &[&str]) -> String {
    let output = arena(words).output().expect("the arena starts");
    assert!(!output.status.success(), "{words:?} was not refused");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Waits until something is so.
pub fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < PATIENCE, "not so: {what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// The processes that run with `mark` among their arguments.
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

/// How many whole lines a file has, if it is there.
pub fn lines_of(path: &Path) -> usize {
    std::fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}
