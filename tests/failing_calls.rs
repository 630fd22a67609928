//! Every call to the system fails once, fails from then on, or ends the process: files that are read and
//! written, memory, threads. The engine says so, keeps what it has, and plays on.

#![cfg(all(unix, debug_assertions))]

mod support;

use std::fs;
use std::path::Path;
use std::process::Command;

use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::{Variant, file as kalah};
use ratlla::games::wali::bits::AnyShape;
use ratlla::games::wali::endgame::file as wali;
use support::requirements::faults::{Failure, Trial, every_call};
use support::requirements::run::Finished;

const ENGINE: &str = env!("CARGO_BIN_EXE_ratlla");

/// Puts small endgame tables into a folder: `kalah` and `wali`.
fn write_tables(folder: &Path) {
    let variant = Variant { houses: 3, empty_capture: false };
    let table = build(variant, 6, None, &mut |_| true).expect("a small table");
    kalah::publish(&folder.join("kalah"), variant, 6, table.shares()).expect("is written");
    let shape = AnyShape::new(3, 4, 3).expect("a board");
    let header = wali::TableHeader { shape, most: 3 };
    let draws = vec![0; header.payload_length() as usize];
    wali::publish(&folder.join("wali"), header, &draws).expect("is written");
}

/// What is set, used, and asked for.
fn script(tables: &Path) -> String {
    let tables = tables.display();
    format!(
        "setoption name Hash value 2\n\
         setoption name Debug Log File value log\n\
         setoption name KalahTable value {tables}/kalah\n\
         setoption name WaliTable value {tables}/wali\n\
         setoption name Threads value 2\n\
         newgame kalah 3 2\ngo nodes 500\n\
         newgame wali 3 4 3\ngo nodes 500\n\
         newgame 4 4 3\ngo solve\ngo depth 3\n\
         setoption name KalahTable value none\n\
         setoption name WaliTable value none\n\
         setoption name Debug Log File value no/log\n\
         setoption name Hash value 0\n\
         isready\n"
    )
}

/// The lines of a session that begin with this word.
fn lines<'a>(session: &'a Finished, word: &str) -> Vec<&'a str> {
    session.output.lines().filter(|line| line.split(' ').next() == Some(word)).collect()
}

/// Checks a session whose engine could start.
fn check_session(trial: &Trial, session: &Finished, tables: &Path) {
    assert!(session.status.success(), "{session:?}");
    let errors = lines(session, "error");
    // Also to a `go` without a thread to search on.
    assert_eq!(lines(session, "bestmove").len(), 4, "{session:?}");
    assert_eq!(lines(session, "readyok").len(), 1, "{session:?}");
    // The last four commands are refused and name what was kept.
    let (before, last) = errors.split_at(errors.len() - 4);
    let injected = ["injected fault", "not enough memory", "cannot allocate"];
    for error in before {
        assert!(injected.iter().any(|part| error.contains(part)), "{error}");
    }
    let most = match trial.failure {
        None | Some(Failure::Death) => 0,
        Some(Failure::Once) => 1,
        Some(Failure::FromThen) => usize::MAX,
    };
    assert!(before.len() <= most, "{session:?}");
    for (last, option, value) in [
        (last[0], "KalahTable", tables.join("kalah").display().to_string()),
        (last[1], "WaliTable", tables.join("wali").display().to_string()),
        (last[2], "Debug Log File", "log".to_owned()),
        (last[3], "Hash", "2".to_owned()),
    ] {
        assert!(last.contains(option), "{session:?}");
        let was_refused = before.iter().any(|error| error.contains(&format!(" {option}: ")));
        let kept = last.ends_with(&format!("; keeping {value}"));
        assert_eq!(kept, !was_refused, "{option}: {session:?}");
    }
    assert!(!session.errors.contains("panicked"), "{session:?}");
    assert!(session.errors.lines().count() <= most, "{session:?}");
}

#[test]
fn a_session_survives_the_failure_of_any_call() {
    let folder = tempfile::tempdir().expect("a folder");
    let tables = folder.path().join("tables");
    fs::create_dir(&tables).expect("a folder");
    write_tables(&tables);
    let read = || ["kalah", "wali"].map(|name| fs::read(tables.join(name)).expect("a table"));
    let (before, script) = (read(), script(&tables));
    let calls = every_call(folder.path(), |trial| {
        let session = trial.run(&mut Command::new(ENGINE), &script);
        if trial.failure == Some(Failure::Death) {
            assert!(!session.status.success() || !session.output.is_empty(), "{session:?}");
            let again = trial.run_undisturbed(&mut Command::new(ENGINE), &script);
            check_session(trial, &again, &tables);
        } else if session.output.is_empty() {
            // It could not start.
            assert_eq!(session.status.code(), Some(1), "{session:?}");
            assert_eq!(session.errors.lines().count(), 1, "{session:?}");
        } else {
            check_session(trial, &session, &tables);
        }
        assert!(trial.files().iter().all(|name| name == "log"), "{:?}", trial.files());
    });
    assert_eq!(read(), before, "tables are only read");
    assert!(calls > 20, "{calls} calls");
}

#[test]
fn solve_gives_no_wrong_answer_whatever_fails() {
    let folder = tempfile::tempdir().expect("a folder");
    let calls = every_call(folder.path(), |trial| {
        let mut command = Command::new(ENGINE);
        command.args(["solve", "--rows", "4", "--cols", "4", "--hash", "1"]);
        let solved = trial.run(command.args(["--jobs", "2", "--threads", "2"]), "1\n1122\n3\n");
        if solved.status.success() {
            let scores = solved
                .output
                .lines()
                .map(|line| line.split(" ").take(2).collect::<Vec<_>>().join(" "));
            let scores: Vec<String> = scores.collect();
            assert_eq!(scores, ["1 0", "1122 0", "3 0"], "{solved:?}");
        } else if trial.failure != Some(Failure::Death) {
            assert_eq!(solved.status.code(), Some(1), "{solved:?}");
            assert_eq!(solved.errors.lines().count(), 1, "{solved:?}");
        }
        assert!(!solved.errors.contains("panicked"), "{solved:?}");
    });
    assert!(calls > 3, "{calls} calls");
}

/// A call that goes elsewhere never fails here.
#[test]
fn files_are_opened_in_one_module() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tools = ["arena", "bench", "client", "common", "gui", "kgp", "lab", "play"];
    let mut folders: Vec<_> = tools.map(|tool| root.join("tools").join(tool).join("src")).into();
    folders.push(root.join("src"));
    // The module itself, and what only asks the system about processes.
    let exempt = [
        "platform/files.rs",
        "platform/faults.rs",
        "supervisor/linux.rs",
        "solved_game.rs",
        "batch/progress.rs",
    ];
    let mut checked = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let is_test = path.ends_with("tests.rs");
                if is_test || exempt.iter().any(|name| path.ends_with(name)) {
                    continue;
                }
                let text = fs::read_to_string(&path).expect("a source");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                for call in [
                    "fs::read(",
                    "fs::read_to_string(",
                    "fs::write(",
                    "fs::File",
                    "fs::{File",
                    "fs::{self, File",
                ] {
                    assert!(!code.contains(call), "{}: {call}", path.display());
                }
                checked += 1;
            }
        }
    }
    assert!(checked > 200, "{checked} files");
}
