//! A solved position: what `ratlla-lab solve` prints, and a row of the record.

use std::fmt;
use std::fs;

use anyhow::{Context, Error, Result, ensure};
use ratlla::any_game::AnyGame;
use ratlla::games::REGISTRY;
use serde::{Deserialize, Serialize};

use crate::value::Value;

/// A position that was solved, and what it took.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolvedGame {
    /// The words after `newgame`.
    pub game: String,
    /// The moves to the position; none in the record, which has whole games.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub after: String,
    /// Its value for the side to move.
    pub score: Value,
    /// Every legal move with its value; none if only the position itself was solved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<(String, Value)>,
    /// A line of best play, to the end of the game where the solver gives it.
    pub pv: String,
    /// Nodes of all threads, those for the legal moves included.
    pub nodes: u64,
    /// Time by the clock, likewise.
    pub seconds: f64,
    /// Nodes without those for the legal moves, if these were solved too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_nodes: Option<u64>,
    /// Time without that for the legal moves, if these were solved too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_seconds: Option<f64>,
    /// The file of the endgame table that it takes, in Wali.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// Threads of the solver.
    pub threads: usize,
    /// Memory for its tables, in MiB.
    pub hash_mib: usize,
    /// Most memory of the process at any time, in MiB, if the system could tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// Entries of the solver's table in use at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table_entries: Option<u64>,
    /// Who published the value before, by author and year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known: Option<String>,
}

impl SolvedGame {
    /// Reads a row of the record and checks what the rules alone can say about it: that the game exists
    /// and has this title, that it is the whole game, that `moves` are its first moves, that the best of them has the value of the
    /// game, and that `pv` can be played.
    pub fn parse(line: &str) -> Result<SolvedGame> {
        let row: SolvedGame = serde_json::from_str(line)?;
        let mut game = open(&row.game)?;
        ensure!(game.title() == row.game, "'{}' must be written '{}'", row.game, game.title());
        ensure!(row.after.is_empty(), "a row of the record cannot begin after some moves");
        if let Some(file) = &row.table {
            ensure!(row.name() == "wali", "only wali takes a table from a file");
            ensure!(!file.contains(['/', ' ']), "'{file}' is not the plain name of a file");
        }
        row.check_moves(&game.moves())?;
        for (number, mv) in row.pv.split_whitespace().enumerate() {
            let played = game.play(mv).map_err(Error::msg);
            played.with_context(|| format!("move {} of 'pv'", number + 1))?;
        }
        Ok(row)
    }

    fn check_moves(&self, legal: &[String]) -> Result<()> {
        let best = self.moves.iter().map(|&(_, value)| value).max_by_key(|value| value.rank());
        let Some(best) = best else { return Ok(()) };
        let listed: Vec<&str> = self.moves.iter().map(|(mv, _)| mv.as_str()).collect();
        ensure!(
            listed == legal,
            "the first moves are {}, expected {}",
            listed.join(" "),
            legal.join(" ")
        );
        ensure!(
            best == self.score,
            "the score is '{}', but the best move's is '{best}'",
            self.score
        );
        Ok(())
    }

    /// The arguments of `ratlla-lab` that find it again.
    pub fn arguments(&self) -> String {
        let SolvedGame { game, threads, hash_mib, .. } = self;
        let first_moves = if self.moves.is_empty() { "" } else { " --first-moves" };
        let table = self.table.iter().map(|file| format!(" --table {file}")).collect::<String>();
        format!("solve {game}{first_moves}{table} --hash {hash_mib} --threads {threads}")
    }

    /// The arguments of `ratlla-lab` that build the table it takes, if it takes one: with as many
    /// stones as the game has.
    pub fn table_arguments(&self) -> Option<String> {
        match (self.table.as_ref(), &self.numbers()[..]) {
            (Some(file), [rows, columns, stones]) => Some(format!(
                "wali-table build {file} --stones {stones} --rows {rows} --columns {columns}"
            )),
            _ => None,
        }
    }

    /// The nodes for the value of the game alone.
    pub fn value_nodes(&self) -> u64 {
        self.value_nodes.unwrap_or(self.nodes)
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        self.game.split(' ').next().unwrap_or_default()
    }

    /// The numbers among its parameters.
    pub fn numbers(&self) -> Vec<usize> {
        self.game.split(' ').filter_map(|word| word.parse().ok()).collect()
    }

    /// Whether this word is among its parameters.
    pub fn has_word(&self, word: &str) -> bool {
        self.game.split(' ').any(|other| other == word)
    }
}

/// The game of these words after `newgame`, which must include its name.
fn open(words: &str) -> Result<Box<dyn AnyGame>> {
    let split: Vec<&str> = words.split(' ').collect();
    let (name, parameters) = split.split_first().context("no game")?;
    REGISTRY.open(name, parameters).map_err(Error::msg)
}

impl fmt::Display for SolvedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SolvedGame { game, after, score, pv, nodes, seconds, .. } = self;
        match after.as_str() {
            "" => writeln!(f, "{game}: {score}")?,
            moves => writeln!(f, "{game} after {moves}: {score}")?,
        }
        for (mv, score) in &self.moves {
            writeln!(f, "move {mv}: {score}")?;
        }
        writeln!(f, "line {pv}")?;
        write!(f, "{nodes} nodes, {seconds} s, threads {}, Hash {}", self.threads, self.hash_mib)?;
        match self.memory_mib {
            Some(mebibytes) => writeln!(f, ", {mebibytes} MiB of memory used"),
            None => writeln!(f),
        }
    }
}

/// The most memory this process has had, in MiB, where the system tells it.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1 << 10))
}

#[cfg(test)]
pub mod tests {
    use super::*;

    pub const ROW: &str = r#"{"game":"kalah 2 1","score":"margin 2","moves":[["1","margin 0"],["2","margin 2"]],"pv":"2 1","nodes":5,"seconds":0.25,"value_nodes":3,"value_seconds":0.125,"threads":1,"hash_mib":64,"memory_mib":9}"#;

    #[test]
    fn a_row_reads_back() {
        let row = SolvedGame::parse(ROW).expect("a row");
        assert_eq!(serde_json::to_string(&row).expect("JSON"), ROW);
        assert_eq!((row.name(), row.numbers()), ("kalah", vec![2, 1]));
        assert_eq!(row.arguments(), "solve kalah 2 1 --first-moves --hash 64 --threads 1");
        assert_eq!(row.value_nodes(), 3);
        let alone =
            SolvedGame { moves: Vec::new(), value_nodes: None, value_seconds: None, ..row.clone() };
        assert_eq!(alone.value_nodes(), 5);
        assert_eq!(alone.arguments(), "solve kalah 2 1 --hash 64 --threads 1");
        assert_eq!(
            SolvedGame::parse(&serde_json::to_string(&alone).expect("JSON")).expect("a row"),
            alone
        );
        let wali = SolvedGame {
            game: "wali 4 5 6".to_owned(),
            table: Some("wali.table".to_owned()),
            ..alone.clone()
        };
        assert_eq!(wali.arguments(), "solve wali 4 5 6 --table wali.table --hash 64 --threads 1");
        assert_eq!(
            wali.table_arguments().expect("a table"),
            "wali-table build wali.table --stones 6 --rows 4 --columns 5"
        );
        assert_eq!(alone.table_arguments(), None);
        let known = Some("Irving, Donkers and Uiterwijk 2000".to_owned());
        let row = SolvedGame { known, ..row };
        let line = serde_json::to_string(&row).expect("JSON");
        assert_eq!(SolvedGame::parse(&line).expect("a row"), row);
    }

    #[test]
    fn a_wrong_row_is_refused_with_a_reason() {
        for (from, to, reason) in [
            ("kalah 2 1", "kalha 2 1", "unknown game 'kalha'"),
            ("kalah 2 1", "kalah 2 99", "newgame kalah"),
            ("kalah 2 1", "Kalah 2 1", "must be written 'kalah 2 1'"),
            ("\"nodes\"", "\"knots\"", "unknown field `knots`"),
            ("\"nodes\":5,", "", "missing field `nodes`"),
            ("margin 2\",\"moves", "margin 4\",\"moves", "the best move's is 'margin 2'"),
            ("margin 2\",\"moves", "much\",\"moves", "'much' is not a value"),
            (r#"["1","margin 0"],"#, "", "the first moves are 2, expected 1 2"),
            ("\"score", "\"after\":\"1\",\"score", "cannot begin after some moves"),
            ("\"2 1\"", "\"2 7\"", "move 2 of 'pv'"),
            ("\"threads\"", "\"table\":\"x\",\"threads\"", "only wali takes a table"),
            ("}", "", "EOF"),
        ] {
            let line = ROW.replacen(from, to, 1);
            assert_ne!(line, ROW);
            let error = SolvedGame::parse(&line).expect_err("refused");
            assert!(format!("{error:#}").contains(reason), "{error:#}");
        }
    }
}
