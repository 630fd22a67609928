//! Invalid, unusual and enormous input to the real program.
//!
//! Times are checked only to detect hangs, with generous limits.

mod support;

use std::process::Command;

use support::engine::{Engine, assert_contains};

/// Thirty nines: more than any integer type holds.
const HUGE: &str = "999999999999999999999999999999";

#[test]
fn the_bad_move_in_a_megabyte_of_moves_is_reported_by_its_number() {
    let mut engine = Engine::start();
    engine.command("newgame 25 25 25");
    let moves = "1 ".repeat(1 << 19);
    let error = engine.expect_error(&format!("position moves {moves}"));
    assert_contains(&error, "move 26, '1': column 1 is full");
    assert!(error.len() < 200);
    // A word of a megabyte is abbreviated in messages.
    for line in ["position moves ", "position ", "position grid ", "newgame ", "play ", "go ", ""] {
        let error = engine.expect_error(&format!("{line}{}", "x".repeat(1 << 20)));
        assert!(error.len() < 500, "{line}: {} bytes", error.len());
    }
    assert_eq!(engine.moves().len(), 25);
    engine.quit();
}

#[test]
fn a_bad_position_leaves_the_old_one_unchanged() {
    let mut engine = Engine::start();
    engine.command("position moves 4 4 4");
    let before = engine.query("d");
    for (line, part) in [
        ("position moves 1 2 8", "move 3, '8': column 8 does not exist"),
        ("position moves 1 1 1 1 1 1 1", "move 7, '1': column 1 is full"),
        ("position moves 1 2 1 2 1 2 1 2", "move 8, '2': the game is over (p1win)"),
        ("position moves x", "move 1, 'x': expected a column (1..7)"),
        ("position grid ../..", "expected 6 rows, got 2"),
        ("newgame 3 3", "rows and columns must be 4..25"),
        ("newgame chess", "available: connect4"),
        ("play 9", "column 9 does not exist"),
    ] {
        assert_contains(&engine.expect_error(line), part);
        assert_eq!(engine.query("d"), before, "{line}");
    }
    engine.quit();
}

#[test]
fn numbers_of_thirty_digits_are_clamped_or_refused() {
    let mut engine = Engine::start();
    for limits in [
        format!("depth {HUGE} nodes 500"),
        format!("nodes {HUGE} depth 2"),
        format!("movetime {HUGE} depth 2"),
        format!("p1time {HUGE} p2time {HUGE} p1inc {HUGE} movestogo {HUGE} depth 2"),
        format!("wtime -{HUGE}"),
        format!("p1time 50 p1inc {HUGE}"),
    ] {
        engine.go(&limits);
    }
    for line in [
        format!("newgame {HUGE} {HUGE}"),
        format!("newgame 6 7 {HUGE}"),
        format!("newgame -{HUGE} 7"),
        format!("newgame connect4 {HUGE}"),
        format!("play {HUGE}"),
        format!("position moves {HUGE}"),
        format!("position moves -{HUGE}"),
        format!("go depth -{HUGE}"),
        format!("go depth 1 searchmoves {HUGE}"),
        format!("go perft -{HUGE}"),
        format!("setoption name Hash value {HUGE}"),
        format!("setoption name Threads value {HUGE}"),
        format!("setoption name MultiPV value {HUGE}"),
        format!("setoption name Seed value {HUGE}"),
        format!("setoption name Level value {HUGE}"),
        format!("setoption name Depth value {HUGE}"),
        format!("setoption name Move Overhead value {HUGE}"),
    ] {
        engine.expect_error(&line);
    }
    // Too deep to finish, but it can be stopped.
    engine.send_all(&[&format!("go perft {HUGE}"), "stop"]);
    let lines = engine.wait_for("error");
    assert_contains(&lines[lines.len() - 1], "stopped");
    engine.quit();
}

#[test]
fn unprintable_bytes_get_one_printable_error() {
    let mut engine = Engine::start();
    for bytes in [
        &b"\0\n"[..],
        b"\0\0\0go\n",
        b"go\0depth 3\n",
        b"play \0\n",
        b"position moves 1 \0 2\n",
        b"position grid \0/\x01/\x02\n",
        b"position grid ......./......./......./......./......./....... \x07\x1b[2J\n",
        b"position \x1b[31m\n",
        b"\xff\xfe\n",
        b"go depth \xc3\x28\n",
        b"\xf0\x9f\x98\n",
        b"setoption name \x01 value \x02\n",
        b"newgame \x01\n",
        "newgame ６ ７\n".as_bytes(),
        "go depth ３\n".as_bytes(),
    ] {
        engine.send_bytes(bytes);
        engine.send("isready");
        let lines = engine.wait_for("readyok");
        assert!(lines.len() == 2 && lines[0].starts_with("error "), "{bytes:?}: {lines:?}");
        assert!(!lines[0].contains(|c: char| c.is_control()), "{bytes:?}: {lines:?}");
    }
    engine.quit();
}

#[test]
fn any_line_ends_and_blanks_are_accepted_and_comments_are_skipped() {
    let mut engine = Engine::start();
    engine
        .send_bytes(b"\r\n\n   \t \r\n# go infinite\r\n  #moves\n\t position \t moves\t4  4 \r\n");
    engine.send_bytes(b"moves\r\n\tresult\t\r\n isready \r\n");
    let lines = engine.wait_for("readyok");
    assert_eq!(lines, ["moves 1 2 3 4 5 6 7", "result none", "readyok"]);
    // The last line needs no line end.
    engine.send_bytes(b"result");
    let exit = engine.finish();
    assert_eq!(exit.rest, ["result none"]);
}

#[test]
fn very_long_lines_get_short_answers() {
    let mut engine = Engine::start();
    let long = 8 << 20;
    for line in ["x".repeat(long), "x ".repeat(long / 2), format!("go {}", "y ".repeat(long / 2))] {
        let error = engine.expect_error(&line);
        assert!(error.len() < 1000, "{} bytes", error.len());
    }
    engine.command(&" ".repeat(long));
    engine.command(&format!("#{}", "x".repeat(long)));
    engine.quit();
}

#[test]
fn a_closed_stdout_ends_the_program_quietly() {
    for go in ["go infinite", "go movetime 100000", "go perft 30"] {
        let mut engine = Engine::start();
        // A board without a book, from which the engine would answer at once.
        engine.command("newgame 8 8");
        engine.send(go);
        engine.close_output();
        assert!(engine.wait_for_exit().success(), "{go}");
    }
}

#[test]
fn arguments_are_one_command_whose_success_is_the_exit_code() {
    for (arguments, code, first) in [
        (&["isready"][..], 0, "readyok"),
        (&["moves"], 0, "moves 1 2 3 4 5 6 7"),
        (&["go", "perft", "1"], 0, "perft 1 1"),
        (&["go depth 3"], 0, "info depth 1"),
        (&["--version"], 0, "ratlla "),
        (&["--help"], 0, "A game engine"),
        (&["help"], 0, "newgame"),
        (&["newgame", "3", "3"], 1, "error newgame"),
        (&["position", "moves", "9"], 1, "error position"),
        (&["nonsense"], 1, "error unknown command"),
        (&["go", "searchmoves", "8"], 1, "error go searchmoves"),
    ] {
        // The input stays open: the engine must not wait for more.
        let mut engine = Engine::with_arguments(arguments);
        let line = engine.read_line();
        assert!(line.starts_with(first), "{arguments:?}: {line}");
        assert_eq!(engine.wait_for_exit().code(), Some(code), "{arguments:?}");
        engine.finish();
    }
    let mistyped = Command::new(env!("CARGO_BIN_EXE_ratlla")).arg("--hlep").output().unwrap();
    assert_eq!((mistyped.status.code(), &mistyped.stdout[..]), (Some(2), &b""[..]));
    assert_eq!(mistyped.stderr, b"ratlla: unknown option '--hlep' (try --help)\n");
    let mut silent = Engine::with_arguments(&["newgame", "4", "4"]);
    assert_eq!(silent.wait_for_exit().code(), Some(0));
    assert_eq!(silent.finish().rest, Vec::<String>::new());
    let mut endless = Engine::with_arguments(&["go", "infinite"]);
    endless.send("stop");
    endless.wait_for_best_move();
    assert_eq!(endless.wait_for_exit().code(), Some(0));
}

#[test]
fn the_log_file_records_the_conversation() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a log.txt");
    let mut engine = Engine::start();
    engine.command(&format!("setoption name Debug Log File value {}", path.display()));
    engine.query("moves");
    engine.expect_error("nonsense");
    engine.command("setoption name Debug Log File value <empty>");
    engine.query("result");
    let missing = path.join("no such folder");
    let error =
        engine.expect_error(&format!("setoption name Debug Log File value {}", missing.display()));
    assert_contains(&error, "cannot open");
    engine.quit();
    let log = std::fs::read_to_string(&path).expect("the log");
    let lines: Vec<&str> = log.lines().collect();
    let expected = ["> isready", "< readyok", "> moves", "< moves 1 2 3 4 5 6 7"];
    assert_eq!(lines[..4], expected, "{log}");
    assert!(log.contains("> nonsense\n< error unknown command"), "{log}");
    assert!(!log.contains("result"), "{log}");
}
