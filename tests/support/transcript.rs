//! Whole sessions as transcripts.
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

use std::path::{Path, PathBuf};

use super::engine::Engine;

/// Whether `line` matches `pattern`.
pub fn matches(pattern: &str, line: &str) -> bool {
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

/// Replays a transcript with an engine. The error describes the first mismatch and its line.
pub fn replay(mut engine: Engine, text: &str) -> Result<(), String> {
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

/// The transcripts and their texts. `root` is that of the repository.
pub fn transcripts(root: &Path) -> Vec<(PathBuf, String)> {
    let files = std::fs::read_dir(root.join("tests/data/transcripts")).expect("the transcripts");
    let paths = files.map(|entry| entry.expect("a readable folder").path());
    paths.map(|path| (path.clone(), std::fs::read_to_string(path).expect("text"))).collect()
}
