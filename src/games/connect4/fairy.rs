//! The notation of chess programs that play Connect Four as the variant `cfour`.
//!
//! A stone is a pawn dropped from the hand: `P@d1` names the file and the rank of the cell where it
//! lands, both counted from the lower left corner. A position is a FEN:
//!
//! ```text
//! <rows from the top>[<stones in hand>] <side> - - 0 <full-move number>
//! 7/7/7/7/3p3/2PP3[PPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] b - - 0 2
//! ```
//!
//! `P` is a stone of player 1, `p` one of player 2, and a number stands for that many empty cells.
//! Player 1 is `w`, player 2 `b`.

use super::board::{Board, Column, Size};
use super::notation::{rows_from_top, stacked, stone_counts};
use crate::game::{Game, Side};
use crate::games::grid;
use crate::text::{expected, is_number, parse_number};

/// The text of a legal move.
pub fn move_text(board: &Board, Column(column): Column) -> String {
    let file = file_letter(column.into());
    format!("P@{file}{}", board.height(column.into()) + 1)
}

/// The move that `text` names, or `None` if it is not in this notation.
pub fn parse_move(board: &Board, text: &str) -> Option<Result<Column, String>> {
    let cell = text.strip_prefix("P@").or_else(|| text.strip_prefix("p@"))?;
    Some(parse_cell(board, cell))
}

fn parse_cell(board: &Board, cell: &str) -> Result<Column, String> {
    let Size { rows, columns, .. } = board.size();
    let mut letters = cell.chars();
    let file = letters.next().unwrap_or(' ').to_ascii_lowercase();
    let column = (0..columns).find(|&column| file_letter(column) == file);
    let rank = parse_number(letters.as_str()).filter(|rank| (1..=rows).contains(rank));
    let (Some(column), Some(rank)) = (column, rank) else {
        return Err(format!("expected a cell (a1..{}{rows})", file_letter(columns - 1)));
    };
    let height = board.height(column);
    if height == rows {
        Err(format!("column {file} is full"))
    } else if rank != height + 1 {
        Err(format!("a stone in column {file} lands on {file}{}", height + 1))
    } else {
        Ok(Column(column as u8))
    }
}

fn file_letter(column: usize) -> char {
    // At most 25 columns: the alphabet suffices.
    char::from(b'a' + column as u8)
}

/// The number of stones each player has at the start.
fn in_hand_at_start(size: Size) -> [usize; 2] {
    [size.cells().div_ceil(2), size.cells() / 2]
}

const LETTERS: [char; 2] = ['P', 'p'];

/// The position as the `position` command takes it.
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

/// A row with its runs of dots as numbers.
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

/// The position of a FEN, split into words. The words after the side to move are optional.
pub fn parse_position(size: Size, words: &[&str]) -> Result<Board, String> {
    let (board, rest) = match words {
        [board, rest @ ..] => (*board, rest),
        [] => return Err("the FEN is empty".to_owned()),
    };
    let side = match rest.first() {
        Some(&"w") => Side::P1,
        Some(&"b") => Side::P2,
        Some(word) => return Err(expected("a side to move (w or b)", word)),
        None => return Err("expected a side to move (w or b) after the board".to_owned()),
    };
    check_counters(&rest[1..])?;
    let (rows, hand) = match board.split_once('[') {
        None => (board, None),
        Some((rows, hand)) => {
            let hand = hand.strip_suffix(']').ok_or("expected ']' after the stones in hand")?;
            (rows, Some(hand))
        }
    };
    let columns = parse_rows(size, rows)?;
    if let Some(hand) = hand {
        check_hand(size, &columns, hand)?;
    }
    Board::from_columns(size, &columns, side)
}

/// Checks the castling and en passant fields, which some programs omit, and the two move counters.
/// None of them matters in this game.
fn check_counters(words: &[&str]) -> Result<(), String> {
    let (dashes, numbers) = match words {
        ["-", "-", numbers @ ..] => (2, numbers),
        ["-", numbers @ ..] => (1, numbers),
        numbers => (0, numbers),
    };
    for (index, word) in numbers.iter().enumerate() {
        if index >= 2 || dashes == 1 || !is_number(word) {
            return Err(expected("a FEN that ends with '- - 0 1'", word));
        }
    }
    Ok(())
}

/// The stones of each column from the bottom.
fn parse_rows(size: Size, text: &str) -> Result<Vec<Vec<Side>>, String> {
    let stone = |symbol: char| match symbol {
        EMPTY => Some(None),
        'P' => Some(Some(Side::P1)),
        'p' => Some(Some(Side::P2)),
        _ => None,
    };
    let rows = (1..).zip(grid::split_rows(text, size.rows)?).map(|(number, row)| {
        grid::parse_row(number, &spelled_out(row), size.columns, stone, "P, p or a number")
    });
    stacked(&rows.collect::<Result<Vec<_>, String>>()?)
}

/// A cell that is empty, in a row without numbers. No word contains it.
const EMPTY: char = ' ';

/// A row with each number replaced by that many empty cells, as far as any board could need them.
fn spelled_out(row: &str) -> String {
    const WIDEST: usize = 99;
    let mut cells = String::new();
    let mut rest = row;
    while let Some(symbol) = rest.chars().next().filter(|_| cells.len() <= WIDEST) {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        if digits > 0 {
            let empty = rest[..digits].parse().unwrap_or(WIDEST).min(WIDEST);
            cells.extend(std::iter::repeat_n(EMPTY, empty));
            rest = &rest[digits..];
        } else {
            cells.push(symbol);
            rest = &rest[symbol.len_utf8()..];
        }
    }
    cells
}

/// Checks that the stones in hand are those that are not on the board.
fn check_hand(size: Size, columns: &[Vec<Side>], hand: &str) -> Result<(), String> {
    let letters = hand.trim_matches('-');
    if let Some(letter) = letters.chars().find(|letter| !LETTERS.contains(letter)) {
        return Err(expected("P or p in hand", &letter.to_string()));
    }
    let (start, on_board) = (in_hand_at_start(size), stone_counts(columns));
    for side in 0..2 {
        let letter = LETTERS[side];
        let count = letters.matches(letter).count();
        let left = start[side].saturating_sub(on_board[side]);
        if count != left {
            return Err(format!("expected {left} {letter} in hand with this board, got {count}"));
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
    fn the_start_position_is_that_of_other_programs() {
        let start = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1";
        assert_eq!(position_text(&board(6, 7)), format!("fen {start}"));
        assert_eq!(parsed(start), Ok(board(6, 7)));
    }

    #[test]
    fn a_position_reads_back_with_or_without_its_optional_parts() {
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
    fn numbers_have_two_digits_on_wide_boards() {
        let wide = board(4, 12);
        let text = position_text(&wide);
        assert!(text.starts_with("fen 12/12/12/12["), "{text}");
        let words: Vec<&str> = text.split(' ').skip(1).collect();
        assert_eq!(wide.parse_position(&words), Ok(wide));
    }

    #[test]
    fn bad_positions_are_refused_with_the_reason() {
        for (text, part) in [
            ("7/7/7/7/7 w - - 0 1", "expected 6 rows, got 5"),
            ("7/7/7/7/7/6 w", "row 6: expected 7 cells, got 6"),
            ("7/7/7/7/7/8 w", "row 6: expected 7 cells, got 8"),
            ("7/7/7/7/7/99999999999999999999999 w", "expected 7 cells, got 99"),
            ("7/7/7/7/7/PPPPPPPPPPP w", "expected 7 cells, got 11"),
            ("7/7/7/7/7/3K3 w", "row 6, column 4: expected P, p or a number, got 'K'"),
            ("7/7/7/7/7/3\u{e9}3 w", "got '\u{e9}'"),
            ("7/7/7/7/7/3.3 w", "got '.'"),
            ("7/7/7/7/3P3/7 b", "row 5, column 4: the cell below the stone is empty"),
            ("7/7/7/7/7/7", "expected a side to move (w or b) after the board"),
            ("7/7/7/7/7/7 white", "expected a side to move (w or b), got 'white'"),
            ("7/7/7/7/7/7 w KQkq", "expected a FEN that ends with '- - 0 1', got 'KQkq'"),
            ("7/7/7/7/7/7 w - - x 1", "got 'x'"),
            ("7/7/7/7/7/7 w - - 0 1 2", "got '2'"),
            ("7/7/7/7/7/7 w - 0 1", "got '0'"),
            ("7/7/7/7/7/7[PP w", "expected ']'"),
            ("7/7/7/7/7/7[PPQ] w", "expected P or p in hand, got 'Q'"),
            ("7/7/7/7/7/7[Pp] w", "expected 21 P in hand with this board, got 1"),
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
            ("P@d7", "expected a cell (a1..g6)"),
            ("P@d6", "column d is full"),
            ("P@e2", "lands on e1"),
            ("P@h1", "expected a cell"),
            ("P@", "expected a cell"),
            ("P@e", "expected a cell"),
            ("P@e+1", "expected a cell"),
            ("P@\u{e9}1", "expected a cell"),
            ("e1", "expected a column"),
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
