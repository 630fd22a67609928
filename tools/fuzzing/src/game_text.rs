//! Texts of games: what stands after `newgame` in the first line, after `position` in the others.

use ratlla::any_game::AnyGame;
use ratlla::game::{MoveNotation, Outcome};
use ratlla::games;

use crate::assert_message;

/// So many lines are looked at.
const MOST_LINES: usize = 8;

/// Any text is refused and changes nothing, or is a position whose own texts, and those of its
/// moves, read back.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let title: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let [name, parameters @ ..] = &title[..] else {
        return;
    };
    let mut table = match games::open(name, parameters) {
        Ok(table) => table,
        Err(message) => return assert_message(&message),
    };
    for line in lines.take(MOST_LINES) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut parts = words.splitn(2, |&word| word == "moves");
        let mut part = || parts.next().unwrap_or_default();
        let before = State::of(&mut *table);
        match table.set_position(part(), part()) {
            Ok(()) => check_position(&mut *table),
            Err(message) => {
                assert_message(&message);
                assert_eq!(State::of(&mut *table), before, "after the refused {line:?}");
            }
        }
    }
}

/// All that can be told of a position.
#[derive(Debug, PartialEq)]
struct State {
    key: u64,
    texts: [String; 2],
    moves: [Vec<String>; 2],
    outcome: Option<Outcome>,
}

const NOTATIONS: [MoveNotation; 2] = [MoveNotation::Native, MoveNotation::Fairy];

impl State {
    fn of(table: &mut dyn AnyGame) -> State {
        let mut told = |wording| {
            table.set_notation(wording);
            (table.position_text(), table.moves())
        };
        let [own, fairy] = NOTATIONS.map(&mut told);
        table.set_notation(MoveNotation::Native);
        State {
            key: table.key(),
            texts: [own.0, fairy.0],
            moves: [own.1, fairy.1],
            outcome: table.outcome(),
        }
    }
}

fn check_position(table: &mut dyn AnyGame) {
    let state = State::of(table);
    assert!(!table.drawing().is_empty());
    assert_eq!(table.evaluation().is_none(), state.outcome.is_some());
    assert_eq!(state.moves[0].is_empty(), state.outcome.is_some());
    for text in &state.texts {
        let title = table.title();
        let title: Vec<&str> = title.split_whitespace().collect();
        let mut other = games::open(title[0], &title[1..]).expect("a title opens its game");
        let words: Vec<&str> = text.split_whitespace().collect();
        other.set_position(&words, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        let read = State::of(&mut *other);
        assert_eq!((read.key, &read.texts), (state.key, &state.texts), "{text}");
        // Only the past, which no text tells, can have made a draw of it.
        if state.outcome != Some(Outcome::Draw) {
            assert_eq!(read, state, "{text}");
        }
    }
    for (own, fairy) in state.moves[0].iter().zip(&state.moves[1]) {
        let after = [own, fairy].map(|mv| {
            table.play(mv).unwrap_or_else(|error| panic!("the legal move {error}"));
            let after = (table.key(), table.position_text(), table.outcome());
            table.undo().expect("a move to take back");
            after
        });
        assert_eq!(after[0], after[1], "{own} and {fairy} are one move");
    }
    assert_eq!(State::of(table), state, "after all moves were taken back");
}
