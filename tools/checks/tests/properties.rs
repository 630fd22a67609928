//! Random lines for the parser, random sessions for the model.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::{COMMANDS, parse_line};
use ratlla_checks::conversation::check_model;
use ratlla_checks::model::Model;

/// Mostly plausible numbers.
fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => (0..9u32).prop_map(|number| number.to_string()),
        1 => (0..3000u32).prop_map(|number| number.to_string()),
        1 => select(vec!["-1", "99999999999999999999999999999", "x", "1.5", "", "07", "25"])
            .prop_map(str::to_owned),
    ]
}

fn words(one: impl Strategy<Value = String>, most: usize) -> impl Strategy<Value = String> {
    vec(one, 0..=most).prop_map(|words| words.join(" "))
}

fn go() -> impl Strategy<Value = String> {
    let limit = prop_oneof![
        4 => (select(vec!["depth", "nodes", "movetime", "p1time", "p2time", "movestogo", "p1inc"]),
            number()).prop_map(|(word, number)| format!("{word} {number}")),
        1 => words(number(), 3).prop_map(|moves| format!("searchmoves {moves}")),
        1 => select(vec!["infinite", "ponder"]).prop_map(str::to_owned),
    ];
    words(limit, 3).prop_map(|limits| format!("go {limits}"))
}

fn position() -> impl Strategy<Value = String> {
    let cells = vec(select(vec!['.', '.', '.', 'X', 'O', '1', '/']), 0..30);
    prop_oneof![
        6 => words(number(), 20).prop_map(|moves| format!("position moves {moves}")),
        1 => (cells, select(vec!["", "p1", "p2", "p3"])).prop_map(|(cells, side)| {
            format!("position grid {} {side}", cells.into_iter().collect::<String>())
        }),
        // Games that are over, and an open win.
        1 => select(vec![
            "position moves 1 2 1 2 1 2 1",
            "position grid ......./......./......./......./......./XXXX... p2",
            "position moves 4 4 5 5 6 6",
        ]).prop_map(str::to_owned),
    ]
}

/// Valid and invalid settings.
const SETTINGS: &[&str] = &[
    "setoption name Hash value 1",
    "setoption name Hash value 2",
    "setoption name Clear Hash",
    "setoption name Threads value 1",
    "setoption name Threads value 2",
    "setoption name MultiPV value 1",
    "setoption name MultiPV value 3",
    "setoption name Strategy value full",
    "setoption name Strategy value random",
    "setoption name Strategy value minimax",
    "setoption name Depth value 2",
    "setoption name Level value 1",
    "setoption name Level value 10",
    "setoption name Hash value 0",
    "setoption name Threads value many",
    "setoption name Colour value red",
];

fn dialect() -> impl Strategy<Value = Dialect> {
    select(vec![Dialect::Native, Dialect::Uci, Dialect::Ugi])
}

/// A mostly valid line.
fn command() -> impl Strategy<Value = String> {
    let names: Vec<&str> = COMMANDS.iter().map(|&(name, ..)| name).collect();
    prop_oneof![
        4 => go(),
        3 => position(),
        2 => number().prop_map(|column| format!("play {column}")),
        1 => words(number(), 3).prop_map(|size| format!("newgame {size}")),
        1 => (4..9u32, 4..9u32).prop_map(|(rows, columns)| format!("newgame {rows} {columns}")),
        2 => select(SETTINGS).prop_map(str::to_owned),
        3 => select(vec!["stop", "isready", "ponderhit", "undo"]).prop_map(str::to_owned),
        // Solving without limits may take forever.
        2 => select(names).prop_filter("ends the session, or may never end", |name| {
            !["quit", "analyze", "go solve"].contains(name)
        }).prop_map(str::to_owned),
        1 => number().prop_map(|depth| format!("go perft {depth}")),
    ]
}

/// A change to the bytes of a line.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Index, u8),
    Insert(Index, u8),
    Delete(Index),
    CutAfter(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(place, byte)| Mutation::Replace(place, byte)),
        (any::<Index>(), any::<u8>()).prop_map(|(place, byte)| Mutation::Insert(place, byte)),
        any::<Index>().prop_map(Mutation::Delete),
        any::<Index>().prop_map(Mutation::CutAfter),
    ]
}

fn mutated(mut line: Vec<u8>, mutations: Vec<Mutation>) -> Vec<u8> {
    for mutation in mutations {
        if line.is_empty() {
            break;
        }
        let length = line.len();
        match mutation {
            Mutation::Replace(place, byte) => line[place.index(length)] = byte,
            Mutation::Insert(place, byte) => line.insert(place.index(length), byte),
            Mutation::Delete(place) => drop(line.remove(place.index(length))),
            Mutation::CutAfter(place) => line.truncate(place.index(length)),
        }
    }
    line
}

/// Mostly valid lines, some with a few bytes changed, some of random bytes.
fn line() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        12 => command().prop_map(String::into_bytes),
        3 => (command(), vec(mutation(), 1..4))
            .prop_map(|(line, mutations)| mutated(line.into_bytes(), mutations)),
        1 => vec(any::<u8>(), 0..40),
    ]
}

/// Runs a session, then `quit` if asked for, and checks its output.
fn check_session(lines: &[Vec<u8>], quit: bool) {
    let mut model = Model::new();
    lines.iter().for_each(|line| model.send(line));
    check_model(model, quit);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_is_a_command_or_a_short_printable_error(line in line(), dialect in dialect()) {
        if let Err(message) = parse_line(&line, dialect) {
            prop_assert!(!message.is_empty() && message.len() < 1000);
            prop_assert!(!message.contains(char::is_control), "{message:?}");
        }
    }

    #[test]
    fn whitespace_around_words_does_not_matter(
        line in command(), spaces in "[ \t]{1,3}", dialect in dialect(),
    ) {
        let spaced: String =
            line.split_whitespace().map(|word| format!("{spaces}{word}{spaces}")).collect();
        let parsed = |line: &str| parse_line(line.as_bytes(), dialect);
        prop_assert_eq!(parsed(&format!("{spaced}\r")), parsed(&line));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_answers_every_go_with_one_legal_move(lines in vec(line(), 0..25)) {
        check_session(&lines, false);
    }

    #[test]
    fn a_session_ends_with_quit_at_any_time(lines in vec(line(), 0..12)) {
        check_session(&lines, true);
    }
}
