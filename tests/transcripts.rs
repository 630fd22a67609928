//! Whole sessions with the real program, as transcripts in `tests/data/transcripts`.

mod support;

use std::path::{Path, PathBuf};

use support::engine::Engine;
use support::transcript::{matches, replay, transcripts};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_transcript_is_reproduced() {
    let transcripts = transcripts(root());
    assert!(!transcripts.is_empty());
    let failure = |(file, text): &(PathBuf, String)| {
        Some(format!("{}: {}", file.display(), replay(Engine::start(), text).err()?))
    };
    let failures: Vec<String> = transcripts.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn transcripts_use_every_command() {
    let sent: String = transcripts(root()).into_iter().map(|(_, text)| text).collect();
    for (command, ..) in ratlla::protocol::parse::COMMANDS {
        let start = format!("> {command}");
        let used = |line: &str| line == start || line.starts_with(&format!("{start} "));
        assert!(sent.lines().any(used), "no transcript sends '{command}'");
    }
}

#[test]
fn mismatches_are_detected() {
    for (text, part) in [
        ("> isready\n< readyko", "line 2: expected 'readyko', got 'readyok'"),
        ("> isready", "unexpected [\"readyok\"] after the end"),
        ("> isready\n> result\n< result none", "expected 'result none', got 'readyok'"),
        ("> isready\n* info {words}\n> result\n< result none", "unexpected 'readyok' before it"),
        ("> go perft 1\n* perft {n} {n}\n< perft total 8", "got 'perft total 7'"),
        ("> play 9", "after the end"),
    ] {
        let failure = replay(Engine::start(), text).expect_err(text);
        assert!(failure.contains(part), "{failure}");
    }
}

#[test]
fn patterns_match_as_documented() {
    assert!(matches("a {n} b {words}", "a -12 b c d"));
    assert!(!matches("a {n} b", "a  b"));
    assert!(!matches("a {n}", "a 1x"));
    assert!(matches("key {hex}", "key 0123abcdef"));
    assert!(!matches("key {hex}", "key xyz"));
    assert!(!matches("a {words}", "a "));
    assert!(matches("{words} nps", "3 nodes 4 nps"));
}
