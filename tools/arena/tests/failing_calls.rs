//! Every call to the system fails once, fails from then on, or ends the process during a match and during
//! its continuation. The games on disk are kept, and in the end the match is as if nothing had failed.

#![cfg(all(unix, debug_assertions))]

mod support;

use std::fs;
use std::path::Path;

use ratlla_arena::record::{self, GameRecord};
use ratlla_workspace::faults::{Failure, Trial, every_call};
use ratlla_workspace::run::Finished;
use support::arena;

const MATCH: &str = "--games 2 --depth 1 --seed 9 --concurrency 2 --openings openings";

/// Engines in which nothing fails.
fn engines() -> Vec<String> {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let engine = |name: &str| {
        let command = format!("cmd=env -u RATLLA_FAULT {program} native");
        ["--engine".to_owned(), format!("name={name}"), command]
    };
    [engine("a"), engine("b")].concat()
}

/// Puts a file of openings into a folder: searching for some would take time.
fn write_openings(folder: &Path) {
    fs::write(folder.join("openings"), "moves 4 4\n").expect("a file");
}

/// All games, without their times.
fn games(record: &Path) -> Vec<GameRecord> {
    let (_, mut games) = record::read(record).expect("a record");
    games.iter_mut().for_each(|game| game.times.clear());
    games
}

/// Checks that a match which failed says so.
fn check_failure(trial: &Trial, finished: &Finished) {
    assert!(!finished.errors.contains("panicked"), "{finished:?}");
    if !finished.status.success() && trial.failure != Some(Failure::Death) {
        // 2 if it happens while the flags and the files that they name are checked.
        assert!(matches!(finished.status.code(), Some(1 | 2)), "{finished:?}");
        let told = ["injected fault", "cannot allocate"];
        assert!(told.iter().any(|part| finished.errors.contains(part)), "{finished:?}");
    }
}

#[test]
fn a_match_ends_the_same_whatever_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.jsonl");
    let start = |record: &str| {
        let mut command = arena(&["match", "--record", record]);
        command.args(MATCH.split(' ')).args(engines());
        command
    };
    write_openings(folder.path());
    let mut undisturbed = start(whole.to_str().expect("a name"));
    let undisturbed = undisturbed.current_dir(folder.path()).output().expect("the arena starts");
    assert!(undisturbed.status.success(), "{undisturbed:?}");
    let whole_games = games(&whole);
    // With the second game missing, and half of its line.
    let text = fs::read_to_string(&whole).expect("a record");
    let half = &text[..text.trim_end().rfind('\n').expect("lines") + 40];
    for from_half in [false, true] {
        let folder = folder.path().join(from_half.to_string());
        let calls = every_call(&folder, |trial| {
            let record = trial.folder.join("games.jsonl");
            write_openings(&trial.folder);
            let resume = || arena(&["match", "--log", "log", "--resume", "games.jsonl"]);
            let first = if from_half {
                fs::write(&record, half).expect("a record");
                trial.run(&mut resume(), "")
            } else {
                trial.run(start("games.jsonl").args(["--log", "log"]), "")
            };
            check_failure(trial, &first);
            if !first.status.success() {
                // What was complete is still there; a record that is there can be resumed.
                if record.exists() {
                    let kept = games(&record);
                    assert!(kept.iter().all(|game| whole_games.contains(game)), "{first:?}");
                    assert!(!kept.is_empty() || !from_half, "{first:?}");
                }
                let mut again = if record.exists() { resume() } else { start("games.jsonl") };
                let second = trial.run_undisturbed(&mut again, "");
                assert!(second.status.success(), "{second:?}");
            }
            assert_eq!(games(&record), whole_games);
            let known = |name: &String| ["games.jsonl", "log", "openings"].contains(&&**name);
            let is_killed = trial.failure == Some(Failure::Death);
            let is_left = |name: &String| is_killed && name.ends_with(".tmp");
            assert!(trial.files().iter().all(|name| known(name) || is_left(name)), "{first:?}");
        });
        assert!(calls >= 8, "{calls} calls");
    }
}

#[test]
fn a_report_is_the_old_one_or_the_new_one_whatever_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("games.jsonl");
    write_openings(folder.path());
    let mut played = arena(&["match", "--record", record.to_str().expect("a name")]);
    played.args(MATCH.split(' ')).args(engines()).current_dir(folder.path());
    assert!(played.output().expect("it starts").status.success());
    let report = || {
        let mut command = arena(&["report", "--csv", "report"]);
        command.arg(&record);
        command
    };
    assert!(report().current_dir(folder.path()).output().expect("it starts").status.success());
    let new = fs::read(folder.path().join("report")).expect("a report");
    every_call(&folder.path().join("trials"), |trial| {
        let path = trial.folder.join("report");
        fs::write(&path, "old").expect("a file");
        let finished = trial.run(&mut report(), "");
        check_failure(trial, &finished);
        let found = fs::read(&path).expect("a report");
        assert!(found == new || (found == b"old" && !finished.status.success()), "{finished:?}");
    });
}
