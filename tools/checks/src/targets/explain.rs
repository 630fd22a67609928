//! What `explain` and `why not` say, in any position.

use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::SearchResult;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;

use super::{assert_message, for_each_position};

/// The length of the searches.
const NODES: u64 = 200;

/// Every legal move has one reason, and a refutation is a line that can be played. All texts are
/// printable. Whether the claims hold is checked by the engine's own tests, with naive rules.
pub fn check(data: &[u8]) {
    let tt = TranspositionTable::new(1).expect("one MiB");
    for_each_position(data, |game| {
        let legal = game.moves();
        let go = Go { goal: Goal::Explain, nodes: Some(NODES), ..Go::default() };
        let found = search(game, &go, &tt);
        let reasons = game.explain(&go, &found);
        let mut explained: Vec<&String> = reasons.iter().map(|reason| &reason.mv).collect();
        explained.sort();
        let mut expected: Vec<&String> = legal.iter().collect();
        expected.sort();
        assert_eq!(explained, expected);
        for reason in &reasons {
            assert_message(&reason.sentence);
            assert!(!reason.cells.iter().any(|cell| cell.contains(char::is_control)));
        }
        // The worst move.
        let Some(asked) = reasons.last().map(|reason| reason.mv.clone()) else {
            return;
        };
        let go = Go { goal: Goal::Refute, asked: Some(asked.clone()), ..go };
        let found = search(game, &go, &tt);
        let refutation = game.refute(&go, &found).expect("a legal move has an answer");
        assert_message(&refutation.sentence);
        assert!(legal.contains(&refutation.best) && refutation.mv == asked);
        for mv in &refutation.line {
            game.play(mv).unwrap_or_else(|error| panic!("{refutation:?}: {error}"));
        }
        refutation.line.iter().for_each(|_| game.undo().expect("a move to undo"));
    });
}

fn search(game: &mut dyn AnyGame, go: &Go, tt: &TranspositionTable) -> SearchResult<String> {
    let settings = Settings { hash: 1, ..Settings::default() };
    let mut endgames = EndgameStore::default();
    let control = game.prepare(go, &settings, &endgames).expect("a legal request");
    game.search(go, &settings, &control, tt, &mut endgames, &mut |_| {})
}
