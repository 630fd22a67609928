//! Tables of text in Markdown, aligned so that they read well in a terminal too.

use std::fmt;

pub use comfy_table::CellAlignment as Align;
use comfy_table::presets::ASCII_MARKDOWN;
use comfy_table::{Cell, ContentArrangement, Row};

/// A table: an optional title, a heading for each column, rows, and notes below.
pub struct Table {
    title: Option<String>,
    alignments: Vec<Align>,
    grid: comfy_table::Table,
    notes: Vec<String>,
}

impl Table {
    /// An empty table with these columns: words are aligned left, figures right.
    pub fn new(columns: &[(&str, Align)]) -> Table {
        let mut grid = comfy_table::Table::new();
        grid.load_preset(ASCII_MARKDOWN).set_content_arrangement(ContentArrangement::Disabled);
        grid.set_header(columns.iter().map(|(heading, _)| heading));
        let alignments: Vec<Align> = columns.iter().map(|&(_, align)| align).collect();
        for (column, &align) in grid.column_iter_mut().zip(&alignments) {
            column.set_cell_alignment(align);
        }
        Table { title: None, alignments, grid, notes: Vec::new() }
    }

    /// The same table with a title.
    pub fn with_title(self, title: impl Into<String>) -> Table {
        Table { title: Some(title.into()), ..self }
    }

    /// Adds a row.
    ///
    /// # Panics
    ///
    /// Unless there is one cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl Into<Cell>>) {
        let row = Row::from(cells);
        assert_eq!(row.cell_count(), self.alignments.len(), "one cell for each column");
        self.grid.add_row(row);
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.grid.is_empty()
    }

    /// Adds a note below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The line below the headings, with Markdown's marks of alignment.
    fn rule(&self, dashes: &str) -> String {
        let columns = dashes.trim_matches('|').split('|').zip(&self.alignments);
        let marked = columns.map(|(dashes, align)| match align {
            Align::Right => format!("{}:", &dashes[1..]),
            _ => dashes.to_owned(),
        });
        format!("|{}|", marked.collect::<Vec<_>>().join("|"))
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(title) = &self.title {
            writeln!(f, "{title}\n")?;
        }
        for (number, line) in self.grid.lines().enumerate() {
            match number {
                1 => writeln!(f, "{}", self.rule(&line))?,
                _ => writeln!(f, "{line}")?,
            }
        }
        self.notes.iter().try_for_each(|note| writeln!(f, "\n{note}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new(&[("kind", Align::Left), ("n", Align::Right)]);
        assert!(table.is_empty());
        table.row(["apple", "5"]);
        table.row(["µ".to_owned(), 1000.to_string()]);
        assert!(!table.is_empty());
        table
    }

    #[test]
    fn columns_line_up_and_are_markdown() {
        let rows = "| kind  |    n |\n|-------|-----:|\n| apple |    5 |\n| µ     | 1000 |\n";
        assert_eq!(table().to_string(), rows);
        let mut titled = table().with_title("Fruit");
        titled.note("Ripe.");
        assert_eq!(titled.to_string(), format!("Fruit\n\n{rows}\nRipe.\n"));
    }

    #[test]
    #[should_panic(expected = "one cell for each column")]
    fn a_row_with_a_missing_cell_is_a_mistake() {
        table().row(["pear"]);
    }
}
