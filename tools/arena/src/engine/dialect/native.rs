//! The protocol of `ratlla` itself.

use super::{Dialect, Exchange, Go, Position, Question, go};

/// See `protocol.md`.
pub struct Native;

/// The words for the clocks of player 1 and 2.
pub const CLOCK_WORDS: [[&str; 2]; 2] = [["p1time", "p1inc"], ["p2time", "p2inc"]];

impl Dialect for Native {
    fn hello(&self) -> Option<Exchange> {
        None
    }

    fn new_game(&self, title: &str) -> Vec<String> {
        vec![format!("newgame {title}")]
    }

    fn question(&self, position: &Position, limits: &Go) -> Question {
        let setup = match (position.setup.as_str(), &position.moves[..]) {
            ("", []) => " startpos".to_owned(),
            ("", _) => String::new(),
            (setup, _) => format!(" {setup}"),
        };
        let prepare = format!("position{setup}{}", moves(&position.moves));
        Question { prepare: Some(prepare), ask: go(limits, CLOCK_WORDS) }
    }
}

/// ` moves` and the moves, if there are any.
pub fn moves(moves: &[String]) -> String {
    if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) }
}
