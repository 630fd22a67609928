//! What a page may say to an engine.
//!
//! A page has no business with files or with all the memory of the machine, so it may not send
//! just anything: some commands, and some options up to some value.

/// The commands that pages need.
const COMMANDS: [&str; 14] = [
    "newgame",
    "position",
    "go",
    "analyze",
    "stop",
    "isready",
    "options",
    "games",
    "moves",
    "d",
    "result",
    "eval",
    "setoption",
    "quit",
];

/// The options that pages may set, and the largest value if it is a number.
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

/// Says why a line may not be sent to an engine, if so.
pub fn refusal(line: &str) -> Option<String> {
    if line.chars().any(|c| c.is_control() && c != '\t') {
        return Some("one line at a time".to_owned());
    }
    let mut words = line.split_whitespace();
    let command = words.next().unwrap_or_default();
    if !COMMANDS.contains(&command) {
        return Some(format!("a page may not send '{command}'"));
    }
    if command != "setoption" {
        return None;
    }
    let words: Vec<String> = words.map(str::to_lowercase).collect();
    let mut parts = words.split(|word| word == "value");
    let name = match parts.next() {
        Some([first, name @ ..]) if first == "name" => name.join(" "),
        _ => return Some("setoption: the name is missing".to_owned()),
    };
    let Some(&(_, most)) = OPTIONS.iter().find(|(known, _)| *known == name) else {
        return Some(format!("a page may not set '{name}'"));
    };
    let value = parts.next().unwrap_or_default().join(" ");
    match value.parse::<u64>() {
        Ok(number) if number > most => Some(format!("a page may set '{name}' up to {most}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_game_needs_no_more_than_that() {
        for line in [
            "newgame connect4 8 8",
            "position startpos moves 4 4",
            "go infinite",
            "analyze movetime 100",
            "setoption name MultiPV value 7",
            "setoption name Clear Hash",
            "setoption name Strategy value alphabeta",
            "setoption  name  HASH  value 1024",
            "stop",
        ] {
            assert_eq!(refusal(line), None, "{line}");
        }
    }

    #[test]
    fn files_memory_and_tricks_are_out_of_reach() {
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
            assert!(refusal(line).is_some(), "{line:?}");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_permitted_is_one_line_and_names_no_file(
            line in "(setoption( name| value| Debug Log File| Hash| WaliTable|\t|\n| /x| 9+){0,6}|\\PC{0,40})",
        ) {
            if refusal(&line).is_none() {
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
