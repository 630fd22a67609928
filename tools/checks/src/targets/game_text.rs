//! Texts of games: the arguments of `newgame` in the first line, of `position` in the others.

use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::{MoveNotation, Outcome};
use ratlla::games::REGISTRY;
use ratlla::settings::Settings;
use ratlla::strategy::FULL;

use super::assert_message;

/// Lines beyond these are ignored.
const MAX_LINES: usize = 8;

/// A text is rejected without effect, or is a position whose texts, and those of its moves, read
/// back in both notations.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let mut lines = text.lines();
    let title: Vec<&str> = lines.next().unwrap_or_default().split_whitespace().collect();
    let [name, parameters @ ..] = &title[..] else {
        return;
    };
    let mut game = match REGISTRY.open(name, parameters) {
        Ok(game) => game,
        Err(message) => return assert_message(&message),
    };
    for line in lines.take(MAX_LINES) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut parts = words.splitn(2, |&word| word == "moves");
        let mut part = || parts.next().unwrap_or_default();
        let before = State::of(&mut *game);
        match game.set_position(part(), part()) {
            Ok(()) => check_position(&mut *game),
            Err(message) => {
                assert_message(&message);
                assert_eq!(State::of(&mut *game), before, "after the rejected {line:?}");
            }
        }
    }
}

/// Everything observable of a position.
#[derive(Debug, PartialEq)]
struct State {
    key: u64,
    texts: [String; 2],
    moves: [Vec<String>; 2],
    outcome: Option<Outcome>,
}

const NOTATIONS: [MoveNotation; 2] = [MoveNotation::Native, MoveNotation::Fairy];

impl State {
    fn of(game: &mut dyn AnyGame) -> State {
        let mut texts = |notation| {
            game.set_notation(notation);
            (game.position_text(), game.moves())
        };
        let [own, fairy] = NOTATIONS.map(&mut texts);
        game.set_notation(MoveNotation::Native);
        State {
            key: game.key(),
            texts: [own.0, fairy.0],
            moves: [own.1, fairy.1],
            outcome: game.outcome(),
        }
    }
}

fn check_position(game: &mut dyn AnyGame) {
    let state = State::of(game);
    assert!(!game.drawing().is_empty());
    for name in [&game.evaluations()[..], &[FULL]].concat() {
        let terms = game.eval_terms(Some(name), &Settings::default(), &EndgameStore::default());
        assert_eq!(terms.is_err(), state.outcome.is_some());
    }
    assert_eq!(state.moves[0].is_empty(), state.outcome.is_some());
    for text in &state.texts {
        let title = game.title();
        let title: Vec<&str> = title.split_whitespace().collect();
        let mut other = REGISTRY.open(title[0], &title[1..]).expect("a title opens its game");
        let words: Vec<&str> = text.split_whitespace().collect();
        other.set_position(&words, &[]).unwrap_or_else(|error| panic!("{text}: {error}"));
        let read = State::of(&mut *other);
        assert_eq!((read.key, &read.texts), (state.key, &state.texts), "{text}");
        // A draw may depend on the history, which texts do not contain.
        if state.outcome != Some(Outcome::Draw) {
            assert_eq!(read, state, "{text}");
        }
    }
    for (own, fairy) in state.moves[0].iter().zip(&state.moves[1]) {
        let after = [own, fairy].map(|mv| {
            game.play(mv).unwrap_or_else(|error| panic!("a legal move: {error}"));
            let after = (game.key(), game.position_text(), game.outcome());
            game.undo().expect("a move to undo");
            after
        });
        assert_eq!(after[0], after[1], "{own} and {fairy} are the same move");
    }
    assert_eq!(State::of(game), state, "after undoing all moves");
}
