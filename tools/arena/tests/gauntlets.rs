//! The gauntlets that come with the arena are valid: every game has one, and all strategies in them
//! exist.

use std::path::PathBuf;

use ratlla::games::REGISTRY;
use ratlla_arena::config::{EngineConfig, MatchConfig};
use ratlla_arena::settings::TournamentFormat;
use ratlla_arena::{presets, rules};

fn gauntlets() -> Vec<(String, MatchConfig)> {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("gauntlets");
    let files = std::fs::read_dir(dir).expect("a directory");
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let path = file.expect("a file").path();
        let config = MatchConfig::read(&path).unwrap_or_else(|error| panic!("{error:#}"));
        (path.display().to_string(), config)
    };
    files.map(read).collect()
}

#[test]
fn every_game_has_a_gauntlet() {
    let title = |config: &MatchConfig| {
        rules::open(config.game.as_deref().unwrap_or_default()).expect("a game").title()
    };
    let titles: Vec<String> = gauntlets().iter().map(|(_, config)| title(config)).collect();
    for entry in REGISTRY.0 {
        assert!(titles.iter().any(|title| title.starts_with(entry.name)), "{}", entry.name);
    }
    for board in ["4 4", "6 7", "8 8", "25 25"] {
        assert!(titles.contains(&format!("connect4 {board} 4")), "{board}");
    }
}

#[test]
fn every_engine_of_a_gauntlet_exists_and_is_reproducible() {
    for (path, config) in gauntlets() {
        assert_eq!(config.format, Some(TournamentFormat::Gauntlet), "{path}");
        let game = rules::open(config.game.as_deref().unwrap_or_default()).expect("a game");
        let missing = |name: &&'static str| {
            let strategy =
                |engine: &EngineConfig| engine.option.get("Strategy").map(|value| value.text());
            !config.engine.iter().any(|engine| strategy(engine).as_deref() == Some(*name))
        };
        // full is the default, and alphabeta plays like minimax.
        let absent: Vec<&str> = game.strategies().into_iter().filter(missing).collect();
        let allowed = ["full", "minimax", "alphabeta", "random"];
        assert!(absent.iter().all(|name| allowed.contains(name)), "{path}: {absent:?}");
        for engine in &config.engine {
            if let Some(strategy) = engine.option.get("Strategy") {
                assert!(game.strategies().contains(&strategy.text().as_str()), "{path}");
            }
            if let Some(evaluation) = engine.option.get("Evaluation") {
                assert!(game.evaluations().contains(&evaluation.text().as_str()), "{path}");
            }
            match &engine.preset {
                Some(preset) => drop(presets::find(preset).expect("a preset")),
                None => assert!(engine.depth.is_some() || engine.nodes.is_some(), "{path}"),
            }
            assert_eq!((engine.movetime, engine.time), (None, None), "{path}");
        }
    }
}
