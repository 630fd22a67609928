//! What users write: a TOML file, or words on the command line. Both become [`Settings`], with
//! every default filled in and everything checked before the first game.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;

use crate::engine::dialect::Proto;
use crate::presets;
use crate::settings::{EngineSpec, Format, Limits, Openings, Settings};
use crate::stats::sprt::Sprt;
use crate::umpire;

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

/// An engine as users describe it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// One of the arena's own opponents, which has a command, options and limits.
    pub preset: Option<String>,
    /// What it is called.
    pub name: Option<String>,
    /// The program, and if need be arguments, as in a shell.
    pub cmd: Option<String>,
    /// More arguments, as in a shell.
    pub args: Option<String>,
    /// The directory in which it is started.
    pub dir: Option<PathBuf>,
    /// The dialect.
    pub proto: Option<Proto>,
    /// Milliseconds for a move.
    pub movetime: Option<u64>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Milliseconds on the clock.
    pub time: Option<u64>,
    /// Milliseconds gained with each move.
    pub inc: Option<u64>,
    /// Its options.
    #[serde(default)]
    pub option: BTreeMap<String, OptionValue>,
}

/// The value of an option: whatever TOML has for it.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Check(bool),
    /// A number.
    Spin(i64),
    /// Anything else.
    Text(String),
}

impl OptionValue {
    /// As engines are told it.
    pub fn text(&self) -> String {
        match self {
            OptionValue::Check(value) => value.to_string(),
            OptionValue::Spin(value) => value.to_string(),
            OptionValue::Text(value) => value.clone(),
        }
    }
}

impl MatchConfig {
    /// Reads a file.
    pub fn read(path: &Path) -> anyhow::Result<MatchConfig> {
        let text = std::fs::read_to_string(path)
            .with_context(|| format!("cannot read {}", path.display()))?;
        toml::from_str(&text).with_context(|| path.display().to_string())
    }

    /// Everything filled in and checked.
    pub fn settings(&self, arena: &Path) -> anyhow::Result<Settings> {
        let game = self.game.as_deref().unwrap_or_default();
        let title = umpire::open(game).map_err(|reason| anyhow!("game: {reason}"))?.title();
        let engines = self.engines(&title, arena)?;
        let games = self.games.unwrap_or(100);
        ensure!(
            games > 0 && games.is_multiple_of(2),
            "games: {games} is not an even number above 0, and each opening is played twice"
        );
        ensure!(
            engines.len() >= 2,
            "a match needs two engines or more: --engine cmd=PROGRAM …, once for each"
        );
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|reason| anyhow!("sprt: {reason}"))?;
            ensure!(engines.len() == 2, "sprt: it compares two engines, not {}", engines.len());
        }
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
                let name = config.name.clone().unwrap_or_default();
                format!("engine {} {name}", index + 1)
            })?;
            if engines.iter().any(|other| other.name == engine.name) {
                bail!("two engines are called '{}': give them different names", engine.name);
            }
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

impl EngineConfig {
    /// Reads `key=value` words; `option.NAME=value` sets an option.
    pub fn from_words(words: &[String]) -> anyhow::Result<EngineConfig> {
        let mut options = toml::Table::new();
        let mut table = toml::Table::new();
        for word in words {
            let (key, value) = word
                .split_once('=')
                .with_context(|| format!("'{word}' is not of the form key=value"))?;
            match key.strip_prefix("option.") {
                Some(name) => options.insert(name.to_owned(), value.into()),
                None => table.insert(key.to_owned(), scalar(value)),
            };
        }
        for text in ["preset", "name", "cmd", "args", "dir", "proto"] {
            // A name may look like a number.
            if let Some(value) = table.get_mut(text)
                && let toml::Value::Integer(number) = value
            {
                *value = number.to_string().into();
            }
        }
        table.insert("option".to_owned(), options.into());
        Ok(table.try_into()?)
    }

    fn limits(&self) -> Limits {
        let EngineConfig { movetime, depth, nodes, time, inc, .. } = *self;
        Limits { movetime, depth, nodes, time, inc }
    }

    /// Everything filled in and checked.
    pub fn spec(&self, title: &str, common: &Limits, arena: &Path) -> anyhow::Result<EngineSpec> {
        let preset = self.preset.as_ref().map(|name| presets::find(name, title)).transpose()?;
        let preset = preset.unwrap_or_default();
        let proto = self.proto.unwrap_or_default();
        proto.dialect().plays(title).map_err(anyhow::Error::msg)?;
        let command = match &self.cmd {
            Some(cmd) => words(cmd).context("cmd")?,
            None if self.preset.is_some() => vec![presets::engine_beside(arena)],
            None => bail!("its command is missing: cmd=PROGRAM"),
        };
        let command = self.resolve(command)?;
        let name = self.name.as_ref().or(self.preset.as_ref()).cloned();
        let limits = [self.limits(), preset.limits(), *common];
        let limits = limits.into_iter().find(Limits::is_some).unwrap_or_default();
        ensure!(
            limits.is_some() || proto == Proto::Line,
            "nothing limits its moves: give it, or all engines, movetime, depth, nodes or time"
        );
        ensure!(limits.inc.is_none() || limits.time.is_some(), "an inc needs a time");
        let options = preset.option.iter().chain(&self.option);
        Ok(EngineSpec {
            name: name.unwrap_or_else(|| program_name(&command)),
            command,
            dir: self.dir.as_ref().map(std::path::absolute).transpose()?,
            proto,
            options: options.map(|(name, value)| (name.clone(), value.text())).collect(),
            limits,
        })
    }

    /// The command with its program found and all arguments.
    fn resolve(&self, mut command: Vec<String>) -> anyhow::Result<Vec<String>> {
        let program = command.first_mut().context("the command is empty")?;
        let found = which::which(&*program)
            .map_err(|_| anyhow!("there is no program '{program}' that can be started"))?;
        *program = std::path::absolute(found)?.to_string_lossy().into_owned();
        command.extend(
            self.args.as_deref().map(words).transpose().context("args")?.unwrap_or_default(),
        );
        if let Some(dir) = &self.dir {
            ensure!(dir.is_dir(), "there is no directory {}", dir.display());
        }
        Ok(command)
    }
}

/// Reads the `key=value` words of a test.
pub fn sprt_from_words(words: &[String]) -> anyhow::Result<Sprt> {
    let mut table = toml::Table::new();
    for word in words {
        let (key, value) = word
            .split_once('=')
            .with_context(|| format!("'{word}' is not of the form key=value"))?;
        let value = match value.parse::<f64>() {
            Ok(number) => number.into(),
            Err(_) => value.into(),
        };
        table.insert(key.to_owned(), value);
    }
    Ok(table.try_into()?)
}

fn scalar(text: &str) -> toml::Value {
    text.parse::<i64>().map_or_else(|_| text.into(), toml::Value::from)
}

fn words(text: &str) -> anyhow::Result<Vec<String>> {
    shlex::split(text).with_context(|| format!("'{text}' has a quote without an end"))
}

fn program_name(command: &[String]) -> String {
    let path = command.first().map(Path::new);
    let stem = path.and_then(Path::file_stem);
    stem.map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
