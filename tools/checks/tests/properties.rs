//! Random lines for the parser, random sessions for the model: the lines of the fuzzer's
//! conversations, some of them with a few bytes changed.

use arbitrary::Unstructured;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use ratlla::any_game::AnyGame;
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla_checks::conversation::{check_model, next_line};
use ratlla_checks::model::Model;

/// A change to the bytes of a line.
#[derive(Clone, Debug)]
enum Mutation {
    Replace(Index, u8),
    Insert(Index, u8),
    Delete(Index),
    Truncate(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    prop_oneof![
        (any::<Index>(), any::<u8>()).prop_map(|(place, byte)| Mutation::Replace(place, byte)),
        (any::<Index>(), any::<u8>()).prop_map(|(place, byte)| Mutation::Insert(place, byte)),
        any::<Index>().prop_map(Mutation::Delete),
        any::<Index>().prop_map(Mutation::Truncate),
    ]
}

/// The choices that make a line once the game is known, the changes to that line, and a line that must be
/// refused before it.
#[derive(Clone, Debug)]
struct Recipe {
    choices: Vec<u8>,
    mutations: Vec<Mutation>,
    refused: Option<Index>,
}

/// Mostly valid lines, some with a few bytes changed.
fn recipe() -> impl Strategy<Value = Recipe> {
    let mutations = prop_oneof![3 => Just(Vec::new()), 1 => vec(mutation(), 1..4)];
    let refused = prop_oneof![3 => Just(None), 1 => any::<Index>().prop_map(Some)];
    (vec(any::<u8>(), 1..60), mutations, refused).prop_map(|(choices, mutations, refused)| Recipe {
        choices,
        mutations,
        refused,
    })
}

impl Recipe {
    /// The line; if the choices do not suffice for one, these bytes themselves.
    fn line(&self, game: &dyn AnyGame) -> Vec<u8> {
        let line = next_line(&mut Unstructured::new(&self.choices), game);
        let mut line = line.unwrap_or_else(|| self.choices.clone());
        for mutation in &self.mutations {
            if line.is_empty() {
                break;
            }
            let length = line.len();
            match mutation {
                Mutation::Replace(place, byte) => line[place.index(length)] = *byte,
                Mutation::Insert(place, byte) => line.insert(place.index(length), *byte),
                Mutation::Delete(place) => drop(line.remove(place.index(length))),
                Mutation::Truncate(place) => line.truncate(place.index(length)),
            }
        }
        line
    }
}

fn dialect() -> impl Strategy<Value = Dialect> {
    select(vec![Dialect::Native, Dialect::Uci, Dialect::Ugi])
}

/// Runs a session, then `quit` if asked for, and checks its output.
fn check_session(recipes: &[Recipe], quit: bool) {
    let mut model = Model::new();
    for recipe in recipes {
        let refused = model.refused_lines();
        if let Some(index) = recipe.refused.filter(|_| !refused.is_empty()) {
            model.refuse(&refused[index.index(refused.len())]);
        }
        let line = recipe.line(model.game());
        model.send(&line);
    }
    check_model(model, quit);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_line_is_a_command_or_a_short_printable_error(recipe in recipe(), dialect in dialect()) {
        if let Err(message) = parse_line(&recipe.line(Model::new().game()), dialect) {
            prop_assert!(!message.is_empty() && message.len() < 1000);
            prop_assert!(!message.contains(char::is_control), "{message:?}");
        }
    }

    #[test]
    fn whitespace_around_words_does_not_matter(
        recipe in recipe(), spaces in "[ \t]{1,3}", dialect in dialect(),
    ) {
        let parsed = |line: &str| parse_line(line.as_bytes(), dialect);
        let line = recipe.line(Model::new().game());
        if let Ok(line) = std::str::from_utf8(&line) {
            let words = line.split_whitespace();
            let spaced: String = words.map(|word| format!("{spaces}{word}{spaces}")).collect();
            prop_assert_eq!(parsed(&format!("{spaced}\r")), parsed(line));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_answers_every_go_with_one_legal_move(recipes in vec(recipe(), 0..25)) {
        check_session(&recipes, false);
    }

    #[test]
    fn a_session_ends_with_quit_at_any_time(recipes in vec(recipe(), 0..12)) {
        check_session(&recipes, true);
    }
}
