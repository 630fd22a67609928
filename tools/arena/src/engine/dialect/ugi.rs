//! The universal game interface: UCI's habits for any game.

use super::native::{CLOCK_WORDS, moves};
use super::{Dialect, Exchange, Go, Position, Question, go};

/// UGI. What the protocol of `ratlla` calls a position is a FEN here.
pub struct Ugi;

impl Dialect for Ugi {
    fn hello(&self) -> Option<Exchange> {
        Some(Exchange { say: "ugi", answer: "ugiok" })
    }

    fn new_game(&self, title: &str) -> Vec<String> {
        // An engine that plays one game only has no such option and passes over it.
        vec![format!("setoption name Game value {title}"), "uginewgame".to_owned()]
    }

    fn question(&self, position: &Position, limits: &Go) -> Question {
        let setup = match position.setup.as_str() {
            "" => "startpos".to_owned(),
            setup => format!("fen {setup}"),
        };
        let prepare = format!("position {setup}{}", moves(&position.moves));
        Question { prepare: Some(prepare), ask: go(limits, CLOCK_WORDS) }
    }
}
