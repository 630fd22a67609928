//! How the games are played, in a few sentences for people.

/// One line about a game; `None` if nothing is known about it.
pub fn summary(game: &str) -> Option<&'static str> {
    Some(match game {
        "connect4" => "Connect Four, on boards up to 25x25",
        "boom" => "Connect Four with bombs, two moves a turn",
        "wali" => "drop stones, then make threes to capture",
        "kalah" => "sow and capture seeds",
        _ => return None,
    })
}

/// The rules of a game, in paragraphs.
pub fn rules(game: &str) -> &'static [&'static str] {
    match game {
        "connect4" => &[
            "A move is a column. The piece falls to the lowest empty cell of that column.",
            "Get four of your pieces (or as many as the third parameter says) in a line, horizontally, vertically or diagonally, and you win. If the board is full before that, the game is a draw.",
        ],
        "boom" => &[
            "X makes one move, then the players alternate with two moves each. A move is a column; the piece falls to its lowest empty cell. Four of your pieces in a line win, even in the middle of a turn.",
            "In every fourth turn, if you have no bomb on the board, the piece you drop is one: x or o. It counts as your piece. Later, the move 'boom' explodes it: it disappears together with all enemy pieces in its row, and the pieces above fall.",
            "If you cannot move, you lose. After 300 moves the game is a draw.",
        ],
        "wali" => &[
            "Drop phase: drop a stone on an empty cell, for example c3, but not next to a stone of your own (left, right, above or below). If you cannot, you pass. When neither player can, the move phase begins.",
            "Move phase: take a stone to an empty cell next to it, for example a2b2. If it then stands in a row or column of exactly three of your stones, it captures any one enemy stone, whose cell you add: a2b2xc4.",
            "A player without stones loses. A position that occurs for the third time, and 100 moves without a capture, are a draw.",
        ],
        "kalah" => &[
            "A move is the number of one of your houses. Its seeds are sown one by one, counter-clockwise: into your next houses, your store, and the houses of the other player, but not their store.",
            "If the last seed falls into your store, you move again. If it falls into an empty house of yours and there are seeds in the house opposite, you capture it together with them. With the parameter 'empty', you capture it even if there are none.",
            "When the houses of one player are empty, the other one stores all seeds that are left. The player with more seeds wins.",
        ],
        _ => &["No rules are known here; 'moves' lists the legal moves."],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_of_the_engine_has_rules() {
        for entry in ratlla::games::REGISTRY.0 {
            assert!(summary(entry.name).is_some(), "{}", entry.name);
            assert!(rules(entry.name).len() > 1, "{}", entry.name);
        }
        assert_eq!(summary("chess"), None);
    }
}
