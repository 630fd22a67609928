//! Every example session in the documents is reproduced by the program, and every command and
//! option has one.
//!
//! `protocol.md` explains the notation of examples.

mod support;

use ratlla::protocol::parse::COMMANDS;
use support::SOLVE_OPTIONS;
use support::engine::{Engine, PATIENCE};

const PROTOCOL: &str = include_str!("../protocol.md");
const README: &str = include_str!("../README.md");
const DOCUMENTS: [(&str, &str); 4] = [
    ("protocol.md", PROTOCOL),
    ("README.md", README),
    ("docs/strategies.md", include_str!("../docs/strategies.md")),
    ("docs/learn.md", include_str!("../docs/learn.md")),
];

/// The heartbeat of a search, which may appear anywhere on a busy machine.
const HEARTBEAT: &str = "info nodes <N> nps <N> time <N>";

/// One fenced block marked `session`.
struct Example<'a> {
    /// The line number of its first line in the document.
    start: usize,
    lines: Vec<&'a str>,
}

fn examples(document: &str) -> Vec<Example<'_>> {
    let mut found = Vec::new();
    let mut lines = document.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line == "```session" {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|&line| line != "```");
            found.push(Example { start: index + 2, lines: block.collect() });
        }
    }
    found
}

/// Replays an example. The error describes the first mismatch and its line.
fn replay(example: &Example<'_>) -> Result<(), String> {
    let command_line = example.lines.first().and_then(|line| line.strip_prefix("$ ratlla "));
    let (arguments, echo) = match command_line {
        None => ("", false),
        Some(text) => match text.strip_suffix("; echo $?") {
            None => (text, false),
            Some(text) => (text, true),
        },
    };
    let mut engine = Engine::with_arguments(&arguments.split_whitespace().collect::<Vec<_>>());
    let first = usize::from(command_line.is_some());
    let last = example.lines.len() - usize::from(echo);
    let mut skipping = false;
    for (index, line) in example.lines.iter().enumerate().take(last).skip(first) {
        let fail = |text: String| format!("line {}, '{line}': {text}", example.start + index);
        if let Some(command) = content(">", line) {
            engine.send(command);
        } else if *line == "< ..." {
            skipping = true;
        } else if let Some(expected) = content("<", line) {
            loop {
                let next = engine.next_line(PATIENCE);
                let got = next.map_err(|error| fail(format!("nothing: {error}")))?;
                if matches(expected, &got) {
                    break;
                } else if !skipping && !matches(HEARTBEAT, &got) {
                    return Err(fail(format!("got '{got}'")));
                }
            }
            skipping = false;
        } else {
            return Err(fail("expected '>' or '<'".to_owned()));
        }
    }
    engine.close_input();
    while let Ok(got) = engine.next_line(PATIENCE) {
        if !skipping && !matches(HEARTBEAT, &got) {
            return Err(format!("after line {}: got '{got}'", example.start + last - 1));
        }
    }
    let status = engine.wait_for_exit().code();
    let expected = if echo { example.lines[last] } else { "< 0" };
    match status {
        Some(code) if format!("< {code}") == expected => Ok(()),
        _ => Err(format!("line {}: exit status {status:?}", example.start + last)),
    }
}

/// The rest of a line after its mark and a blank; the mark alone is an empty line.
fn content<'a>(mark: &str, line: &'a str) -> Option<&'a str> {
    let rest = line.strip_prefix(mark)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

/// Whether a line matches the expected one, with or without its optional end.
fn matches(expected: &str, got: &str) -> bool {
    let optional = expected.strip_suffix(']').and_then(|text| text.rsplit_once(" [ponder "));
    match optional {
        None => words_match(expected, got),
        Some((start, ponder)) => {
            words_match(start, got) || words_match(&format!("{start} ponder {ponder}"), got)
        }
    }
}

/// Whether all words match the expected ones, leading blanks included.
fn words_match(expected: &str, got: &str) -> bool {
    let indent = |text: &str| text.len() - text.trim_start().len();
    let mut words = got.split_whitespace();
    indent(expected) == indent(got)
        && expected.split_whitespace().all(|pattern| match pattern {
            "<M...>" => words.by_ref().filter(|&word| is_word(word)).count() > 0,
            _ => words.next().is_some_and(|word| word_matches(pattern, word)),
        })
        && words.next().is_none()
}

fn word_matches(pattern: &str, word: &str) -> bool {
    match pattern {
        "<N>" => word.parse::<i64>().is_ok(),
        "<K>" => word.len() == 16 && word.bytes().all(|byte| byte.is_ascii_hexdigit()),
        "<M>" => is_word(word),
        _ => text_matches(pattern, word),
    }
}

/// Whether a word matches a pattern in which every `<N>` stands for digits, as in JSON.
fn text_matches(pattern: &str, word: &str) -> bool {
    let Some((before, after)) = pattern.split_once("<N>") else { return pattern == word };
    word.strip_prefix(before).is_some_and(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        digits > 0 && text_matches(after, &rest[digits..])
    })
}

/// Whether a word could be a move; legality is for other tests.
fn is_word(word: &str) -> bool {
    word.chars().all(|letter| letter.is_alphanumeric() || letter == '@')
}

#[test]
fn every_example_is_reproduced() {
    let mut failures = Vec::new();
    let mut count = 0;
    for (name, document) in DOCUMENTS {
        for example in examples(document) {
            count += 1;
            failures.extend(replay(&example).err().map(|text| format!("{name}, {text}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(count > 20, "only {count} examples were found");
}

#[test]
fn every_command_is_documented_with_an_example() {
    for (name, ..) in COMMANDS {
        let heading = format!("\n### `{name}`\n");
        let section = PROTOCOL.split(&heading).nth(1);
        let section = section.unwrap_or_else(|| panic!("protocol.md has no heading for {name}"));
        let section = section.split("\n### ").next().unwrap();
        let sends = |line: &&str| {
            let words = line.strip_prefix("> ").and_then(|line| line.strip_prefix(name));
            words.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let has_one = examples(section).iter().any(|example| example.lines.iter().any(sends));
        assert!(has_one, "the section of {name} has no example of it");
    }
}

#[test]
fn the_batch_command_is_documented_with_an_example_of_every_option() {
    let section = PROTOCOL.split("\n## `ratlla solve`\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().expect("the text before the next heading");
    let calls: Vec<&str> = examples(section).iter().map(|example| example.lines[0]).collect();
    for option in SOLVE_OPTIONS {
        assert!(section.contains(&format!("| `{option}")), "no row for {option}");
        let uses = |call: &&str| call.split(' ').any(|word| word == option);
        assert!(calls.iter().any(uses), "no example of {option}");
    }
}

/// What the command `options` prints.
fn option_lines() -> Vec<String> {
    Engine::with_arguments(&["options"]).finish().rest
}

#[test]
fn every_option_is_documented_with_its_limits_and_an_example() {
    let lines = option_lines();
    assert!(lines.len() > 10, "only {} options are listed", lines.len());
    for line in &lines {
        let (name, rest) = line
            .strip_prefix("option name ")
            .and_then(|rest| rest.split_once(" type "))
            .unwrap_or_else(|| panic!("'{line}' is not an option line"));
        let row = PROTOCOL.lines().find(|row| row.starts_with(&format!("| `{name}` |")));
        let row = row.unwrap_or_else(|| panic!("protocol.md has no row for {name}"));
        let facts = rest.split(' ').filter(|word| !["default", "min", "max", "var"].contains(word));
        for fact in facts {
            let words = row.split(|c: char| " |,`".contains(c)).any(|word| word == fact);
            assert!(words, "the row of {name} does not say {fact}");
        }
        let setting = format!("> setoption name {name}");
        let sets = |line: &&str| **line == setting || line.starts_with(&format!("{setting} "));
        let all = examples(PROTOCOL);
        assert!(all.iter().any(|example| example.lines.iter().any(sets)), "no example of {name}");
    }
}

#[test]
fn placeholders_match_as_documented() {
    for (expected, got) in [
        ("time <N>", "time 12"),
        ("score cp <N>", "score cp -7"),
        ("pv <M...>", "pv 4 4 3"),
        ("bestmove <M> ponder <M>", "bestmove 4 ponder 3"),
        ("key <K>", "key 00ff00ff00ff00ff"),
        (" - X", " - X"),
        ("bestmove <M> [ponder <M>]", "bestmove 4 ponder 3"),
        ("bestmove <M> [ponder <M>]", "bestmove 4"),
        ("bestmove <M> [ponder <M...>]", "bestmove 4 ponder 3 2"),
        ("bestmove <M> [ponder <M...>]", "bestmove 4"),
    ] {
        assert!(matches(expected, got), "{expected}: {got}");
    }
    for (expected, got) in [
        ("time <N>", "time x"),
        ("time <N>", "time 1 2"),
        ("pv <M...>", "pv"),
        ("bestmove <M>", "bestmove (none)"),
        ("bestmove <M>", "bestmove"),
        ("key <K>", "key 00ff"),
        (" - X", "- X"),
        ("bestmove <M> [ponder <M>]", "bestmove 4 ponder"),
    ] {
        assert!(!matches(expected, got), "{expected}: {got}");
    }
}
