//! The engine is compiled once for all tools: whatever is built, what it depends on has the same features.

#![cfg(target_os = "linux")]

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use support::{assert_success, root};

/// Packages with their features, as building these packages wants them.
fn features(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let mut cargo = Command::new(env!("CARGO"));
    // Flags of this test run would take the place of those in `.cargo/config.toml`.
    cargo.env_remove("RUSTFLAGS").env_remove("CARGO_ENCODED_RUSTFLAGS").current_dir(root());
    cargo.args(["tree", "--offline", "--locked", "--prefix", "none", "--format", "{p}|{f}"]);
    let mut found: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in assert_success(cargo.args(selection)).lines() {
        if let Some((package, features)) = line.split_once('|') {
            let package = package.trim_end_matches(" (proc-macro)").to_owned();
            found.entry(package).or_default().insert(features.trim_end_matches(" (*)").to_owned());
        }
    }
    found
}

#[test]
fn what_the_engine_depends_on_has_the_same_features_for_every_tool() {
    let expected = features(&["--package", "ratlla", "--edges", "normal,build"]);
    assert!(expected.len() > 20, "{expected:#?}");
    let tools = ["arena", "bench", "checks", "client", "common", "gui", "kgp", "lab", "play"];
    let tools = tools.map(|name| format!("ratlla-{name}"));
    let mut selections: Vec<Vec<&str>> =
        tools.iter().map(|tool| vec!["--package", tool, "--edges", "normal,build"]).collect();
    selections.push(vec!["--workspace", "--edges", "normal,build,dev"]);
    for selection in selections {
        let found = features(&selection);
        for (package, features) in &expected {
            // The engine itself is what others depend on, or is not there.
            if let Some(others) = found.get(package) {
                assert_eq!(others, features, "{package} with {}", selection.join(" "));
            }
        }
    }
}
