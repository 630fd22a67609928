//! Short versions of the long runs.

use std::fs::read_to_string;
use std::process::{Command, Output, Stdio};

/// Runs a check with a file for its result, whose content is returned, too.
fn run(arguments: &[&str]) -> (Output, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("results.jsonl");
    let output = Command::new(env!("CARGO_BIN_EXE_ratlla-checks"))
        .args(arguments)
        .args(["--on", "this machine", "--record"])
        .arg(&record)
        .output()
        .expect("the program starts");
    (output, read_to_string(record).ok())
}

/// What a check that must pass prints, and its result.
fn pass(arguments: &[&str]) -> (String, String) {
    let (output, record) = run(arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).expect("text"), record.expect("a result"))
}

/// Of every tool: they share what writes it.
#[test]
fn a_version_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else { return };
    for (arguments, usual) in
        [(&["--version"][..], 0), (&["sequences", "--help"], 0), (&["--vresion"], 2)]
    {
        let status = |stdout: Stdio| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-checks"));
            let output =
                command.args(arguments).stdout(stdout).output().expect("the program starts");
            (output.status.code(), output.stderr.is_empty())
        };
        assert_eq!(status(Stdio::piped()), (Some(usual), usual == 0), "{arguments:?}");
        // Errors go to stderr.
        let failed = if usual == 0 { 1 } else { usual };
        let stdout = full.try_clone().expect("a device").into();
        assert_eq!(status(stdout), (Some(failed), false), "{arguments:?}");
    }
}

#[test]
fn every_go_of_random_sequences_has_one_legal_answer() {
    let (output, record) = pass(&["sequences", "--count", "400"]);
    assert!(output.starts_with("400 sequences in "), "{output}");
    assert!(output.contains(" go commands, each with one legal best move"), "{output}");
    assert!(output.ends_with("passed\n"), "{output}");
    let words: Vec<&str> = output.split(' ').collect();
    assert!(record.contains(&format!("\"sequences\":400,\"searches\":{},", words[5])), "{record}");
    assert!(record.contains("\"on\":\"this machine\"") && !record.contains("under"), "{record}");
}

#[test]
fn a_check_that_fails_has_no_result() {
    let (output, record) = run(&["sequences", "--count", "1", "--engine", "false"]);
    assert_eq!((output.status.code(), record), (Some(1), None), "{output:?}");
}

/// The margin is generous because late moves on a busy machine are not what this tests.
#[test]
fn games_of_all_kinds_end_without_a_fault() {
    let (output, record) =
        pass(&["soak", "--minutes", "0", "--games", "8", "--movetime", "5", "--margin", "5000"]);
    assert!(output.contains("8 games: 2 boom, 2 connect4, 2 kalah, 2 wali"), "{output}");
    assert!(output.contains("\n0 faults\n"), "{output}");
    assert!(output.contains("engine memory: "), "{output}");
    assert!(record.contains("\"minutes\":0,\"games\":8,\"moves\":"), "{record}");
}
