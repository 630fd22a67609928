//! Fixed opponents of rising strength for each game, which any engine can be tested against. They
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

/// By game and name.
type Presets = BTreeMap<String, BTreeMap<String, Preset>>;

/// All presets.
pub fn all() -> anyhow::Result<Presets> {
    toml::from_str(include_str!("../presets.toml")).context("presets.toml")
}

/// The preset with this name for the game with this title.
pub fn find(name: &str, title: &str) -> anyhow::Result<Preset> {
    let game = title.split(' ').next().unwrap_or_default();
    let mut presets = all()?.remove(game).unwrap_or_default();
    let known = presets.keys().cloned().collect::<Vec<_>>().join(", ");
    presets
        .remove(name)
        .ok_or_else(|| anyhow!("no preset of {game} is called '{name}': there is {known}"))
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
    fn every_game_has_three_ninjas_with_limits_and_nothing_unknown() {
        let presets = all().unwrap();
        for entry in ratlla::games::REGISTRY {
            for name in ["ninja1", "ninja2", "ninja3"] {
                assert!(
                    find(name, entry.name).unwrap().limits().is_some(),
                    "{} {name}",
                    entry.name
                );
            }
        }
        assert_eq!(presets.len(), ratlla::games::REGISTRY.len());
        let error = find("ninja4", "boom").unwrap_err().to_string();
        assert_eq!(error, "no preset of boom is called 'ninja4': there is ninja1, ninja2, ninja3");
    }
}
