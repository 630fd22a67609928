//! Grids of cells in text, rows from the top with `/` between: what the games' position texts
//! have in common.

/// The characters of each row from the top, as many as there should be.
pub fn parse(text: &str, rows: usize, columns: usize) -> Result<Vec<Vec<char>>, String> {
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
        let length = line.chars().count();
        if length != columns {
            let number = index + 1;
            return Err(format!(
                "row {number} of the grid has {length} cells, the board {columns}"
            ));
        }
        grid.push(line.chars().collect());
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
        let grid = parse("ab/cd/ef", 3, 2).unwrap();
        assert_eq!(grid, [['a', 'b'], ['c', 'd'], ['e', 'f']]);
        let text = rows_from_top(3, 2, |column, row| grid[2 - row][column]);
        assert_eq!(text.join("/"), "ab/cd/ef");
    }

    #[test]
    fn a_wrong_size_is_told() {
        assert!(parse("ab/cd", 3, 2).unwrap_err().contains("has 2 rows"));
        assert!(parse("ab/c/ef", 3, 2).unwrap_err().contains("row 2"));
        assert!(parse("", 1, 2).unwrap_err().contains("0 cells"));
    }
}
