//! Counts the tests that were skipped. Cargo runs packages and their tests by name, so this one, of the
//! last package, comes after all others.

use std::io::{Write as _, stderr};

use ratlla_workspace::{Records, Skipped, is_all_required, this_test};

#[test]
fn nothing_is_skipped_where_everything_is_required() {
    let skipped = Records::of_this_profile().take();
    let mut lines: Vec<String> = skipped
        .chunk_by(|one, other| one.reason == other.reason)
        .map(|same| format!("SKIPPED {}: {}", count(same.len()), same[0].reason))
        .collect();
    if skipped.is_empty() {
        lines.push("No test was skipped.".to_owned());
    }
    // Not with eprintln, whose output is captured in a passing test.
    drop(writeln!(stderr(), "\n{}\n", lines.join("\n")));
    assert!(skipped.is_empty() || !is_all_required(), "{skipped:#?}");
}

fn count(tests: usize) -> String {
    if tests == 1 { "1 test".to_owned() } else { format!("{tests} tests") }
}

fn skipped(reason: &str, test: &str) -> Skipped {
    Skipped { reason: reason.to_owned(), test: test.to_owned() }
}

#[test]
fn a_test_is_recorded_once_until_it_runs() {
    let folder = tempfile::tempdir().unwrap();
    let records = Records::in_folder(folder.path().join("not there yet"));
    assert_eq!(records.take(), []);
    for reason in ["b is missing", "a is missing"] {
        records.add(&skipped(reason, "package program module::one")).unwrap();
    }
    records.add(&skipped("b is missing", "package program two")).unwrap();
    records.add(&skipped("b is missing", "package program three")).unwrap();
    records.forget("package program three");
    let expected = [
        skipped("a is missing", "package program module::one"),
        skipped("b is missing", "package program two"),
    ];
    assert_eq!(records.take(), expected);
    assert_eq!(records.take(), []);
}

#[test]
fn a_test_knows_its_name() {
    // With one thread, tests run on the main one.
    let name = this_test();
    let expected =
        ["ratlla-workspace skipped a_test_knows_its_name", "ratlla-workspace skipped main"];
    assert!(expected.contains(&&*name), "{name}");
}
