//! An engine as users describe it: `--engine` words, an `[[engine]]` table, or a preset.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail, ensure};
use ratlla_client::words;
use serde::Deserialize;

use super::limits::{LimitConfig, TimeControl};
use super::{from_table, key_and_value};
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
    /// A time control: moves, seconds, increment.
    pub tc: Option<TimeControl>,
    /// Seconds per move.
    pub st: Option<f64>,
    /// Whether it thinks on the opponent's time.
    pub ponder: Option<bool>,
    /// Whether it is started anew for every game.
    pub restart: Option<bool>,
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
            let (key, value) = match word.as_str() {
                "ponder" | "restart" => (word.as_str(), "true"),
                _ => key_and_value(word)?,
            };
            let is_new = match key.strip_prefix("option.") {
                Some(name) => options.insert(name.to_owned(), value.into()).is_none(),
                None => keys.insert(key.to_owned(), value_of(key, value)).is_none(),
            };
            ensure!(is_new, "{key} is given twice");
        }
        keys.insert("option".to_owned(), options.into());
        from_table(keys)
    }

    /// The engine's own limits.
    pub fn limits(&self) -> anyhow::Result<SearchLimits> {
        let EngineConfig { movetime, depth, nodes, time, inc, tc, st, .. } = *self;
        let plain = SearchLimits { movetime, depth, nodes, time, inc, moves: None };
        LimitConfig { plain, tc, st }.limits()
    }

    fn has_limits(&self) -> bool {
        let EngineConfig { movetime, depth, nodes, time, inc, tc, st, .. } = self;
        let counts = [movetime, nodes, time, inc].iter().any(|limit| limit.is_some());
        counts || depth.is_some() || tc.is_some() || st.is_some()
    }

    /// This description over another one: its values win. Limits replace each other as a whole.
    pub fn over(self, base: &EngineConfig) -> EngineConfig {
        let limits = if self.has_limits() { &self } else { base };
        let EngineConfig { movetime, depth, nodes, time, inc, tc, st, .. } = *limits;
        let mut option = self.option;
        for (name, value) in &base.option {
            // Engines ignore case, so `hash` replaces a common `Hash`.
            if !option.keys().any(|own| own.eq_ignore_ascii_case(name)) {
                option.insert(name.clone(), value.clone());
            }
        }
        EngineConfig {
            preset: self.preset.or_else(|| base.preset.clone()),
            name: self.name.or_else(|| base.name.clone()),
            cmd: self.cmd.or_else(|| base.cmd.clone()),
            args: self.args.or_else(|| base.args.clone()),
            dir: self.dir.or_else(|| base.dir.clone()),
            proto: self.proto.or(base.proto),
            movetime,
            depth,
            nodes,
            time,
            inc,
            tc,
            st,
            ponder: self.ponder.or(base.ponder),
            restart: self.restart.or(base.restart),
            option,
        }
    }

    /// This engine with what its preset and `each`, in this order, add to it.
    pub fn with_defaults(&self, each: &EngineConfig) -> anyhow::Result<EngineConfig> {
        let Some(name) = &self.preset else { return Ok(self.clone().over(each)) };
        let preset = EngineConfig { name: Some(name.clone()), ..presets::find(name)? };
        // A preset is one program with one dialect.
        let each = EngineConfig { cmd: None, args: None, dir: None, proto: None, ..each.clone() };
        Ok(self.clone().over(&preset).over(&each))
    }

    /// Validates the description and fills in defaults. `common` are the limits of engines without
    /// their own; `arena` is the path of the arena's executable.
    pub fn spec(
        &self,
        title: &str,
        common: &SearchLimits,
        arena: &Path,
    ) -> anyhow::Result<EngineSpec> {
        let command = match &self.cmd {
            Some(cmd) => split_words(cmd).context("cmd")?,
            None if self.preset.is_some() => vec![presets::program(arena)],
            None => bail!("missing cmd=PROGRAM"),
        };
        let command = self.resolve(command)?;
        let limits = self.limits()?;
        let spec = EngineSpec {
            name: self.name.clone().unwrap_or_else(|| program_name(&command)),
            command,
            dir: self.dir.as_ref().map(std::path::absolute).transpose()?,
            proto: self.proto.unwrap_or_default(),
            options: self.option.iter().map(|(name, value)| (name.clone(), value.text())).collect(),
            limits: if limits.is_some() { limits } else { *common },
            restart: self.restart.unwrap_or(false),
            ponder: self.ponder.unwrap_or(false),
        };
        spec.check(title)?;
        Ok(spec)
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

/// The value of a key on the command line.
fn value_of(key: &str, text: &str) -> toml::Value {
    match (key, text) {
        // A name may look like a number.
        ("preset" | "name" | "cmd" | "args" | "dir" | "proto" | "tc", _) => text.into(),
        ("ponder" | "restart", "on" | "true") => true.into(),
        ("ponder" | "restart", "off" | "false") => false.into(),
        ("st", _) => text.parse::<f64>().map_or_else(|_| text.into(), toml::Value::from),
        _ => text.parse::<i64>().map_or_else(|_| text.into(), toml::Value::from),
    }
}

fn split_words(text: &str) -> anyhow::Result<Vec<String>> {
    words::split(text).with_context(|| format!("unclosed quote in '{text}'"))
}

fn program_name(command: &[String]) -> String {
    let path = command.first().map(Path::new);
    let stem = path.and_then(Path::file_stem);
    stem.map_or_else(|| "engine".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(words: &[&str]) -> anyhow::Result<EngineConfig> {
        EngineConfig::from_words(&words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn words_have_the_type_of_their_key() {
        let found = config(&["st=0.5", "depth=3", "name=7", "tc=1+1", "ponder", "restart=off"]);
        let found = found.unwrap();
        assert_eq!((found.st, found.depth, found.name.as_deref()), (Some(0.5), Some(3), Some("7")));
        assert_eq!(
            (found.tc, found.ponder, found.restart),
            ("1+1".parse().ok(), Some(true), Some(false))
        );
        assert_eq!(config(&["st=2"]).unwrap().st, Some(2.0));
        for wrong in ["st=x", "depth=0.5", "depth=-1", "ponder=maybe", "name"] {
            assert!(config(&[wrong]).is_err(), "{wrong}");
        }
        let twice = config(&["depth=1", "depth=1"]).unwrap_err().to_string();
        assert_eq!(twice, "depth is given twice");
    }

    #[test]
    fn an_engine_without_a_name_is_called_like_its_program() {
        let name = |command: &[&str]| {
            program_name(&command.iter().map(|&word| word.to_owned()).collect::<Vec<_>>())
        };
        assert_eq!(name(&["/usr/bin/some-engine.exe", "--fast"]), "some-engine");
        assert_eq!(name(&[]), "engine");
        let each = SearchLimits { depth: Some(1), ..SearchLimits::default() };
        let spec = config(&["cmd=sh"]).unwrap().spec("connect4 6 7 4", &each, Path::new("arena"));
        assert_eq!(spec.unwrap().name, "sh");
    }

    /// A preset is one program with one dialect: what all engines have in common does not change that.
    #[test]
    fn a_preset_takes_from_the_others_only_what_is_no_part_of_it() {
        let each =
            config(&["cmd=x", "args=y", "dir=/z", "proto=uci", "ponder", "option.Hash=3"]).unwrap();
        let preset = config(&["preset=ninja1"]).unwrap().with_defaults(&each).unwrap();
        let own = presets::find("ninja1").unwrap();
        assert_eq!((preset.cmd, preset.args, preset.dir), (own.cmd, own.args, None));
        assert_eq!((preset.proto, preset.ponder), (own.proto, Some(true)));
        assert_eq!(preset.name.as_deref(), Some("ninja1"));
        let plain = config(&["name=a"]).unwrap().with_defaults(&each).unwrap();
        assert_eq!((plain.cmd.as_deref(), plain.args.as_deref()), (Some("x"), Some("y")));
        assert_eq!((plain.dir, plain.proto), (Some("/z".into()), Some(Proto::Uci)));
    }
}
