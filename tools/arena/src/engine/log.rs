//! A log of everything that engines and the arena say to each other.
//!
//! ```text
//! 2026-03-01T12:00:00.123456789Z game 7 full > go nodes 100
//! 2026-03-01T12:00:00.124011203Z game 7 full < bestmove 4
//! ```

use std::io::{LineWriter, Write as _};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::Context as _;
use jiff::Timestamp;
use ratlla::platform::files::{File, append_plain};

/// Who says a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The arena.
    Sent,
    /// The engine, on stdout.
    Received,
    /// The engine, on stderr.
    Stderr,
}

/// The log of a match. Clones write to the same file.
#[derive(Clone, Debug)]
pub struct EngineLog {
    file: Arc<Mutex<LineWriter<File>>>,
}

impl EngineLog {
    /// Opens a log; lines are appended to what the file has.
    pub fn open(path: &Path) -> anyhow::Result<EngineLog> {
        let file = append_plain(path)
            .with_context(|| format!("cannot write the log {}", path.display()))?;
        Ok(EngineLog { file: Arc::new(Mutex::new(LineWriter::new(file))) })
    }
}

/// The part of a log that is about one process.
#[derive(Clone, Debug)]
pub struct ProcessLog {
    log: Option<EngineLog>,
    engine: String,
    /// The number of the game it plays, plus 1; 0 before its first game.
    game: Arc<AtomicU64>,
}

impl ProcessLog {
    /// The log of an engine with this name; without a log, lines go nowhere.
    pub fn new(log: Option<EngineLog>, engine: &str) -> ProcessLog {
        ProcessLog { log, engine: engine.to_owned(), game: Arc::default() }
    }

    /// From now on lines belong to this game.
    pub fn set_game(&self, number: u64) {
        self.game.store(number + 1, Ordering::Relaxed);
    }

    /// Writes a line. A log that cannot be written does not end a match.
    pub fn write(&self, direction: Direction, line: &str) {
        let Some(log) = &self.log else { return };
        let arrow = match direction {
            Direction::Sent => '>',
            Direction::Received => '<',
            Direction::Stderr => '!',
        };
        let game = match self.game.load(Ordering::Relaxed) {
            0 => "start".to_owned(),
            number => format!("game {}", number - 1),
        };
        let entry = format!("{} {game} {} {arrow} {line}\n", Timestamp::now(), self.engine);
        let mut file = log.file.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let _ = file.write_all(entry.as_bytes());
    }
}
