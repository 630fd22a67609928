//! Positions as lines of text: the columns of the moves from the empty board.

use crate::games::connect4::solver::Position;
use crate::text::{escaped, parse_index};

/// Boards with at most this many columns have one-digit moves.
const MAX_DIGIT_COLUMNS: u32 = 9;

/// The position after the moves of `text` on the empty board, or which of them is wrong and why.
///
/// With up to nine columns a move is a digit and commas are optional; with more columns they are
/// required. An empty text is the empty board.
pub fn parse(text: &str, empty: Position) -> Result<Position, String> {
    words(text, empty.columns()).enumerate().try_fold(empty, |position, (index, word)| {
        let number = index + 1;
        if word.is_empty() {
            return Err(format!("move {number} is missing (commas separate moves)"));
        }
        play(&position, word)
            .map_err(|reason| format!("move {number}, '{}': {reason}", quoted(word)))
    })
}

/// A word for a message in single quotes. A double quote needs no escape there, and JSON would
/// escape it again.
fn quoted(word: &str) -> String {
    escaped(word).replace("\\\"", "\"")
}

/// The words of the moves.
fn words(text: &str, columns: u32) -> Box<dyn Iterator<Item = &str> + '_> {
    if text.is_empty() {
        Box::new(std::iter::empty())
    } else if columns > MAX_DIGIT_COLUMNS || text.contains(',') {
        Box::new(text.split(',').map(str::trim))
    } else {
        let letter = |(start, letter): (usize, char)| &text[start..start + letter.len_utf8()];
        Box::new(text.char_indices().map(letter))
    }
}

fn play(position: &Position, word: &str) -> Result<Position, String> {
    let columns = position.columns();
    let column = parse_index(word, "column", columns as usize).map_err(|reason| {
        let hint = if columns > MAX_DIGIT_COLUMNS { "; separate moves with commas" } else { "" };
        format!("{reason}{hint}")
    })?;
    if position.winner().is_some() || position.empties() == 0 {
        return Err("the game is already over".to_owned());
    }
    position.play(column as u32).ok_or_else(|| format!("column {} is full", column + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(rows: u32, columns: u32) -> Position {
        Position::new(rows, columns).expect("the size is allowed")
    }

    fn moves(rows: u32, columns: u32, moves: &[u32]) -> Result<Position, String> {
        Ok(Position::from_moves(rows, columns, moves.iter().copied()).expect("legal moves"))
    }

    #[test]
    fn moves_are_digits_or_numbers_with_commas() {
        assert_eq!(parse("", board(6, 7)), Ok(board(6, 7)));
        assert_eq!(parse("4451", board(6, 7)), moves(6, 7, &[3, 3, 4, 0]));
        assert_eq!(parse("4,4, 5 ,1", board(6, 7)), moves(6, 7, &[3, 3, 4, 0]));
        assert_eq!(parse("10,1,11", board(6, 11)), moves(6, 11, &[9, 0, 10]));
        assert_eq!(parse("11", board(6, 11)), moves(6, 11, &[10]));
        assert_eq!(parse("99", board(6, 9)), moves(6, 9, &[8, 8]));
    }

    #[test]
    fn the_first_wrong_move_is_named_with_the_reason() {
        for (text, reason) in [
            ("48", "move 2, '8': column 8 does not exist (columns are 1..7)"),
            ("40", "move 2, '0': column 0 does not exist (columns are 1..7)"),
            ("4x9", "move 2, 'x': expected a column (1..7)"),
            ("4 4", "move 2, ' ': expected a column (1..7)"),
            ("é", "move 1, 'é': expected a column (1..7)"),
            (",", "move 1 is missing (commas separate moves)"),
            ("1,2,", "move 3 is missing (commas separate moves)"),
            ("1, ,2", "move 2 is missing (commas separate moves)"),
            (r#"4"4"#, r#"move 2, '"': expected a column (1..7)"#),
            (r#"4,\"4"#, r#"move 2, '\\"4': expected a column (1..7)"#),
            ("4,+4", "move 2, '+4': expected a column (1..7)"),
            (
                "4,99999999999",
                "move 2, '99999999999': column 99999999999 does not exist (columns are 1..7)",
            ),
            ("1111111", "move 7, '1': column 1 is full"),
            ("12121212", "move 8, '2': the game is already over"),
        ] {
            assert_eq!(parse(text, board(6, 7)), Err(reason.to_owned()), "{text}");
        }
        let reason = "move 1, '1234': column 1234 does not exist (columns are 1..10); separate moves with commas";
        assert_eq!(parse("1234", board(6, 10)), Err(reason.to_owned()));
        let drawn = "12122121343443433";
        let reason = "move 17, '3': the game is already over";
        assert_eq!(parse(drawn, board(4, 4)), Err(reason.to_owned()));
    }

    #[test]
    fn long_words_and_control_characters_do_not_spoil_the_message() {
        let reason = parse(&format!("1,{}", "x".repeat(1000)), board(6, 7)).expect_err("no column");
        assert!(reason.len() < 150, "{reason}");
        let reason = parse("1\u{1b}", board(6, 7)).expect_err("no column");
        assert!(!reason.contains('\u{1b}'), "{reason}");
    }
}
