//! `ratlla explain`: whole games.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use super::support::engine::spawn_piped;

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla"));
    command.arg("explain").args(arguments).stdin(Stdio::piped());
    let mut child = spawn_piped(&mut command);
    let mut stdin = child.stdin.take().expect("a pipe");
    // A process that does not read has gone already.
    drop(std::io::Write::write_all(&mut stdin, input.as_bytes()));
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

fn json(arguments: &[&str], input: &str) -> Value {
    let output = run(arguments, input);
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn marks(game: &Value) -> Vec<&str> {
    let moves = game["moves"].as_array().expect("moves");
    moves.iter().map(|mv| mv["mark"].as_str().expect("a mark")).collect()
}

#[test]
fn mistakes_are_marked() {
    // Only the centre wins; 1 loses sooner than others; then player 1 makes a fork and wins.
    let game = json(&["--json", "4", "1", "3", "1", "5", "2", "6"], "");
    assert_eq!(game["game"], "connect4 6 7 4");
    assert_eq!(game["result"], "p1win");
    let moves = game["moves"].as_array().expect("moves");
    assert_eq!(moves[0]["before"], "win 41");
    assert_eq!(moves[0]["after"], "win 41");
    assert_eq!(moves[6]["kind"], "line");
    assert_eq!(marks(&game)[0], "!");
    assert_eq!(marks(&game)[1], "?!");
    // A win given away, then the win that this allows.
    let game = json(&["--json", "1", "4"], "");
    assert_eq!(marks(&game)[0], "?");
    assert_eq!(game["result"], "none");
}

#[test]
fn text_and_json_say_the_same_and_moves_may_come_from_stdin() {
    let arguments = ["--game", "kalah", "3", "2"];
    let plain = run(&arguments, "# a game\n2 1\n  3\n");
    assert!(plain.status.success(), "{}", text(&plain.stderr));
    let with_json = [&["--json"], &arguments[..], &["--moves", "2", "1", "3"]].concat();
    let game = json(&with_json, "");
    let lines: Vec<&str> = text(&plain.stdout).lines().collect();
    let moves = game["moves"].as_array().expect("moves");
    assert_eq!(lines.len(), moves.len() + 1);
    for (line, mv) in lines.iter().zip(moves) {
        let word = |key: &str| mv[key].as_str().expect("a text").to_owned();
        let expected = format!(
            "{}. {} {}{}  {} -> {} (best {})  {}",
            mv["number"],
            word("side"),
            word("move"),
            word("mark"),
            word("before"),
            word("after"),
            word("best"),
            word("reason")
        );
        assert_eq!(*line, expected);
    }
    assert_eq!(lines[3], "result none");
}

/// Moves and comments are written as for `ratlla solve`.
#[test]
fn a_game_is_written_as_a_line_of_solve() {
    let expected = json(&["--json", "--nodes", "2000", "4", "4", "4", "3", "4"], "");
    for arguments in [
        &["44434"][..],
        &["4,4,4,3,4"],
        &["4", "4,4", "3", "4"],
        &["startpos", "moves", "4", "4", "4", "3", "4"],
        &["startpos moves 44434 # a game"],
    ] {
        let arguments = [&["--json", "--nodes", "2000"], arguments].concat();
        assert_eq!(json(&arguments, ""), expected, "{arguments:?}");
    }
    for input in
        ["44434", "# a game\n4 4 # the centre\n\n4\t3\n4 # and so on\n", "\u{feff}4,4,4,3,4"]
    {
        assert_eq!(json(&["--json", "--nodes", "2000"], input), expected, "{input}");
    }
    // From a position, only what follows is reviewed.
    let position = "grid ......./......./......./...X.../...O.../...X... p2 moves 3 4";
    let game = json(&["--json", "--nodes", "2000", position], "");
    let moves = |game: &Value| game["moves"].as_array().expect("moves").clone();
    let played =
        |game: &Value| -> Vec<Value> { moves(game).iter().map(|mv| mv["move"].clone()).collect() };
    assert_eq!(played(&game), ["3", "4"]);
    assert_eq!(played(&expected), ["4", "4", "4", "3", "4"]);
    let reasons = |game: &Value, from: usize| -> Vec<Value> {
        moves(game)[from..].iter().map(|mv| mv["side"].clone()).collect()
    };
    assert_eq!(reasons(&game, 0), reasons(&expected, 3));
}

/// What is proved about a move holds after it: limits never grow without a mistake.
#[test]
fn limits_do_not_grow_from_move_to_move() {
    let boom = |moves: &[&str], nodes: &str| {
        json(&[&["--json", "--nodes", nodes, "--game", "boom", "--moves"], moves].concat(), "")
    };
    let plies = |mv: &Value, key: &str| -> Option<(bool, usize)> {
        let (result, plies) = mv[key].as_str().expect("a score").split_once(' ')?;
        let is_win = match result {
            "win" => true,
            "loss" => false,
            _ => return None,
        };
        Some((is_win == (mv["side"] == "p1"), plies.parse().expect("plies")))
    };
    let games: [&[&str]; 3] = [
        &["4", "3", "3", "3", "3"],
        &["4", "3", "3", "3", "3", "6", "3", "3", "4", "4", "4", "5"],
        &["4", "4", "4", "4", "4", "3", "5", "3", "3"],
    ];
    let mut proved = 0;
    for (moves, nodes) in games.iter().flat_map(|moves| [(moves, "1000000"), (moves, "200000")]) {
        let game = boom(moves, nodes);
        let moves = game["moves"].as_array().expect("moves");
        for pair in moves.windows(2) {
            let Some((winner, limit)) = plies(&pair[0], "after") else { continue };
            proved += 1;
            let before = plies(&pair[1], "before");
            assert!(
                before.is_some_and(|(side, plies)| side == winner && plies < limit),
                "{pair:#?}"
            );
        }
    }
    assert!(proved > 5, "{proved}");
}

/// A position that is known to be won from the move before, however little the search finds in it.
#[test]
fn a_win_that_is_given_away_is_marked() {
    let game = json(&["--json", "--nodes", "500", "526366346"], "");
    let last = game["moves"].as_array().and_then(|moves| moves.last()).expect("a move");
    let key = |name: &str| last[name].as_str().expect("a text");
    assert!(key("before").starts_with("win "), "{last}");
    assert_eq!([key("after"), key("best"), key("mark")], ["loss 2", "1", "?"], "{last}");
    assert!(key("reason").ends_with("Turns a win into a loss: 1 still wins."), "{last}");
}

#[test]
fn what_is_not_proved_has_no_mark() {
    let game = json(&["--json", "--nodes", "500", "--game", "wali", "--moves", "a1", "f5"], "");
    assert_eq!(marks(&game), ["~", "~"]);
}

#[test]
fn mistakes_in_the_input_change_nothing() {
    for (arguments, status, part) in [
        (&["4", "9"][..], 1, "move 2, '9': column 9 does not exist"),
        (&["444", "4"], 1, "'444': column 444 does not exist"),
        (&["44", "53"], 1, "; separate moves by blanks or commas"),
        (&["4449"], 1, "move 4, '9': column 9 does not exist"),
        (&["4,,4"], 1, "move 2 is missing"),
        (&["grid", "..."], 1, "expected 6 rows, got 1"),
        (&["--game", "chess"], 2, "unknown game 'chess'"),
        (&["--game", "kalah", "3", "2", "2", "1"], 2, "write --moves before the moves"),
        (&["--nodes", "0"], 2, "--nodes must be"),
        (&["--depth", "3"], 2, "invalid option '--depth'"),
    ] {
        let output = run(arguments, "");
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert!(text(&output.stderr).contains(part), "{}", text(&output.stderr));
    }
    let empty = run(&[], "");
    assert_eq!((empty.status.code(), text(&empty.stdout)), (Some(0), "result none\n"));
}
