//! Invalid, unusual and enormous input to the real program.
//!
//! Times are checked only to detect hangs, with generous limits.

mod support;

use std::process::Command;

use ratlla::games::REGISTRY;
use support::embedded::replies;
use support::engine::{Engine, assert_contains};
use support::refused::refused_lines;

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

/// Each of these names what is wrong. That they change nothing is part of the law below.
#[test]
fn errors_name_what_is_wrong() {
    let mut engine = Engine::start();
    engine.command("position moves 4 4 4");
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
    }
    engine.quit();
}

/// A game in progress, and what was done before it: sessions for the law below.
struct InProgress {
    game: &'static str,
    setup: &'static str,
    moves: &'static str,
}

const IN_PROGRESS: [InProgress; 6] = [
    InProgress { game: "connect4 6 7 4", setup: "startpos", moves: "4 4 3 3 5 2" },
    InProgress {
        game: "connect4 6 7 4",
        setup: "grid ......./......./......./......./..X..../..XO... p2",
        moves: "4 5 1",
    },
    InProgress { game: "connect4 4 5 3", setup: "startpos", moves: "1 2 1 2 1" },
    InProgress { game: "boom", setup: "startpos", moves: "4 2 6" },
    InProgress { game: "wali 3 4 3", setup: "startpos", moves: "a1 b2 c1" },
    InProgress { game: "kalah 4 3 empty", setup: "startpos", moves: "1 2 1" },
];

impl InProgress {
    fn moves(&self) -> Vec<String> {
        self.moves.split(' ').map(str::to_owned).collect()
    }

    fn setup(&self) -> Vec<String> {
        self.setup.split(' ').map(str::to_owned).collect()
    }

    /// The lines that lead to it, with some options that are not the defaults.
    fn lines(&self) -> String {
        let InProgress { game, setup, moves } = self;
        let options = [("Hash", "2"), ("MultiPV", "2"), ("Seed", "7"), ("Order", "right")];
        let options = options.map(|(name, value)| format!("setoption name {name} value {value}\n"));
        let options = options.concat();
        format!("{options}newgame {game}\nposition {setup} moves {moves}\ngo nodes 300\n")
    }

    /// Lines that ask for everything there is to see, back to the start, and come back.
    fn questions(&self) -> String {
        let moves = self.moves();
        let back = "undo\nstate\n".repeat(moves.len());
        let forth: String = moves.iter().map(|mv| format!("play {mv}\n")).collect();
        format!("getoption\noptions\nd\nmoves\nresult\neval\nstate\n{back}undo\n{forth}")
    }
}

/// Replies without what depends on the speed of the machine.
fn repeatable(lines: &[String]) -> Vec<String> {
    let line = |line: &String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        for name in ["nps", "time"] {
            if let Some(place) = words.iter().position(|&word| word == name) {
                words.drain(place..(place + 2).min(words.len()));
            }
        }
        words.join(" ")
    };
    lines.iter().filter(|line| !line.starts_with("info nodes ")).map(line).collect()
}

/// A session that gets every wrong command there is answers all others like one that gets none.
#[test]
fn a_refused_command_changes_nothing() {
    for case in &IN_PROGRESS {
        let name = case.game;
        let mut game = REGISTRY.open_from_words(&name.split(' ').collect::<Vec<_>>()).unwrap();
        let (setup, moves) = (case.setup(), case.moves());
        let setup_words: Vec<&str> = setup.iter().map(String::as_str).collect();
        let own_words = if case.setup == "startpos" { &[][..] } else { &setup_words[..] };
        game.set_position(own_words, &moves.iter().map(String::as_str).collect::<Vec<_>>())
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let refused = refused_lines(&*game, &setup, &moves);
        assert!(refused.len() > 100);
        let (begin, questions) = (case.lines(), case.questions());
        let before = repeatable(&replies(std::slice::from_ref(&begin)));
        let with_answers = repeatable(&replies(&[format!("{begin}{questions}")]));
        let answers = with_answers.strip_prefix(&before[..]).expect("the same session").to_vec();
        let end = "go nodes 300\n";

        let script: String = refused.iter().map(|line| format!("{line}\n{questions}")).collect();
        let found = repeatable(&replies(&[format!("{begin}{script}{end}")]));
        let mut found = found.strip_prefix(&before[..]).expect("the same session");
        for line in &refused {
            let (error, rest) = found.split_first().expect("a reply");
            assert!(error.starts_with("error "), "{name}: {line}: {error}");
            let (answered, rest) = rest.split_at(answers.len().min(rest.len()));
            assert_eq!(answered, answers, "{name}: after {line}");
            found = rest;
        }
        // Nor has a search forgotten or learnt anything.
        let expected = repeatable(&replies(&[format!("{begin}{questions}{end}")]));
        assert_eq!(found, &expected[with_answers.len()..], "{name}");
    }
}

/// While an endless search runs, every command that needs the board is refused.
#[test]
fn a_command_refused_during_a_search_changes_nothing() {
    let case = &IN_PROGRESS[0];
    let (begin, questions) = (case.lines(), case.questions());
    let with_answers = repeatable(&replies(&[format!("{begin}{questions}")]));
    let answers = &with_answers[repeatable(&replies(std::slice::from_ref(&begin))).len()..];
    let commands = [
        "newgame wali",
        "position moves 1",
        "position moves 1 9",
        "play 1",
        "undo",
        "ucinewgame",
        "uci",
        "setoption name Hash value 1",
        "setoption name Seed value 1",
        "setoption name Clear Hash",
        "go depth 1",
        "go perft 1",
        "tree",
        "bench",
    ];
    let script = [format!("{begin}go infinite\n"), commands.join("\n") + "\n"];
    let found = repeatable(&replies(&[&script[..], &[format!("stop\n{questions}")]].concat()));
    let errors: Vec<&String> = found.iter().filter(|line| line.starts_with("error ")).collect();
    // One for each, and one for the last `undo` of the questions.
    assert_eq!(errors.len(), commands.len() + 1, "{errors:#?}");
    assert_eq!(found[found.len() - answers.len()..], *answers);
}

/// What a number of `go` takes and what it refuses: both sides of each limit.
#[test]
fn the_limits_of_go_are_taken_and_what_lies_beyond_is_refused() {
    let mut words: Vec<(&str, &str)> = ["depth", "mate"].map(|word| (word, "")).to_vec();
    // Without a limit of its own a search would not end.
    words.extend(
        ["nodes", "movetime", "p1time", "p2time", "p1inc", "p2inc", "movestogo"]
            .map(|word| (word, " depth 2")),
    );
    words.extend(["wtime", "btime", "winc", "binc"].map(|word| (word, " depth 2")));
    let mut taken = String::new();
    let mut refused = String::new();
    for (word, limit) in &words {
        for number in
            ["0", "1", "007", "4294967295", "18446744073709551615", "18446744073709551616"]
        {
            let searches_deep = limit.is_empty() && number.len() > 3;
            // Lines on a full board end at once.
            let position = if searches_deep {
                "newgame 4 4 3\nposition moves 1 2 1 2 1\n"
            } else {
                "newgame\n"
            };
            taken += &format!("{position}go {word} {number}{limit}\n");
        }
        for number in ["", "x", "1.5", "1e3", "+-1", "--1", "0x10"] {
            refused += &format!("go{limit} {word} {number}\n");
        }
    }
    let found = replies(&[taken.clone()]);
    let count =
        |lines: &[String], word: &str| lines.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!(count(&found, "error "), 0, "{found:#?}");
    assert_eq!(count(&found, "bestmove "), words.len() * 6);
    let found = replies(&[refused.clone()]);
    assert_eq!(
        (found.len(), count(&found, "error go")),
        (words.len() * 7, words.len() * 7),
        "{found:#?}"
    );
}

/// Each option takes its limits; that it refuses what lies just beyond is part of the law above.
#[test]
fn options_take_their_limits() {
    for option in replies(&["options\n".to_owned()]) {
        let words: Vec<&str> = option.split(' ').collect();
        let after =
            |word: &str| words.iter().position(|&next| next == word).map(|at| words[at + 1]);
        let (Some(min), Some(max)) = (after("min"), after("max")) else { continue };
        let name = option["option name ".len()..].split(" type ").next().expect("a name");
        // A machine may not have the memory for the largest `Hash`.
        let largest = if name == "Hash" { "64" } else { max };
        for value in [min, largest] {
            let lines = format!("setoption name {name} value {value}\ngetoption name {name}\n");
            assert_eq!(replies(&[lines]), [format!("option name {name} value {value}")]);
        }
    }
}

/// A session may end after any of its lines, and in the middle of one: it answers what came before.
#[test]
fn the_input_may_end_anywhere() {
    let script = "newgame 8 8\nposition moves 4 4\ngo nodes 200\nplay 9\ngo infinite\nstop\nmoves\n\
                  go ponder nodes 100\nponderhit\nundo\nsetoption name Hash value 0\nresult";
    let complete: Vec<String> =
        script.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect();
    for end in 0..=script.len() {
        let (before, _) = script.split_at(end);
        let found = replies(&[before.to_owned()]);
        let whole = before.lines().filter(|line| complete.iter().any(|go| go == line)).count();
        let answered = found.iter().filter(|line| line.starts_with("bestmove ")).count();
        // A piece of `go nodes 200` may be a command, too.
        assert!((whole..=whole + 1).contains(&answered), "{before:?}: {found:#?}");
        assert!(!found.iter().any(|line| line.contains("internal error")), "{found:#?}");
    }
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
#[cfg(target_os = "linux")]
fn a_game_without_an_end_is_refused() {
    let endless = std::fs::File::open("/dev/zero").expect("a device");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ratlla"));
    let output = command.arg("explain").stdin(endless).output().expect("the program starts");
    let error = String::from_utf8(output.stderr).expect("text");
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(error.contains("cannot read stdin: longer than 1048576 bytes"), "{error}");
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
