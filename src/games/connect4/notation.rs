//! Text: columns from 1, and grids of cells with the top row first.
//!
//! [`fairy`] has the words that other programs use for the same.

use super::board::{Board, Column, Size};
use super::fairy;
use crate::game::{Game, Notation, Side};
use crate::games::grid;
use crate::text::{escaped, expected_position};

impl Notation for Board {
    fn move_text(&self, Column(column): Column) -> String {
        (column + 1).to_string()
    }

    fn fairy_move_text(&self, mv: Column) -> String {
        fairy::move_text(self, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Column, String> {
        if let Some(result) = fairy::parse_move(self, text) {
            return result;
        }
        let columns = self.size().columns;
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(format!("not a column: columns are numbers from 1 to {columns}"));
        }
        match text.parse::<usize>() {
            Ok(column) if (1..=columns).contains(&column) => {
                if self.is_column_full(column - 1) {
                    return Err(format!("column {column} is full"));
                }
                Ok(Column((column - 1) as u8))
            }
            _ => Err(format!("no such column: they go from 1 to {columns}")),
        }
    }

    fn position_text(&self) -> String {
        let rows = rows_from_top(self, |stone| match stone {
            None => '.',
            Some(Side::P1) => 'X',
            Some(Side::P2) => 'O',
        });
        format!("grid {} {}", rows.join("/"), self.side_to_move())
    }

    fn fairy_position_text(&self) -> String {
        fairy::position_text(self)
    }

    fn parse_position(&self, words: &[&str]) -> Result<Board, String> {
        let (cells, side) = match *words {
            ["grid", cells] => (cells, None),
            ["grid", cells, "p1"] => (cells, Some(Side::P1)),
            ["grid", cells, "p2"] => (cells, Some(Side::P2)),
            ["grid"] => {
                return Err("'grid' wants its cells: rows from the top, '/' between".to_owned());
            }
            ["grid", _, side] => {
                return Err(format!("'{}' is no side to move: p1 or p2", escaped(side)));
            }
            ["grid", _, _, word, ..] => {
                return Err(format!("unexpected '{}' after the side to move", escaped(word)));
            }
            [word, ..] if word.contains('/') => return fairy::parse_position(self.size(), words),
            [word, ..] => return Err(expected_position(word, "startpos, grid, fen")),
            [] => return Ok(Board::new(self.size())),
        };
        let columns = parse_columns(self.size(), cells)?;
        let side = match side {
            Some(side) => side,
            None => side_from_counts(&columns)?,
        };
        Board::from_columns(self.size(), &columns, side)
    }

    fn drawing(&self) -> String {
        let width = if self.size().columns > 9 { 3 } else { 2 };
        let rows = rows_from_top(self, |stone| match stone {
            None => '-',
            Some(Side::P1) => 'X',
            Some(Side::P2) => 'O',
        });
        let numbers: Vec<String> = (1..=self.size().columns).map(|n| n.to_string()).collect();
        let pad = |cells: Vec<String>| -> String {
            cells.iter().map(|cell| format!("{cell:>width$}")).collect()
        };
        let mut lines: Vec<String> =
            rows.iter().map(|row| pad(row.chars().map(String::from).collect())).collect();
        lines.push(pad(numbers));
        lines.join("\n")
    }
}

pub(super) fn rows_from_top(board: &Board, picture: impl Fn(Option<Side>) -> char) -> Vec<String> {
    let Size { rows, columns, .. } = board.size();
    grid::rows_from_top(rows, columns, |column, row| picture(board.stone(column, row)))
}

/// The stones of each column from the bottom.
fn parse_columns(size: Size, cells: &str) -> Result<Vec<Vec<Side>>, String> {
    let stone = |cell: char| match cell {
        '.' | '0' | '-' => Some(None),
        'X' | 'x' | '1' => Some(Some(Side::P1)),
        'O' | 'o' | '2' => Some(Some(Side::P2)),
        _ => None,
    };
    let known = "'.', 'X', 'O', or 0, 1, 2";
    stacked(size, &grid::parse(cells, size.rows, size.columns, stone, known)?)
}

/// The stones of each column from the bottom, from whole rows from the top.
pub(super) fn stacked(size: Size, rows: &[Vec<Option<Side>>]) -> Result<Vec<Vec<Side>>, String> {
    let mut columns = vec![Vec::new(); size.columns];
    for (row, stones) in rows.iter().rev().enumerate() {
        for (column, stone) in stones.iter().enumerate() {
            let Some(stone) = *stone else { continue };
            if columns[column].len() < row {
                return Err(format!(
                    "the stone in column {} floats above an empty cell",
                    column + 1
                ));
            }
            columns[column].push(stone);
        }
    }
    Ok(columns)
}

/// Player 1 starts, so equal numbers of stones mean his turn.
fn side_from_counts(columns: &[Vec<Side>]) -> Result<Side, String> {
    let count = |side| columns.iter().flatten().filter(|&&stone| stone == side).count();
    let (p1, p2) = (count(Side::P1), count(Side::P2));
    if p1 == p2 {
        Ok(Side::P1)
    } else if p1 == p2 + 1 {
        Ok(Side::P2)
    } else {
        Err(format!("{p1} X and {p2} O do not tell whose turn it is: add p1 or p2"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Outcome;

    fn start() -> Board {
        Board::new(Size::new(4, 5, 4).unwrap())
    }

    fn parsed(text: &str) -> Result<Board, String> {
        start().parse_position(&text.split(' ').collect::<Vec<_>>())
    }

    #[test]
    fn a_position_reads_back() {
        let text = "grid ...../.X.../.O.../XO..X p2";
        assert_eq!(parsed(text).unwrap().position_text(), text);
        assert_eq!(parsed("grid 00000/01000/02000/12001").unwrap(), parsed(text).unwrap());
        assert_eq!(parsed("grid -----/-x---/-o---/xo--x").unwrap(), parsed(text).unwrap());
    }

    #[test]
    fn stones_decide_whose_turn_it_is_or_it_must_be_said() {
        assert_eq!(parsed("grid ...../...../...../X.O..").unwrap().side_to_move(), Side::P1);
        assert_eq!(parsed("grid ...../...../...../X.O.X").unwrap().side_to_move(), Side::P2);
        assert!(parsed("grid ...../...../...../X.X..").unwrap_err().contains("add p1 or p2"));
        assert_eq!(parsed("grid ...../...../...../X.X.. p1").unwrap().side_to_move(), Side::P1);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("grid ...../...../.....", "has 3 rows, the board 4"),
            ("grid ...../...../....../.....", "row 3 of the grid has 6 cells, the board 5"),
            ("grid ...../..X../...../.....", "column 3 floats"),
            ("grid ...../...../...../..Z..", "'Z' in row 4, column 3 is no cell"),
            ("grid ...../...../...../..X.. p3", "'p3' is no side"),
            ("grid ...../...../...../..X.. p1 p2", "unexpected 'p2'"),
            ("grid", "wants its cells"),
            ("gird ...../...../...../.....", "'gird' begins no position"),
            ("grid OOOO./XXXX./OOOXO/XXXOX p1", "both players have a line"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_grid_may_be_over() {
        let won = parsed("grid ...../...../OOO../XXXX.").unwrap();
        assert_eq!(won.outcome(), Some(Outcome::Win(Side::P1)));
    }

    #[test]
    fn moves_are_columns_from_one() {
        let mut board = start();
        assert_eq!(board.parse_move("1"), Ok(Column(0)));
        assert_eq!(board.parse_move("05"), Ok(Column(4)));
        assert!(board.parse_move("0").unwrap_err().contains("from 1 to 5"));
        assert!(board.parse_move("99999999999999999999999").unwrap_err().contains("from 1 to 5"));
        assert!(board.parse_move("+1").unwrap_err().contains("not a column"));
        assert!(board.parse_move("a").unwrap_err().contains("not a column"));
        for _ in 0..4 {
            board.play(Column(2));
        }
        assert_eq!(board.parse_move("3"), Err("column 3 is full".to_owned()));
    }

    #[test]
    fn the_drawing_has_columns_numbered() {
        let board = parsed("grid ...../.X.../.O.../XO..X").unwrap();
        let expected = " - - - - -\n - X - - -\n - O - - -\n X O - - X\n 1 2 3 4 5";
        assert_eq!(board.drawing(), expected);
    }
}
