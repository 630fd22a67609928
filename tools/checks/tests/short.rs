//! Short versions of the long runs.

use std::process::{Command, Stdio};

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ratlla-checks"))
        .args(arguments)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
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
    let output = run(&["sequences", "--count", "400"]);
    assert!(output.starts_with("400 sequences in "), "{output}");
    assert!(output.contains(" go commands, each with one legal best move"), "{output}");
    assert!(output.ends_with("passed\n"), "{output}");
}

/// The margin is generous because late moves on a busy machine are not what this tests.
#[test]
fn games_of_all_kinds_end_without_a_fault() {
    let output =
        run(&["soak", "--minutes", "0", "--games", "8", "--movetime", "5", "--margin", "5000"]);
    assert!(output.contains("8 games: 2 boom, 2 connect4, 2 kalah, 2 wali"), "{output}");
    assert!(output.contains("\n0 faults\n"), "{output}");
    assert!(output.contains("engine memory: "), "{output}");
}
