//! Lines of the Kalah Game Protocol.

use ratlla_kgp::board::Board;
use ratlla_kgp::line::{Argument, Line, quote};

/// A text is rejected or is a command, positions in it are rejected or playable, and quoted texts
/// read back.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(line) = Line::parse(&text) {
        line.arguments.iter().for_each(check_argument);
    }
    let plain = text.replace(['\n', '\r'], " ");
    let quoted = Line::parse(&format!("set x {}", quote(&plain))).expect("a quoted text");
    assert_eq!(quoted.arguments[1], Argument::Text(plain));
}

fn check_argument(argument: &Argument) {
    let Argument::Board(numbers) = argument else {
        return;
    };
    let Ok(board) = Board::new(numbers) else {
        return;
    };
    let moves = board.moves();
    if let Ok(game) = board.to_game() {
        let moves: Vec<String> = moves.iter().map(usize::to_string).collect();
        // More than half of the seeds win the game, even if there are moves left.
        assert!(game.moves() == moves || game.outcome().is_some(), "{numbers:?}");
    }
}
