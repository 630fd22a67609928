//! Whole games on a pseudo-terminal.
#![cfg(unix)]

mod support;

use std::io::Write as _;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use rexpect::session::{Options, PtySession, spawn_with_options};
use support::{command, plain_board};

/// In milliseconds; generous, for busy machines.
const TIMEOUT: u64 = 60_000;

/// A program on a terminal, with colour codes kept or stripped.
fn start_command(command: Command, colors: bool) -> PtySession {
    let options = Options::new().timeout_ms(Some(TIMEOUT)).strip_ansi_escape_codes(!colors);
    spawn_with_options(command, options).unwrap()
}

fn start(folder: &Path, arguments: &[&str]) -> PtySession {
    start_command(command(folder, arguments), false)
}

/// Waits for each text in turn and types the answer.
fn converse(session: &mut PtySession, lines: &[(&str, &str)]) {
    for (question, answer) in lines {
        expect(session, question);
        session.send_line(answer).unwrap();
    }
}

fn expect(session: &mut PtySession, text: &str) -> String {
    session.exp_string(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn expect_goodbye(session: &mut PtySession) {
    expect(session, "Goodbye.");
    session.exp_eof().unwrap();
}

#[test]
fn enter_plays_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[]);
    converse(&mut session, &[("Game [connect4]:", "")]);
    expect(&mut session, "connect4 6 7 4: You (X) against Computer (O), level 5 (Club).");
    converse(&mut session, &[("You (X):", "4"), ("Computer (O) plays", "quit")]);
    expect_goodbye(&mut session);
}

#[test]
fn the_first_question_has_help_and_explains_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &[]);
    converse(
        &mut session,
        &[
            ("Game [connect4]:", "help"),
            ("kalah [houses] [seeds] [empty]", "chess"),
            ("Neither a game (connect4, boom, wali, kalah) nor a saved game: 'chess'", "3 7"),
            ("Rows and columns must be 4..25 (got 3 and 7)", "kalah --level 12"),
            ("1 (Beginner) to 10", "k 3 2 --level 2"),
            ("kalah 3 2: You against Computer, level 2 (Novice).", "quit"),
        ],
    );
    expect_goodbye(&mut session);
}

#[test]
fn two_people_play_undo_and_win() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["connect4", "--players", "2"]);
    converse(
        &mut session,
        &[
            ("Player 1 (X):", "8"),
            ("'8': column 8 does not exist", ""),
            ("'moves' lists them", "1 2"),
            ("Expected one move or command", "help"),
            ("why not MOVE", "undo"),
            ("You have no moves to take back", "redo"),
            ("No moves were taken back", "why"),
            ("No move was made yet", "moves"),
            ("1 2 3 4 5 6 7", "1"),
            ("Player 2 (O):", "2"),
            ("Player 1 (X):", "1"),
            ("Player 2 (O):", "3"),
            (" X O[O]", "undo"),
        ],
    );
    converse(
        &mut session,
        &[
            ("Player 2 (O):", "redo"),
            ("Player 1 (X):", "undo"),
            ("Player 2 (O):", "2"),
            ("Player 1 (X):", "1"),
            ("Player 2 (O):", "2"),
            ("Player 1 (X):", "hint"),
            ("Try 1. Wins at once", ""),
            ("(a4 is column 1, row 4 from the bottom.)", "why not 3"),
            ("The best move is 1.", "1"),
            ("Player 1 (X) wins (line).", "4"),
            ("The game is over", "review"),
            ("Player 1 (X) 1?  ", "moves"),
            ("4 still wins.", "undo"),
            ("Player 1 (X):", "1"),
            ("Game over; Enter plays again:", ""),
            ("connect4 6 7 4: Player 1 (X) against Player 2 (O).", "q"),
        ],
    );
    expect_goodbye(&mut session);
}

#[test]
fn keys_edit_recall_and_complete_lines() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["wali", "3", "3", "3", "--players", "2"]);
    expect(&mut session, "Player 1 (X):");
    // Left, Home, End, Delete: 'mves' becomes 'moves'.
    session.send("mves\u{1b}[D\u{1b}[D\u{1b}[Do\u{1b}[H\u{1b}[F\n").unwrap();
    expect(&mut session, "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    expect(&mut session, "Player 1 (X):");
    session.send("\u{1b}[A\n").unwrap();
    expect(&mut session, "a1 b1 c1 a2 b2 c2 a3 b3 c3");
    expect(&mut session, "Player 1 (X):");
    session.send("lev\tperf\t\u{15}b\t\t").unwrap();
    session.flush().unwrap();
    // The moves and the command that start with b.
    expect(&mut session, "board");
    session.send("\u{15}le\t exp\t\n").unwrap();
    let seen = expect(&mut session, "--level: no computer plays");
    assert!(!seen.contains("^["), "{seen:?}");
    expect(&mut session, "Player 1 (X):");
    // Pasted lines are read one by one.
    session.send("a1\nc3\nmoves\n").unwrap();
    expect(&mut session, "In hand: X 2, O 2.");
    session.send_control('d').unwrap();
    expect_goodbye(&mut session);
}

#[test]
fn bytes_that_are_not_text_cost_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["--players", "2"]);
    converse(&mut session, &[("Player 1 (X):", "4"), ("[X]", "")]);
    expect(&mut session, "'moves' lists them");
    expect(&mut session, "Player 2 (O):");
    session.process().get_file_handle().unwrap().write_all(b"4\xff\xfe").unwrap();
    expect(&mut session, "The line is not UTF-8 text and was ignored.");
    expect(&mut session, "Player 2 (O):");
    session.send_line("board").unwrap();
    converse(&mut session, &[("- - -[X]- - -", "quit")]);
    expect_goodbye(&mut session);
}

#[test]
fn the_computer_explains_itself() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["--level", "perfect", "--first", "computer"]);
    expect(&mut session, "Computer (X) plays 4.");
    converse(&mut session, &[("You (O):", "why")]);
    expect(&mut session, "Computer (X), 4: \"Every other move gives away the win. I can win");
    session.send_line("explain").unwrap();
    expect(&mut session, "loses  Every move loses.");
    session.send_line("level casual").unwrap();
    expect(&mut session, "Computer plays at level 3 (Casual).");
    session.send_line("new kalah 4 3 --first me").unwrap();
    expect(&mut session, "kalah 4 3: You against Computer, level 3 (Casual).");
    session.send_line("new kalah 4 99").unwrap();
    expect(&mut session, "Seeds must be 1..12 (got 99)");
    session.send_line("rules").unwrap();
    expect(&mut session, "counter-clockwise");
    session.send_line("2").unwrap();
    expect(&mut session, "You play 2: 1 stored, another move.");
    expect(&mut session, "(store on the right)");
    converse(&mut session, &[("You, again:", "swap"), ("changed sides", "quit")]);
    expect_goodbye(&mut session);
}

#[test]
fn control_c_stops_a_search_and_asks_before_it_quits() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["10", "10", "--level", "10", "--movetime", "600000", "--players", "0"];
    let mut session = start(folder.path(), &arguments);
    expect(&mut session, "Computer 1 (X) is thinking");
    session.send_control('c').unwrap();
    expect(&mut session, "Computer 1 (X) plays");
    expect(&mut session, "Computer 2 (O) is next; Enter goes on:");
    session.send_line("").unwrap();
    expect(&mut session, "Computer 2 (O) is thinking");
    session.send_control('c').unwrap();
    expect(&mut session, "Computer 1 (X) is next; Enter goes on:");
    session.send_control('c').unwrap();
    expect(&mut session, "Ctrl-C again quits");
    session.send_line("level 1").unwrap();
    expect(&mut session, "level 1 (Beginner)");
    expect(&mut session, "Enter goes on:");
    session.send_control('c').unwrap();
    expect(&mut session, "Ctrl-C again quits");
    expect(&mut session, "Enter goes on:");
    session.send_control('c').unwrap();
    expect_goodbye(&mut session);
}

#[test]
fn wide_boards_fit_a_narrow_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_ratlla-play");
    let pieces = ["Player 1 (X):", "Player 2 (O):"];
    let houses = ["Player 1:", "Player 2:"];
    for (game, columns, [first, second], moves, row) in [
        ("25 25", 80, pieces, ["3", "25"], "  -  -  X"),
        ("25 25", 60, pieces, ["3", "25"], " - - X"),
        ("25 25", 40, pieces, ["3", "25"], "--X---------------------O<"),
        ("kalah 12 12", 80, houses, ["3", "5"], "      13  13   1"),
        ("kalah 12 12", 40, houses, ["3", "5"], " 13 13 13 13 13 13 13 [0]12"),
    ] {
        let mut shell = Command::new("sh");
        let script = format!("stty rows 24 cols {columns}; exec {program} {game} --players 2");
        shell.args(["-c", &script]).current_dir(folder.path()).env("TERM", "xterm");
        let mut session = start_command(shell, false);
        converse(&mut session, &[(first, moves[0]), (second, moves[1])]);
        let seen = expect(&mut session, first);
        let lines = || seen.lines().filter(|line| !line.contains("Player"));
        assert!(lines().any(|line| line.starts_with(row)), "{game}, {columns}: {seen}");
        assert!(lines().all(|line| line.trim_end().len() <= columns), "{game}, {columns}: {seen}");
        converse(&mut session, &[("", "quit")]);
        session.exp_eof().unwrap();
    }
}

#[test]
fn a_terminal_gets_colors_unless_it_must_not() {
    let folder = tempfile::tempdir().unwrap();
    for no_color in [false, true] {
        let mut command = command(folder.path(), &["--players", "2"]);
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let mut session = start_command(command, true);
        expect(&mut session, "1 2 3 4 5 6 7");
        session.send_line("4").unwrap();
        let seen = expect(&mut session, "1 2 3 4 5 6 7");
        // Red, bold.
        assert_eq!(seen.contains("\u{1b}[1m\u{1b}[91mX"), !no_color, "{seen:?}");
        assert_eq!(seen.contains("[X]"), no_color, "{seen:?}");
        session.send_line("quit").unwrap();
        session.exp_eof().unwrap();
    }
}

/// The built-in engine, which writes its process id to a file, and fails if there is a file 'dead'.
fn mortal_engine() -> String {
    let own = env!("CARGO_BIN_EXE_ratlla-play");
    format!("sh -c 'echo $$ > id; test -e dead && exit 3; exec \"{own}\" --serve-as-engine'")
}

fn kill_engine(folder: &Path) {
    let id = std::fs::read_to_string(folder.join("id")).unwrap();
    assert!(Command::new("kill").args(["-9", id.trim()]).status().unwrap().success());
}

#[test]
fn the_game_survives_an_engine_crash() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["--level", "2", "--engine", &mortal_engine()]);
    expect(&mut session, "You (X):");
    kill_engine(folder.path());
    session.send_line("4").unwrap();
    expect(&mut session, "Restarting the engine: the engine has exited: signal: 9");
    expect(&mut session, "Computer (O) plays");
    expect(&mut session, "You (X):");
    kill_engine(folder.path());
    session.send_line("hint").unwrap();
    expect(&mut session, "Restarting");
    expect(&mut session, "Try ");
    // An engine that cannot be started any more does not cost the game.
    std::fs::write(folder.path().join("dead"), "").unwrap();
    kill_engine(folder.path());
    session.send_line("undo").unwrap();
    expect(&mut session, "The engine has failed");
    converse(&mut session, &[("Enter tries again", "save kept"), ("Saved", "help")]);
    expect(&mut session, "Expected Enter, save [FILE] or quit");
    std::fs::remove_file(folder.path().join("dead")).unwrap();
    session.send_line("").unwrap();
    converse(&mut session, &[("You (X):", "board"), ("1 2 3 4 5 6 7", "quit")]);
    expect_goodbye(&mut session);
    let saved = std::fs::read_to_string(folder.path().join("kept")).unwrap();
    assert!(saved.contains("position startpos moves 4 "), "{saved}");
}

#[test]
fn nothing_is_left_running() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["25", "25", "--level", "10", "--movetime", "600000", "--first", "computer"];
    let engine = mortal_engine();
    let mut session = start(folder.path(), &[&arguments[..], &["--engine", &engine]].concat());
    expect(&mut session, "Computer (X) is thinking");
    let id = std::fs::read_to_string(folder.path().join("id")).unwrap();
    // The terminal is closed during a search.
    drop(session);
    let is_alive =
        || Command::new("kill").args(["-0", id.trim()]).output().unwrap().status.success();
    let start = Instant::now();
    while is_alive() {
        assert!(start.elapsed() < Duration::from_secs(30), "the engine is still running");
        sleep(Duration::from_millis(50));
    }
}

#[test]
fn winning_cells_are_marked() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = start(folder.path(), &["4", "4", "3", "--players", "2"]);
    converse(&mut session, &[("X):", "1"), ("O):", "1"), ("X):", "2"), ("O):", "2"), ("X):", "3")]);
    let seen = expect(&mut session, "Player 1 (X) wins (line).");
    assert!(plain_board(&seen).contains(" O O - -\n[X X X]-\n 1 2 3 4\n"), "{seen}");
    session.send_line("quit").unwrap();
    expect_goodbye(&mut session);
}
