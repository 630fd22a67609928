//! What users write: a TOML file, or words on the command line. Both become [`Settings`], with
//! every default filled in and everything checked before the first game.

mod engine;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;

use crate::settings::{EngineSpec, Format, Limits, Openings, Settings};
use crate::stats::sprt::Sprt;
use crate::umpire;
pub use engine::{EngineConfig, OptionValue};

/// A match as users describe it. What is missing has a default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// The words after `newgame`; the classic board if missing.
    pub game: Option<String>,
    /// How many games each two engines play.
    pub games: Option<u64>,
    /// Who plays whom.
    pub format: Option<Format>,
    /// What all chance depends on.
    pub seed: Option<u64>,
    /// How many random moves begin a game.
    pub plies: Option<u32>,
    /// A file with a position on each line, instead of random moves.
    pub openings: Option<PathBuf>,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Milliseconds that a move may take too long without harm.
    pub margin: Option<u64>,
    /// Milliseconds that an answer may be overdue before it is given up.
    pub patience: Option<u64>,
    /// How many games are played at the same time.
    pub concurrency: Option<usize>,
    /// The file to which the games are written.
    pub record: Option<PathBuf>,
    /// For engines without limits of their own: milliseconds for a move.
    pub movetime: Option<u64>,
    /// For engines without limits of their own: plies.
    pub depth: Option<u32>,
    /// For engines without limits of their own: positions visited.
    pub nodes: Option<u64>,
    /// For engines without limits of their own: milliseconds on the clock.
    pub time: Option<u64>,
    /// For engines without limits of their own: milliseconds gained with each move.
    pub inc: Option<u64>,
    /// The engines.
    #[serde(default)]
    pub engine: Vec<EngineConfig>,
}

impl MatchConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> anyhow::Result<MatchConfig> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        MatchConfig::parse(&text).with_context(|| path.display().to_string())
    }

    /// Reads the text of a file.
    pub fn parse(text: &str) -> anyhow::Result<MatchConfig> {
        Ok(toml::from_str(text)?)
    }

    /// Everything filled in and checked.
    pub fn settings(&self, arena: &Path) -> anyhow::Result<Settings> {
        let game = self.game.as_deref().unwrap_or_default();
        let title = umpire::open(game).map_err(|reason| anyhow!("game: {reason}"))?.title();
        let engines = self.engines(&title, arena)?;
        let games = self.games.unwrap_or(100);
        let settings = Settings {
            openings: self.openings(&title, &engines, games / 2)?,
            game: title,
            engines,
            format: self.format.unwrap_or_default(),
            games,
            seed: self.seed.unwrap_or(1),
            sprt: self.sprt,
            margin: self.margin.unwrap_or(50),
            patience: self.patience.unwrap_or(10_000),
        };
        settings.check()?;
        Ok(settings)
    }

    fn engines(&self, title: &str, arena: &Path) -> anyhow::Result<Vec<EngineSpec>> {
        let own = Limits {
            movetime: self.movetime,
            depth: self.depth,
            nodes: self.nodes,
            time: self.time,
            inc: self.inc,
        };
        let mut engines: Vec<EngineSpec> = Vec::new();
        for (index, config) in self.engine.iter().enumerate() {
            let engine = config.spec(title, &own, arena).with_context(|| {
                let name = config.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
                format!("engine {}{name}", index + 1)
            })?;
            engines.push(engine);
        }
        Ok(engines)
    }

    fn openings(
        &self,
        title: &str,
        engines: &[EngineSpec],
        rounds: u64,
    ) -> anyhow::Result<Openings> {
        let Some(path) = &self.openings else {
            return Ok(Openings::Random { plies: self.plies.unwrap_or(4) });
        };
        ensure!(self.plies.is_none(), "openings come from a file or by chance: not both");
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the openings {}", path.display()))?;
        let mut table = umpire::open(title).map_err(anyhow::Error::msg)?;
        let mut list = Vec::new();
        let moves_only = engines.iter().find(|engine| !engine.proto.dialect().sets_up_positions());
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = || format!("{}, line {number}", path.display());
            let position = umpire::parse_position(line);
            umpire::set_up(&mut *table, &position)
                .map_err(anyhow::Error::msg)
                .with_context(place)?;
            ensure!(table.outcome().is_none(), "{}: the game is over there", place());
            if let (Some(engine), false) = (moves_only, position.setup.is_empty()) {
                let (name, proto) = (&engine.name, engine.proto);
                bail!("{}: {name} (proto={proto}) can be told moves only", place());
            }
            list.push(line.to_owned());
        }
        ensure!(!list.is_empty(), "{}: no openings", path.display());
        list.truncate(usize::try_from(rounds).unwrap_or(usize::MAX));
        Ok(Openings::List(list))
    }
}

/// Reads the `key=value` words of a test.
pub fn sprt_from_words(words: &[String]) -> anyhow::Result<Sprt> {
    let mut table = toml::Table::new();
    for word in words {
        let (key, value) = key_and_value(word)?;
        let value = match value.parse::<f64>() {
            Ok(number) => number.into(),
            Err(_) => value.into(),
        };
        table.insert(key.to_owned(), value);
    }
    Ok(table.try_into()?)
}

fn key_and_value(word: &str) -> anyhow::Result<(&str, &str)> {
    word.split_once('=').with_context(|| format!("'{word}' is not of the form key=value"))
}
