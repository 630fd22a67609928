//! The record of exact results, with the real program.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use support::{LAB, stderr};

/// Games that took less than this, in seconds, are solved again.
const LIMIT: &str = "2";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs")
}

fn results(action: &str, docs: &Path, options: &[&str]) -> Output {
    let mut command = Command::new(LAB);
    command.args(["results", action, "--docs"]).arg(docs).args(options);
    command.output().expect("the program starts")
}

#[test]
fn fast_results_are_found_again() {
    let output = results("check", &docs(), &["--limit", LIMIT]);
    assert!(output.status.success(), "{output:?}");
    let report = String::from_utf8_lossy(&output.stdout);
    let count: usize =
        report.split(' ').next().and_then(|word| word.parse().ok()).expect("a count");
    assert!(count > 150, "{report}");
}

#[test]
fn a_limit_is_a_positive_number() {
    for limit in ["0", "-1", "nan", "x"] {
        let output = results("check", &docs(), &[&format!("--limit={limit}")]);
        assert!(stderr(&output).contains("a number of seconds greater than 0"), "{output:?}");
    }
}

#[test]
fn a_wrong_value_is_found_and_named() {
    let record = fs::read_to_string(docs().join("results.jsonl")).expect("the record");
    let row = record.lines().find(|row| row.contains("\"kalah 4 2\"")).expect("a small game");
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = row.replace("margin 4", "margin 2");
    assert_ne!(wrong, row);
    fs::write(folder.path().join("results.jsonl"), wrong + "\n").expect("a record");
    let output = results("check", folder.path(), &[]);
    assert!(stderr(&output).contains("1 of 1 results differ from the record"), "{output:?}");
    let report = String::from_utf8_lossy(&output.stdout);
    assert_eq!(report, "kalah 4 2: move 3: recorded margin 2, found margin 4\n");
}

#[test]
fn rows_are_added_unless_several_threads_found_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("results.jsonl");
    let mut command = Command::new(LAB);
    command.args(["solve", "kalah", "2", "1", "--first-moves", "--json", "--threads", "1"]);
    let row = command.output().expect("the program starts").stdout;
    let row = String::from_utf8(row).expect("a row");
    let add = |row: &str| {
        let file = folder.path().join("rows");
        fs::write(&file, row).expect("rows");
        results("add", folder.path(), &[file.to_str().expect("a plain name")])
    };
    let output = add(&row);
    assert!(output.status.success(), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1 results\n");
    let before = fs::read(&record).expect("a record");
    let output = add(&row.replace("\"threads\":1", "\"threads\":2"));
    assert!(!output.status.success());
    let reason = "rows, line 1: solved with 2 threads, expected 1";
    assert!(stderr(&output).contains(reason), "{output:?}");
    assert_eq!(fs::read(&record).expect("the record"), before, "and nothing is written");
}

#[test]
fn a_damaged_record_is_refused_and_nothing_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let (record, page) = (folder.path().join("results.jsonl"), folder.path().join("results.md"));
    fs::write(&record, "{\"game\":\"kalah 2 1\"}\n").expect("a record");
    fs::write(&page, "<!-- table kalah -->\n<!-- end -->\n").expect("a page");
    for action in ["page", "plots", "check"] {
        let output = results(action, folder.path(), &[]);
        assert!(!output.status.success());
        assert!(stderr(&output).contains("results.jsonl: line 1: missing field"), "{output:?}");
    }
    let rows = folder.path().join("rows");
    fs::write(&rows, "nonsense\n").expect("rows");
    let output = results("add", folder.path(), &[rows.to_str().expect("a plain name")]);
    assert!(stderr(&output).contains("results.jsonl: line 1"), "{output:?}");
    fs::remove_file(&record).expect("removed");
    let output = results("add", folder.path(), &[rows.to_str().expect("a plain name")]);
    assert!(stderr(&output).contains("rows, line 1: expected"), "{output:?}");
    assert!(!record.exists());
    assert_eq!(fs::read_to_string(&page).expect("a page"), "<!-- table kalah -->\n<!-- end -->\n");
}
