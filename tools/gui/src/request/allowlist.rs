//! Which lines a page may send to an engine.
//!
//! A page must reach neither files nor all memory and processors, so only the commands and options
//! that a game needs are allowed, the latter up to a limit.

/// The allowed commands.
const COMMANDS: [&str; 17] = [
    "newgame",
    "position",
    "go",
    "analyze",
    "explain",
    "why",
    "stop",
    "isready",
    "options",
    "games",
    "moves",
    "d",
    "state",
    "result",
    "eval",
    "setoption",
    "quit",
];

/// The allowed options, and the largest value if it is a number.
const OPTIONS: [(&str, u64); 12] = [
    ("hash", 1024),
    ("threads", 64),
    ("multipv", 500),
    ("ownbook", 0),
    ("clear hash", 0),
    ("strategy", 0),
    ("depth", 100),
    ("pruning", 0),
    ("order", 0),
    ("evaluation", 0),
    ("seed", u64::MAX),
    ("level", 10),
];

/// Why a line is not allowed, if it is not.
pub fn rejection(line: &str) -> Option<String> {
    if line.chars().any(|c| c.is_control() && c != '\t') {
        return Some("expected a single line".to_owned());
    }
    let mut words = line.split_whitespace();
    let command = words.next().unwrap_or_default();
    if !COMMANDS.contains(&command) {
        return Some(format!("command '{command}' is not allowed"));
    }
    if command != "setoption" {
        return None;
    }
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let mut parts = words.split(|word| word == "value");
    let name = match parts.next() {
        Some([first, name @ ..]) if first == "name" => name.join(" "),
        _ => return Some("setoption: expected 'name'".to_owned()),
    };
    let Some(&(_, max)) = OPTIONS.iter().find(|(known, _)| *known == name) else {
        return Some(format!("option '{name}' is not allowed"));
    };
    let value = parts.next().unwrap_or_default().join(" ");
    match value.parse::<u64>() {
        Ok(number) if number > max => Some(format!("option '{name}' must be 0..{max}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_commands_of_a_game_are_allowed() {
        for line in [
            "newgame connect4 8 8",
            "position startpos moves 4 4",
            "go infinite",
            "analyze movetime 100",
            "explain",
            "why not 4",
            "setoption name MultiPV value 7",
            "setoption name Clear Hash",
            "setoption name Strategy value alphabeta",
            "setoption  name  HASH  value 1024",
            "stop",
        ] {
            assert_eq!(rejection(line), None, "{line}");
        }
    }

    #[test]
    fn files_memory_and_extra_lines_are_rejected() {
        for line in [
            "",
            "bench",
            "setoption",
            "setoption name",
            "setoption name Debug Log File value /tmp/x",
            "setoption name  debug\tlog  FILE value /tmp/x",
            "setoption name KalahTable value /etc/passwd",
            "setoption name Hash value 1025",
            "setoption value 3 name Hash",
            "isready\nsetoption name Debug Log File value x",
            "isready\rquit",
        ] {
            assert!(rejection(line).is_some(), "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn an_allowed_line_is_single_and_names_no_file(
            line in "(setoption( name| value| Debug Log File| Hash| WaliTable|\t|\n| /x| 9+){0,6}|\\PC{0,40})",
        ) {
            if rejection(&line).is_none() {
                prop_assert!(!line.contains(['\n', '\r', '\0']));
                let words = line.to_lowercase();
                let words: Vec<&str> = words.split_whitespace().collect();
                if words[0] == "setoption" {
                    prop_assert!(!words.join(" ").starts_with("setoption name debug"));
                    prop_assert!(!words.join(" ").starts_with("setoption name walitable"));
                }
            }
        }
    }
}
