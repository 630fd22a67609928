//! Every call to the system fails once, fails from then on, or ends the process while games are saved and
//! resumed. A file has the old game or the new one, and the game at the terminal goes on.

#![cfg(all(unix, debug_assertions))]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use ratlla_workspace::faults::{Failure, Trial, every_call};
use ratlla_workspace::run::Finished;

const OLD: &str = "newgame connect4 6 7 4\nposition startpos moves 4\n";
const NEW: &str =
    "# player 1: me\n# player 2: me\nnewgame connect4 6 7 4\nposition startpos moves 4 3\n";

/// The program with these arguments. Nothing fails in its engine.
fn play(folder: &Path, arguments: &[&str]) -> Command {
    let engine =
        format!("env -u RATLLA_FAULT '{}' --serve-as-engine", env!("CARGO_BIN_EXE_ratlla-play"));
    let mut command = support::command(folder, arguments);
    command.args(["--engine", &engine, "--players", "2"]);
    command
}

/// Checks that the program went on to the end of its input, unless it could not even start.
fn check_end(finished: &Finished) {
    assert!(!finished.errors.contains("panicked"), "{finished:?}");
    if finished.status.success() {
        assert!(finished.output.ends_with("Goodbye.\n"), "{finished:?}");
    } else {
        assert_eq!(finished.status.code(), Some(1), "{finished:?}");
        assert!(finished.errors.contains("injected fault"), "{finished:?}");
        assert_eq!(finished.errors.lines().count(), 1, "{finished:?}");
    }
}

/// Files but those of a process that was killed.
fn files(trial: &Trial) -> Vec<String> {
    let mut files = trial.files();
    if trial.failure == Some(Failure::Death) {
        files.retain(|name| !name.ends_with(".tmp"));
    }
    files
}

#[test]
fn a_saved_game_is_complete_or_absent_whatever_fails() {
    let folder = tempfile::tempdir().unwrap();
    let calls = every_call(folder.path(), |trial| {
        let finished = trial.run(&mut play(&trial.folder, &[]), "4\n3\nsave game\nmoves\n");
        let is_saved = finished.output.contains("Saved. ");
        if trial.failure != Some(Failure::Death) {
            check_end(&finished);
            let is_told = finished.output.contains("Cannot write game: injected fault");
            assert!(is_saved || is_told || !finished.status.success(), "{finished:?}");
        }
        match fs::read_to_string(trial.folder.join("game")) {
            Ok(text) => {
                assert_eq!(text, NEW);
                assert_eq!(files(trial), ["game"]);
            }
            Err(_) => {
                assert!(!is_saved);
                assert_eq!(files(trial), [""; 0]);
            }
        }
    });
    assert!(calls >= 5, "{calls} calls");
}

#[test]
fn a_resumed_game_is_the_old_one_or_the_new_one_whatever_fails() {
    let folder = tempfile::tempdir().unwrap();
    let calls = every_call(folder.path(), |trial| {
        fs::write(trial.folder.join("game"), OLD).unwrap();
        let finished = trial.run(&mut play(&trial.folder, &["game"]), "3\nsave\n");
        let text = fs::read_to_string(trial.folder.join("game")).unwrap();
        if trial.failure != Some(Failure::Death) {
            check_end(&finished);
            assert!(text == NEW || !finished.output.contains("Saved. "), "{finished:?}");
        }
        assert!([OLD, NEW].contains(&&*text), "{text}");
        assert_eq!(files(trial), ["game"]);
        let again = trial.run_undisturbed(&mut play(&trial.folder, &["game"]), "");
        assert!(again.status.success(), "{again:?}");
    });
    assert!(calls >= 7, "{calls} calls");
}
