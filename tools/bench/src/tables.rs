//! Tables of text, aligned for a terminal or as Markdown, and the figures in them.

/// Which end of a column its cells are pushed to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// For words.
    Left,
    /// For figures.
    Right,
}

/// A table with a title and a heading for each column.
pub struct Table {
    title: String,
    columns: Vec<(&'static str, Align)>,
    rows: Vec<Vec<String>>,
    notes: Vec<String>,
}

impl Table {
    /// An empty table.
    pub fn new(title: impl Into<String>, columns: &[(&'static str, Align)]) -> Table {
        Table {
            title: title.into(),
            columns: columns.to_vec(),
            rows: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// Adds a row: a cell for each column.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        assert_eq!(cells.len(), self.columns.len(), "a cell for each column of '{}'", self.title);
        self.rows.push(cells);
    }

    /// Adds a remark below the table.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// For a terminal.
    pub fn text(&self) -> String {
        let rule = self.widths().into_iter().map(|width| "-".repeat(width)).collect();
        let lines = [self.headings(), rule].into_iter().chain(self.rows.iter().cloned());
        let lines = lines.map(|cells| self.padded(&cells).join("  ").trim_end().to_owned());
        let above = [self.title.clone()].into_iter();
        self.finish(above.chain(lines), "")
    }

    /// For a document.
    pub fn markdown(&self) -> String {
        let widths = self.widths().into_iter().zip(&self.columns);
        let rule = widths.map(|(width, (_, align))| match align {
            Align::Left => "-".repeat(width),
            Align::Right => "-".repeat(width - 1) + ":",
        });
        let lines = [self.headings(), rule.collect()].into_iter().chain(self.rows.iter().cloned());
        let lines = lines.map(|cells| format!("| {} |", self.padded(&cells).join(" | ")));
        let above = [format!("### {}", self.title), String::new()].into_iter();
        self.finish(above.chain(lines), "\n")
    }

    fn finish(&self, lines: impl Iterator<Item = String>, before_note: &str) -> String {
        let notes = self.notes.iter().map(|note| format!("{before_note}{note}"));
        lines.chain(notes).map(|line| line + "\n").collect()
    }

    fn headings(&self) -> Vec<String> {
        self.columns.iter().map(|(heading, _)| (*heading).to_owned()).collect()
    }

    /// Markdown wants at least a dash and a colon.
    fn widths(&self) -> Vec<usize> {
        let width = |(index, (heading, _)): (usize, &(&str, Align))| {
            let cells = self.rows.iter().map(|row| row[index].chars().count());
            cells.chain([heading.chars().count(), 2]).max().unwrap_or(2)
        };
        self.columns.iter().enumerate().map(width).collect()
    }

    fn padded(&self, cells: &[String]) -> Vec<String> {
        let columns = self.columns.iter().zip(self.widths());
        let pad = |(cell, ((_, align), width)): (&String, (&(&str, Align), usize))| match align {
            Align::Left => format!("{cell:<width$}"),
            Align::Right => format!("{cell:>width$}"),
        };
        cells.iter().zip(columns).map(pad).collect()
    }
}

/// A number of millions.
pub fn millions(value: f64) -> String {
    format!("{:.2} M", value / 1e6)
}

/// A time, given in milliseconds, with as many decimals as tell something.
pub fn milliseconds(value: f64) -> String {
    let decimals = match value.abs() {
        size if size.fract() == 0.0 || size >= 1000.0 => 0,
        size if size >= 10.0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} ms")
}

/// A time, given in seconds, with three digits that tell something.
pub fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        small if small < 1e-3 => (small * 1e6, "µs"),
        middle if middle < 1.0 => (middle * 1e3, "ms"),
        large => (large, "s"),
    };
    let decimals = match value {
        small if small < 9.995 => 2,
        middle if middle < 99.95 => 1,
        _ => 0,
    };
    format!("{value:.decimals$} {unit}")
}

/// A mean number of things.
pub fn count(value: f64) -> String {
    if value < 1000.0 { format!("{value:.1}") } else { grouped(value.round() as u64) }
}

/// A whole number with its digits in groups of three.
pub fn grouped(value: u64) -> String {
    let digits = value.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for start in (first..digits.len()).step_by(3) {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&digits[start..start + 3]);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Table {
        let mut table = Table::new("Fruit", &[("kind", Align::Left), ("n", Align::Right)]);
        table.row(["apple".to_owned(), "5".to_owned()]);
        table.row(["µ".to_owned(), "1000".to_owned()]);
        table.note("Ripe.");
        table
    }

    #[test]
    fn columns_line_up() {
        let expected = "Fruit\nkind      n\n-----  ----\napple     5\nµ      1000\nRipe.\n";
        assert_eq!(table().text(), expected);
    }

    #[test]
    fn markdown_says_how_columns_are_aligned() {
        let expected = "### Fruit\n\n| kind  |    n |\n| ----- | ---: |\n| apple |    5 |\n\
                        | µ     | 1000 |\n\nRipe.\n";
        assert_eq!(table().markdown(), expected);
    }

    #[test]
    #[should_panic(expected = "a cell for each column of 'Fruit'")]
    fn a_row_with_a_missing_cell_is_a_mistake() {
        table().row(["pear".to_owned()]);
    }

    #[test]
    fn digits_come_in_groups() {
        for (value, text) in
            [(0, "0"), (12, "12"), (999, "999"), (1000, "1 000"), (12_345_678, "12 345 678")]
        {
            assert_eq!(grouped(value), text);
        }
    }

    #[test]
    fn figures_have_as_many_decimals_as_tell_something() {
        assert_eq!(millions(8_316_000.0), "8.32 M");
        assert_eq!(milliseconds(0.123), "0.12 ms");
        assert_eq!(milliseconds(-3.456), "-3.46 ms");
        assert_eq!(milliseconds(10.0), "10 ms");
        assert_eq!(milliseconds(10.04), "10.0 ms");
        assert_eq!(milliseconds(4999.7), "5000 ms");
        for (seconds, text) in [
            (1.42e-6, "1.42 µs"),
            (77e-6, "77.0 µs"),
            (570e-6, "570 µs"),
            (2.89e-3, "2.89 ms"),
            (43.5, "43.5 s"),
        ] {
            assert_eq!(duration(seconds), text);
        }
        assert_eq!(count(8.06), "8.1");
        assert_eq!(count(208_123.4), "208 123");
    }
}
