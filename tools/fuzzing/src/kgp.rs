//! Lines of the Kalah Game Protocol, as servers send them.

use ratlla_kgp::board::Board;
use ratlla_kgp::line::{Argument, Line, quote};

/// Any text is a command or refused, and so are the positions in it; texts in quotes read back.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    if let Ok(line) = Line::parse(&text) {
        line.arguments.iter().for_each(check_argument);
    }
    let plain = text.replace(['\n', '\r'], " ");
    let quoted = Line::parse(&format!("set x {}", quote(&plain))).expect("a text in quotes");
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
    if let Ok(table) = board.table() {
        let told: Vec<String> = moves.iter().map(usize::to_string).collect();
        // Whoever has more than half of the seeds has won, whatever can still be sown.
        assert!(table.moves() == told || table.outcome().is_some(), "{numbers:?}");
    }
}
