//! The engine under Node: the sessions of the native engine, and the npm package as it is installed.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use ratlla_web::npm;
use ratlla_web::static_site::files_of;
use serde_json::Value;

use super::built::{Built, built};
use super::client::engine::Engine;
use super::client::transcript::{replay, transcripts};

/// The engine as a process.
fn engine(built: &Built) -> Engine {
    let mut command = Command::new("node");
    command.arg(built.package.join("src/cli.js"));
    Engine::from_command(command)
}

/// Runs a program and returns what it prints.
fn output_of(command: &mut Command) -> String {
    let output = command.output().expect("it starts");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{text}\n{errors}");
    text
}

#[test]
fn every_session_of_the_native_engine_is_reproduced() {
    let Some(built) = built() else { return };
    let failure = |(file, text): &(PathBuf, String)| {
        Some(format!("{}: {}", file.display(), replay(engine(built), text).err()?))
    };
    let failures: Vec<String> =
        transcripts(&ratlla_web::root()).iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// The score of `go solve` as the public sets count it.
fn public_score(words: &str, plies: i64) -> i64 {
    let words: Vec<&str> = words.split(' ').collect();
    let last_stone = |distance: &str| {
        let end = plies + distance.parse::<i64>().expect("a distance");
        // The winner's stones that are left, and one more.
        22 - (end + 1) / 2
    };
    match words[..] {
        ["win", distance, ..] => last_stone(distance),
        ["loss", distance, ..] => -last_stone(distance),
        ["draw", ..] => 0,
        _ => panic!("no exact score: {words:?}"),
    }
}

/// The score that `go solve` finds, and the words behind it.
fn solved(engine: &mut Engine) -> String {
    engine.send("go solve");
    let mut found = String::new();
    loop {
        let reply = engine.read_line();
        if reply.starts_with("bestmove") {
            return found;
        }
        if let Some((_, rest)) = reply.split_once(" score ") {
            found = rest.to_owned();
        }
    }
}

/// Wherever the engine says that it has a solver, it finds what the native engine has found, on its one
/// thread.
#[test]
fn recorded_results_are_found_again() {
    const MOST_NODES: u64 = 50_000;
    let Some(built) = built() else { return };
    let mut engine = engine(built);
    engine.send("setoption name OwnBook value false");
    let record = ratlla_web::root().join("docs/results.jsonl");
    let record = std::fs::read_to_string(record).expect("the record");
    let mut counts = BTreeMap::new();
    for row in record.lines() {
        let row: Value = serde_json::from_str(row).expect("JSON");
        let (Some(game), Some(score)) = (row["game"].as_str(), row["score"].as_str()) else {
            continue;
        };
        if row["nodes"].as_u64().is_none_or(|nodes| nodes > MOST_NODES) {
            continue;
        }
        engine.send_all(&[&format!("newgame {game}"), "state"]);
        if !engine.read_line().contains("\"solver\":true") {
            continue;
        }
        let found = solved(&mut engine);
        assert!(found == score || found.starts_with(&format!("{score} ")), "{game}: {found}");
        *counts.entry(game.split(' ').next().unwrap_or_default().to_owned()).or_insert(0) += 1;
    }
    // The record has no results of BOOM.
    engine.send("newgame boom");
    engine.send("position moves 4 4 3 3 2 2");
    assert!(solved(&mut engine).starts_with("loss 7 "));
    let enough = |name: &str| counts.get(name).is_some_and(|&count: &usize| count >= 10);
    assert!(["connect4", "kalah", "wali"].into_iter().all(enough), "{counts:?}");
}

#[test]
fn public_positions_have_their_known_scores() {
    let Some(built) = built() else { return };
    let mut engine = engine(built);
    engine.send("setoption name OwnBook value false");
    let folder = ratlla_web::root().join("tests/data/connect4");
    for (name, step) in [
        ("Test_L3_R1", 4),
        ("Test_L2_R1", 4),
        ("Test_L2_R2", 20),
        ("Test_L1_R1", 20),
        ("Test_L1_R2", 200),
    ] {
        let text = std::fs::read_to_string(folder.join(name)).expect("a public set");
        for line in text.lines().step_by(step) {
            let (moves, score) = line.split_once(' ').expect("moves and score");
            let words: Vec<String> = moves.chars().map(String::from).collect();
            engine.send(&format!("position moves {}", words.join(" ")));
            let found = solved(&mut engine);
            let expected: i64 = score.trim().parse().expect("a number");
            assert_eq!(public_score(&found, moves.len() as i64), expected, "{line}: {found}");
        }
    }
}

/// Packs the package, installs it elsewhere and runs its tests there.
#[test]
fn the_packed_package_passes_its_tests() {
    let Some(built) = built() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let run_npm = || {
        let mut npm = Command::new("npm");
        npm.current_dir(folder.path()).stdin(Stdio::null());
        npm
    };
    let packed = output_of(run_npm().arg("pack").arg(&built.package));
    let tarball = packed.lines().last().expect("the name of the package").to_owned();
    let size = std::fs::metadata(folder.path().join(&tarball)).expect("the package").len();
    assert!(size < 1_500_000, "{size} bytes");
    std::fs::write(folder.path().join("package.json"), "{\"type\":\"module\"}").expect("written");
    output_of(run_npm().args(["install", "--offline", "--no-audit", "--no-fund", &tarball]));
    for (name, path) in files_of(&ratlla_web::root().join("tools/npm/test")).expect("the tests") {
        npm::copy(&path, &folder.path().join(name)).expect("the test is copied");
    }
    let mut tests = Command::new("node");
    if let Some(module) = &built.threads {
        tests.env("RATLLA_WASM_THREADS", module);
    }
    output_of(tests.arg("--test").current_dir(folder.path()));
    let lines = output_of(run_npm().args(["exec", "--offline", "--", "ratlla", "go", "solve"]));
    assert!(lines.contains("score win 41"), "{lines}");
}
