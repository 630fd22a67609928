//! Colours for board drawings: the players' pieces, in games whose drawing has letters for them.

use anstyle::{AnsiColor, Style};

/// For each game: the letters of both players' pieces and of empty cells.
const PIECES: [(&str, [&str; 2], &str); 3] =
    [("connect4", ["X", "O"], "-"), ("boom", ["14", "25"], "."), ("wali", ["1", "2"], "-")];

const PLAYERS: [Style; 2] =
    [AnsiColor::BrightRed.on_default().bold(), AnsiColor::BrightYellow.on_default().bold()];

/// A text in a player's colour.
pub fn player(side: usize, text: &str) -> String {
    let style = PLAYERS[side];
    format!("{style}{text}{style:#}")
}

/// A line of a drawing, with coloured pieces if it is a row of cells.
pub fn board_line(game: &str, text: &str) -> String {
    let name = game.split(' ').next().unwrap_or_default();
    let Some((_, pieces, empty)) = PIECES.iter().find(|(known, ..)| *known == name) else {
        return text.to_owned();
    };
    // A row may begin with its label.
    let label = if text.starts_with(' ') { 0 } else { text.find(' ').unwrap_or(0) };
    let (label, cells) = text.split_at(label);
    let is_cell =
        |c: char| c == ' ' || empty.contains(c) || pieces.iter().any(|letters| letters.contains(c));
    let single = cells.split_whitespace().all(|word| word.chars().count() == 1);
    if !single || !cells.chars().all(is_cell) {
        return text.to_owned();
    }
    let coloured = cells.chars().map(|c| {
        let side = pieces.iter().position(|letters| letters.contains(c));
        side.map_or_else(|| c.to_string(), |side| player(side, &c.to_string()))
    });
    format!("{label}{}", coloured.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn stripped(text: &str) -> String {
        anstream::adapter::strip_str(text).to_string()
    }

    #[test]
    fn pieces_are_coloured_and_numbers_are_not() {
        assert_ne!(board_line("connect4 6 7 4", " - X O -"), " - X O -");
        assert_ne!(board_line("wali", "5  - 1 2 -"), "5  - 1 2 -");
        assert!(board_line("wali", "1  - - -").starts_with("1  -"));
        for (game, text) in [
            ("connect4 6 7 4", " 1 2 3 4 5 6 7"),
            ("boom", " 1 2 3 4 5 6 7"),
            ("wali", "   a b c d e f"),
            ("kalah 6 4", "   4  4  4  1  2  5"),
            ("boom", " move 13: p1, one move"),
        ] {
            assert_eq!(board_line(game, text), text);
        }
    }

    proptest! {
        #[test]
        fn colours_do_not_change_the_text(
            text in "[ -.XO1245a-f3]{0,30}",
            game in "connect4|boom|wali|kalah|other",
        ) {
            prop_assert_eq!(stripped(&board_line(&game, &text)), text);
        }
    }
}
