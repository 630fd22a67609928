//! Built-in opponents of increasing strength that play every game. Defined in `presets.toml`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;

use crate::config::EngineConfig;

/// The presets by name.
pub fn all() -> anyhow::Result<BTreeMap<String, EngineConfig>> {
    toml::from_str(include_str!("../presets.toml")).context("presets.toml")
}

/// The preset with this name.
pub fn find(name: &str) -> anyhow::Result<EngineConfig> {
    let mut presets = all()?;
    let names = presets.keys().cloned().collect::<Vec<_>>().join(", ");
    presets.remove(name).with_context(|| format!("unknown preset '{name}' (available: {names})"))
}

/// The program that plays the presets: `ratlla` next to the arena's executable if it exists,
/// otherwise the one on the search path.
pub fn program(arena: &Path) -> String {
    let sibling = arena.with_file_name(format!("ratlla{}", std::env::consts::EXE_SUFFIX));
    if sibling.exists() { sibling.to_string_lossy().into_owned() } else { "ratlla".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_ninjas_have_limits() {
        let names: Vec<String> = all().unwrap().into_keys().collect();
        assert_eq!(names, ["ninja1", "ninja2", "ninja3"]);
        assert!(all().unwrap().values().all(|preset| preset.limits().unwrap().is_some()));
        let error = find("ninja4").unwrap_err().to_string();
        assert_eq!(error, "unknown preset 'ninja4' (available: ninja1, ninja2, ninja3)");
    }
}
