//! Matches in pieces: `plan`, `play` and `follow` together do what `match` does.

mod support;

use std::io::Write as _;
use std::process::Stdio;

use serde_json::Value;
use support::{Place, arena, dummy};

/// What a command of the arena says to this input, and what it complains about.
fn say(words: &[&str], input: &str) -> (bool, String, String) {
    let mut child = arena(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_owned();
    // Who refuses the first line does not read the others.
    let writing = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = child.wait_with_output().expect("it ends");
    writing.join().expect("the thread has not failed");
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// What a command says that has nothing to complain about.
fn lines(words: &[&str], input: &str) -> Vec<String> {
    let (success, answer, complaints) = say(words, input);
    assert!(success && complaints.is_empty(), "{words:?}: {complaints}");
    answer.lines().map(|line| format!("{line}\n")).collect()
}

fn flags<'a>(engines: &'a [Vec<String>], words: &[&'a str]) -> Vec<&'a str> {
    let engines = engines.iter().flatten().map(String::as_str);
    ["plan"].into_iter().chain(engines).chain(words.iter().copied()).collect()
}

/// A line of a record without the times.
fn timeless(line: &str) -> Value {
    let mut entry: Value = serde_json::from_str(line).expect("JSON");
    entry.as_object_mut().expect("an object").remove("times");
    entry
}

fn three() -> [Vec<String>; 3] {
    [dummy("a", "native", ""), dummy("b", "uci", ""), dummy("c", "line", "")]
}

#[test]
fn the_pieces_of_a_match_are_the_match() {
    let (engines, words) = (three(), ["--games", "4", "--movetime", "100", "--seed", "5"]);
    let plan = lines(&flags(&engines, &words), "");
    assert_eq!(plan.len(), 13, "one for the match and twelve games");
    let place = Place::new();
    place.play(&engines, &words);
    let record = std::fs::read_to_string(place.file("games.jsonl")).expect("a record");
    let expected: Vec<Value> = record.lines().map(timeless).collect();

    // From the last piece to the first, with one game that is played twice.
    let mut games = Vec::new();
    for piece in [&plan[7..], &plan[2..8], &plan[1..2]] {
        let part = lines(&["play"], &(plan[0].clone() + &piece.concat()));
        assert_eq!((part.len(), timeless(&part[0])), (piece.len() + 1, expected[0].clone()));
        games.splice(0..0, part.into_iter().skip(1).map(|line| timeless(&line)));
    }
    games.dedup();
    assert_eq!(games, expected[1..]);
}

#[test]
fn a_test_is_decided_by_the_games_in_their_order() {
    let engines = [dummy("good", "native", ""), dummy("bad", "native", "illegal")];
    let words = ["--games", "60", "--nodes", "1", "--sprt", "elo0=0", "elo1=100"];
    let place = Place::new();
    place.play(&engines, &words);
    let record = std::fs::read_to_string(place.file("games.jsonl")).expect("a record");
    let count = record.lines().count() - 1;
    assert!(count < 60, "it was decided");

    let plan = lines(&flags(&engines, &words), "");
    let mut record = lines(&["play"], &plan[..count + 5].concat());
    record[1..].reverse();
    let standings: Vec<Value> = lines(&["follow"], &record.concat())
        .iter()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let [before @ .., last] = &standings[..] else { panic!("a line for each game") };
    // All that is decided is decided when the first game comes in.
    assert!(before.iter().all(|standing| standing["decided"].is_null()));
    assert_eq!((&last["games"], &last["decided"]), (&(count + 4).into(), &count.into()));
    assert!(last["llr"].as_f64().is_some_and(|ratio| ratio > 2.9), "{last}");
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reason() {
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let plan = lines(&flags(&engines, &["--games", "2", "--nodes", "1"]), "");
    let header = &plan[0];
    let elsewhere = header.replace(env!("CARGO_BIN_EXE_ratlla-arena-dummy"), "/no/such/engine");
    for (words, input, reason) in [
        ("play", String::new(), "no match: its line must be the first"),
        ("play", "{}\n".to_owned(), "line 1: missing field `type`"),
        ("play", plan[1].clone(), "line 1: missing field `type`"),
        ("play", format!("{header}nonsense\n"), "line 2: expected"),
        (
            "play",
            format!("{header}{{\"due\":2,\"opening\":[]}}\n"),
            "line 2: the match has no game 2",
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
            "line 2: the game is over there",
        ),
        ("play", elsewhere, "engine a: there is no program '/no/such/engine' here"),
        ("follow", format!("{header}{header}"), "line 2: a second match"),
        ("plan --resume x", String::new(), "plan: --resume is for match"),
        ("plan --nodes 1", String::new(), "a match needs two engines or more"),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let (success, _, complaints) = say(&words, &input);
        assert!(!success && complaints.contains(reason), "{words:?} {input}: {complaints}");
    }
}

#[test]
fn a_plan_that_nobody_reads_to_its_end_ends_quietly() {
    let engines = [dummy("a", "native", ""), dummy("b", "native", "")];
    let mut child =
        arena(&flags(&engines, &["--games", "1000000", "--nodes", "1", "--plies", "0"]))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the arena starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success() && output.stderr.is_empty());
}
