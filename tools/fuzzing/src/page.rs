//! What pages send to the server of the web board.

use ratlla::protocol::command::Command;
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla_gui::request::Request;
use ratlla_gui::request::allowlist::rejection;

/// Any message is a request or rejected, and no allowed line reaches what pages must not have:
/// files, all memory, all processors, another dialect.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    check_line(&text);
    if let Ok(Request::Send { line, .. }) = Request::parse(&text) {
        check_line(&line);
    }
}

fn check_line(line: &str) {
    if rejection(line).is_some() {
        return;
    }
    assert!(!line.contains(['\n', '\r', '\0']), "{line:?} is more than a line");
    let Ok(command) = parse_line(line.as_bytes(), Dialect::Native) else {
        return;
    };
    match command.expect("neither blank nor a comment") {
        Command::SetDialect(_) | Command::Bench => panic!("{line:?} is not for pages"),
        Command::SetOption { name, value } => {
            let number = value.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0);
            match name.to_ascii_lowercase().as_str() {
                "debug log file" | "kalahtable" | "walitable" => panic!("{line:?} names a file"),
                "hash" => assert!(number <= 1024, "{line:?}"),
                "threads" => assert!(number <= 64, "{line:?}"),
                _ => {}
            }
        }
        _ => {}
    }
}
