//! Fixed opponents of rising strength, for every game, which any engine can be tested against. They
//! stand in `presets.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context as _, anyhow};
use serde::Deserialize;

use crate::config::OptionValue;
use crate::settings::Limits;

/// What a preset settles.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    depth: Option<u32>,
    nodes: Option<u64>,
    /// The options of the engine.
    #[serde(default)]
    pub option: BTreeMap<String, OptionValue>,
}

impl Preset {
    /// What it may use for a move.
    pub fn limits(&self) -> Limits {
        Limits { depth: self.depth, nodes: self.nodes, ..Limits::default() }
    }
}

/// All presets, by name.
pub fn all() -> anyhow::Result<BTreeMap<String, Preset>> {
    toml::from_str(include_str!("../presets.toml")).context("presets.toml")
}

/// The preset with this name.
pub fn find(name: &str) -> anyhow::Result<Preset> {
    let mut presets = all()?;
    let known = presets.keys().cloned().collect::<Vec<_>>().join(", ");
    presets.remove(name).ok_or_else(|| anyhow!("no preset is called '{name}': there is {known}"))
}

/// The engine that plays the presets: `ratlla` in the directory of the arena, if it is there, or
/// else wherever the shell finds it.
pub fn engine_beside(arena: &Path) -> String {
    let beside = arena.with_file_name("ratlla");
    if beside.exists() { beside.to_string_lossy().into_owned() } else { "ratlla".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_three_ninjas_with_limits() {
        let names: Vec<String> = all().unwrap().into_keys().collect();
        assert_eq!(names, ["ninja1", "ninja2", "ninja3"]);
        assert!(all().unwrap().values().all(|preset| preset.limits().is_some()));
        let error = find("ninja4").unwrap_err().to_string();
        assert_eq!(error, "no preset is called 'ninja4': there is ninja1, ninja2, ninja3");
    }
}
