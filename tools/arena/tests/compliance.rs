//! `check` finds each violation, names the check, and states the expected behaviour.

mod support;

use support::arena;

/// Checks a dummy: whether it passed, and the output.
fn check(proto: &str, behaviour: &str) -> (bool, String) {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let engine = format!("cmd={program} {proto} {behaviour}");
    // A wide margin, so that a busy machine does not fail the engine.
    let words = ["check", "--patience", "1500", "--margin", "200", "--engine", "movetime=1000"];
    let output = arena(&words)
        .args([&engine, &format!("proto={proto}")])
        .output()
        .expect("the arena starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The checks that a dummy fails.
fn failures(proto: &str, behaviour: &str) -> Vec<String> {
    let (success, text) = check(proto, behaviour);
    let failed = text.lines().filter_map(|line| line.strip_prefix("FAIL  "));
    let names: Vec<String> =
        failed.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(success, names.is_empty(), "{text}");
    assert_eq!(names.len(), text.matches("      expected: ").count(), "{text}");
    names
}

#[test]
fn a_good_engine_passes_in_every_dialect() {
    for proto in ["native", "ugi", "uci", "line"] {
        let (success, text) = check(proto, "");
        assert!(success && text.ends_with("all checks passed\n"), "{text}");
    }
}

#[test]
fn each_violation_fails_its_own_check() {
    let none: [&str; 0] = [];
    for (behaviour, names) in [
        ("busy", &["isready while thinking"][..]),
        ("eager", &["isready while thinking", "stop"]),
        ("jumpy", &["stop without a search"]),
        ("tolerant", &["illegal position"]),
        ("fragile", &["unknown commands"]),
        ("optimist", &["finished game"]),
        ("clingy", &["quit"]),
        ("undying", &["end of input", "end of input while thinking"]),
        ("nap", &none),
    ] {
        assert_eq!(failures("native", behaviour), names, "{behaviour}");
    }
}

#[test]
fn extra_answers_fail() {
    let names = failures("native", "chatty");
    assert!(names.starts_with(&["one answer".to_owned()]), "{names:?}");
    assert!(failures("line", "chatty").contains(&"one answer".to_owned()));
}

#[test]
fn a_search_that_does_not_stop_fails() {
    assert!(failures("uci", "unstoppable").contains(&"stop".to_owned()));
}

#[test]
fn an_engine_that_does_not_start_fails_only_that_check() {
    assert_eq!(failures("native", "crash-at-start"), ["start"]);
    // Nothing but its exit shows that it does not start, which takes long on a busy machine.
    assert!((0..10).any(|_| failures("line", "crash-at-start") == ["start"]));
    let (_, text) = check("ugi", "crash-at-start");
    assert!(text.contains("FAIL  start: crash: exit status: 3; stderr: no luck today"), "{text}");
}

#[test]
fn illegal_moves_are_shown_beside_the_legal_ones() {
    let (_, text) = check("line", "illegal");
    assert!(
        text.contains("illegal move '99' in ") && text.contains("(legal: 1 2 3 4 5 6 7)"),
        "{text}"
    );
}
