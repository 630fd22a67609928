//! Every call to the system fails once, fails from then on, or ends the process. What was found is kept,
//! a file is the old one or the new one, and the next run ends like an undisturbed one.

#![cfg(all(unix, debug_assertions))]

mod support;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use ratlla_workspace::faults::{Failure, Trial, every_call};
use ratlla_workspace::run::Finished;
use serde_json::Value;
use support::{LAB, SCORES, journal};

fn lab(arguments: &str) -> Command {
    let mut command = Command::new(LAB);
    command.args(shlex::split(arguments).expect("the test quotes well"));
    command
}

/// Runs the program while a call fails. If it gives up, it says once why, and is run again after
/// `between`.
fn run_to_the_end(trial: &Trial, arguments: &str, between: impl FnOnce()) -> Finished {
    let first = trial.run(&mut lab(arguments), "");
    assert!(!first.errors.contains("panicked"), "{first:?}");
    if first.status.success() {
        return first;
    }
    if trial.failure != Some(Failure::Death) {
        assert_eq!(first.status.code(), Some(1), "{first:?}");
        let last = first.errors.lines().next_back().expect("an error");
        let injected = ["injected fault", "not enough memory", "cannot allocate"];
        assert!(injected.iter().any(|part| last.contains(part)), "{first:?}");
        let all = first.errors.lines().filter(|line| line.starts_with("ratlla-lab: "));
        assert!(all.count() == 1 || trial.failure == Some(Failure::FromThen), "{first:?}");
        assert!(last.starts_with("ratlla-lab: "), "{first:?}");
    }
    between();
    let second = trial.run_undisturbed(&mut lab(arguments), "");
    assert!(second.status.success(), "{second:?}");
    second
}

/// The names of the files in the folder but those of a process that was killed.
fn files(trial: &Trial) -> Vec<String> {
    let mut files = trial.files();
    if trial.failure == Some(Failure::Death) {
        files.retain(|name| !name.ends_with(".tmp"));
    }
    files
}

const JOB: &str = "solve connect4 4 4 --first-moves --hash 1 --moves '1 1 2 2 1 1' --json";

fn check_job(finished: &Finished) {
    let found: Value = serde_json::from_str(&finished.output).expect("a line of JSON");
    assert_eq!(
        (&found["score"], found["moves"].as_array().map(Vec::len)),
        (&"draw".into(), Some(3))
    );
}

#[test]
fn a_job_ends_the_same_whatever_fails() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = format!("{JOB} --every 0.01 --checkpoint job");
    let calls = every_call(folder.path(), |trial| {
        check_job(&run_to_the_end(trial, &arguments, || ()));
        assert_eq!(trial.files(), [""; 0], "files are left over");
    });
    assert!(calls >= 5, "{calls} calls");
}

#[test]
fn a_job_that_cannot_be_resumed_keeps_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let job = folder.path().join("job");
    let arguments = format!("{JOB} --every 1000 --checkpoint job");
    // Dies at a later and later call, until that is after its first checkpoint.
    let die_at = |call: u32| {
        let mut begun = lab(&format!("{JOB} --every 0.001 --checkpoint"));
        begun.arg(&job).env("RATLLA_FAULT", format!("die:{call}"));
        begun.stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap();
        fs::read(&job).ok()
    };
    let saved = (1..200).find_map(die_at).expect("there is a checkpoint before the end");
    let calls = every_call(folder.path(), |trial| {
        let path = trial.folder.join("job");
        fs::write(&path, &saved).unwrap();
        let kept = || assert_eq!(fs::read(&path).unwrap(), saved, "the checkpoint is kept");
        let finished = run_to_the_end(trial, &arguments, kept);
        assert!(finished.errors.contains("resuming after "), "{finished:?}");
        check_job(&finished);
        assert_eq!(trial.files(), [""; 0], "files are left over");
    });
    assert!(calls >= 8, "{calls} calls");
}

/// Makes a file that is absent or complete after each failure, and then the same as always.
fn check_product(arguments: &str, name: &str, prepare: impl Fn(&Path) + Sync, old: Option<&str>) {
    let folder = tempfile::tempdir().unwrap();
    let undisturbed = folder.path().join("undisturbed");
    fs::create_dir(&undisturbed).unwrap();
    prepare(&undisturbed);
    assert!(lab(arguments).current_dir(&undisturbed).output().unwrap().status.success());
    let new = fs::read(undisturbed.join(name)).unwrap();
    let calls = every_call(folder.path(), |trial| {
        prepare(&trial.folder);
        let before = trial.files();
        let path = trial.folder.join(name);
        let is_old_or_new = || match (fs::read(&path), old) {
            (Ok(found), old) => {
                assert!(found == new || old.is_some_and(|old| old.as_bytes() == found));
            }
            (Err(_), old) => assert_eq!(old, None),
        };
        let finished = run_to_the_end(trial, arguments, is_old_or_new);
        assert!(fs::read(&path).unwrap() == new, "{finished:?}");
        let mut expected = before;
        expected.extend(old.is_none().then(|| name.to_owned()));
        assert_eq!(files(trial), expected, "{finished:?}");
    });
    assert!(calls >= 8, "{calls} calls");
}

#[test]
fn tables_are_absent_or_complete_whatever_fails() {
    check_product("kalah-table build 3 6 table", "table", |_| (), None);
    check_product(
        "wali-table build --rows 2 --columns 3 --checkpoint 0 table",
        "table",
        |_| (),
        None,
    );
}

#[test]
fn a_book_is_the_old_one_or_the_new_one_whatever_fails() {
    let prepare = |folder: &Path| {
        fs::write(folder.join("book"), "the old book").unwrap();
        fs::write(folder.join("book.journal"), journal(&SCORES)).unwrap();
    };
    check_product(
        "book generate --plies 1 --hash 1 --out book",
        "book",
        prepare,
        Some("the old book"),
    );
}
