//! Text: moves are column numbers from 1, positions are grids with the top row first.
//!
//! [`fairy`] has the notation of chess programs.

use super::board::{Board, Column, Size};
use super::fairy;
use super::solver::win_leaving;
use crate::game::{ExactScore, ExactValue, Game, Notation, Side};
use crate::games::grid;
use crate::text::{expected_position, parse_index, unexpected};

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
        let column = parse_index(text, "column", self.size().columns)?;
        if self.is_column_full(column) {
            return Err(format!("column {} is full", column + 1));
        }
        Ok(Column(column as u8))
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
            ["grid", cells, side] => (cells, Some(grid::parse_side(side)?)),
            ["grid"] => {
                return Err("expected rows separated by '/' after 'grid', top row first".to_owned());
            }
            ["grid", _, _, word, ..] => return Err(unexpected(word, "the side to move")),
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
        let mut lines: Vec<String> =
            rows.iter().map(|row| grid::aligned(row.chars(), width)).collect();
        lines.push(grid::aligned(1..=self.size().columns, width));
        lines.join("\n")
    }

    fn exact_score(&self, value: ExactValue) -> Option<ExactScore> {
        let Size { columns, .. } = self.size();
        let stones: usize = (0..columns).map(|column| self.height(column)).sum();
        let empties = self.size().cells() - stones;
        let win_in = |plies: usize| win_leaving(empties.saturating_sub(plies) as u32);
        Some(ExactScore::Number(match value {
            ExactValue::Win(plies) => win_in(plies),
            ExactValue::Loss(plies) => -win_in(plies),
            ExactValue::Draw => 0,
        }))
    }
}

pub(super) fn rows_from_top(board: &Board, symbol: impl Fn(Option<Side>) -> char) -> Vec<String> {
    let Size { rows, columns, .. } = board.size();
    grid::rows_from_top(rows, columns, |column, row| symbol(board.stone(column, row)))
}

/// The stones of each column from the bottom.
fn parse_columns(size: Size, cells: &str) -> Result<Vec<Vec<Side>>, String> {
    let stone = |cell: char| match cell {
        '.' | '0' | '-' => Some(None),
        'X' | 'x' | '1' => Some(Some(Side::P1)),
        'O' | 'o' | '2' => Some(Some(Side::P2)),
        _ => None,
    };
    stacked(&grid::parse(cells, size.rows, size.columns, stone, "'.', 'X', 'O', 0, 1 or 2")?)
}

/// The stones of each column from the bottom, from whole rows from the top.
pub(super) fn stacked(rows: &[Vec<Option<Side>>]) -> Result<Vec<Vec<Side>>, String> {
    grid::check_gravity(rows)?;
    let stones = |column: usize| rows.iter().rev().filter_map(move |row| row[column]).collect();
    Ok((0..rows[0].len()).map(stones).collect())
}

/// The number of stones of each player.
pub(super) fn stone_counts(columns: &[Vec<Side>]) -> [usize; 2] {
    [Side::P1, Side::P2]
        .map(|side| columns.iter().flatten().filter(|&&stone| stone == side).count())
}

/// The side to move if the players have alternated from the start.
fn side_from_counts(columns: &[Vec<Side>]) -> Result<Side, String> {
    let [p1, p2] = stone_counts(columns);
    if p1 == p2 {
        Ok(Side::P1)
    } else if p1 == p2 + 1 {
        Ok(Side::P2)
    } else {
        Err(format!("the side to move is ambiguous with {p1} X and {p2} O: add p1 or p2"))
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
    fn the_side_to_move_follows_from_the_stones_unless_given() {
        assert_eq!(parsed("grid ...../...../...../X.O..").unwrap().side_to_move(), Side::P1);
        assert_eq!(parsed("grid ...../...../...../X.O.X").unwrap().side_to_move(), Side::P2);
        assert!(parsed("grid ...../...../...../X.X..").unwrap_err().contains("add p1 or p2"));
        assert_eq!(parsed("grid ...../...../...../X.X.. p1").unwrap().side_to_move(), Side::P1);
    }

    #[test]
    fn bad_positions_are_refused_with_the_reason() {
        for (text, part) in [
            ("grid ...../...../.....", "expected 4 rows, got 3"),
            ("grid ...../...../....../.....", "row 3: expected 5 cells, got 6"),
            ("grid ...../..X../...../.....", "row 2, column 3: the cell below the stone is empty"),
            (
                "grid ...../...../...../..Z..",
                "row 4, column 3: expected '.', 'X', 'O', 0, 1 or 2, got 'Z'",
            ),
            ("grid ...../...../...../..X.. p3", "expected a side to move (p1 or p2), got 'p3'"),
            ("grid ...../...../...../..X.. p1 p2", "unexpected 'p2'"),
            ("grid", "expected rows separated by '/'"),
            (
                "gird ...../...../...../.....",
                "expected a position (startpos, grid, fen) or 'moves', got 'gird'",
            ),
            ("grid OOOO./XXXX./OOOXO/XXXOX p1", "both players have a line"),
        ] {
            let error = parsed(text).unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn a_finished_game_is_a_position() {
        let won = parsed("grid ...../...../OOO../XXXX.").unwrap();
        assert_eq!(won.outcome(), Some(Outcome::Win(Side::P1)));
    }

    #[test]
    fn moves_are_columns_from_one() {
        let mut board = start();
        assert_eq!(board.parse_move("1"), Ok(Column(0)));
        assert_eq!(board.parse_move("05"), Ok(Column(4)));
        let missing = "column 0 does not exist (columns are 1..5)";
        assert_eq!(board.parse_move("0"), Err(missing.to_owned()));
        assert_eq!(board.parse_move("+1"), Err("expected a column (1..5)".to_owned()));
        for _ in 0..4 {
            board.play(Column(2));
        }
        assert_eq!(board.parse_move("3"), Err("column 3 is full".to_owned()));
    }

    #[test]
    fn the_exact_score_counts_stones_from_the_end() {
        // 20 cells; the winner's stone leaves 20 - 3 - plies of them.
        let board = parsed("grid ...../...../..X../..OX.").unwrap();
        let score = |value| board.exact_score(value);
        assert_eq!(score(ExactValue::Win(1)), Some(ExactScore::Number(9)));
        assert_eq!(score(ExactValue::Loss(2)), Some(ExactScore::Number(-8)));
        assert_eq!(score(ExactValue::Draw), Some(ExactScore::Number(0)));
    }

    #[test]
    fn the_drawing_numbers_the_columns() {
        let board = parsed("grid ...../.X.../.O.../XO..X").unwrap();
        let expected = " - - - - -\n - X - - -\n - O - - -\n X O - - X\n 1 2 3 4 5";
        assert_eq!(board.drawing(), expected);
    }
}
