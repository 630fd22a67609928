//! The record: `docs/results.jsonl`, one row for each result.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use super::row::SolvedGame;

/// All rows, ordered by game.
#[derive(Debug, Default, PartialEq)]
pub struct Record {
    /// The games that were solved.
    pub rows: Vec<SolvedGame>,
}

impl Record {
    /// Reads a file. One damaged line spoils it all, because a result that is silently missing
    /// would be missed by every check.
    pub fn read(path: &Path) -> Result<Record> {
        let name = path.display();
        let text = fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        Record::parse(&text).with_context(|| name.to_string())
    }

    /// The record with this text. Every row must be right, in order, and about another game.
    pub fn parse(text: &str) -> Result<Record> {
        let mut rows: Vec<SolvedGame> = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let row = SolvedGame::parse(line).with_context(|| format!("line {number}"))?;
            if let Some(last) = rows.last()
                && order(last) >= order(&row)
            {
                bail!("line {number}: '{}' must not come after '{}'", row.game, last.game);
            }
            rows.push(row);
        }
        Ok(Record { rows })
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String> {
        self.rows.iter().map(|row| row.line().map(|line| line + "\n")).collect()
    }

    /// Adds a row, or replaces the one of the same game, whose citation it keeps if it has none.
    pub fn add(&mut self, mut row: SolvedGame) {
        match self.rows.binary_search_by_key(&order(&row), order) {
            Ok(place) => {
                row.known = row.known.or_else(|| self.rows[place].known.take());
                self.rows[place] = row;
            }
            Err(place) => self.rows.insert(place, row),
        }
    }

    /// The rows of one game.
    pub fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a SolvedGame> {
        self.rows.iter().filter(move |row| row.name() == name)
    }
}

/// By name, then by parameters as numbers, then by the other words.
fn order(row: &SolvedGame) -> (String, Vec<usize>, String) {
    (row.name().to_owned(), row.numbers(), row.game.clone())
}

#[cfg(test)]
mod tests {
    use super::super::row::tests::ROW;
    use super::*;

    #[test]
    fn rows_are_kept_in_order_and_replaced() {
        let mut record = Record::default();
        let row = SolvedGame::parse(ROW).expect("a row");
        for game in ["kalah 10 1", "kalah 2 1", "connect4 4 4 4", "kalah 2 1 empty", "kalah 2 1"] {
            record.add(SolvedGame { game: game.to_owned(), ..row.clone() });
        }
        let games: Vec<&str> = record.rows.iter().map(|row| row.game.as_str()).collect();
        assert_eq!(games, ["connect4 4 4 4", "kalah 2 1", "kalah 2 1 empty", "kalah 10 1"]);
    }

    #[test]
    fn a_new_run_keeps_the_citation() {
        let mut record = Record::default();
        let row = SolvedGame::parse(ROW).expect("a row");
        record.add(SolvedGame { known: Some("Author 2000".to_owned()), ..row.clone() });
        record.add(SolvedGame { nodes: 7, ..row });
        assert_eq!(record.rows.len(), 1);
        assert_eq!(record.rows[0].nodes, 7);
        assert_eq!(record.rows[0].known.as_deref(), Some("Author 2000"));
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| format!("{:#}", Record::parse(text).expect_err("refused"));
        assert!(error(&format!("{ROW}\n{{\"game\"\n")).starts_with("line 2: EOF"));
        assert!(
            error(&format!("{ROW}\n{ROW}\n")).contains("line 2: 'kalah 2 1' must not come after")
        );
        assert!(error("\n").starts_with("line 1: EOF"));
        assert_eq!(Record::parse("").expect("an empty record"), Record::default());
    }
}
