//! The compliance run finds what is wrong, names the step, and says what would be right.

mod support;

use support::arena;

/// Examines a dummy: whether it passed, and what was said.
fn checked(proto: &str, behaviour: &str) -> (bool, String) {
    let program = env!("CARGO_BIN_EXE_ratlla-arena-dummy");
    let engine = format!("cmd={program} {proto} {behaviour}");
    // The margin is wide, as a busy machine is no fault of the engine.
    let words = ["check", "--patience", "1500", "--margin", "200", "--engine", "movetime=1000"];
    let output = arena(&words)
        .args([&engine, &format!("proto={proto}")])
        .output()
        .expect("the arena starts");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The steps in which a dummy fails.
fn failures(proto: &str, behaviour: &str) -> Vec<String> {
    let (success, text) = checked(proto, behaviour);
    let failed = text.lines().filter_map(|line| line.strip_prefix("FAIL  "));
    let steps: Vec<String> =
        failed.map(|line| line.split(':').next().unwrap_or_default().to_owned()).collect();
    assert_eq!(success, steps.is_empty(), "{text}");
    assert_eq!(steps.len(), text.matches("      right: ").count(), "{text}");
    steps
}

#[test]
fn a_good_engine_passes_in_every_dialect() {
    for proto in ["native", "ugi", "uci", "line"] {
        let (success, text) = checked(proto, "");
        assert!(success && text.ends_with("all is well\n"), "{text}");
    }
}

#[test]
fn each_fault_is_found_in_its_own_step() {
    let none: [&str; 0] = [];
    for (behaviour, steps) in [
        ("busy", &["isready while thinking"][..]),
        ("eager", &["isready while thinking", "stop"]),
        ("jumpy", &["stop without a search"]),
        ("tolerant", &["illegal position"]),
        ("fragile", &["nonsense"]),
        ("optimist", &["finished game"]),
        ("clingy", &["quit"]),
        ("undying", &["end of input", "end of input while thinking"]),
        ("nap", &none),
    ] {
        assert_eq!(failures("native", behaviour), steps, "{behaviour}");
    }
}

#[test]
fn answers_too_many_are_counted() {
    let steps = failures("native", "chatty");
    assert!(steps.starts_with(&["one answer".to_owned()]), "{steps:?}");
    assert!(failures("line", "chatty").contains(&"one answer".to_owned()));
}

#[test]
fn a_search_that_does_not_stop_is_found() {
    assert!(failures("uci", "unstoppable").contains(&"stop".to_owned()));
}

#[test]
fn an_engine_that_does_not_start_fails_at_once() {
    assert_eq!(failures("native", "crash-at-start"), ["start"]);
    assert_eq!(failures("line", "crash-at-start"), ["start"]);
    let (_, text) = checked("ugi", "crash-at-start");
    assert!(text.contains("FAIL  start: crash: exit status 3: no luck today"), "{text}");
}

#[test]
fn illegal_moves_are_shown_beside_the_legal_ones() {
    let (_, text) = checked("line", "illegal");
    assert!(text.contains("it plays '99'; legal are 1 2 3 4 5 6 7"), "{text}");
}
