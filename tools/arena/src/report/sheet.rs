//! The content of a table, whatever it is shown as.

use ratlla_common::table::{Align, Table};
use serde::{Serialize, Serializer};

use super::escape;

/// A table: columns, and rows of as many cells.
#[derive(Serialize)]
pub struct Sheet {
    /// What it shows; not printed in the terminal.
    pub title: &'static str,
    /// Headings, and whether the column holds figures.
    #[serde(serialize_with = "columns")]
    columns: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

impl Sheet {
    /// A table without rows.
    pub fn new(title: &'static str, columns: &[(&str, Align)]) -> Sheet {
        let columns = columns.iter().map(|&(name, align)| (name.to_owned(), align)).collect();
        Sheet { title, columns, rows: Vec::new() }
    }

    /// Adds a row of as many cells as there are columns.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table as Markdown.
    pub fn markdown(&self) -> String {
        let columns: Vec<(&str, Align)> =
            self.columns.iter().map(|(name, align)| (name.as_str(), *align)).collect();
        let mut table = Table::new(&columns);
        for row in &self.rows {
            table.row(row.iter().map(|cell| escape::markdown(cell)));
        }
        table.to_string()
    }
}

/// Columns as `[heading, is it figures]`.
fn columns<S: Serializer>(columns: &[(String, Align)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(columns.iter().map(|(name, align)| (name, *align == Align::Right)))
}
