//! The record: `docs/results.jsonl`, one row for each result.

use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::certificates::{self, CertifiedClaim};
use super::endgames::{self, ClassStats};
use crate::solved_game::SolvedGame;

/// A row of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Row {
    /// A game that was solved.
    Game(SolvedGame),
    /// A claim with a certificate.
    Claim(CertifiedClaim),
    /// A class of endgames.
    Class(ClassStats),
}

impl Row {
    /// Reads a row and checks it. Its fields determine its kind. A game must have been solved with one thread:
    /// only then does everyone who runs its command visit the same nodes.
    pub fn parse(line: &str) -> Result<Row> {
        let fields: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line)?;
        if fields.contains_key("table_checksum") {
            endgames::parse(line).map(Row::Class)
        } else if fields.contains_key("certificate") {
            certificates::parse(line).map(Row::Claim)
        } else {
            let game = SolvedGame::parse(line)?;
            ensure!(game.threads == 1, "solved with {} threads, expected 1", game.threads);
            Ok(Row::Game(game))
        }
    }
}

/// All rows, those of a kind in order.
#[derive(Debug, Default, PartialEq)]
pub struct Record {
    /// The games that were solved, by name and parameters.
    pub games: Vec<SolvedGame>,
    /// The claims with certificates, by position and claim.
    pub claims: Vec<CertifiedClaim>,
    /// The classes of endgames, by board and number of stones.
    pub classes: Vec<ClassStats>,
}

impl Record {
    /// Reads a file. One damaged line spoils it all, because a result that is silently missing
    /// would be missed by every check.
    pub fn read(path: &Path) -> Result<Record> {
        let name = path.display();
        let text = super::read(path)?;
        Record::parse(&text).with_context(|| name.to_string())
    }

    /// The record with this text. Every row must be right, in its place, and about something else.
    pub fn parse(text: &str) -> Result<Record> {
        let mut record = Record::default();
        for (number, line) in (1..).zip(text.lines()) {
            record.add(Row::parse(line).with_context(|| format!("line {number}"))?);
        }
        let canonical = record.text()?;
        let wrong = text.lines().zip(canonical.lines()).position(|(line, right)| line != right);
        let wrong = wrong.or((text != canonical).then(|| canonical.lines().count()));
        if let Some(index) = wrong {
            let line = index + 1;
            let expected = canonical.lines().nth(index).unwrap_or("the end of the file");
            ensure!(false, "line {line} is repeated or in the wrong place: expected {expected}");
        }
        Ok(record)
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String> {
        let games = self.games.iter().map(serde_json::to_string);
        let claims = self.claims.iter().map(serde_json::to_string);
        let classes = self.classes.iter().map(serde_json::to_string);
        let lines = games.chain(claims).chain(classes);
        lines.map(|line| Ok(line? + "\n")).collect()
    }

    /// Adds a row, or replaces the one about the same, whose citation it keeps if it has none.
    pub fn add(&mut self, row: Row) {
        match row {
            Row::Game(mut game) => {
                let old = self.games.iter_mut().find(|old| old.game == game.game);
                game.known = game.known.or_else(|| old?.known.take());
                replace_in_order(&mut self.games, game, order);
            }
            Row::Claim(claim) => replace_in_order(&mut self.claims, claim, |claim| {
                (claim.game.clone(), claim.after.clone(), claim.claim.clone())
            }),
            Row::Class(class) => replace_in_order(&mut self.classes, class, class_order),
        }
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.games.len() + self.claims.len() + self.classes.len()
    }

    /// The solved games with this name.
    pub fn of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a SolvedGame> {
        self.games.iter().filter(move |game| game.name() == name)
    }
}

/// Puts a row in its place, or in that of the row with the same key.
fn replace_in_order<T, K: Ord>(rows: &mut Vec<T>, row: T, key: impl Fn(&T) -> K) {
    match rows.binary_search_by_key(&key(&row), &key) {
        Ok(place) => rows[place] = row,
        Err(place) => rows.insert(place, row),
    }
}

/// By name, then by parameters as numbers, then by the other words.
fn order(game: &SolvedGame) -> (String, Vec<usize>, String) {
    (game.name().to_owned(), game.numbers(), game.game.clone())
}

/// By board, then by the stones of the stronger side, of both, and of the side to move.
fn class_order(class: &ClassStats) -> (String, usize, usize, usize) {
    let ClassStats { game, own, enemy, .. } = class;
    (game.clone(), *own.max(enemy), own + enemy, *own)
}

#[cfg(test)]
mod tests {
    use super::super::certificates::tests::ROW as CLAIM;
    use super::super::endgames::tests::ROW as CLASS;
    use super::*;
    use crate::solved_game::tests::ROW;

    fn game(words: &str) -> Row {
        let row = SolvedGame::parse(ROW).expect("a row");
        Row::Game(SolvedGame { game: words.to_owned(), ..row })
    }

    #[test]
    fn rows_are_kept_in_order_and_replaced() {
        let mut record = Record::default();
        record.add(Row::parse(CLASS).expect("a row"));
        let words = ["kalah 10 1", "kalah 2 1", "connect4 4 4 4", "kalah 2 1 empty", "kalah 2 1"];
        words.into_iter().for_each(|words| record.add(game(words)));
        record.add(Row::parse(CLASS).expect("a row"));
        record.add(Row::parse(CLAIM).expect("a row"));
        let games: Vec<&str> = record.games.iter().map(|row| row.game.as_str()).collect();
        assert_eq!(games, ["connect4 4 4 4", "kalah 2 1", "kalah 2 1 empty", "kalah 10 1"]);
        assert_eq!(record.len(), 6);
        let text = record.text().expect("JSON");
        assert!(text.ends_with(&format!("\n{CLAIM}\n{CLASS}\n")));
    }

    #[test]
    fn a_new_run_keeps_the_citation() {
        let mut record = Record::default();
        let row = SolvedGame::parse(ROW).expect("a row");
        record.add(Row::Game(SolvedGame { known: Some("Author 2000".to_owned()), ..row.clone() }));
        record.add(Row::Game(SolvedGame { nodes: 7, ..row }));
        assert_eq!(record.games.len(), 1);
        assert_eq!(record.games[0].nodes, 7);
        assert_eq!(record.games[0].known.as_deref(), Some("Author 2000"));
    }

    /// What threads share is never what a published value rests on.
    #[test]
    fn rows_of_several_threads_are_refused() {
        for threads in [0, 2, 256] {
            let line = ROW.replace("\"threads\":1", &format!("\"threads\":{threads}"));
            assert_ne!(line, ROW);
            assert!(SolvedGame::parse(&line).is_ok(), "it may be printed all the same");
            let reason = format!("solved with {threads} threads, expected 1");
            assert_eq!(Row::parse(&line).expect_err("refused").to_string(), reason);
            let error = Record::parse(&format!("{line}\n")).expect_err("refused");
            assert_eq!(format!("{error:#}"), format!("line 1: {reason}"));
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text: &str| format!("{:#}", Record::parse(text).expect_err("refused"));
        assert!(error(&format!("{ROW}\n{{\"game\"\n")).starts_with("line 2: EOF"));
        assert!(error("\n").starts_with("line 1: EOF"));
        assert!(error(&format!("{ROW}\n{ROW}\n")).starts_with("line 2 is repeated"));
        assert!(error(&format!("{CLASS}\n{ROW}\n")).starts_with("line 1 is repeated or in the wr"));
        assert_eq!(Record::parse("").expect("an empty record"), Record::default());
        assert!(Record::parse(&format!("{ROW}\n{CLASS}\n")).is_ok());
    }
}
