//! A file of openings as users describe it.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use rand::SeedableRng as _;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom as _;
use ratlla::platform::files::read_text_bounded;
use serde::Deserialize;

use super::{from_table, key_and_value};
use crate::rules;
use crate::settings::OpeningSource;

/// No file of openings is longer, in bytes.
const LONGEST_FILE: u64 = 64 << 20;

/// A file of openings, and which of them are played in which order.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(from = "PathOrTable")]
pub struct OpeningsConfig {
    /// The file: one position per line.
    pub file: PathBuf,
    /// Their order.
    pub order: Order,
    /// The number of the first one in that order, from 1.
    pub start: usize,
}

/// The order of openings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// That of the file.
    #[default]
    Sequential,
    /// Shuffled by the seed of the match.
    Random,
}

/// In a configuration file, the path alone is enough.
#[derive(Deserialize)]
#[serde(untagged)]
enum PathOrTable {
    Path(PathBuf),
    Table(OpeningsTable),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OpeningsTable {
    file: PathBuf,
    #[serde(default)]
    order: Order,
    #[serde(default = "first")]
    start: usize,
}

fn first() -> usize {
    1
}

impl From<PathOrTable> for OpeningsConfig {
    fn from(config: PathOrTable) -> OpeningsConfig {
        match config {
            PathOrTable::Path(file) => OpeningsConfig { file, order: Order::default(), start: 1 },
            PathOrTable::Table(OpeningsTable { file, order, start }) => {
                OpeningsConfig { file, order, start }
            }
        }
    }
}

impl OpeningsConfig {
    /// Parses the words of `--openings`: a path, or `key=value`.
    pub fn from_words(words: &[String]) -> anyhow::Result<OpeningsConfig> {
        let mut keys = toml::Table::new();
        for word in words {
            let (key, value) = match key_and_value(word) {
                Ok(pair) if matches!(pair.0, "file" | "order" | "start") => pair,
                _ => ("file", word.as_str()),
            };
            let value = match value.parse::<i64>() {
                Ok(number) if key == "start" => number.into(),
                _ => value.into(),
            };
            ensure!(keys.insert(key.to_owned(), value).is_none(), "{key} is given twice");
        }
        let table: OpeningsTable = from_table(keys)?;
        Ok(PathOrTable::Table(table).into())
    }

    /// Reads the openings of the game with this title: the first `rounds` that are played.
    pub fn read(&self, title: &str, seed: u64, rounds: u64) -> anyhow::Result<OpeningSource> {
        let mut list = read_positions(&self.file, title)?;
        let (start, count) = (self.start, list.len());
        ensure!(
            (1..=count).contains(&start),
            "{}: start must be 1..{count}, the number of openings (got {start})",
            self.file.display()
        );
        if self.order == Order::Random {
            list.shuffle(&mut SmallRng::seed_from_u64(seed));
        }
        list.rotate_left(start - 1);
        list.truncate(usize::try_from(rounds).unwrap_or(usize::MAX).max(1));
        Ok(OpeningSource::List(list))
    }
}

/// The positions in a file, checked one by one.
fn read_positions(path: &Path, title: &str) -> anyhow::Result<Vec<String>> {
    let text = read_text_bounded(path, LONGEST_FILE)
        .with_context(|| format!("cannot read the openings {}", path.display()))?;
    let mut game = rules::open(title)?;
    let mut list = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        rules::set_up_opening(&mut *game, &rules::parse_position(line))
            .with_context(|| format!("{}, line {number}", path.display()))?;
        list.push(line.to_owned());
    }
    ensure!(!list.is_empty(), "{}: no openings", path.display());
    Ok(list)
}
