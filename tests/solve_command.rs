//! The command `ratlla solve`: input, output, messages and exit status.

mod support;

use std::io::{Read, Write};
use std::process::{Child, Command};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::games::REGISTRY;
use support::SOLVE_OPTIONS;
use support::engine::{Engine, PATIENCE, spawn_piped};

/// The outcome of a run.
struct Run {
    status: Option<i32>,
    answers: Vec<String>,
    stderr: String,
}

fn start(arguments: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla"));
    spawn_piped(command.arg("solve").args(arguments.split_whitespace()))
}

/// Runs `ratlla solve` with these arguments on this input, to its end.
fn solve(arguments: &str, input: &[u8]) -> Run {
    let mut child = start(arguments);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    // After a bad command line the input is not read, and writing fails.
    let writing = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the program ends");
    writing.join().expect("the thread did not panic");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Run {
        status: output.status.code(),
        answers: text(output.stdout).split_terminator('\n').map(str::to_owned).collect(),
        stderr: text(output.stderr),
    }
}

/// The answers to valid input. Nothing may go to stderr: no progress bar without a terminal.
fn answers(arguments: &str, input: &str) -> Vec<String> {
    let run = solve(arguments, input.as_bytes());
    assert_eq!((run.status, run.stderr.as_str()), (Some(0), ""), "{arguments}: {input}");
    run.answers
}

/// Moves and scores, without node counts and times, which must be numbers.
fn scores(arguments: &str, input: &str) -> Vec<(String, i32)> {
    let read = |line: String| {
        let fields: Vec<&str> = line.split(' ').collect();
        let [moves, score, nodes, microseconds] = fields[..] else {
            panic!("'{line}' does not have four fields");
        };
        assert!(nodes.parse::<u64>().is_ok() && microseconds.parse::<u64>().is_ok(), "{line}");
        (moves.to_owned(), score.parse().expect("a score"))
    };
    answers(arguments, input).into_iter().map(read).collect()
}

/// Quickly solved lines of a public file with their scores.
fn known_scores() -> Vec<(&'static str, i32)> {
    let case = |line: &'static str| {
        let (moves, score) = line.split_once(' ').expect("moves and score");
        (moves, score.parse().expect("a score"))
    };
    include_str!("data/connect4/Test_L3_R1").lines().take(100).map(case).collect()
}

fn lines_of<'a>(moves: impl Iterator<Item = &'a str>) -> String {
    moves.map(|moves| format!("{moves}\n")).collect()
}

#[test]
fn scores_are_correct_in_any_order_with_any_number_of_threads() {
    let expected: Vec<_> =
        known_scores().iter().map(|&(moves, score)| (moves.to_owned(), score)).collect();
    let forward = lines_of(known_scores().iter().map(|&(moves, _)| moves));
    assert_eq!(scores("", &forward), expected);
    assert_eq!(scores("--threads 2 --hash 16", &forward), expected);
    let backward = lines_of(known_scores().iter().rev().map(|&(moves, _)| moves));
    let reversed = scores("--hash 1", &backward);
    assert!(reversed.into_iter().eq(expected.into_iter().rev()));
}

#[test]
fn every_column_is_scored() {
    let lines = answers("-a", "121212\n1111112\n44444437632223\n");
    assert!(lines[0].starts_with("121212 18 -3 -18 -18 -18 -18 -18 "), "{}", lines[0]);
    assert_eq!(lines.len(), 3);
    // A full column has no score, and the best of the others is the score of the position.
    for (line, (moves, score)) in lines.iter().zip(scores("", "121212\n1111112\n44444437632223\n"))
    {
        let columns: Vec<&str> = line.strip_prefix(&moves).expect("the moves").split(' ').collect();
        // An empty one before the first blank, seven scores, nodes and time.
        assert_eq!(columns.len(), 10, "{line}");
        let columns = &columns[..8];
        let best = columns[1..].iter().filter_map(|column| column.parse::<i32>().ok()).max();
        assert_eq!(best, Some(score), "{line}");
        let is_full = |column: usize| moves.matches(&column.to_string()).count() == 6;
        assert!((1..=7).all(|column| (columns[column] == ".") == is_full(column)), "{line}");
    }
}

/// The fields of each answer without node counts and times, which must be numbers. With `extras`
/// more fields after them.
fn fields(arguments: &str, input: &str, extras: usize) -> Vec<String> {
    let read = |line: String| {
        let mut words: Vec<&str> = line.split(' ').collect();
        let end = words.len() - extras;
        let numbers: Vec<&str> = words.drain(end - 2..end).collect();
        assert!(numbers.iter().all(|number| number.parse::<u64>().is_ok()), "{line}");
        words.join(" ")
    };
    answers(arguments, input).into_iter().map(read).collect()
}

#[test]
fn a_sign_is_the_empty_board_and_a_blank_line_stays_blank() {
    assert_eq!(scores("--rows 4 --cols 4", "-\n"), [("-".to_owned(), 0)]);
    assert_eq!(fields("-a --rows 4 --cols 4", "-\n", 0), ["- 0 0 0 0"]);
    assert_eq!(answers("", ""), Vec::<String>::new());
    for arguments in ["", "-a", "--json", "--game kalah"] {
        let input = "\n \t\n# a comment\n  # another\n\r\n";
        assert_eq!(answers(arguments, input), [""; 5], "{arguments}");
    }
}

#[test]
fn positions_are_written_in_many_ways() {
    let input = "1 2 1 2 1 2\n1,2,1,2,1,2 # commas\n121212#x\n\
                 grid ......./......./......./XO...../XO...../XO..... p1\n\
                 fen 7/7/7/Pp5/Pp5/Pp5 w - - 0 4\n7/7/7/Pp5/Pp5/Pp5 w\n\
                 grid ......./......./......./......./XO...../XO..... moves 1 2\n\
                 startpos moves 121212\nP@a1 P@b1 P@a2 P@b2 P@a3 P@b3\n";
    let echo = |line: &str| line.split('#').next().unwrap().trim().to_owned();
    let expected: Vec<String> = input.lines().map(|line| format!("{} 18", echo(line))).collect();
    assert_eq!(fields("--hash 16", input, 0), expected);
}

#[test]
fn the_best_move_and_the_line_lead_to_the_score() {
    assert_eq!(fields("--best --hash 16", "121212\n", 1), ["121212 18 1"]);
    assert_eq!(
        fields("--best --pv --hash 16", "121212\n1212121\n", 2),
        ["121212 18 1 1", "1212121 -18 - -"]
    );
    // Played out, a line ends the game with the score that was promised.
    let (moves, score) = known_scores()[7];
    for arguments in ["--pv --hash 16", "-a --pv --hash 16", "--pv --nodes 100000 --hash 16"] {
        let line = answers(arguments, &format!("{moves}\n")).remove(0);
        let pv = line.rsplit(' ').next().expect("a line").to_owned();
        let end: Vec<&str> = pv.split(',').collect();
        let finished = format!("{moves}{}\n", end.concat());
        let sign = if end.len().is_multiple_of(2) { 1 } else { -1 };
        assert_eq!(scores("--hash 16", &finished).remove(0).1, sign * score, "{line}");
    }
    // A better move than the best does not exist, and its score is that of the position.
    let lines = answers("-a --best --hash 16", &format!("{moves}\n"));
    let words: Vec<&str> = lines[0].split(' ').collect();
    let best: usize = words[words.len() - 1].parse().expect("a column");
    assert_eq!(words[best].parse(), Ok(score), "{lines:?}");
}

#[test]
fn other_games_have_scores_of_their_own() {
    let kalah = "-\n2\n2 3\npits 2 0 3 1 / 2 2 2 0 p1\npits 0 0 0 5 / 0 0 0 7 p1\n";
    assert_eq!(
        fields("--game kalah 3 2 --hash 16", kalah, 0),
        ["- 4", "2 4", "2 3 -4", "pits 2 0 3 1 / 2 2 2 0 p1 4", "pits 0 0 0 5 / 0 0 0 7 p1 -2",]
    );
    let kalah = fields("--game kalah 3 2 -a --best --hash 16", "-\n", 1);
    assert_eq!(kalah, ["- 1=-8 2=4 3=0 2"]);
    let boom = fields("--game boom --hash 16", "4 1 1 4 4 2 2\n4 1 1 4 4 2 2 4\n", 0);
    assert_eq!(boom, ["4 1 1 4 4 2 2 win:1", "4 1 1 4 4 2 2 4 win:0"]);
    let wali = fields("--game wali 3 3 3 -a --hash 16", "-\n", 0);
    assert!(wali[0].starts_with("- a1="), "{wali:?}");
    assert_eq!(
        fields("--game 25 25 --nodes 20000 --best --hash 16", "1,2,1,2,1,2", 1),
        ["1,2,1,2,1,2 310 1"]
    );
    let columns = fields("--game 12 12 -a --nodes 20000 --hash 16", "1,2,1,2,1,2,1", 0);
    assert_eq!(columns, [format!("1,2,1,2,1,2,1{}", " .".repeat(12))]);
}

/// `go solve` in a session and `ratlla solve` say the same.
#[test]
fn scores_are_those_of_a_session() {
    for (game, moves) in [("kalah 4 3", "2 3 1"), ("boom", "4 1 1 4 4 2 2 5"), ("wali 3 4 4", "a1")]
    {
        let mut engine = Engine::start();
        engine.send_all(&[&format!("newgame {game}"), &format!("position moves {moves}")]);
        engine.send("go solve");
        let (_, lines) = engine.wait_for_best_move();
        let score = lines.last().expect("a score").split(" score ").nth(1).expect("a score");
        let words: Vec<&str> = score.split(' ').collect();
        let expected = match words[0] {
            "margin" => words[1].to_owned(),
            "draw" => words[0].to_owned(),
            kind => format!("{kind}:{}", words[1]),
        };
        let answer = fields(&format!("--game {game} --hash 64"), &format!("{moves}\n"), 0);
        assert_eq!(answer, [format!("{moves} {expected}")], "{game}");
    }
}

#[test]
fn what_a_limit_leaves_open_is_a_question_mark() {
    for limit in ["--nodes 1000", "--movetime 20"] {
        for (arguments, expected) in [
            ("", "- ?"),
            ("--best --pv", "- ? ? ?"),
            ("--game kalah 6 6 --hash 16 --best", "- ? ?"),
            ("--game 10 10 --hash 16", "- ?"),
            ("--game wali --hash 16", "- ?"),
        ] {
            let extras = arguments.matches("--best").count() + arguments.matches("--pv").count();
            let found = fields(&format!("{arguments} {limit}"), "-\n", extras);
            assert_eq!(found, [expected], "{arguments} {limit}");
        }
        let columns = fields(&format!("-a {limit}"), "-\n", 0);
        assert_eq!(columns, ["- ? ? ? ? ? ? ?"], "{limit}");
        // What is easy is solved all the same.
        assert_eq!(fields(limit, "121212\n", 0), ["121212 18"]);
    }
    let json = answers("--json --best --nodes 1000", "-\n");
    let answer = without_time(&json[0]);
    assert_eq!((&answer["score"], &answer["best"]), (&"?".into(), &"?".into()));
    // Nobody could ever answer: that is an error, not a question mark.
    let run = solve("--game wali", b"-\n");
    assert_eq!((run.status, run.answers), (Some(1), vec![String::new()]));
    assert!(run.stderr.contains("line 1: no solver for wali 5 6 12: expected"), "{}", run.stderr);
    assert!(run.stderr.contains("(with --movetime or --nodes a search"), "{}", run.stderr);
}

/// Random positions of a game as lines of moves, from `least` moves on.
fn random_lines(game: &str, count: usize, least: usize, rng: &mut SmallRng) -> Vec<String> {
    let words: Vec<&str> = game.split(' ').collect();
    let mut game = REGISTRY.open_from_words(&words).expect("a game");
    let mut lines = Vec::new();
    while lines.len() < count {
        let mut moves: Vec<String> = Vec::new();
        let length = rng.random_range(least..least + 20);
        while moves.len() < length && game.outcome().is_none() {
            let legal = game.moves();
            moves.push(legal[rng.random_range(0..legal.len())].clone());
            let texts: Vec<&str> = moves.iter().map(String::as_str).collect();
            game.set_position(&[], &texts).expect("legal moves");
        }
        if game.outcome().is_none() && !moves.is_empty() {
            lines.push(moves.join(" "));
        }
        game.set_position(&[], &[]).expect("the start");
    }
    lines
}

/// Whatever a limit interrupts: an answer is exact, or it is a question mark.
#[test]
fn an_answer_within_limits_is_exact() {
    let games = [
        ("wali 4 4 5", 1, ""),
        ("wali 3 5 6", 1, ""),
        ("kalah 4 2", 1, ""),
        ("connect4 5 5", 6, ""),
        // Without a solver, and one whose search may take long: what a longer search says.
        ("connect4 12 12", 60, "--nodes 300000"),
        ("wali 4 5 5", 12, "--nodes 300000"),
        ("boom", 8, "--nodes 300000"),
    ];
    std::thread::scope(|scope| {
        for (game, least, unlimited) in games {
            for every_move in ["", "-a"] {
                scope.spawn(move || limits_leave_scores_exact(game, least, every_move, unlimited));
            }
        }
    });
}

/// Compares the answers of some limits with those of `unlimited`, on random positions with at least
/// so many moves.
fn limits_leave_scores_exact(game: &str, least: usize, every_move: &str, unlimited: &str) {
    let mut rng = SmallRng::seed_from_u64(11);
    let input = lines_of(random_lines(game, 12, least, &mut rng).iter().map(String::as_str));
    let run =
        |limits: &str| fields(&format!("--game {game} {every_move} --hash 16 {limits}"), &input, 0);
    let exact = run(unlimited);
    for limits in ["--nodes 3000", "--nodes 40000 --threads 2", "--movetime 15"] {
        for (limited, exact) in run(limits).iter().zip(&exact) {
            let agree = |(limited, exact): (&str, &str)| {
                limited == exact || limited.ends_with('?') || exact.ends_with('?')
            };
            let mut words = limited.split(' ').zip(exact.split(' '));
            assert!(words.all(agree), "{game} {limits}: {limited}, {exact}");
        }
    }
}

/// The endgame table of Wali may be complete only when the search has already found who wins.
#[test]
fn wali_within_a_limit_is_exact_from_the_first_line_on() {
    for (arguments, line, score) in [
        (
            "--game wali 4 4 5 -a",
            "cells 22../111./.2../1..1 p1 move",
            "d1c1=win:13 a1b1=win:13 c3d3=win:11 a3a2=win:11 c3c2=win:11 a1a2=win:13 d1d2=win:11 c3c4=win:11",
        ),
        ("--game wali 3 5 6", "a1 c2 d1 b1 b2 e1 e2 a2 a3 e3 c3 b3 c3d3 b1c1 e2d2xc1", "loss:14"),
        ("--game wali 3 5 6", "a3 a2 a1 c2 c1 b3 e2 e1 b2 d3 c3", "win:27"),
    ] {
        let input = format!("{line}\n");
        let exact = format!("{line} {score}");
        assert_eq!(fields(arguments, &input, 0), [exact.as_str()]);
        for limit in ["--movetime 100", "--movetime 300", "--movetime 700", "--nodes 20000"] {
            let limited = &fields(&format!("{arguments} {limit}"), &input, 0)[0];
            let mut words = limited.split(' ').zip(exact.split(' '));
            let agree = |(limited, exact): (&str, &str)| limited == exact || limited.ends_with('?');
            assert!(words.all(agree), "{limit}: {limited}");
        }
    }
}

#[test]
fn jobs_change_nothing_but_the_time() {
    let lines = lines_of(known_scores().iter().map(|&(moves, _)| moves));
    let input = lines.replace("\n4", "\n\nx\n4");
    let one = solve("--hash 16 --best", input.as_bytes());
    let many = solve("--hash 16 --best --jobs 3", input.as_bytes());
    assert_eq!((one.status, many.status), (Some(1), Some(1)));
    assert_eq!(one.stderr, many.stderr);
    let without_effort = |run: &Run| -> Vec<String> {
        let line = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            [&words[..words.len().min(2)], &words[words.len().min(4)..]].concat().join(" ")
        };
        run.answers.iter().map(line).collect()
    };
    assert_eq!(without_effort(&one), without_effort(&many));
    // With JSON even the nodes are the same.
    let json = |arguments: &str| -> Vec<serde_json::Value> {
        answers(arguments, &lines).iter().map(|line| without_time(line)).collect()
    };
    assert_eq!(json("--json --hash 16"), json("--json --hash 16 --jobs 2"));
}

#[test]
fn any_line_ends_are_accepted() {
    let expected = [("121212".to_owned(), 18), ("121212".to_owned(), 18)];
    for input in ["121212\r\n121212\r\n", "121212\n121212", " 121212\t\n121212 \n"] {
        assert_eq!(scores("", input), expected, "{input:?}");
    }
}

#[test]
fn a_byte_order_mark_is_ignored() {
    assert_eq!(scores("", "\u{feff}121212\n"), [("121212".to_owned(), 18)]);
    assert_eq!(fields("-a --rows 4 --cols 4", "\u{feff}-\n", 0), ["- 0 0 0 0"]);
    let answers = answers("--json --hash 16", "\u{feff}{\"id\":1,\"moves\":\"121212\"}\n");
    assert!(answers[0].starts_with(r#"{"id":1,"rows":6,"cols":7,"moves":"121212","score":18,"#));
}

#[test]
fn finished_games_have_the_score_of_their_end() {
    // Lost for the side to move: the opponent won with its fourth of 21 stones, the 18th from last.
    assert_eq!(scores("", "1212121\n"), [("1212121".to_owned(), -18)]);
    assert_eq!(fields("-a", "1212121\n", 0), ["1212121 . . . . . . ."]);
    // A full board without a line.
    let full = "1212212134344343";
    assert_eq!(scores("--rows 4 --cols 4", &format!("{full}\n")), [(full.to_owned(), 0)]);
    assert_eq!(fields("-a --rows 4 --cols 4", full, 0), [format!("{full} . . . .")]);
}

#[test]
fn moves_may_be_separated_by_commas() {
    // X wins in column 10 with its fourth of 24 stones, the 21st from last.
    let line = "10,1,10,1,10,1";
    assert_eq!(scores("--rows 4 --cols 12", line), [(line.to_owned(), 21)]);
    assert_eq!(scores("--rows 4 --cols 25", "25,1,25,1,25,1")[0].1, 47);
    // Commas are accepted on small boards too, and the line is echoed unchanged.
    assert_eq!(scores("", "1,2,1,2,1,2"), [("1,2,1,2,1,2".to_owned(), 18)]);
    // A board of more than 64 bits, sentinel row included.
    assert_eq!(scores("--rows 9 --cols 9", "1212121")[0].1, -38);
    assert_eq!(scores("--rows 9 --cols 9", "121212")[0].1, 38);
}

#[test]
fn a_bad_line_gets_an_empty_answer_and_the_run_continues() {
    let cases: [(&[u8], &str); 8] = [
        (b"48", "move 2, '8': column 8 does not exist (columns are 1..7)"),
        (b"4x", "move 2, 'x': expected a column (1..7)"),
        (b"4,,4", "move 2 is missing (commas separate moves)"),
        (b"4 48", "move 2, '48': column 48 does not exist (columns are 1..7)"),
        (b"1111111", "move 7, '1': column 1 is full"),
        (b"12121213", "move 8, '3': the game is over (p1win)"),
        (b"44\xff4", "invalid UTF-8 at byte 3"),
        (b"\0", "move 1, '\\0': expected a column (1..7)"),
    ];
    let mut input = b"121212\n".to_vec();
    for (line, _) in cases {
        input.extend_from_slice(line);
        input.push(b'\n');
    }
    input.extend_from_slice(b"121212\n");
    for arguments in ["", "-a"] {
        let run = solve(arguments, &input);
        assert_eq!(run.status, Some(1));
        assert_eq!(run.answers.len(), cases.len() + 2);
        assert!(run.answers[1..=cases.len()].iter().all(String::is_empty), "{:?}", run.answers);
        let good = |line: &String| line.starts_with("121212 18 ");
        assert!(run.answers.first().is_some_and(good) && run.answers.last().is_some_and(good));
        let expected: String = (2..)
            .zip(cases)
            .map(|(number, (_, reason))| format!("ratlla solve: line {number}: {reason}\n"))
            .collect();
        assert_eq!(run.stderr, expected);
    }
}

#[test]
fn a_very_long_line_is_an_ordinary_bad_line() {
    let mut input = vec![b'4'; 5 << 20];
    input.extend_from_slice(b"\n121212\n");
    let run = solve("", &input);
    assert_eq!(run.stderr, "ratlla solve: line 1: move 7, '4': column 4 is full\n");
    assert!(run.answers[0].is_empty() && run.answers[1].starts_with("121212 18 "));
}

#[test]
fn a_bad_command_line_prints_the_usage() {
    for (arguments, reason) in [
        ("-x", "invalid option '-x'"),
        ("--all", "invalid option '--all'"),
        ("4453", "unexpected argument \"4453\""),
        ("--rows", "missing argument for option '--rows'"),
        ("--rows x", "--rows must be a number (got 'x')"),
        ("--threads 0", "--threads must be 1..256 (got '0')"),
        ("--hash 65537", "--hash must be 1..65536 (got '65537')"),
        ("--rows 3", "rows and columns must be 4..25 (got 3 and 7)"),
        ("--game chess", "unknown game 'chess'"),
        ("--jobs x", "--jobs must be 1..256 (got 'x')"),
    ] {
        let run = solve(arguments, b"4\n");
        assert_eq!((run.status, run.answers.len()), (Some(2), 0), "{arguments}");
        let stderr = run.stderr;
        assert!(stderr.starts_with(&format!("ratlla solve: {reason}")), "{stderr}");
        assert!(stderr.contains("\nusage: ratlla solve [-a] "), "{stderr}");
        assert!(stderr.lines().count() <= 4, "the whole help: {stderr}");
        assert!(stderr.ends_with("see 'ratlla solve --help'.\n"), "{stderr}");
    }
}

#[test]
fn help_goes_to_stdout() {
    for arguments in ["--help", "-h", "-a --rows 5 --help"] {
        let lines = answers(arguments, "");
        assert!(lines[0].starts_with("usage: ratlla solve "), "{lines:?}");
        for option in SOLVE_OPTIONS {
            assert!(lines.iter().any(|line| line.contains(option)), "{option}");
        }
    }
}

/// An answer in JSON without its time, which must be present.
fn without_time(line: &str) -> serde_json::Value {
    let mut answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
    let time = answer.as_object_mut().expect("an object").remove("microseconds");
    assert!(time.is_some_and(|time| time.is_u64()), "{line}");
    answer
}

#[test]
fn json_answers_depend_only_on_their_own_line() {
    let cases = include_str!("data/connect4/Test_L2_R2").lines().take(8);
    let cases: Vec<(&str, i64)> = cases
        .filter_map(|line| line.split_once(' '))
        .map(|(moves, score)| (moves, score.parse().expect("a score")))
        .collect();
    // Each line twice: a table kept from the first would shorten the second.
    let lines: Vec<String> = cases
        .iter()
        .flat_map(|(moves, _)| [format!("{{\"moves\":\"{moves}\"}}\n"), format!("{moves}\n")])
        .collect();
    let solve = |lines: &[String]| -> Vec<serde_json::Value> {
        answers("--json", &lines.concat()).iter().map(|line| without_time(line)).collect()
    };
    let all = solve(&lines);
    for (pair, (moves, score)) in all.chunks(2).zip(cases) {
        assert_eq!(pair[0], pair[1]);
        assert_eq!((&pair[0]["moves"], &pair[0]["score"]), (&moves.into(), &score.into()));
    }
    assert!(
        all.iter().any(|answer| answer["nodes"].as_u64() > Some(1000)),
        "some positions need a search"
    );
    let parts: Vec<serde_json::Value> = lines.chunks(5).flat_map(solve).collect();
    assert_eq!(parts, all);
}

#[test]
fn json_supports_boards_per_line_scores_per_column_and_errors() {
    let input = b"121212\n{\"id\":\"a\",\"rows\":4,\"cols\":4,\"moves\":\"\"}\n\
                  {\"id\":2,\"moves\":\"8\"}\n\xff\n1111112\n{\"id\":7,\"moves\":5}";
    let run = solve("--json -a --hash 16", input);
    assert_eq!((run.status, run.stderr.as_str(), run.answers.len()), (Some(1), "", 6));
    let first = without_time(&run.answers[0]);
    assert_eq!(first["scores"], serde_json::json!([18, -3, -18, -18, -18, -18, -18]));
    assert!(
        run.answers[1]
            .starts_with(r#"{"id":"a","rows":4,"cols":4,"moves":"","scores":[0,0,0,0],"nodes":"#)
    );
    let reason = r#""error":"move 1, '8': column 8 does not exist (columns are 1..7)"}"#;
    assert_eq!(run.answers[2], format!(r#"{{"id":2,"rows":6,"cols":7,"moves":"8",{reason}"#));
    assert_eq!(run.answers[3], r#"{"error":"invalid UTF-8 at byte 1"}"#);
    assert_eq!(without_time(&run.answers[4])["scores"][0], serde_json::Value::Null);
    assert_eq!(run.answers[5], r#"{"id":7,"error":"moves must be a string, at column 18"}"#);
}

#[test]
fn each_line_is_answered_at_once() {
    let mut solver = Engine::with_arguments(&["solve", "--hash", "1"]);
    for (moves, score) in known_scores().into_iter().take(10) {
        solver.send(moves);
        let answer = solver.read_line();
        assert!(answer.starts_with(&format!("{moves} {score} ")), "{answer}");
    }
    let exit = solver.finish();
    assert!(exit.rest.is_empty() && exit.status.success());
}

#[test]
fn a_closed_stdout_ends_the_run_quietly() {
    let mut child = start("");
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let started = std::time::Instant::now();
    // The input is endless: only the closed output can end the run.
    while stdin.write_all(b"121212\n").is_ok() {
        assert!(started.elapsed() < PATIENCE, "no exit");
    }
    let mut stderr = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut stderr).expect("UTF-8");
    assert!(child.wait().expect("it ends").success());
    assert_eq!(stderr, "");
}
