//! The exit statuses are those of the table in docs/arena.md, for every command.

mod support;

use std::io::Write as _;
use std::process::Stdio;

use support::{FORFEITS, MatchDir, arena, dummy};

const PASSED: i32 = 0;
const ERROR: i32 = 1;
const INVALID_FLAGS: i32 = 2;

/// The exit status, and what is printed on stderr.
fn status(words: &[&str], input: &str) -> (i32, String) {
    let mut command = arena(words);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the arena starts");
    // Most commands do not read it.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the arena ends");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap_or(-1), errors)
}

fn assert_status(expected: i32, words: &[&str]) {
    let (found, errors) = status(words, "");
    assert_eq!(found, expected, "{words:?}\n{errors}");
    assert_eq!(errors.is_empty(), expected == PASSED, "{words:?}\n{errors}");
}

/// The words of a match between two dummies, the second with this behaviour, and more.
fn with<'a>(command: &'a str, engines: &'a [Vec<String>], more: &[&'a str]) -> Vec<&'a str> {
    let engines = engines.iter().flatten().map(String::as_str);
    [command].into_iter().chain(engines).chain(more.iter().copied()).collect()
}

#[test]
fn games_and_checks_have_their_statuses() {
    let good = [dummy("a", "native", ""), dummy("b", "native", "")];
    let bad = [dummy("a", "native", ""), dummy("b", "native", "illegal 2")];
    let broken = [dummy("a", "native", ""), dummy("b", "native", "crash-at-start")];
    let limits = ["--games", "2", "--depth", "1"];
    assert_status(PASSED, &with("match", &good, &limits));
    assert_status(FORFEITS, &with("match", &bad, &limits));
    assert_status(ERROR, &with("match", &broken, &limits));
    assert_status(PASSED, &with("plan", &good, &limits));
    assert_status(PASSED, &with("check", &good[..1], &["depth=1"]));
    let (found, _) = status(&with("check", &bad[1..], &["depth=1"]), "");
    assert_eq!(found, ERROR);
}

#[test]
fn invalid_flags_are_told_from_errors() {
    let dir = MatchDir::new();
    let path = |name: &str| dir.file(name).to_str().expect("a path").to_owned();
    let (config, existing, nowhere) = (path("bad.toml"), path("existing"), path("no/where"));
    std::fs::write(&config, "games = \"many\"\n").expect("a file");
    std::fs::write(&existing, "precious\n").expect("a file");
    let good = [dummy("a", "native", ""), dummy("b", "native", "")];
    for wrong in [
        &["--no-such-flag"][..],
        &["--games", "x"],
        &["--games", "3", "--depth", "1"],
        &["--games", "2"],
        &["--depth", "1", "--game", "chess"],
        &["--depth", "1", "--sprt", "elo=5"],
        &["--depth", "1", "--sprt", "elo0=5", "elo1=0"],
        &["--depth", "1", "--draw", "score=-5"],
        &["--depth", "1", "--resign", "movecount=3"],
        &["--depth", "1", "--exact", "nodes=x"],
        &["--depth", "1", "--each", "name=x"],
        &["--depth", "1", "--engine", "cmd=/no/such/program"],
        &["--depth", "1", "--openings", &nowhere],
        &["--depth", "1", "--plies", "99"],
        &["--depth", "1", "--config", &config],
        &["--depth", "1", "--config", &nowhere],
    ] {
        assert_status(INVALID_FLAGS, &with("match", &good, wrong));
        assert_status(INVALID_FLAGS, &with("plan", &good, wrong));
    }
    let affinity = ["--depth", "1", "--concurrency", "9", "--force-concurrency", "--affinity", "0"];
    assert_status(INVALID_FLAGS, &with("match", &good, &affinity));
    for wrong in [["--record", existing.as_str()], ["--log", &nowhere]] {
        assert_status(ERROR, &with("match", &good, &[&["--depth", "1"][..], &wrong].concat()));
    }
    assert_status(INVALID_FLAGS, &[]);
    assert_status(INVALID_FLAGS, &["check"]);
    assert_status(INVALID_FLAGS, &with("check", &good, &[]));
    assert_status(INVALID_FLAGS, &with("check", &good[..1], &["--game", "chess"]));
    assert_status(INVALID_FLAGS, &["openings", "--game", "chess"]);
    assert_status(ERROR, &["openings", "--plies", "0"]);
    assert_status(INVALID_FLAGS, &["report"]);
    assert_status(ERROR, &["report", &nowhere]);
    assert_status(ERROR, &["report", &existing]);
    assert_status(ERROR, &["match", "--resume", &nowhere]);
    assert_status(INVALID_FLAGS, &["match", "--resume", &existing, "--games", "2"]);
    for command in ["play", "follow"] {
        let (found, errors) = status(&[command], "nonsense\n");
        assert_eq!(found, ERROR, "{command}: {errors}");
    }
}

#[test]
fn tuning_has_the_same_statuses() {
    let dir = MatchDir::new();
    let record = dir.file("tune.jsonl").to_str().expect("a path").to_owned();
    let engine = [dummy("tunable", "native", "tunable")];
    let run = |more: &[&str]| {
        let words = ["--nodes", "10", "--games", "4", "--record", &record];
        let words = [&words[..], more].concat();
        status(&with("tune", &engine, &words), "").0
    };
    for wrong in [
        &[][..],
        &["--param", "start=1"],
        &["--param", "name=Skill", "speed=1"],
        &["--param", "name=Skill", "--batch", "0"],
        &["--param", "name=Skill", "--alpha", "nan"],
        &["--params", "/nowhere"],
        &["--param", "name=Skill", "--engine", "cmd=true"],
    ] {
        assert_eq!(run(wrong), INVALID_FLAGS, "{wrong:?}");
    }
    // What only the engine can know.
    assert_eq!(run(&["--param", "name=Skil"]), ERROR);
    assert_eq!(run(&["--param", "name=Skill", "max=101"]), ERROR);
    assert!(!dir.file("tune.jsonl").exists(), "a refused run leaves no record");
    assert_eq!(run(&["--param", "name=Skill"]), PASSED);
    let without_record = ["--nodes", "10", "--param", "name=Skill"];
    assert_eq!(status(&with("tune", &engine, &without_record), "").0, INVALID_FLAGS);
}
