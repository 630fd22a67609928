//! A few minutes' worth of what the long runs do, in a few seconds.

use std::process::Command;

fn run(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_ratlla-stress"))
        .args(arguments)
        .output()
        .expect("the program starts");
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaints}");
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn every_go_of_a_random_conversation_has_one_legal_answer() {
    let said = run(&["sequences", "--count", "400"]);
    assert!(said.starts_with("400 sequences in "), "{said}");
    assert!(said.contains(" best moves came and were legal"), "{said}");
    assert!(said.ends_with("all is well\n"), "{said}");
}

/// On a busy machine a move may be late, which is not what this is about.
#[test]
fn games_of_all_kinds_are_played_without_a_fault() {
    let said =
        run(&["soak", "--minutes", "0", "--games", "8", "--movetime", "5", "--margin", "5000"]);
    assert!(said.contains("8 games: 2 of boom, 2 of connect4, 2 of kalah, 2 of wali"), "{said}");
    assert!(said.contains("\n0 faults\n"), "{said}");
    assert!(said.contains("memory of an engine: "), "{said}");
}
