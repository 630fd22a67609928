//! Connect Four in the words of chess programs that know it as the variant `cfour`.
//!
//! A stone is a pawn that is dropped from the hand: `P@d1` is the file and the rank of the cell
//! where it comes to rest, both counted from the lower left corner. A position is a FEN:
//!
//! ```text
//! <rows from the top>[<stones in hand>] <side> - - 0 <number of the move>
//! 7/7/7/7/3p3/2PP3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2
//! ```
//!
//! `P` is a stone of player 1, `p` one of player 2, a number so many empty cells; `w` says that
//! player 1 is to move, `b` player 2.

use super::board::{Board, Column, Size};
use super::notation::{rows_from_top, stacked};
use crate::game::{Game, Side};
use crate::text::escaped;

/// The word for a legal move.
pub fn move_text(board: &Board, Column(column): Column) -> String {
    let file = file_letter(column.into());
    format!("P@{file}{}", board.height(column.into()) + 1)
}

/// The move that `text` names, or `None` if it is in other words.
pub fn parse_move(board: &Board, text: &str) -> Option<Result<Column, String>> {
    let cell = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"))?;
    Some(parse_cell(board, cell))
}

fn parse_cell(board: &Board, cell: &str) -> Result<Column, String> {
    let Size { rows, columns, .. } = board.size();
    let last = file_letter(columns - 1);
    let mut letters = cell.chars();
    let file = letters.next().unwrap_or(' ').to_ascii_lowercase();
    let column = (0..columns).find(|&column| file_letter(column) == file);
    let rank = letters.as_str();
    let digits = rank.bytes().all(|byte| byte.is_ascii_digit());
    let rank = rank.parse::<usize>().ok().filter(|rank| digits && (1..=rows).contains(rank));
    let (Some(column), Some(rank)) = (column, rank) else {
        return Err(format!("no such cell: they go from a1 to {last}{rows}"));
    };
    let height = board.height(column);
    if height == rows {
        Err(format!("column {file} is full"))
    } else if rank != height + 1 {
        Err(format!("a stone in column {file} comes to rest on {file}{}", height + 1))
    } else {
        Ok(Column(column as u8))
    }
}

fn file_letter(column: usize) -> char {
    // No board has more columns than the alphabet letters.
    char::from(b'a' + column as u8)
}

/// The stones each player has at the start.
fn in_hand_at_start(size: Size) -> [usize; 2] {
    [size.cells().div_ceil(2), size.cells() / 2]
}

fn counts(columns: &[Vec<Side>]) -> [usize; 2] {
    [Side::P1, Side::P2]
        .map(|side| columns.iter().flatten().filter(|&&stone| stone == side).count())
}

const LETTERS: [char; 2] = ['P', 'p'];

/// The position as the words after `position`.
pub fn position_text(board: &Board) -> String {
    let rows = rows_from_top(board, |stone| stone.map_or('.', |side| LETTERS[side.index()]));
    let rows: Vec<String> = rows.iter().map(|row| counted(row)).collect();
    let size = board.size();
    let on_board = LETTERS.map(|letter| rows.iter().flat_map(|row| row.matches(letter)).count());
    let start = in_hand_at_start(size);
    let hand: String = (0..2)
        .map(|side| LETTERS[side].to_string().repeat(start[side].saturating_sub(on_board[side])))
        .collect();
    let side = match board.side_to_move() {
        Side::P1 => 'w',
        Side::P2 => 'b',
    };
    let number = on_board.iter().sum::<usize>() / 2 + 1;
    format!("fen {}[{hand}] {side} - - 0 {number}", rows.join("/"))
}

/// A row with its runs of empty cells as numbers.
fn counted(row: &str) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for cell in row.chars().chain(['/']) {
        if cell == '.' {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text += &empty.to_string();
            empty = 0;
        }
        if cell != '/' {
            text.push(cell);
        }
    }
    text
}

/// The position that the words of a FEN describe. The words after the side are not needed.
pub fn parse_position(size: Size, words: &[&str]) -> Result<Board, String> {
    let (board, rest) = match words {
        [board, rest @ ..] => (*board, rest),
        [] => return Err("the FEN is empty".to_owned()),
    };
    let side = match rest.first() {
        Some(&"w") => Side::P1,
        Some(&"b") => Side::P2,
        Some(word) => return Err(format!("'{}' is no side to move: w or b", escaped(word))),
        None => return Err("the side to move is missing after the board: w or b".to_owned()),
    };
    check_counters(&rest[1..])?;
    let (rows, hand) = match board.split_once('[') {
        None => (board, None),
        Some((rows, hand)) => {
            let hand = hand.strip_suffix(']').ok_or("the stones in hand want a ']' at the end")?;
            (rows, Some(hand))
        }
    };
    let columns = parse_rows(size, rows)?;
    if let Some(hand) = hand {
        check_hand(size, &columns, hand)?;
    }
    Board::from_columns(size, &columns, side)
}

/// Castling, en passant and two numbers: of no use here, but they are what they should be. Some
/// programs leave the first two out.
fn check_counters(words: &[&str]) -> Result<(), String> {
    let (dashes, numbers) = match words {
        ["-", "-", numbers @ ..] => (2, numbers),
        ["-", numbers @ ..] => (1, numbers),
        numbers => (0, numbers),
    };
    for (index, word) in numbers.iter().enumerate() {
        let is_number = word.bytes().all(|byte| byte.is_ascii_digit());
        if index >= 2 || dashes == 1 || !is_number {
            return Err(format!("'{}' does not belong there: '- - 0 1' ends a FEN", escaped(word)));
        }
    }
    Ok(())
}

/// The stones of each column from the bottom.
fn parse_rows(size: Size, text: &str) -> Result<Vec<Vec<Side>>, String> {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != size.rows {
        return Err(format!("the FEN has {} rows, the board {}", rows.len(), size.rows));
    }
    let cells = |(index, row): (usize, &&str)| {
        parse_row(size, row).map_err(|reason| format!("row {} of the FEN {reason}", index + 1))
    };
    let rows = rows.iter().enumerate().map(cells).collect::<Result<Vec<_>, String>>()?;
    stacked(size, &rows)
}

/// The cells of a row, as many as the board has columns.
fn parse_row(size: Size, row: &str) -> Result<Vec<Option<Side>>, String> {
    let mut cells = Vec::new();
    let mut rest = row;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            // A number too long for the machine is too large for any row.
            let empty = rest[..digits].parse().unwrap_or(usize::MAX).min(size.columns + 1);
            cells.extend(vec![None; empty]);
            rest = &rest[digits..];
            continue;
        }
        cells.push(Some(match letter {
            'P' => Side::P1,
            'p' => Side::P2,
            _ => return Err(format!("has '{}': P, p or a number", letter.escape_debug())),
        }));
        rest = &rest[1..];
        if cells.len() > size.columns {
            break;
        }
    }
    if cells.len() != size.columns {
        return Err(format!("has not {} cells", size.columns));
    }
    Ok(cells)
}

/// What is in hand must be what is not on the board.
fn check_hand(size: Size, columns: &[Vec<Side>], hand: &str) -> Result<(), String> {
    let letters = hand.trim_matches('-');
    if let Some(letter) = letters.chars().find(|letter| !LETTERS.contains(letter)) {
        return Err(format!("'{}' in hand: only P and p can be", letter.escape_debug()));
    }
    let (start, on_board) = (in_hand_at_start(size), counts(columns));
    for side in 0..2 {
        let letter = LETTERS[side];
        let told = letters.matches(letter).count();
        let left = start[side].saturating_sub(on_board[side]);
        if told != left {
            return Err(format!("{told} {letter} in hand: with this board there are {left}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::game::Notation;

    fn board(rows: usize, columns: usize) -> Board {
        Board::new(Size::new(rows, columns, 4).unwrap())
    }

    fn parsed(text: &str) -> Result<Board, String> {
        board(6, 7).parse_position(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn the_start_is_that_of_other_programs() {
        let start = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1";
        assert_eq!(position_text(&board(6, 7)), format!("fen {start}"));
        assert_eq!(parsed(start), Ok(board(6, 7)));
    }

    #[test]
    fn a_position_reads_back_with_or_without_what_is_not_needed() {
        let mut played = board(6, 7);
        for column in [3, 3, 2] {
            played.play(Column(column));
        }
        let text = "7/7/7/7/3p3/2PP3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2";
        assert_eq!(position_text(&played), format!("fen {text}"));
        assert_eq!(parsed(text).as_ref(), Ok(&played));
        for rest in ["b", "b -", "b - -", "b 0 2", "b - - 0"] {
            assert_eq!(parsed(&format!("7/7/7/7/3p3/2PP3 {rest}")).as_ref(), Ok(&played));
        }
    }

    #[test]
    fn wide_boards_have_numbers_of_two_digits() {
        let wide = board(4, 12);
        let text = position_text(&wide);
        assert!(text.starts_with("fen 12/12/12/12["), "{text}");
        let words: Vec<&str> = text.split(' ').skip(1).collect();
        assert_eq!(wide.parse_position(&words), Ok(wide));
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("7/7/7/7/7 w - - 0 1", "the FEN has 5 rows, the board 6"),
            ("7/7/7/7/7/6 w", "row 6 of the FEN has not 7 cells"),
            ("7/7/7/7/7/8 w", "row 6 of the FEN has not 7 cells"),
            ("7/7/7/7/7/99999999999999999999999 w", "has not 7 cells"),
            ("7/7/7/7/7/PPPPPPPPPPP w", "has not 7 cells"),
            ("7/7/7/7/7/3K3 w", "row 6 of the FEN has 'K'"),
            ("7/7/7/7/7/3\u{e9}3 w", "has '\u{e9}'"),
            ("7/7/7/7/3P3/7 b", "column 4 floats"),
            ("7/7/7/7/7/7", "the side to move is missing"),
            ("7/7/7/7/7/7 white", "'white' is no side to move"),
            ("7/7/7/7/7/7 w KQkq", "'KQkq' does not belong there"),
            ("7/7/7/7/7/7 w - - x 1", "'x' does not belong there"),
            ("7/7/7/7/7/7 w - - 0 1 2", "'2' does not belong there"),
            ("7/7/7/7/7/7 w - 0 1", "'0' does not belong there"),
            ("7/7/7/7/7/7[PP w", "want a ']'"),
            ("7/7/7/7/7/7[PPQ] w", "'Q' in hand"),
            ("7/7/7/7/7/7[Pp] w", "1 P in hand: with this board there are 21"),
            ("pppp3/PPPP3/pppP3/PPPp3/pppP3/PPPp3 w", "both players have a line"),
        ] {
            let error = parsed(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn moves_are_cells() {
        let mut played = board(6, 7);
        assert_eq!(played.parse_move("P@d1"), Ok(Column(3)));
        assert_eq!(played.parse_move("p@G1"), Ok(Column(6)));
        for _ in 0..6 {
            played.play(Column(3));
        }
        assert_eq!(move_text(&played, Column(4)), "P@e1");
        for (text, part) in [
            ("P@d7", "no such cell: they go from a1 to g6"),
            ("P@d6", "column d is full"),
            ("P@e2", "comes to rest on e1"),
            ("P@h1", "no such cell"),
            ("P@", "no such cell"),
            ("P@e", "no such cell"),
            ("P@e+1", "no such cell"),
            ("P@\u{e9}1", "no such cell"),
            ("e1", "not a column"),
        ] {
            let error = played.parse_move(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_an_error_or_a_position_that_reads_back(
            text in prop_oneof![
                "[Pp1-9/\\[\\] wb-]{0,40}",
                "(7/){4}[Pp1-7]{1,7}/[Pp1-7]{1,7} [wb]",
                "\\PC{0,30}",
            ]
        ) {
            if let Ok(board) = parsed(&text) {
                let written = position_text(&board);
                prop_assert_eq!(parsed(written.trim_start_matches("fen ")), Ok(board));
            }
        }

        #[test]
        fn any_word_is_an_error_or_a_move_that_reads_back(text in "([Pp]@)?\\PC{0,6}|P@[a-i][0-9]") {
            if let Ok(mv) = board(6, 7).parse_move(&text) {
                prop_assert_eq!(board(6, 7).parse_move(&move_text(&board(6, 7), mv)), Ok(mv));
            }
        }
    }
}
