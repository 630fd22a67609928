//! An engine as users describe it: `--engine` words, an `[[engine]]` table, or a preset.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use serde::Deserialize;

use super::key_and_value;
use crate::engine::dialect::Proto;
use crate::presets;
use crate::settings::{EngineSpec, SearchLimits};

/// An engine as users describe it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineConfig {
    /// A built-in opponent, which supplies a command, options and limits.
    pub preset: Option<String>,
    /// Its name.
    pub name: Option<String>,
    /// The program and its arguments, quoted as in a shell.
    pub cmd: Option<String>,
    /// More arguments, quoted as in a shell.
    pub args: Option<String>,
    /// The working directory.
    pub dir: Option<PathBuf>,
    /// The dialect.
    pub proto: Option<Proto>,
    /// Milliseconds per move.
    pub movetime: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Base time on the clock in milliseconds.
    pub time: Option<u64>,
    /// Increment per move in milliseconds.
    pub inc: Option<u64>,
    /// Its options.
    #[serde(default)]
    pub option: BTreeMap<String, OptionValue>,
}

/// The value of an engine option in TOML.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Check(bool),
    /// A number.
    Spin(i64),
    /// Any other value.
    Text(String),
}

impl OptionValue {
    /// The value as `setoption` takes it.
    pub fn text(&self) -> String {
        match self {
            OptionValue::Check(value) => value.to_string(),
            OptionValue::Spin(value) => value.to_string(),
            OptionValue::Text(value) => value.clone(),
        }
    }
}

impl EngineConfig {
    /// Parses `key=value` words; `option.NAME=value` sets an engine option.
    pub fn from_words(words: &[String]) -> anyhow::Result<EngineConfig> {
        let mut options = toml::Table::new();
        let mut keys = toml::Table::new();
        for word in words {
            let (key, value) = key_and_value(word)?;
            match key.strip_prefix("option.") {
                Some(name) => options.insert(name.to_owned(), value.into()),
                None => keys.insert(key.to_owned(), scalar(value)),
            };
        }
        for key in ["preset", "name", "cmd", "args", "dir", "proto"] {
            // A name may look like a number.
            if let Some(value) = keys.get_mut(key)
                && let toml::Value::Integer(number) = value
            {
                *value = number.to_string().into();
            }
        }
        keys.insert("option".to_owned(), options.into());
        Ok(keys.try_into()?)
    }

    /// The engine's own limits.
    pub fn limits(&self) -> SearchLimits {
        let EngineConfig { movetime, depth, nodes, time, inc, .. } = *self;
        SearchLimits { movetime, depth, nodes, time, inc, moves: None }
    }

    /// Validates the description and fills in defaults. `common` are the limits of engines without
    /// their own; `arena` is the path of the arena's executable.
    pub fn spec(
        &self,
        title: &str,
        common: &SearchLimits,
        arena: &Path,
    ) -> anyhow::Result<EngineSpec> {
        let preset = self.preset.as_deref().map(presets::find).transpose()?.unwrap_or_default();
        let proto = self.proto.unwrap_or_default();
        proto.dialect().supports(title).map_err(anyhow::Error::msg)?;
        let command = match &self.cmd {
            Some(cmd) => split_words(cmd).context("cmd")?,
            None if self.preset.is_some() => vec![presets::program(arena)],
            None => bail!("missing cmd=PROGRAM"),
        };
        let command = self.resolve(command)?;
        let name = self.name.as_ref().or(self.preset.as_ref()).cloned();
        let limits = [self.limits(), preset.limits(), *common];
        let limits = limits.into_iter().find(SearchLimits::is_some).unwrap_or_default();
        ensure!(
            limits.is_some() || proto == Proto::Line,
            "no search limit: set movetime, depth, nodes or time, for this engine or for all"
        );
        ensure!(limits.inc.is_none() || limits.time.is_some(), "inc requires time");
        let options = preset.option.iter().chain(&self.option);
        Ok(EngineSpec {
            name: name.unwrap_or_else(|| program_name(&command)),
            command,
            dir: self.dir.as_ref().map(std::path::absolute).transpose()?,
            proto,
            options: options.map(|(name, value)| (name.clone(), value.text())).collect(),
            limits,
            restart: false,
            ponder: false,
        })
    }

    /// The command with the absolute path of its program and with `args` appended.
    fn resolve(&self, mut command: Vec<String>) -> anyhow::Result<Vec<String>> {
        let program = command.first_mut().context("cmd is empty")?;
        let found = find_program(program)?;
        *program = std::path::absolute(found)?.to_string_lossy().into_owned();
        if let Some(args) = &self.args {
            command.extend(split_words(args).context("args")?);
        }
        if let Some(dir) = &self.dir {
            check_dir(dir)?;
        }
        Ok(command)
    }
}

/// Finds an executable as a shell would.
pub fn find_program(program: &str) -> anyhow::Result<PathBuf> {
    which::which(program).map_err(|_| anyhow!("program '{program}' not found or not executable"))
}

/// Fails unless `dir` is a directory.
pub fn check_dir(dir: &Path) -> anyhow::Result<()> {
    ensure!(dir.is_dir(), "directory {} not found", dir.display());
    Ok(())
}

fn scalar(text: &str) -> toml::Value {
    text.parse::<i64>().map_or_else(|_| text.into(), toml::Value::from)
}

fn split_words(text: &str) -> anyhow::Result<Vec<String>> {
    shlex::split(text).with_context(|| format!("unbalanced quotes in '{text}'"))
}

fn program_name(command: &[String]) -> String {
    let path = command.first().map(Path::new);
    let stem = path.and_then(Path::file_stem);
    stem.map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
