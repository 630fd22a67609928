//! The minimal protocol: each line on stdin is the move history, each answer a single move.

use super::{Dialect, EngineMessage, GoCommand, GoParams, Handshake, Position, is_error_line};

/// Histories in, moves out. An empty line is the start position.
pub struct Line;

impl Dialect for Line {
    fn supports_setup(&self) -> bool {
        false
    }

    fn hello(&self) -> Option<Handshake> {
        None
    }

    fn is_ready(&self) -> Option<Handshake> {
        None
    }

    fn set_option(&self, _name: &str, _value: &str) -> Option<String> {
        None
    }

    fn new_game(&self, _title: &str) -> Vec<String> {
        Vec::new()
    }

    fn go_command(&self, position: &Position, _go: &GoParams) -> GoCommand {
        GoCommand { position: None, go: position.moves.join(" ") }
    }

    fn parse(&self, line: &str, _position: &Position) -> EngineMessage {
        match line.trim() {
            _ if is_error_line(line) => EngineMessage::Error,
            word => EngineMessage::BestMove { mv: word.to_owned(), ponder: Vec::new() },
        }
    }

    fn quit(&self) -> Option<&'static str> {
        None
    }
}
