//! No file that a user can name makes the program read without end.

#![cfg(target_os = "linux")]

use std::path::Path;

use ratlla_workspace::files::check_endless_files;

#[test]
fn no_argument_reads_a_file_without_end() {
    let folder = tempfile::tempdir().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_ratlla-arena"));
    const ENGINES: &str = "--engine cmd=true name=a --engine cmd=true name=b --depth 1";
    const TUNED: &str = "tune --engine cmd=true --depth 1 --record r --param name=x";
    let with = |start: &str, end: &str| format!("{start} {ENGINES} {end}");
    let [logged, started, planned] = [
        with("match", "--plies 1 --log {}"),
        with("match", "--openings {}"),
        with("plan", "--openings {}"),
    ];
    let [tuned_log, tuned_openings] =
        ["--log {}", "--openings {}"].map(|end| format!("{TUNED} {end}"));
    let calls = [
        ("match --config", "match --config {}"),
        ("match --log", &logged),
        ("match --openings", &started),
        ("match --record", ""),
        ("match --resume", "match --resume {}"),
        ("plan --config", "plan --config {}"),
        ("plan --log", ""),
        ("plan --openings", &planned),
        ("plan --record", ""),
        ("report --csv", ""),
        ("report --html", ""),
        ("report --pgn", ""),
        ("report --svg", ""),
        ("report record", "report {}"),
        ("tune --config", "tune --config {}"),
        ("tune --log", &tuned_log),
        ("tune --openings", &tuned_openings),
        ("tune --params", "tune --engine cmd=true --record r --params {}"),
        ("tune --record", ""),
        ("tune --resume", "tune --resume {}"),
        ("tune --svg", ""),
    ];
    check_endless_files(program, folder.path(), &calls);
}
