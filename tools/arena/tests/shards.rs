//! Sharded matches: `plan`, `play` and `follow` together do what `match` does.

mod support;

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;
use support::{MatchDir, arena, dummy};

/// Runs the arena with this input: success, stdout and stderr.
fn run(words: &[&str], input: &str) -> (bool, String, String) {
    let mut child = arena(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // The write fails if the arena exits early.
    let writing = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("the thread has not failed");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// The output lines of a run that must succeed.
fn lines(words: &[&str], input: &str) -> Vec<String> {
    let (success, output, errors) = run(words, input);
    // `play` says which programs it starts.
    let unexpected = errors.lines().find(|line| !line.starts_with("ratlla-arena: engine "));
    assert!(success && unexpected.is_none(), "{words:?}: {errors}");
    assert_eq!(errors.is_empty(), words != ["play"], "{words:?}: {errors}");
    output.lines().map(|line| format!("{line}\n")).collect()
}

fn plan_words<'a>(engines: &'a [Vec<String>], words: &[&'a str]) -> Vec<&'a str> {
    let engines = engines.iter().flatten().map(String::as_str);
    ["plan"].into_iter().chain(engines).chain(words.iter().copied()).collect()
}

/// A line of a record without the times.
fn without_times(line: &str) -> Value {
    let mut entry: Value = serde_json::from_str(line).expect("JSON");
    entry.as_object_mut().expect("an object").remove("times");
    entry
}

fn three() -> [Vec<String>; 3] {
    [dummy("a", "native", ""), dummy("b", "uci", ""), dummy("c", "line", "")]
}

#[test]
fn the_shards_of_a_match_make_up_its_record() {
    let (engines, words) = (three(), ["--games", "4", "--depth", "1", "--seed", "5"]);
    let plan = lines(&plan_words(&engines, &words), "");
    assert_eq!(plan.len(), 13, "a header and twelve games");
    let dir = MatchDir::new();
    dir.play(&engines, &words);
    let record = std::fs::read_to_string(dir.file("games.jsonl")).expect("a record");
    let expected: Vec<Value> = record.lines().map(without_times).collect();

    // From the last shard to the first; one game is played twice.
    let mut games = Vec::new();
    for shard in [&plan[7..], &plan[2..8], &plan[1..2]] {
        let played = lines(&["play"], &(plan[0].clone() + &shard.concat()));
        assert_eq!(
            (played.len(), without_times(&played[0])),
            (shard.len() + 1, expected[0].clone())
        );
        games.splice(0..0, played.into_iter().skip(1).map(|line| without_times(&line)));
    }
    games.dedup();
    assert_eq!(games, expected[1..]);
}

#[test]
fn the_sprt_takes_games_in_order() {
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "illegal 2")];
    let words = ["--games", "60", "--nodes", "1", "--sprt", "elo0=0", "elo1=100"];
    let dir = MatchDir::new();
    dir.play(&engines, &words);
    let record = std::fs::read_to_string(dir.file("games.jsonl")).expect("a record");
    let count = record.lines().count() - 1;
    assert!(count < 60, "undecided");

    let plan = lines(&plan_words(&engines, &words), "");
    let mut record = lines(&["play"], &plan[..count + 5].concat());
    record[1..].reverse();
    let statuses: Vec<Value> = lines(&["follow"], &record.concat())
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [before @ .., last] = &statuses[..] else { panic!("a line for each game") };
    // Nothing can be decided before the first game is in, which comes last.
    assert!(before.iter().all(|status| status["decided"].is_null()));
    assert_eq!((&last["games"], &last["decided"]), (&(count + 4).into(), &count.into()));
    assert!(last["llr"].as_f64().is_some_and(|llr| llr > 2.9), "{last}");
}

#[test]
fn invalid_input_is_refused_with_the_reason() {
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let plan = lines(&plan_words(&engines, &["--games", "2", "--nodes", "1"]), "");
    let header = &plan[0];
    let elsewhere = header.replace(env!("CARGO_BIN_EXE_ratlla-arena-dummy"), "/no/such/engine");
    for (words, input, reason) in [
        ("play", String::new(), "expected a match header, found end of input"),
        ("play", "{}\n".to_owned(), "line 1: missing field `type`"),
        ("play", plan[1].clone(), "line 1: missing field `type`"),
        ("play", format!("{header}nonsense\n"), "line 2: expected"),
        (
            "play",
            format!("{header}{{\"due\":2,\"opening\":[]}}\n"),
            "line 2: game number 2 out of range: the match has 2 games",
        ),
        ("play", format!("{header}{{\"due\":0,\"opening\":[\"9\"]}}\n"), "line 2: move 1"),
        (
            "play",
            format!("{header}{{\"due\":0,\"opening\":[{}]}}\n", [r#""1","2""#; 4].join(",")),
            "line 2: move 8",
        ),
        (
            "play",
            format!("{header}{{\"due\":0,\"opening\":[{},\"1\"]}}\n", [r#""1","2""#; 3].join(",")),
            "line 2: the game is already over in this position",
        ),
        ("play", header.replace("\"games\":2", "\"games\":3"), "line 1: games must be an even"),
        (
            "play",
            header.replace("\"nodes\":1", "\"nodes\":1,\"movetime\":99999999999999"),
            "line 1: engine a: movetime must be at most",
        ),
        (
            "play",
            header.replace("\"options\":{}", "\"options\":{\"Hash\":\"1\\nquit\"}"),
            "line 1: engine a: control character in '1\\u000aquit'",
        ),
        (
            "play",
            header.replace("{\"random\":{\"plies\":4}}", "{\"list\":[\"moves 9\"]}"),
            "line 1: opening 1: move 1",
        ),
        ("play", elsewhere, "engine a: program '/no/such/engine' not found"),
        ("follow", format!("{header}{header}"), "line 2: second match header"),
        ("plan --resume x", String::new(), "unexpected argument '--resume'"),
        ("plan --nodes 1", String::new(), "a match needs 2..256 engines (got 0)"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (success, _, errors) = run(&words, &input);
        assert!(!success && errors.contains(reason), "{words:?} {input}: {errors}");
    }
}

#[test]
fn a_plan_whose_reader_leaves_ends_quietly() {
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let mut child =
        arena(&plan_words(&engines, &["--games", "1000000", "--nodes", "1", "--plies", "0"]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty());
}
