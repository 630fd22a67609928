//! The smallest thing that plays: each line on stdin is all moves so far, each answer one move.

use super::{Dialect, Exchange, Go, Heard, Position, Question, is_complaint};

/// Histories in, moves out. The empty line is the start of a game.
pub struct Line;

impl Dialect for Line {
    fn sets_up_positions(&self) -> bool {
        false
    }

    fn hello(&self) -> Option<Exchange> {
        None
    }

    fn sync(&self) -> Option<Exchange> {
        None
    }

    fn set_option(&self, _name: &str, _value: &str) -> Option<String> {
        None
    }

    fn new_game(&self, _title: &str) -> Vec<String> {
        Vec::new()
    }

    fn question(&self, position: &Position, _go: &Go) -> Question {
        Question { prepare: None, ask: position.moves.join(" ") }
    }

    fn hear(&self, line: &str, _position: &Position) -> Heard {
        match line.trim() {
            _ if is_complaint(line) => Heard::Complaint,
            word => Heard::Move(word.to_owned()),
        }
    }

    fn stop(&self) -> Option<&'static str> {
        None
    }

    fn quit(&self) -> Option<&'static str> {
        None
    }
}
