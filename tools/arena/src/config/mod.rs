//! A match as users describe it, in a TOML file or as flags with the same names. Turned into
//! [`MatchSettings`] with all defaults filled in and everything checked before the first game.

mod engine;

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use serde::Deserialize;

use crate::rules;
use crate::settings::{
    AdjudicationRules, Balance, EngineSpec, MatchSettings, OpeningSource, SearchLimits,
    TournamentFormat,
};
use crate::stats::sprt::Sprt;
pub use engine::{EngineConfig, OptionValue, check_dir, find_program};

/// The keys of a configuration file, which are also the flags of `match` and `plan`.
#[derive(Clone, Debug, Default, Deserialize, clap::Args)]
#[serde(deny_unknown_fields)]
pub struct MatchConfig {
    /// The game, as after newgame: "6 7", "boom", "kalah 6 4" [default: Connect Four, 6x7]
    #[arg(long, value_name = "GAME")]
    pub game: Option<String>,
    /// Games per pair of engines; must be even [default: 100]
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Tournament format [default: round-robin]
    #[arg(long, value_enum)]
    pub format: Option<TournamentFormat>,
    /// Time per move in milliseconds
    #[arg(long, value_name = "MS")]
    pub movetime: Option<u64>,
    /// Search depth in plies
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Nodes per move
    #[arg(long, value_name = "N")]
    pub nodes: Option<u64>,
    /// Base time on each clock in milliseconds
    #[arg(long, value_name = "MS")]
    pub time: Option<u64>,
    /// Increment per move in milliseconds
    #[arg(long, value_name = "MS")]
    pub inc: Option<u64>,
    /// Length of random openings in plies [default: 4]
    #[arg(long, value_name = "N", conflicts_with = "openings")]
    pub plies: Option<u32>,
    /// Take openings from a file: one position per line, as after the position command
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// Random seed [default: 1]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Games played at the same time [default: 1]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<NonZeroUsize>,
    /// Tolerated time overrun per move in milliseconds [default: 50]
    #[arg(long, value_name = "MS")]
    pub margin: Option<u64>,
    /// How long an answer may be overdue before the engine forfeits, in milliseconds
    /// [default: 10000]
    #[arg(long, value_name = "MS")]
    pub patience: Option<u64>,
    /// Write the games to this new file (JSON lines)
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Stop a match of two engines when this test is decided
    #[arg(skip)]
    pub sprt: Option<Sprt>,
    /// The engines
    #[arg(skip)]
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

    /// Parses the text of a file.
    pub fn parse(text: &str) -> anyhow::Result<MatchConfig> {
        Ok(toml::from_str(text)?)
    }

    /// This configuration over another one: its values win, its engines come last.
    pub fn over(self, mut base: MatchConfig) -> MatchConfig {
        // Random openings and a file of openings replace each other.
        if self.plies.is_some() {
            base.openings = None;
        }
        if self.openings.is_some() {
            base.plies = None;
        }
        base.engine.extend(self.engine);
        MatchConfig {
            game: self.game.or(base.game),
            games: self.games.or(base.games),
            format: self.format.or(base.format),
            movetime: self.movetime.or(base.movetime),
            depth: self.depth.or(base.depth),
            nodes: self.nodes.or(base.nodes),
            time: self.time.or(base.time),
            inc: self.inc.or(base.inc),
            plies: self.plies.or(base.plies),
            openings: self.openings.or(base.openings),
            seed: self.seed.or(base.seed),
            concurrency: self.concurrency.or(base.concurrency),
            margin: self.margin.or(base.margin),
            patience: self.patience.or(base.patience),
            record: self.record.or(base.record),
            sprt: self.sprt.or(base.sprt),
            engine: base.engine,
        }
    }

    /// Validates the configuration and fills in defaults. `arena` is the path of the arena's
    /// executable.
    pub fn settings(&self, arena: &Path) -> anyhow::Result<MatchSettings> {
        let game = self.game.as_deref().unwrap_or_default();
        let title = rules::open(game).context("game")?.title();
        let engines = self.engines(&title, arena)?;
        let games = self.games.unwrap_or(100);
        let settings = MatchSettings {
            openings: self.openings(&title, &engines, games / 2)?,
            game: title,
            engines,
            format: self.format.unwrap_or_default(),
            games,
            seed: self.seed.unwrap_or(1),
            sprt: self.sprt,
            seeds: 1,
            recover: false,
            adjudication: AdjudicationRules::default(),
            margin: self.margin.unwrap_or(50),
            patience: self.patience.unwrap_or(10_000),
        };
        settings.check()?;
        Ok(settings)
    }

    fn engines(&self, title: &str, arena: &Path) -> anyhow::Result<Vec<EngineSpec>> {
        let MatchConfig { movetime, depth, nodes, time, inc, .. } = *self;
        let common = SearchLimits { movetime, depth, nodes, time, inc, moves: None };
        let spec = |(index, config): (usize, &EngineConfig)| {
            config.spec(title, &common, arena).with_context(|| {
                let name = config.name.as_ref().map_or_else(String::new, |name| format!(" {name}"));
                format!("engine {}{name}", index + 1)
            })
        };
        self.engine.iter().enumerate().map(spec).collect()
    }

    fn openings(
        &self,
        title: &str,
        engines: &[EngineSpec],
        rounds: u64,
    ) -> anyhow::Result<OpeningSource> {
        let Some(path) = &self.openings else {
            return Ok(OpeningSource::Random {
                plies: self.plies.unwrap_or(4),
                balance: Balance::Search,
            });
        };
        ensure!(self.plies.is_none(), "plies and openings exclude each other");
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read the openings {}", path.display()))?;
        let mut game = rules::open(title)?;
        let mut list = Vec::new();
        let moves_only = engines.iter().find(|engine| !engine.proto.dialect().supports_setup());
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let place = || format!("{}, line {number}", path.display());
            let position = rules::parse_position(line);
            rules::set_up_opening(&mut *game, &position).with_context(place)?;
            if let (Some(engine), false) = (moves_only, position.setup.is_empty()) {
                let (name, proto) = (&engine.name, engine.proto);
                bail!("{}: {name} (proto={proto}) cannot set up positions, only moves", place());
            }
            list.push(line.to_owned());
        }
        ensure!(!list.is_empty(), "{}: no openings", path.display());
        list.truncate(usize::try_from(rounds).unwrap_or(usize::MAX));
        Ok(OpeningSource::List(list))
    }
}

/// Parses the `key=value` words of `--sprt`.
pub fn sprt_from_words(words: &[String]) -> anyhow::Result<Sprt> {
    let mut keys = toml::Table::new();
    for word in words {
        let (key, value) = key_and_value(word)?;
        let value = match value.parse::<f64>() {
            Ok(number) => number.into(),
            Err(_) => value.into(),
        };
        keys.insert(key.to_owned(), value);
    }
    Ok(keys.try_into()?)
}

fn key_and_value(word: &str) -> anyhow::Result<(&str, &str)> {
    word.split_once('=').with_context(|| format!("expected key=value, got '{word}'"))
}
