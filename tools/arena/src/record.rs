//! The record of a match: a file of JSON lines, which is the one truth about it.
//!
//! The first line holds the settings, every other line one game. A game is written, and on the
//! disk, before it counts. A last line that was cut off, by whatever stopped the arena, is no game;
//! going on overwrites it.

use std::fs::{File, TryLockError};
use std::io::{BufRead, BufReader, ErrorKind, Read as _, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::fault::FaultKind;
use crate::settings::Settings;

/// No honest line is longer, in bytes.
const LONGEST_LINE: u64 = 64 << 20;

/// A line of the file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Entry {
    /// The first line.
    Match(Box<Settings>),
    /// Any other line.
    Game(Box<GameRecord>),
}

impl Entry {
    /// The line, with its end.
    pub fn line(&self) -> anyhow::Result<Vec<u8>> {
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        Ok(line)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    /// Player 1 has won.
    P1Win,
    /// Player 2 has won.
    P2Win,
    /// Nobody has.
    Draw,
}

impl GameResult {
    /// Twice the points of each player.
    pub fn half_points(self) -> [u64; 2] {
        match self {
            GameResult::P1Win => [2, 0],
            GameResult::P2Win => [0, 2],
            GameResult::Draw => [1, 1],
        }
    }
}

/// What a fault was, for the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Blame {
    /// The name of the engine that did it.
    pub engine: String,
    /// The kind of fault.
    pub kind: FaultKind,
    /// What happened.
    pub story: String,
    /// By how many milliseconds the answer was too late.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overshoot: Option<u64>,
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its number in the match, from 0.
    pub number: u64,
    /// The number of its opening, from 0.
    pub round: u64,
    /// The name of player 1.
    pub p1: String,
    /// The name of player 2.
    pub p2: String,
    /// The words of the position with which it began, if it was not the start of the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub setup: String,
    /// The moves of the opening.
    pub opening: Vec<String>,
    /// The moves of the players.
    pub moves: Vec<String>,
    /// Milliseconds for each move.
    pub times: Vec<u64>,
    /// What the player thought of each move, in its own words.
    pub scores: Vec<Option<String>>,
    /// How deep the player looked.
    pub depths: Vec<Option<u32>>,
    /// How many positions it visited.
    pub nodes: Vec<Option<u64>>,
    /// Who has won.
    pub result: GameResult,
    /// Why: what a game is won by, `draw`, or a fault.
    pub reason: String,
    /// Who ended the game by a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Blame>,
}

/// A file to which games are added.
pub struct Recorder {
    file: File,
}

impl Recorder {
    /// Begins a record. A file that exists already is not touched.
    pub fn create(path: &Path, settings: &Settings) -> anyhow::Result<Recorder> {
        let file = File::options().write(true).create_new(true).open(path);
        let file = file.map_err(|error| {
            let name = path.display();
            let hint = match error.kind() {
                ErrorKind::AlreadyExists => format!("; --resume {name} goes on with it"),
                _ => String::new(),
            };
            anyhow::Error::new(error).context(format!("cannot begin the record {name}{hint}"))
        })?;
        let mut recorder = Recorder { file };
        recorder.lock(path)?;
        recorder.write(&Entry::Match(Box::new(settings.clone())))?;
        Ok(recorder)
    }

    /// Goes on with a record: its settings and its games.
    pub fn resume(path: &Path) -> anyhow::Result<(Recorder, Settings, Vec<GameRecord>)> {
        let file = File::options().read(true).write(true).open(path);
        let file = file.with_context(|| format!("cannot resume {}", path.display()))?;
        let mut recorder = Recorder { file };
        recorder.lock(path)?;
        let contents = Contents::read(BufReader::new(&recorder.file))
            .with_context(|| path.display().to_string())?;
        recorder.file.set_len(contents.whole_bytes)?;
        recorder.file.seek(SeekFrom::End(0))?;
        Ok((recorder, contents.settings, contents.games))
    }

    /// Adds a game. When this returns, the game is on the disk.
    pub fn add(&mut self, game: &GameRecord) -> anyhow::Result<()> {
        self.write(&Entry::Game(Box::new(game.clone())))
    }

    fn write(&mut self, entry: &Entry) -> anyhow::Result<()> {
        self.file.write_all(&entry.line()?).context("cannot write to the record")?;
        self.file.sync_data().context("cannot write to the record")
    }

    fn lock(&self, path: &Path) -> anyhow::Result<()> {
        self.file.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => {
                anyhow!("another arena is writing to the record {}", path.display())
            }
            TryLockError::Error(error) => error.into(),
        })
    }
}

/// Reads a record: its settings, and its games by number.
pub fn read(path: &Path) -> anyhow::Result<(Settings, Vec<GameRecord>)> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    read_from(BufReader::new(file)).with_context(|| path.display().to_string())
}

/// The same from anywhere.
pub fn read_from(source: impl BufRead) -> anyhow::Result<(Settings, Vec<GameRecord>)> {
    let contents = Contents::read(source)?;
    Ok((contents.settings, contents.games))
}

struct Contents {
    settings: Settings,
    games: Vec<GameRecord>,
    /// The length of the file up to the end of its last whole line.
    whole_bytes: u64,
}

impl Contents {
    fn read(mut source: impl BufRead) -> anyhow::Result<Contents> {
        let mut settings: Option<Settings> = None;
        let mut games: Vec<GameRecord> = Vec::new();
        let mut whole_bytes = 0;
        for number in 1.. {
            let mut line = Vec::new();
            source.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
            ensure!((line.len() as u64) < LONGEST_LINE, "line {number} is too long for a game");
            if line.pop_if(|last| *last == b'\n').is_none() {
                break;
            }
            let place = || format!("line {number}");
            let entry = serde_json::from_slice(&line)
                .with_context(|| format!("{} is no line of a record", place()))?;
            match (entry, &settings) {
                (Entry::Match(found), None) => {
                    found.check().with_context(place)?;
                    settings = Some(*found);
                }
                (Entry::Game(game), Some(_)) => games.push(*game),
                (Entry::Match(_), Some(_)) => bail!("{}: a second match", place()),
                (Entry::Game(_), None) => bail!("{}: a game before the match", place()),
            }
            whole_bytes += line.len() as u64 + 1;
        }
        let settings = settings.context("this is no record: its first line is no match")?;
        games.sort_by_key(|game| game.number);
        let twice = games.windows(2).find(|pair| pair[0].number == pair[1].number);
        if let Some([game, _]) = twice {
            bail!("game {} stands there twice", game.number);
        }
        let in_the_match = |game: &GameRecord| game.number < settings.total_games();
        ensure!(games.last().is_none_or(in_the_match), "more games than the match has");
        Ok(Contents { settings, games, whole_bytes })
    }
}
