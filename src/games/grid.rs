//! What the games' position texts share: grids of cells, rows from the top separated by `/`, and
//! the side to move. Knows characters and places, not what a cell means.

use crate::game::Side;
use crate::text::expected;

/// The cells of a grid, row by row from the top.
///
/// `cell` maps a symbol to its meaning; `symbols` names the valid ones in messages.
pub fn parse<C>(
    text: &str,
    rows: usize,
    columns: usize,
    cell: impl Fn(char) -> Option<C>,
    symbols: &str,
) -> Result<Vec<Vec<C>>, String> {
    let lines = (1..).zip(split_rows(text, rows)?);
    lines.map(|(number, line)| parse_row(number, line, columns, &cell, symbols)).collect()
}

/// The texts of a grid's rows, from the top.
pub fn split_rows(text: &str, rows: usize) -> Result<Vec<&str>, String> {
    let lines: Vec<&str> = text.split('/').collect();
    match lines.len() {
        count if count == rows => Ok(lines),
        count => Err(format!("expected {rows} rows, got {count}")),
    }
}

/// The cells of row `number`, counted from 1: see [`parse`].
pub fn parse_row<C>(
    number: usize,
    line: &str,
    columns: usize,
    cell: impl Fn(char) -> Option<C>,
    symbols: &str,
) -> Result<Vec<C>, String> {
    let length = line.chars().count();
    if length != columns {
        return Err(format!("row {number}: expected {columns} cells, got {length}"));
    }
    let cells = line.chars().zip(1..).map(|(symbol, column)| {
        cell(symbol).ok_or_else(|| {
            format!("row {number}, column {column}: {}", expected(symbols, &symbol.to_string()))
        })
    });
    cells.collect()
}

/// Checks that every stone, in rows from the top, rests on another one or on the bottom.
pub fn check_gravity<S>(rows: &[Vec<Option<S>>]) -> Result<(), String> {
    for (number, pair) in (1..).zip(rows.windows(2)) {
        let mut cells = (1..).zip(pair[0].iter().zip(&pair[1]));
        if let Some((column, _)) = cells.find(|(_, cell)| matches!(cell, (Some(_), None))) {
            return Err(format!(
                "row {number}, column {column}: the cell below the stone is empty"
            ));
        }
    }
    Ok(())
}

/// The rows of a grid from the top. `symbol` takes a column and a row, both counted from 0, the
/// row from the bottom.
pub fn rows_from_top(
    rows: usize,
    columns: usize,
    symbol: impl Fn(usize, usize) -> char,
) -> Vec<String> {
    let row_text = |row| (0..columns).map(|column| symbol(column, row)).collect();
    (0..rows).rev().map(row_text).collect()
}

/// One line of a drawing: the cells right-aligned, each `width` characters wide.
pub fn aligned<T: std::fmt::Display>(cells: impl IntoIterator<Item = T>, width: usize) -> String {
    cells.into_iter().map(|cell| format!("{cell:>width$}")).collect()
}

/// Reads the side to move.
pub fn parse_side(word: &str) -> Result<Side, String> {
    let named = [Side::P1, Side::P2].into_iter().find(|side| side.to_string() == word);
    named.ok_or_else(|| expected("a side to move (p1 or p2)", word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_reads_back() {
        let grid = parse("ab/cd/ef", 3, 2, Some, "").unwrap();
        assert_eq!(grid, [['a', 'b'], ['c', 'd'], ['e', 'f']]);
        let text = rows_from_top(3, 2, |column, row| grid[2 - row][column]);
        assert_eq!(text.join("/"), "ab/cd/ef");
    }

    #[test]
    fn a_wrong_size_is_reported() {
        let error = |text, rows, columns| parse(text, rows, columns, Some, "").unwrap_err();
        assert_eq!(error("ab/cd", 3, 2), "expected 3 rows, got 2");
        assert_eq!(error("ab/c/ef", 3, 2), "row 2: expected 2 cells, got 1");
        assert_eq!(error("", 1, 2), "row 1: expected 2 cells, got 0");
    }

    #[test]
    fn a_wrong_symbol_is_reported_with_its_place() {
        let digit = |symbol: char| symbol.to_digit(10);
        assert_eq!(parse("12/34", 2, 2, digit, "a digit"), Ok(vec![vec![1, 2], vec![3, 4]]));
        let error = parse("12/3x", 2, 2, digit, "a digit").unwrap_err();
        assert_eq!(error, "row 2, column 2: expected a digit, got 'x'");
    }

    #[test]
    fn a_floating_stone_is_reported_with_its_place() {
        let check = |text, rows| {
            let stone = |symbol: char| Some((symbol == 'x').then_some(()));
            check_gravity(&parse(text, rows, 2, stone, "").unwrap())
        };
        assert_eq!(check("../.x/xx", 3), Ok(()));
        let error = check(".x/../xx", 3).unwrap_err();
        assert_eq!(error, "row 1, column 2: the cell below the stone is empty");
    }

    #[test]
    fn sides_are_read_as_they_are_written() {
        assert_eq!(parse_side("p1"), Ok(Side::P1));
        assert_eq!(parse_side("p2"), Ok(Side::P2));
        assert_eq!(
            parse_side("P1"),
            Err("expected a side to move (p1 or p2), got 'P1'".to_owned())
        );
    }
}
