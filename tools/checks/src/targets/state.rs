//! The reply to `state`, in any position.

use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::state::GameState;
use ratlla::protocol::state_reply::StateReply;
use ratlla::settings::Settings;
use serde_json::Value;

use super::for_each_position;

/// The reply is one line of JSON, agrees with the rules, and the last move after a move is that move.
pub fn check(data: &[u8]) {
    for_each_position(data, |game| {
        let state = state_of(game);
        assert_eq!((state.result, &state.position), (game.outcome(), &game.position_text()));
        assert!(state.moves.iter().map(|mv| &mv.text).eq(&game.moves()));
        assert_eq!(state.ending.is_some(), state.result.is_some());
        let board = &state.board.rows;
        assert!(board.iter().all(|row| row.len() == board[0].len()), "{board:?}");
        assert_json(game, &state);
        for mv in state.moves {
            game.play(&mv.text).expect("a legal move");
            let after = state_of(game);
            assert_eq!(after.result.is_none() && after.side == mv.side, mv.again, "{mv:?}");
            assert_eq!(after.history.last(), Some(&mv.text));
            assert_eq!(after.last, Some(mv));
            game.undo().expect("a move to undo");
        }
    });
}

fn state_of(game: &dyn AnyGame) -> GameState {
    game.state(&Settings::default(), &EndgameStore::default())
}

fn assert_json(game: &dyn AnyGame, state: &GameState) {
    let title = game.title();
    let reply = StateReply { game: title, name: "", parameters: Vec::new(), state: state.clone() };
    let text = reply.json();
    assert!(!text.contains(char::is_control), "{text:?}");
    let object: Value = serde_json::from_str(&text).expect("JSON");
    let moves = object["moves"].as_array().expect("an array");
    assert_eq!(moves.len(), state.moves.len(), "{text}");
}
