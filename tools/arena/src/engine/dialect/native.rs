//! The native protocol of `ratlla`.

use super::{Dialect, GoCommand, GoParams, Handshake, Position, go_line};

/// See `protocol.md`.
pub struct Native;

/// The words for time and increment of player 1 and player 2.
pub const CLOCK_WORDS: [[&str; 2]; 2] = [["p1time", "p1inc"], ["p2time", "p2inc"]];

impl Dialect for Native {
    fn hello(&self) -> Option<Handshake> {
        None
    }

    fn list_options(&self) -> Option<&'static str> {
        Some("options")
    }

    fn new_game(&self, title: &str) -> Vec<String> {
        vec![format!("newgame {title}")]
    }

    fn go_command(&self, position: &Position, go: &GoParams) -> GoCommand {
        let mut line = "position".to_owned();
        match (position.setup.as_str(), &position.moves[..]) {
            ("", []) => line += " startpos",
            ("", _) => {}
            (setup, _) => {
                line.push(' ');
                line += setup;
            }
        }
        line += &moves(&position.moves);
        GoCommand { position: Some(line), go: go_line(go, CLOCK_WORDS) }
    }
}

/// ` moves` and the moves; empty if there are none.
pub fn moves(moves: &[String]) -> String {
    let mut text = String::with_capacity(8 + moves.iter().map(|mv| mv.len() + 1).sum::<usize>());
    if !moves.is_empty() {
        text += " moves";
    }
    for mv in moves {
        text.push(' ');
        text += mv;
    }
    text
}
