//! Whole games on a pseudo-terminal, and through pipes.
#![cfg(unix)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use rexpect::session::{Options, PtySession, spawn_with_options};

/// In milliseconds; generous, for busy machines.
const TIMEOUT: u64 = 60_000;

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-play"));
    command
        .args(arguments)
        .current_dir(folder)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR");
    command
}

/// The program on a terminal, with colour codes kept or stripped.
fn start(folder: &Path, arguments: &[&str], colors: bool) -> PtySession {
    let options = Options::new().timeout_ms(Some(TIMEOUT)).strip_ansi_escape_codes(!colors);
    spawn_with_options(command(folder, arguments), options).unwrap()
}

/// Waits for each prompt in turn and types the answer.
fn converse(session: &mut PtySession, lines: &[(&str, &str)]) {
    for (question, answer) in lines {
        session.exp_string(question).unwrap_or_else(|error| panic!("{question}: {error}"));
        session.send_line(answer).unwrap();
    }
}

const TWO_PEOPLE: [(&str, &str); 5] = [
    ("Which game (1 connect4, 2 boom, 3 wali, 4 kalah) [connect4]?", ""),
    ("rows, 4 to 25 [6]?", ""),
    ("columns, 4 to 25 [7]?", ""),
    ("line, 2 to 7 [4]?", ""),
    ("Who plays (1 two people, 2 person against computer, 3 computer against computer)", "1"),
];

#[test]
fn two_people_play_undo_and_win() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[], false);
    converse(&mut session, &TWO_PEOPLE);
    converse(
        &mut session,
        &[
            ("Player 1:", "8"),
            ("'8': column 8 does not exist", ""),
            ("Enter a move", "1 2"),
            (
                "got '1 2'. Enter a move, or one of: hint, undo, save [file], moves, help, quit.",
                "help",
            ),
            ("Enter a move", "undo"),
            ("No moves to take back", "moves"),
            ("1 2 3 4 5 6 7", "1"),
            ("Player 2:", "2"),
            ("Player 1:", "1"),
            ("Player 2:", "3"),
            ("Player 1:", "undo"),
            ("Player 2:", "2"),
            ("Player 1:", "1"),
            ("Player 2:", "2"),
            ("Player 1:", "hint"),
            ("Try 1.", "1"),
        ],
    );
    session.exp_string("Player 1 wins (line).").unwrap();
    converse(
        &mut session,
        &[
            ("Play again", "perhaps"),
            ("got 'perhaps'", "undo"),
            ("Player 1:", "1"),
            ("Play again", "yes"),
            ("Which game", "quit"),
        ],
    );
    session.exp_string("Goodbye.").unwrap();
    session.exp_eof().unwrap();
}

#[test]
fn a_person_plays_the_computer_on_another_board() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[], false);
    converse(
        &mut session,
        &[
            ("Which game", "chess"),
            ("Expected one of connect4, boom, wali, kalah, got 'chess'.", "connect4"),
            ("rows, 4 to 25 [6]?", "3"),
            ("Expected a number from 4 to 25, got '3'.", "4"),
            ("columns, 4 to 25 [7]?", "5"),
            ("line, 2 to 5 [4]?", "6"),
            ("Expected a number from 2 to 5, got '6'.", "3"),
            ("Who plays", ""),
            (
                "Strategy of the computer (1 random, 2 greedy, 3 smart, 4 minimax, 5 alphabeta, 6 full)",
                "gree",
            ),
            ("Seconds per move, 0.1 to 3600 [1]?", "never"),
            ("got 'never'", "0.1"),
            ("Who starts (1 you, 2 computer) [you]?", "computer"),
            ("Player 1, greedy plays", ""),
            ("Enter a move", "5"),
            ("Player 1, greedy plays", ""),
            ("Enter a move", "undo"),
            ("Player 2:", "quit"),
        ],
    );
    session.exp_eof().unwrap();
}

/// An engine whose game has two parameters: 2, and 1, 3 or 4.
const PICKY_ENGINE: &str = r#"
while read -r line; do
    case $line in
        games) echo "game pairs parameter a type spin default 2 min 1 max 9 parameter b type spin default 5 min 1 max 9" ;;
        "newgame pairs 2 "[134]) ;;
        newgame*) echo "error newgame: not ${line#newgame pairs }" ;;
        isready) echo readyok ;;
        state) echo 'state {"side":"p1","result":"none","moves":[],"drawing":[]}' ;;
    esac
done
"#;

#[test]
fn the_engine_decides_which_parameters_are_valid() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("picky"), PICKY_ENGINE).unwrap();
    let mut session = start(folder.path(), &["--engine", "sh picky"], false);
    converse(
        &mut session,
        &[
            ("Which game", ""),
            ("a, 1 to 9 [2]?", ""),
            ("b, 1 to 4 [4]?", "2"),
            ("not 2 2", ""),
            ("b, 1 to 4 [4]?", "2"),
            ("a, 1 to 9 [2]?", "3"),
            ("b, 1 to 9 [5]?", "1"),
            ("not 3 1", "2"),
            ("b, 1 to 4 [4]?", "4"),
            ("Who plays", "quit"),
        ],
    );
    session.exp_eof().unwrap();
}

#[test]
fn computers_play_every_game_to_its_end() {
    let folder = tempfile::tempdir().unwrap();
    for (game, parameters) in [("connect4", 3), ("boom", 0), ("wali", 3), ("kalah", 2)] {
        let mut session = start(folder.path(), &[], false);
        converse(&mut session, &[("Which game", game)]);
        for _ in 0..parameters {
            converse(&mut session, &[("]?", "")]);
        }
        if game == "kalah" {
            converse(
                &mut session,
                &[
                    ("With the rule 'empty' (yes, no) [no]?", "maybe"),
                    ("Expected yes or no", "yes"),
                ],
            );
        }
        converse(&mut session, &[("Who plays", "3")]);
        if game == "connect4" {
            let plain = [("Strategy of computer A", "minimax"), ("Depth, 1 to 100 [4]?", "2")];
            converse(&mut session, &plain);
        } else {
            converse(&mut session, &[("Strategy of computer A", "random")]);
        }
        converse(
            &mut session,
            &[
                ("Seconds", "0.1"),
                ("Strategy of computer B", "full"),
                ("Level, 1 to 10 [10]?", "3"),
                ("Seconds", "0.1"),
                ("Who starts (1 a, 2 b) [a]?", "b"),
                ("Play again", "no"),
            ],
        );
        session.exp_eof().unwrap();
    }
}

#[test]
fn a_saved_game_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[], false);
    converse(&mut session, &TWO_PEOPLE);
    converse(
        &mut session,
        &[
            ("Player 1:", "4"),
            ("Player 2:", "save"),
            ("Resume with 'ratlla-play connect4.ratlla'", "save"),
            ("connect4.ratlla already exists", "save other.txt"),
            ("Saved", "save no/where"),
            ("Cannot write no/where", "quit"),
        ],
    );
    session.exp_eof().unwrap();
    let text = std::fs::read_to_string(folder.path().join("other.txt")).unwrap();
    assert_eq!(text, "newgame connect4 6 7 4\nposition startpos moves 4\n");
    let mut session = start(folder.path(), &["other.txt"], false);
    converse(&mut session, &[("Who plays", "1")]);
    session.exp_string(" - - - X - - -").unwrap();
    converse(&mut session, &[("Player 2:", "quit")]);
    session.exp_eof().unwrap();
}

#[test]
fn a_terminal_gets_colors_and_a_pipe_does_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[], true);
    converse(&mut session, &TWO_PEOPLE);
    converse(&mut session, &[("Player 1", "4")]);
    let seen = session.exp_string("1 2 3 4 5 6 7").unwrap();
    assert!(seen.contains("\u{1b}[") && seen.contains('X'), "{seen:?}");
    converse(&mut session, &[("Player 2", "quit")]);
    session.exp_eof().unwrap();

    let (status, output) = piped(folder.path(), &[], "1\n\n\n\n1\n4\n4\n");
    assert!(status, "the end of the input ends the program as quit does");
    assert!(output.contains(" - - - O - - -\n - - - X - - -\n 1 2 3 4 5 6 7\n"), "{output}");
    assert!(!output.contains('\u{1b}'));
    assert!(output.ends_with("Goodbye.\n"));
}

fn piped(folder: &Path, arguments: &[&str], input: &str) -> (bool, String) {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may exit before it reads.
    drop(child.stdin.take().unwrap().write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn errors_are_reported() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bad"), "newgame boom\nposition startpos moves 9\n").unwrap();
    std::fs::write(folder.path().join("none"), "hello\n").unwrap();
    for (arguments, reason) in [
        (&["bad"][..], "move 1, '9'"),
        (&["none"], "newgame"),
        (&["missing"], "cannot read missing"),
        (&["--engine", "/no/such/engine"], "'/no/such/engine' is not an executable program"),
        (&["--engine", "true"], "the engine has exited"),
        (&["--loud"], "--loud"),
    ] {
        let (status, output) = piped(folder.path(), arguments, "");
        assert!(!status, "{arguments:?}");
        assert!(output.contains(reason), "{output}");
    }
    let (status, output) = piped(folder.path(), &["--help"], "");
    assert!(status && output.contains("Usage: ratlla-play"));
    let (status, output) = piped(folder.path(), &["--version"], "");
    assert!(status && output.starts_with("ratlla-play "));
}

#[test]
fn the_game_survives_an_engine_crash() {
    let folder = tempfile::tempdir().unwrap();
    // The engine, which writes its process id to a file.
    let own = env!("CARGO_BIN_EXE_ratlla-play");
    let engine = format!("sh -c 'echo $$ > id; exec \"{own}\" --serve-as-engine'");
    let crash = || {
        let id = std::fs::read_to_string(folder.path().join("id")).unwrap();
        assert!(Command::new("kill").args(["-9", id.trim()]).status().unwrap().success());
    };
    let mut session = start(folder.path(), &["--engine", &engine], false);
    converse(&mut session, &TWO_PEOPLE[..4]);
    converse(
        &mut session,
        &[
            ("Who plays", "2"),
            ("Strategy", "full"),
            ("Level", "2"),
            ("Seconds", "0.1"),
            ("Who starts", "you"),
        ],
    );
    session.exp_string("Player 1:").unwrap();
    crash();
    session.send_line("4").unwrap();
    converse(
        &mut session,
        &[("the engine has exited: signal: 9", "4"), ("Player 2, full plays", "")],
    );
    session.exp_string("Enter a move").unwrap();
    crash();
    // The failed query is repeated, and the game is still there.
    converse(&mut session, &[("Player 1:", "hint"), ("Restarting", ""), ("Try ", "undo")]);
    session.exp_string(" - - - - - - -\r\n 1 2 3 4 5 6 7").unwrap();
    converse(&mut session, &[("Player 1:", "quit")]);
    session.exp_eof().unwrap();
}
