//! The command `ratlla solve`: input, output, messages and exit status.

mod support;

use std::io::{Read, Write};
use std::process::{Child, Command};

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
    assert_eq!(lines[0], "121212 18 -3 -18 -18 -18 -18 -18");
    assert_eq!(lines.len(), 3);
    // A full column has no score, and the best of the others is the score of the position.
    for (line, (moves, score)) in lines.iter().zip(scores("", "121212\n1111112\n44444437632223\n"))
    {
        let columns: Vec<&str> = line.strip_prefix(&moves).expect("the moves").split(' ').collect();
        assert_eq!(columns.len(), 8, "{line}");
        let best = columns[1..].iter().filter_map(|column| column.parse::<i32>().ok()).max();
        assert_eq!(best, Some(score), "{line}");
        let is_full = |column: usize| moves.matches(&column.to_string()).count() == 6;
        assert!((1..=7).all(|column| (columns[column] == ".") == is_full(column)), "{line}");
    }
}

#[test]
fn an_empty_line_is_the_empty_board() {
    assert_eq!(scores("--rows 4 --cols 4", "\n"), [(String::new(), 0)]);
    assert_eq!(answers("-a --rows 4 --cols 4", "\n"), [" 0 0 0 0"]);
    assert_eq!(answers("", ""), Vec::<String>::new());
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
    assert_eq!(answers("-a --rows 4 --cols 4", "\u{feff}\n"), [" 0 0 0 0"]);
    let answers = answers("--json --hash 16", "\u{feff}{\"id\":1,\"moves\":\"121212\"}\n");
    assert!(answers[0].starts_with(r#"{"id":1,"rows":6,"cols":7,"moves":"121212","score":18,"#));
}

#[test]
fn finished_games_have_the_score_of_their_end() {
    // Lost for the side to move: the opponent won with its fourth of 21 stones, the 18th from last.
    assert_eq!(scores("", "1212121\n"), [("1212121".to_owned(), -18)]);
    assert_eq!(answers("-a", "1212121\n"), ["1212121 . . . . . . ."]);
    // A full board without a line.
    let full = "1212212134344343";
    assert_eq!(scores("--rows 4 --cols 4", &format!("{full}\n")), [(full.to_owned(), 0)]);
    assert_eq!(answers("-a --rows 4 --cols 4", full), [format!("{full} . . . .")]);
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
        (b"4 4", "move 2, ' ': expected a column (1..7)"),
        (b"1111111", "move 7, '1': column 1 is full"),
        (b"12121213", "move 8, '3': the game is already over"),
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
        assert_eq!(run.status, Some(0));
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
        ("--rows 3", "no board of 3 rows and 7 columns"),
        ("--rows 25 --cols 25", "no board of 25 rows and 25 columns"),
    ] {
        let run = solve(arguments, b"4\n");
        assert_eq!((run.status, run.answers.len()), (Some(2), 0), "{arguments}");
        let stderr = run.stderr;
        assert!(stderr.starts_with(&format!("ratlla solve: {reason}")), "{stderr}");
        assert!(stderr.contains("\nusage: ratlla solve [-a] "), "{stderr}");
    }
}

#[test]
fn help_goes_to_stdout() {
    for arguments in ["--help", "-h", "-a --rows 5 --help"] {
        let lines = answers(arguments, "");
        assert!(lines[0].starts_with("usage: ratlla solve "), "{lines:?}");
        for option in ["-a", "--json", "--rows", "--cols", "--threads", "--hash", "--help"] {
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
    assert_eq!((run.status, run.stderr.as_str(), run.answers.len()), (Some(0), "", 6));
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
