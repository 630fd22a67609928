//! Messages from pages to the server of the web board.

use ratlla::protocol::command::Command;
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla_gui::request::Request;
use ratlla_gui::request::allowlist::rejection;

/// A message is rejected or is a request, and no line that is let through gives a page access to
/// files, unlimited memory or threads, or another dialect.
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
    assert!(!line.contains(['\n', '\r', '\0']), "{line:?} is more than one line");
    let Ok(command) = parse_line(line.as_bytes(), Dialect::Native) else {
        return;
    };
    match command.expect("a command") {
        Command::SetDialect(_) | Command::Bench => panic!("{line:?} must be refused"),
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
