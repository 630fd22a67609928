//! The protocol of `ratlla` itself.

use super::{Dialect, Exchange, Go, Heard, Position, Question, go, hear, set_option};

/// See `protocol.md`.
pub struct Native;

/// The words for the clocks of player 1 and 2.
pub const CLOCK_WORDS: [[&str; 2]; 2] = [["p1time", "p1inc"], ["p2time", "p2inc"]];

impl Dialect for Native {
    fn plays(&self, _title: &str) -> Result<(), String> {
        Ok(())
    }

    fn sets_up_positions(&self) -> bool {
        true
    }

    fn hello(&self) -> Option<Exchange> {
        None
    }

    fn sync(&self) -> Option<Exchange> {
        Some(Exchange { say: "isready", answer: "readyok" })
    }

    fn set_option(&self, name: &str, value: &str) -> Option<String> {
        set_option(name, value)
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

    fn hear(&self, line: &str, _position: &Position) -> Heard {
        hear(line)
    }

    fn stop(&self) -> Option<&'static str> {
        Some("stop")
    }

    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// ` moves` and the moves, if there are any.
pub fn moves(moves: &[String]) -> String {
    if moves.is_empty() { String::new() } else { format!(" moves {}", moves.join(" ")) }
}
