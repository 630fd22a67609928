//! The universal game interface (UGI): UCI generalised to any two-player game.

use super::native::{CLOCK_WORDS, moves};
use super::{Dialect, GoCommand, GoParams, Handshake, Position, go_line};

/// UGI. A FEN is a position of the native protocol.
pub struct Ugi;

impl Dialect for Ugi {
    fn hello(&self) -> Option<Handshake> {
        Some(Handshake { send: "ugi", expect: "ugiok" })
    }

    fn new_game(&self, title: &str) -> Vec<String> {
        // Engines that play a single game lack this option and ignore it.
        vec![format!("setoption name Game value {title}"), "uginewgame".to_owned()]
    }

    fn go_command(&self, position: &Position, go: &GoParams) -> GoCommand {
        let setup = match position.setup.as_str() {
            "" => "startpos".to_owned(),
            setup => format!("fen {setup}"),
        };
        let position = format!("position {setup}{}", moves(&position.moves));
        GoCommand { position: Some(position), go: go_line(go, CLOCK_WORDS) }
    }
}
