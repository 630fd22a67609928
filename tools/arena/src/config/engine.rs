//! An engine as users describe it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;

use super::key_and_value;
use crate::engine::dialect::Proto;
use crate::presets;
use crate::settings::{EngineSpec, Limits};

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

impl EngineConfig {
    /// Reads `key=value` words; `option.NAME=value` sets an option.
    pub fn from_words(words: &[String]) -> anyhow::Result<EngineConfig> {
        let mut options = toml::Table::new();
        let mut table = toml::Table::new();
        for word in words {
            let (key, value) = key_and_value(word)?;
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
        let preset = self.preset.as_deref().map(presets::find).transpose()?;
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
