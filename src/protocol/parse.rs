//! From a line of text to a [`Command`].
//!
//! Any bytes are fine: what is no command becomes an error that says which word is wrong and
//! what would be right. Words are separated by any white space.

mod go;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, opt};
use nom::multi::many_m_n;
use nom::sequence::terminated;
use nom::{IResult, Parser};

use self::go::{clamped, go, non_negative};
use super::command::{Command, Query};
use super::dialect::Dialect;
use crate::text::escaped;

/// Every command with its parameters and what it does.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("newgame", "[name] [parameters]", "begin a game: newgame 6 7, newgame connect4 8 8"),
    ("position", "[startpos | [fen] <position>] [moves <m>...]", "set up a position"),
    (
        "go",
        "[depth N] [nodes N] [movetime MS] [infinite] [ponder] [p1time MS] [p2time MS] \
         [p1inc MS] [p2inc MS] [movestogo N] [mate N] [searchmoves <m>...]",
        "think, then tell the best move",
    ),
    ("go solve", "[limits of go]", "find the exact truth of the position"),
    ("analyze", "[limits of go]", "tell what each move is worth, then the best one"),
    ("go perft", "N", "count the sequences of N moves"),
    ("stop", "", "answer now"),
    ("ponderhit", "", "the expected move was played: the clock runs"),
    ("isready", "", "answers readyok at once"),
    ("setoption", "name <option> [value <value>]", "change an option"),
    ("options", "", "list the options"),
    ("games", "", "list the games and their parameters"),
    ("moves", "", "list the legal moves"),
    ("play", "<m>", "play a move"),
    ("undo", "", "take the last move back"),
    ("result", "", "tell how the game ended"),
    ("query", "p1turn | gameover | result", "ask about the position"),
    ("d", "", "draw the board"),
    ("eval", "", "evaluator the position without searching"),
    ("bench", "", "measure the speed of the search"),
    ("uci", "", "speak UCI from now on"),
    ("ucinewgame", "", "begin the same game anew"),
    ("ugi", "", "speak UGI from now on"),
    ("uginewgame", "", "begin the same game anew"),
    ("debug", "[on | off]", "nothing: for clients that send it"),
    ("register", "[words]", "nothing: for clients that send it"),
    ("help", "", "list the commands"),
    ("quit", "", "end at once"),
];

/// More than the moves of any game, and little enough to be kept one by one.
const MOST_WORDS: usize = 1 << 20;

/// Another spelling of `analyze`.
const BRITISH_ANALYZE: &str = "analyse";

/// The command in a line, `None` if it is blank or a comment, or what is wrong with it.
pub fn parse_line(line: &[u8], dialect: Dialect) -> Result<Option<Command>, String> {
    let text = std::str::from_utf8(line).map_err(|error| {
        format!("the line is not UTF-8 from byte {} on", error.valid_up_to() + 1)
    })?;
    // Some editors begin a file with a byte order mark.
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (rest, words) = words(text).unwrap_or_default();
    if !rest.is_empty() {
        return Err(format!("a line of more than {MOST_WORDS} words is no command"));
    }
    let lenient = dialect.passes_over_unknown_words();
    let start = if lenient { words.iter().position(begins_command).unwrap_or(0) } else { 0 };
    command(words[start], &words[start + 1..], lenient).map(Some)
}

/// The first words of a text, and what comes after as many as a line may have.
fn words(text: &str) -> IResult<&str, Vec<&str>> {
    many_m_n(0, MOST_WORDS, terminated(word, blanks)).parse(text)
}

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(char::is_whitespace)(text)
}

fn word(text: &str) -> IResult<&str, &str> {
    take_while1(|c: char| !c.is_whitespace())(text)
}

/// Whether a command may begin with this word.
fn begins_command(word: &&str) -> bool {
    *word == BRITISH_ANALYZE || COMMANDS.iter().any(|(name, ..)| name == word)
}

/// A whole number: its digits, and whether a minus sign stands before them.
fn whole_number(text: &str) -> Option<(bool, &str)> {
    let number: IResult<&str, _> = all_consuming((opt(char('-')), digit1)).parse(text);
    number.ok().map(|(_, (minus, digits))| (minus.is_some(), digits))
}

fn command(name: &str, rest: &[&str], lenient: bool) -> Result<Command, String> {
    let plain = |command: Command| match rest {
        [] => Ok(command),
        _ if lenient => Ok(command),
        [word, ..] => Err(format!("{name}: unexpected '{}': it stands alone", escaped(word))),
    };
    match name {
        "newgame" => Ok(Command::NewGame(owned(rest))),
        "position" => position(rest),
        "go" => match rest {
            ["perft", rest @ ..] => perft(rest),
            _ => go(name, rest, lenient).map(Command::Go),
        },
        "analyze" | BRITISH_ANALYZE => go(name, rest, lenient).map(Command::Analyze),
        "setoption" => set_option(rest),
        "play" => match rest {
            [mv] => Ok(Command::Play((*mv).to_owned())),
            _ => Err(format!("play: one move, not {}", rest.len())),
        },
        "stop" => plain(Command::Stop),
        "ponderhit" => plain(Command::PonderHit),
        "isready" => plain(Command::IsReady),
        "quit" => plain(Command::Quit),
        "options" => plain(Command::Options),
        "games" => plain(Command::Games),
        "moves" => plain(Command::Moves),
        "undo" => plain(Command::Undo),
        "result" => plain(Command::Result),
        "query" => query(rest),
        "d" => plain(Command::Display),
        "eval" => plain(Command::Eval),
        "bench" => plain(Command::Bench),
        "uci" => plain(Command::SetDialect(Dialect::Uci)),
        "ugi" => plain(Command::SetDialect(Dialect::Ugi)),
        "ucinewgame" | "uginewgame" => plain(Command::RestartGame),
        "debug" | "register" => Ok(Command::Ignored),
        "help" => Ok(Command::Help),
        _ => {
            let names = COMMANDS.iter().map(|&(name, ..)| name);
            let hint = match suggestion(name, names) {
                hint if hint.is_empty() => ":".to_owned(),
                hint => hint,
            };
            Err(format!("unknown command '{}'{hint} 'help' lists all commands", escaped(name)))
        }
    }
}

/// `, did you mean '…'?` if one of the known words is close to the unknown one.
fn suggestion<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> String {
    // A long word is close to nothing, and comparing it would take long.
    if unknown.len() > 30 {
        return String::new();
    }
    let lower = unknown.to_lowercase();
    let distance = |word: &&str| strsim::damerau_levenshtein(&lower, word);
    match known.min_by_key(distance) {
        Some(word) if distance(&word) <= word.len().min(6) / 3 => {
            format!(", did you mean '{word}'?")
        }
        _ => String::new(),
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn position(rest: &[&str]) -> Result<Command, String> {
    let rest = match rest {
        ["startpos", word, ..] if *word != "moves" => {
            let word = escaped(word);
            return Err(format!("position: 'moves' or nothing follows startpos, not '{word}'"));
        }
        ["startpos", rest @ ..] => rest,
        rest => rest,
    };
    let mut parts = rest.splitn(2, |&word| word == "moves");
    let mut part = || owned(parts.next().unwrap_or_default());
    Ok(Command::Position { setup: part(), moves: part() })
}

fn query(rest: &[&str]) -> Result<Command, String> {
    let query = match rest {
        ["p1turn"] => Query::FirstPlayersTurn,
        ["gameover"] => Query::GameOver,
        ["result"] => Query::Result,
        _ => return Err("query: one of p1turn, gameover and result".to_owned()),
    };
    Ok(Command::Query(query))
}

fn perft(rest: &[&str]) -> Result<Command, String> {
    match rest {
        [depth] => Ok(Command::Perft(clamped(non_negative("go perft", Some(depth))?))),
        _ => Err("go perft: wants one number, the length of the sequences".to_owned()),
    }
}

fn set_option(rest: &[&str]) -> Result<Command, String> {
    let form = "setoption: write 'setoption name <option> value <value>'";
    let ["name", rest @ ..] = rest else {
        return Err(form.to_owned());
    };
    let mut parts = rest.splitn(2, |&word| word == "value");
    let name = parts.next().unwrap_or_default().join(" ");
    if name.is_empty() {
        return Err(form.to_owned());
    }
    Ok(Command::SetOption { name, value: parts.next().map(|words| words.join(" ")) })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::go::GO_WORDS;
    use super::*;

    fn parsed(line: &str) -> Command {
        parse_line(line.as_bytes(), Dialect::Native).unwrap().unwrap()
    }

    fn error(line: &str) -> String {
        parse_line(line.as_bytes(), Dialect::Native).unwrap_err()
    }

    fn strings(words: &str) -> Vec<String> {
        owned(&words.split_whitespace().collect::<Vec<_>>())
    }

    #[test]
    fn blank_lines_and_comments_are_nothing() {
        for line in ["", "  \t \r", "# go", "   #go", "#", "\u{feff}"] {
            assert_eq!(parse_line(line.as_bytes(), Dialect::Native), Ok(None), "{line:?}");
        }
    }

    #[test]
    fn a_line_has_only_so_many_words() {
        let moves = |count: usize| format!("position moves {}", "1 ".repeat(count - 2));
        assert!(matches!(parsed(&moves(MOST_WORDS)), Command::Position { .. }));
        assert!(error(&moves(MOST_WORDS + 1)).contains("more than 1048576 words"));
        let comment = format!("# {}", "x ".repeat(MOST_WORDS));
        assert_eq!(parse_line(comment.as_bytes(), Dialect::Native), Ok(None));
    }

    #[test]
    fn white_space_is_free() {
        let expected = Command::Position { setup: vec![], moves: strings("3 4 3") };
        for line in [
            "position moves 3 4 3",
            " \t position\tmoves  3 4\t3 \r",
            "position startpos moves 3 4 3",
        ] {
            assert_eq!(parsed(line), expected);
        }
    }

    #[test]
    fn a_new_game_is_told_in_any_words() {
        assert_eq!(parsed("newgame connect4 6  7"), Command::NewGame(strings("connect4 6 7")));
        assert_eq!(parsed("newgame"), Command::NewGame(vec![]));
    }

    #[test]
    fn a_position_has_its_own_words_and_moves() {
        let grid = Command::Position { setup: strings("grid ../.. p2"), moves: strings("1 2") };
        assert_eq!(parsed("position grid ../.. p2 moves 1 2"), grid);
        let start = Command::Position { setup: vec![], moves: vec![] };
        assert_eq!(parsed("position startpos"), start);
        assert_eq!(parsed("position startpos moves"), start);
        assert_eq!(parsed("position"), start);
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let expected =
            Command::SetOption { name: "Debug Log File".into(), value: Some("my log.txt".into()) };
        assert_eq!(parsed("setoption name Debug  Log File value my log.txt"), expected);
        let button = Command::SetOption { name: "Clear Hash".into(), value: None };
        assert_eq!(parsed("setoption name Clear Hash"), button);
    }

    #[test]
    fn other_dialects_pass_over_words_that_mean_nothing() {
        for dialect in [Dialect::Uci, Dialect::Ugi] {
            let parsed = |line: &str| parse_line(line.as_bytes(), dialect);
            assert_eq!(parsed("joho isready now"), Ok(Some(Command::IsReady)));
            assert_eq!(parsed("please debug on"), Ok(Some(Command::Ignored)));
            assert_eq!(parsed("ucinewgame 7"), Ok(Some(Command::RestartGame)));
            assert!(parsed("joho").unwrap_err().contains("unknown command 'joho'"));
        }
        assert!(error("joho isready").contains("unknown command 'joho'"));
    }

    #[test]
    fn a_dialect_begins_with_its_name() {
        assert_eq!(parsed("uci"), Command::SetDialect(Dialect::Uci));
        assert_eq!(parsed("ugi"), Command::SetDialect(Dialect::Ugi));
    }

    #[test]
    fn errors_say_what_would_be_right() {
        for (line, part) in [
            ("positon moves 3", "did you mean 'position'?"),
            ("GO", "did you mean 'go'?"),
            ("xyzzy", "unknown command 'xyzzy': 'help' lists"),
            ("go dept 8", "unknown word 'dept', did you mean 'depth'?"),
            ("analyze solve", "analyze: unknown word 'solve' (depth nodes"),
            ("analyze perft 3", "analyze: unknown word 'perft' (depth nodes"),
            ("analyze depth", "analyze depth: a number is missing"),
            ("go depth", "go depth: a number is missing"),
            ("go depth x", "go depth: 'x' is not a number"),
            ("go depth -3", "go depth: '-3' is not a number from 0 on"),
            ("go movetime 1.5", "go movetime: '1.5' is not a number of milliseconds"),
            ("go perft", "go perft: wants one number"),
            ("go perft 3 4", "go perft: wants one number"),
            ("go depth 2 perft 3", "go perft: stands alone"),
            ("go searchmoves", "wants at least one move"),
            ("position startpos 4 4", "'moves' or nothing follows startpos, not '4'"),
            ("setoption Hash 12", "setoption name <option>"),
            ("setoption name value 3", "setoption name <option>"),
            ("play", "play: one move, not 0"),
            ("stop now", "stop: unexpected 'now'"),
            ("query", "query: one of p1turn, gameover and result"),
            ("query p2turn", "query: one of p1turn"),
            ("uc", "did you mean 'uci'?"),
        ] {
            let error = error(line);
            assert!(error.contains(part), "{line}: {error}");
        }
        let error_of_bytes = parse_line(b"go \xff", Dialect::Native).unwrap_err();
        assert!(error_of_bytes.contains("not UTF-8 from byte 4"));
        assert!(error("\0\0").contains("\\0\\0"));
    }

    proptest! {
        #[test]
        fn any_bytes_give_a_command_or_one_short_line(
            line in proptest::collection::vec(any::<u8>(), 0..200),
            dialect in proptest::sample::select(vec![Dialect::Native, Dialect::Uci]),
        ) {
            if let Err(message) = parse_line(&line, dialect) {
                prop_assert!(!message.contains(['\n', '\r']));
                prop_assert!(message.len() < 1000);
            }
        }

        #[test]
        fn words_of_the_grammar_in_any_order_never_panic(
            words in proptest::collection::vec(
                prop_oneof![
                    proptest::sample::select(GO_WORDS),
                    proptest::sample::select(vec!["go", "position", "moves", "setoption", "name",
                        "value", "newgame", "-1", "7", "99999999999999999999", "#", "play", "\u{85}"]),
                ],
                0..12,
            )
        ) {
            let _ = parse_line(words.join(" ").as_bytes(), Dialect::Native);
            let _ = parse_line(words.join(" ").as_bytes(), Dialect::Uci);
        }
    }
}
