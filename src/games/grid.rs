//! Grids of cells in text, rows from the top with `/` between: what the games' position texts
//! have in common.

/// The cells of each row from the top, as many as there should be. `cell` knows what a character
/// stands for, and `known` tells people which ones stand for anything.
pub fn parse<C>(
    text: &str,
    rows: usize,
    columns: usize,
    cell: impl Fn(char) -> Option<C>,
    known: &str,
) -> Result<Vec<Vec<C>>, String> {
    let lines: Vec<&str> = text.split('/').collect();
    if lines.len() != rows {
        let count = match lines.len() {
            1 => "1 row".to_owned(),
            more => format!("{more} rows"),
        };
        return Err(format!("the grid has {count}, the board {rows}"));
    }
    let mut grid = Vec::with_capacity(rows);
    for (index, line) in lines.iter().enumerate() {
        let (number, length) = (index + 1, line.chars().count());
        if length != columns {
            return Err(format!(
                "row {number} of the grid has {length} cells, the board {columns}"
            ));
        }
        let read = |(place, symbol): (usize, char)| {
            cell(symbol).ok_or_else(|| {
                let (symbol, column) = (symbol.escape_debug(), place + 1);
                format!("'{symbol}' in row {number}, column {column} is no cell: {known}")
            })
        };
        grid.push(line.chars().enumerate().map(read).collect::<Result<_, String>>()?);
    }
    Ok(grid)
}

/// The rows of a grid from the top, where `picture` draws the cell in a column and a row, both
/// counted from 0 and the row from the bottom.
pub fn rows_from_top(
    rows: usize,
    columns: usize,
    picture: impl Fn(usize, usize) -> char,
) -> Vec<String> {
    let row_text = |row| (0..columns).map(|column| picture(column, row)).collect();
    (0..rows).rev().map(row_text).collect()
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
    fn a_wrong_size_is_told() {
        let parse = |text, rows, columns| parse(text, rows, columns, Some, "");
        assert!(parse("ab/cd", 3, 2).unwrap_err().contains("has 2 rows"));
        assert!(parse("ab/c/ef", 3, 2).unwrap_err().contains("row 2"));
        assert!(parse("", 1, 2).unwrap_err().contains("0 cells"));
    }

    #[test]
    fn a_wrong_cell_is_told_with_its_place() {
        let digit = |symbol: char| symbol.to_digit(10);
        assert_eq!(parse("12/34", 2, 2, digit, "a digit"), Ok(vec![vec![1, 2], vec![3, 4]]));
        let error = parse("12/3x", 2, 2, digit, "a digit").unwrap_err();
        assert_eq!(error, "'x' in row 2, column 2 is no cell: a digit");
    }
}
