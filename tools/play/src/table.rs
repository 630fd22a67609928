//! The game that is played: its moves, and what the engine says about its position.

use std::time::Duration;

use crate::engine::{Engine, Trouble};

/// A game, from its first move on. The engine is told all of it with every question, so that
/// nothing is lost should it have to be started again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// The words after `newgame`.
    pub game: String,
    /// The words after `position`, without the moves.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// What the engine says about a position.
pub struct State {
    /// The board, line by line.
    pub drawing: Vec<String>,
    /// Whose turn it is: 0 or 1.
    pub side: usize,
    /// `none`, `p1win`, `p2win` or `draw`.
    pub result: String,
    /// The legal moves.
    pub moves: Vec<String>,
}

impl Table {
    /// The start of a game.
    pub fn new(game: String) -> Table {
        Table { game, start: "startpos".to_owned(), moves: vec![] }
    }

    /// The commands that lead here: also what is saved.
    pub fn commands(&self) -> [String; 2] {
        let moves = self.moves.join(" ");
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        [format!("newgame {}", self.game), format!("position {}{moves}", self.start)]
    }

    /// What the engine says about the position.
    pub fn look(&self, engine: &mut Engine) -> Result<State, Trouble> {
        let mut lines = self.commands().to_vec();
        lines.extend(["d".to_owned(), "moves".to_owned()]);
        let answers = engine.ask(&lines)?;
        let answers: Vec<&str> =
            answers.iter().map(String::as_str).filter(|line| !line.starts_with("info ")).collect();
        let after = |word: &str| {
            let found = answers.iter().rev().find_map(|line| line.strip_prefix(word));
            found.unwrap_or_default().trim().to_owned()
        };
        let end = answers.iter().rposition(|line| line.starts_with("game ")).unwrap_or(0);
        Ok(State {
            drawing: answers[..end].iter().map(|&line| line.to_owned()).collect(),
            side: usize::from(after("side ") == "p2"),
            result: after("result "),
            moves: after("moves")
                .split(' ')
                .filter(|mv| !mv.is_empty())
                .map(str::to_owned)
                .collect(),
        })
    }

    /// Plays a move, if the engine finds it legal.
    pub fn play(&mut self, engine: &mut Engine, mv: &str) -> Result<(), Trouble> {
        let mut lines = self.commands().to_vec();
        lines.push(format!("play {mv}"));
        engine.ask(&lines)?;
        self.moves.push(mv.to_owned());
        Ok(())
    }

    /// The move that the engine chooses with these options.
    pub fn choose(
        &self,
        engine: &mut Engine,
        options: &[(&str, String)],
        time: Duration,
    ) -> Result<String, Trouble> {
        let mut lines = self.commands().to_vec();
        let set = |(name, value): &(&str, String)| format!("setoption name {name} value {value}");
        lines.extend(options.iter().map(set));
        lines.push(format!("go movetime {}", time.as_millis()));
        engine.search(&lines, time)
    }
}

/// Reads what [`Table::commands`] wrote.
pub fn parse_saved(text: &str) -> Result<Table, String> {
    let last = |word: &str| {
        let lines = text.lines().map(str::trim).rev();
        lines.filter_map(|line| line.strip_prefix(word)).find(|rest| rest.starts_with(' '))
    };
    let game = last("newgame").ok_or("the file holds no line that begins with 'newgame'")?;
    let position = last("position").unwrap_or(" startpos");
    let (start, moves) = match position.split_once(" moves") {
        Some((start, moves)) => (start, moves.split_whitespace().map(str::to_owned).collect()),
        None => (position, vec![]),
    };
    let start = if start.trim().is_empty() { "startpos" } else { start.trim() };
    Ok(Table { game: game.trim().to_owned(), start: start.to_owned(), moves })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_saved_reads_back(
            game in "[a-z]{1,8}( [0-9]{1,2}){0,3}",
            start in "startpos|cells [.12/]{1,20} p1",
            moves in proptest::collection::vec("[a-z0-9]{1,5}", 0..6),
        ) {
            let table = Table { game, start, moves };
            prop_assert_eq!(parse_saved(&table.commands().join("\n")), Ok(table));
        }

        #[test]
        fn any_text_is_a_game_or_an_error(text: String) {
            drop(parse_saved(&text));
        }
    }

    #[test]
    fn a_file_without_a_game_is_an_error() {
        assert!(parse_saved("position startpos moves 4").unwrap_err().contains("newgame"));
    }
}
