//! Whole sessions with the real program, as transcripts in `tests/data/transcripts`.
//!
//! ```text
//! # a comment
//! > a line to send
//! < the next reply
//! * any number of replies of this form, up to the reply in the next line
//! ```
//!
//! In a reply, `{n}` stands for an integer, `{hex}` for hexadecimal digits and `{words}` for any
//! text. A line is sent after all replies before it have arrived. At the end of the transcript the
//! input is closed; the program must then exit successfully without further output.

mod support;

use std::path::{Path, PathBuf};

use support::engine::Engine;

/// Whether `line` matches `pattern`.
fn matches(pattern: &str, line: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('{') else {
        return pattern == line;
    };
    let (kind, rest) = rest.split_once('}').expect("a placeholder ends with }");
    let Some(line) = line.strip_prefix(start) else {
        return false;
    };
    let longest = match kind {
        "n" => {
            let sign = usize::from(line.starts_with('-'));
            let digits = line[sign..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return false;
            }
            return matches(rest, &line[sign + digits..]);
        }
        "hex" => line.bytes().take_while(u8::is_ascii_hexdigit).count(),
        "words" => line.len(),
        _ => panic!("unknown placeholder {kind}"),
    };
    (1..=longest).rev().any(|end| line.is_char_boundary(end) && matches(rest, &line[end..]))
}

/// Replays a transcript. The error describes the first mismatch and its line.
fn replay(text: &str) -> Result<(), String> {
    let mut engine = Engine::start();
    let mut unread: Option<String> = None;
    let mut steps = text.lines().enumerate().peekable();
    while let Some((index, step)) = steps.next() {
        let number = index + 1;
        let (kind, content) = step.split_at_checked(2).unwrap_or((step, ""));
        match kind {
            "> " => {
                if let Some(line) = unread.take() {
                    return Err(format!("line {number}: unexpected '{line}' before it"));
                }
                engine.send(content);
            }
            "< " => {
                let line = unread.take().unwrap_or_else(|| engine.read_line());
                if !matches(content, &line) {
                    return Err(format!("line {number}: expected '{content}', got '{line}'"));
                }
            }
            "* " => loop {
                let line = unread.take().unwrap_or_else(|| engine.read_line());
                let next = steps.peek().and_then(|(_, step)| step.strip_prefix("< "));
                if next.is_some_and(|next| matches(next, &line)) || !matches(content, &line) {
                    unread = Some(line);
                    break;
                }
            },
            _ if step.starts_with('#') || step.trim().is_empty() => {}
            _ => panic!("line {number}: expected '>', '<', '*' or '#', got '{step}'"),
        }
    }
    let exit = engine.finish();
    let rest: Vec<String> = unread.into_iter().chain(exit.rest).collect();
    if !rest.is_empty() {
        return Err(format!("unexpected {rest:?} after the end"));
    }
    if !exit.status.success() {
        return Err(format!("exit with {}", exit.status));
    }
    Ok(())
}

/// The transcripts and their texts.
fn transcripts() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/transcripts");
    let files = std::fs::read_dir(&folder).expect("the transcripts");
    let paths = files.map(|entry| entry.expect("a readable folder").path());
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).expect("text"))).collect()
}

#[test]
fn every_transcript_is_reproduced() {
    let transcripts = transcripts();
    assert!(!transcripts.is_empty());
    let failure = |(file, text): &(PathBuf, String)| {
        Some(format!("{}: {}", file.display(), replay(text).err()?))
    };
    let failures: Vec<String> = transcripts.iter().filter_map(failure).collect();
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

#[test]
fn transcripts_use_every_command() {
    let sent: String = transcripts().into_iter().map(|(_, text)| text).collect();
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
        let failure = replay(text).expect_err(text);
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
