//! From a line of text to a [`Command`].
//!
//! Takes any bytes: what is not a command becomes an error that says what was wrong and what was
//! expected. Words are separated by any white space.

mod go;
mod tree;

use nom::bytes::complete::{take_while, take_while1};
use nom::character::complete::{char, digit1};
use nom::combinator::{all_consuming, opt};
use nom::multi::many_m_n;
use nom::sequence::terminated;
use nom::{IResult, Parser};

use self::go::{clamped, go, non_negative};
use self::tree::tree;
use super::command::{Command, Go, Goal, Query};
use super::dialect::Dialect;
use crate::text::{did_you_mean, escaped, expected};

/// Every command with its parameters and what it does.
pub const COMMANDS: &[(&str, &str, &str)] = &[
    ("newgame", "[name] [parameters]", "begin a game: newgame 6 7, newgame connect4 8 8"),
    ("position", "[startpos | [fen] <position>] [moves <m>...]", "set up a position"),
    (
        "go",
        "[depth N] [nodes N] [movetime MS] [infinite] [ponder] [p1time MS] [p2time MS] \
         [p1inc MS] [p2inc MS] [movestogo N] [mate N] [searchmoves <m>...]",
        "search, then print the best move",
    ),
    ("go solve", "[limits of go]", "find the exact score of the position"),
    ("analyze", "[limits of go]", "score every move, then print the best one"),
    ("explain", "[limits of go]", "say why each move is good or bad, then print the best one"),
    ("why not", "<m> [limits of go]", "show what is wrong with a move, then print the best one"),
    ("go perft", "N", "count the sequences of N moves"),
    (
        "tree",
        "[depth N] [text | json | dot] [moves <m>...]",
        "show the tree that minimax or alphabeta searches",
    ),
    ("stop", "", "end the search and print the best move"),
    ("ponderhit", "", "the expected move was played: the clock starts"),
    ("isready", "", "answer readyok at once"),
    ("setoption", "name <option> [value <value>]", "change an option"),
    ("options", "", "list the options"),
    ("getoption", "[name <option>]", "print the current value of an option, or of all"),
    ("games", "", "list the games and their parameters"),
    ("moves", "", "list the legal moves"),
    ("play", "<m>", "play a move"),
    ("undo", "", "take the last move back"),
    ("result", "", "print how the game ended"),
    ("query", "p1turn | gameover | result", "ask about the position"),
    ("d", "", "draw the board"),
    ("state", "", "describe the position for programs, as JSON"),
    ("eval", "[full | <evaluation>]", "print a static evaluation and its terms"),
    ("bench", "", "search fixed positions; print nodes and speed"),
    ("version", "", "print the version"),
    ("uci", "", "switch to UCI"),
    ("ucinewgame", "", "begin the same game again"),
    ("ugi", "", "switch to UGI"),
    ("uginewgame", "", "begin the same game again"),
    ("debug", "[on | off]", "ignored: some clients send it"),
    ("register", "[words]", "ignored: some clients send it"),
    ("help", "", "list the commands"),
    ("quit", "", "exit at once"),
];

/// More than the moves of any game, and few enough to store.
const MAX_WORDS: usize = 1 << 20;

/// Another spelling of `analyze`.
const BRITISH_ANALYZE: &str = "analyse";

/// The command in a line, `None` if it is blank or a comment, or what is wrong with it.
pub fn parse_line(line: &[u8], dialect: Dialect) -> Result<Option<Command>, String> {
    let text = std::str::from_utf8(line)
        .map_err(|error| format!("invalid UTF-8 at byte {}", error.valid_up_to() + 1))?;
    // Some editors put a byte order mark at the beginning of a file.
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.is_empty() || text.starts_with('#') {
        return Ok(None);
    }
    let (rest, words) = words(text).unwrap_or_default();
    if !rest.is_empty() {
        return Err(format!("line too long: more than {MAX_WORDS} words"));
    }
    let lenient = dialect.skips_unknown_words();
    let start = if lenient { words.iter().position(begins_command).unwrap_or(0) } else { 0 };
    command(words[start], &words[start + 1..], lenient).map(Some)
}

/// The words of a text, up to as many as a line may have, and the rest.
fn words(text: &str) -> IResult<&str, Vec<&str>> {
    many_m_n(0, MAX_WORDS, terminated(word, blanks)).parse(text)
}

fn blanks(text: &str) -> IResult<&str, &str> {
    take_while(char::is_whitespace)(text)
}

fn word(text: &str) -> IResult<&str, &str> {
    take_while1(|c: char| !c.is_whitespace())(text)
}

/// Whether this is the first word of a command.
fn begins_command(word: &&str) -> bool {
    *word == BRITISH_ANALYZE
        || COMMANDS.iter().any(|(name, ..)| name.split(' ').next() == Some(word))
}

/// A whole number: whether it has a minus sign, and its digits.
fn whole_number(text: &str) -> Option<(bool, &str)> {
    let number: IResult<&str, _> = all_consuming((opt(char('-')), digit1)).parse(text);
    number.ok().map(|(_, (minus, digits))| (minus.is_some(), digits))
}

fn command(name: &str, rest: &[&str], lenient: bool) -> Result<Command, String> {
    let plain = |command: Command| match rest {
        [] => Ok(command),
        _ if lenient => Ok(command),
        [word, ..] => Err(format!("{name}: {}", expected("no more words", word))),
    };
    match name {
        "newgame" => Ok(Command::NewGame(owned(rest))),
        "position" => position(rest),
        "go" => match rest {
            ["perft", rest @ ..] => perft(rest),
            _ => go(name, Goal::Move, rest, lenient).map(Command::Go),
        },
        "analyze" | BRITISH_ANALYZE => go(name, Goal::Analyze, rest, lenient).map(Command::Go),
        "explain" => go(name, Goal::Explain, rest, lenient).map(Command::Go),
        "why" => match rest {
            ["not", mv, rest @ ..] => {
                let limits = go("why not", Goal::Refute, rest, lenient)?;
                Ok(Command::Go(Go { asked: Some((*mv).to_owned()), ..limits }))
            }
            ["not"] => Err("why not: expected a move".to_owned()),
            _ => Err("why: expected 'not' and a move".to_owned()),
        },
        "tree" => tree(rest).map(Command::Tree),
        "setoption" => set_option(rest),
        "play" => match rest {
            [mv] => Ok(Command::Play((*mv).to_owned())),
            _ => Err(format!("play: expected one move, got {}", rest.len())),
        },
        "stop" => plain(Command::Stop),
        "ponderhit" => plain(Command::PonderHit),
        "isready" => plain(Command::IsReady),
        "quit" => plain(Command::Quit),
        "options" => plain(Command::Options),
        "getoption" => get_option(rest),
        "version" => plain(Command::Version),
        "games" => plain(Command::Games),
        "moves" => plain(Command::Moves),
        "undo" => plain(Command::Undo),
        "result" => plain(Command::Result),
        "query" => query(rest),
        "d" => plain(Command::Display),
        "state" => plain(Command::State),
        "eval" => match rest {
            [] => Ok(Command::Eval(None)),
            [name] => Ok(Command::Eval(Some(name.to_ascii_lowercase()))),
            [_, word, ..] => Err(format!("eval: {}", expected("no more words", word))),
        },
        "bench" => plain(Command::Bench),
        "uci" => plain(Command::SetDialect(Dialect::Uci)),
        "ugi" => plain(Command::SetDialect(Dialect::Ugi)),
        "ucinewgame" | "uginewgame" => plain(Command::RestartGame),
        "debug" | "register" => Ok(Command::Ignored),
        "help" => Ok(Command::Help),
        _ => {
            let hint = did_you_mean(name, COMMANDS.iter().map(|&(name, ..)| name));
            Err(format!("unknown command '{}'{hint} (try 'help')", escaped(name)))
        }
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn position(rest: &[&str]) -> Result<Command, String> {
    let rest = match rest {
        [] => return Err("position: expected 'startpos', a position or 'moves'".to_owned()),
        ["startpos", word, ..] if *word != "moves" => {
            let word = escaped(word);
            return Err(format!("position: expected 'moves' after 'startpos', got '{word}'"));
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
        _ => return Err("query: expected p1turn, gameover or result".to_owned()),
    };
    Ok(Command::Query(query))
}

fn perft(rest: &[&str]) -> Result<Command, String> {
    match rest {
        [depth] => Ok(Command::Perft(clamped(non_negative("go perft", Some(depth))?))),
        _ => Err(format!("go perft: expected one depth, got {} words", rest.len())),
    }
}

fn get_option(rest: &[&str]) -> Result<Command, String> {
    match rest {
        [] => Ok(Command::GetOption(None)),
        ["name", name @ ..] if !name.is_empty() => Ok(Command::GetOption(Some(name.join(" ")))),
        _ => Err("getoption: expected 'getoption [name <option>]'".to_owned()),
    }
}

fn set_option(rest: &[&str]) -> Result<Command, String> {
    let form = "setoption: expected 'setoption name <option> [value <value>]'";
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
    fn a_line_may_have_a_million_words() {
        let moves = |count: usize| format!("position moves {}", "1 ".repeat(count - 2));
        assert!(matches!(parsed(&moves(MAX_WORDS)), Command::Position { .. }));
        assert!(error(&moves(MAX_WORDS + 1)).contains("more than 1048576 words"));
        let comment = format!("# {}", "x ".repeat(MAX_WORDS));
        assert_eq!(parse_line(comment.as_bytes(), Dialect::Native), Ok(None));
    }

    #[test]
    fn any_white_space_separates_words() {
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
    fn newgame_takes_any_words() {
        assert_eq!(parsed("newgame connect4 6  7"), Command::NewGame(strings("connect4 6 7")));
        assert_eq!(parsed("newgame"), Command::NewGame(vec![]));
    }

    #[test]
    fn a_position_is_a_setup_and_moves() {
        let grid = Command::Position { setup: strings("grid ../.. p2"), moves: strings("1 2") };
        assert_eq!(parsed("position grid ../.. p2 moves 1 2"), grid);
        let start = Command::Position { setup: vec![], moves: vec![] };
        assert_eq!(parsed("position startpos"), start);
        assert_eq!(parsed("position startpos moves"), start);
        assert_eq!(parsed("position moves"), start);
    }

    #[test]
    fn options_may_have_blanks_in_name_and_value() {
        let expected =
            Command::SetOption { name: "Debug Log File".into(), value: Some("my log.txt".into()) };
        assert_eq!(parsed("setoption name Debug  Log File value my log.txt"), expected);
        let button = Command::SetOption { name: "Clear Hash".into(), value: None };
        assert_eq!(parsed("setoption name Clear Hash"), button);
        let asked = Command::GetOption(Some("Debug Log File".into()));
        assert_eq!(parsed("getoption name Debug  Log File"), asked);
        assert_eq!(parsed("getoption"), Command::GetOption(None));
    }

    #[test]
    fn other_dialects_skip_unknown_words() {
        for dialect in [Dialect::Uci, Dialect::Ugi] {
            let parsed = |line: &str| parse_line(line.as_bytes(), dialect);
            assert_eq!(parsed("joho isready now"), Ok(Some(Command::IsReady)));
            assert_eq!(parsed("please debug on"), Ok(Some(Command::Ignored)));
            assert_eq!(parsed("ucinewgame 7"), Ok(Some(Command::RestartGame)));
            let Ok(Some(Command::Go(go))) = parsed("joho why not 4 fast") else {
                panic!("why not")
            };
            assert_eq!((go.goal, go.asked.as_deref()), (Goal::Refute, Some("4")));
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
    fn errors_say_what_was_expected() {
        for (line, part) in [
            ("positon moves 3", "did you mean 'position'?"),
            ("GO", "did you mean 'go'?"),
            ("xyzzy", "unknown command 'xyzzy' (try 'help')"),
            ("4", "unknown command '4' (try 'help')"),
            ("go dept 8", "unknown word 'dept', did you mean 'depth'?"),
            ("analyze solve", "analyze: unknown word 'solve' (depth nodes"),
            ("analyze perft 3", "analyze: unknown word 'perft' (depth nodes"),
            ("analyze depth", "analyze depth: expected a number"),
            ("go depth", "go depth: expected a number"),
            ("go depth x", "go depth: expected a number, got 'x'"),
            ("go depth -3", "go depth: expected a number, got '-3'"),
            ("go movetime 1.5", "go movetime: expected milliseconds, got '1.5'"),
            ("go perft", "go perft: expected one depth, got 0 words"),
            ("go perft 3 4", "go perft: expected one depth, got 2 words"),
            ("go depth 2 perft 3", "go perft: no other words allowed"),
            ("go searchmoves", "go searchmoves: expected at least one move"),
            ("position startpos 4 4", "expected 'moves' after 'startpos', got '4'"),
            ("position", "position: expected 'startpos', a position or 'moves'"),
            ("setoption Hash 12", "setoption name <option>"),
            ("getoption Hash", "getoption: expected 'getoption [name <option>]'"),
            ("getoption name", "getoption: expected 'getoption [name <option>]'"),
            ("setoption name value 3", "setoption name <option>"),
            ("play", "play: expected one move, got 0"),
            ("stop now", "stop: expected no more words, got 'now'"),
            ("query", "query: expected p1turn, gameover or result"),
            ("query p2turn", "query: expected p1turn"),
            ("why", "why: expected 'not' and a move"),
            ("why not", "why not: expected a move"),
            ("why not 4 searchmoves 5", "why not: unknown word 'searchmoves' (depth nodes"),
            ("explain searchmoves", "explain searchmoves: expected at least one move"),
            ("explain nodes x", "explain nodes: expected a number, got 'x'"),
            ("tree 3", "tree: unknown word '3' (depth text json dot moves)"),
            ("tree dept 3", "tree: unknown word 'dept', did you mean 'depth'?"),
            ("tree depth", "tree depth: expected a number"),
            ("tree depth 0", "tree depth: expected at least 1, got 0"),
            ("eval full now", "eval: expected no more words, got 'now'"),
            ("uc", "did you mean 'uci'?"),
        ] {
            let error = error(line);
            assert!(error.contains(part), "{line}: {error}");
        }
        let error_of_bytes = parse_line(b"go \xff", Dialect::Native).unwrap_err();
        assert!(error_of_bytes.contains("invalid UTF-8 at byte 4"));
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
