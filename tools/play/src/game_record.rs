//! The game being played: its moves, and the engine's view of its position.

use std::time::Duration;

use serde::Deserialize;

use crate::board::{Board, side_number};
use crate::engine::{QueryError, RestartingEngine};

/// A game from its start position. Every query sends all of it, so a restarted engine needs no
/// other state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// The arguments of `newgame`.
    pub game: String,
    /// The arguments of `position`, without the moves.
    pub start: String,
    /// The moves.
    pub moves: Vec<String>,
}

/// A position as the engine describes it.
pub struct State {
    /// The board, line by line.
    pub drawing: Vec<String>,
    /// The side to move: 0 or 1.
    pub side: usize,
    /// `none`, `p1win`, `p2win` or `draw`.
    pub result: String,
    /// Why the game is over, in a few words; empty if it is not.
    pub reason: String,
    /// The legal moves.
    pub moves: Vec<String>,
}

/// The engine's reply to `state`, as far as it matters here.
#[derive(Deserialize)]
struct StateReply {
    side: String,
    result: String,
    ending: Option<Ending>,
    #[serde(default)]
    board: Board,
    moves: Vec<LegalMove>,
    drawing: Vec<String>,
}

#[derive(Deserialize)]
struct Ending {
    reason: String,
}

#[derive(Deserialize)]
struct LegalMove {
    #[serde(rename = "move")]
    text: String,
}

impl From<StateReply> for State {
    fn from(reply: StateReply) -> State {
        // A game of another engine may have no board of cells.
        let lines = reply.board.lines();
        State {
            drawing: if lines.is_empty() { reply.drawing } else { lines },
            side: side_number(&reply.side),
            result: reply.result,
            reason: reply.ending.map_or(String::new(), |ending| ending.reason),
            moves: reply.moves.into_iter().map(|legal| legal.text).collect(),
        }
    }
}

impl GameRecord {
    /// A new game.
    pub fn new(game: String) -> GameRecord {
        GameRecord { game, start: "startpos".to_owned(), moves: vec![] }
    }

    /// The commands that set up the current position. They are also the format of saved games.
    pub fn commands(&self) -> [String; 2] {
        let moves = self.moves.join(" ");
        let moves = if moves.is_empty() { moves } else { format!(" moves {moves}") };
        [format!("newgame {}", self.game), format!("position {}{moves}", self.start)]
    }

    /// Parses the text of a saved game.
    pub fn parse(text: &str) -> Result<GameRecord, String> {
        let last = |word: &str| {
            let lines = text.lines().map(str::trim).rev();
            lines.filter_map(|line| line.strip_prefix(word)).find(|rest| rest.starts_with(' '))
        };
        let game = last("newgame").ok_or("not a saved game: no 'newgame' line")?;
        let position = last("position").unwrap_or(" startpos");
        let (start, moves) = position.split_once(" moves").unwrap_or((position, ""));
        let start = if start.trim().is_empty() { "startpos" } else { start.trim() };
        Ok(GameRecord {
            game: game.trim().to_owned(),
            start: start.to_owned(),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
        })
    }

    fn commands_and(&self, more: impl IntoIterator<Item = String>) -> Vec<String> {
        self.commands().into_iter().chain(more).collect()
    }

    /// The current position.
    pub fn state(&self, engine: &mut RestartingEngine) -> Result<State, QueryError> {
        let replies = engine.ask(&self.commands_and(["state".to_owned()]))?;
        let reply = replies.iter().rev().find_map(|line| line.strip_prefix("state "));
        let reply = reply.and_then(|text| serde_json::from_str::<StateReply>(text).ok());
        let error = || QueryError::Failed("the engine does not answer 'state'".to_owned());
        reply.map(State::from).ok_or_else(error)
    }

    /// Plays a move if the engine accepts it.
    pub fn play(&mut self, engine: &mut RestartingEngine, mv: &str) -> Result<(), QueryError> {
        engine.ask(&self.commands_and([format!("play {mv}")]))?;
        self.moves.push(mv.to_owned());
        Ok(())
    }

    /// The engine's best move, searched with these options.
    pub fn best_move(
        &self,
        engine: &mut RestartingEngine,
        options: &[(&str, String)],
        time: Duration,
    ) -> Result<String, QueryError> {
        let set = |(name, value): &(&str, String)| format!("setoption name {name} value {value}");
        let go = format!("go movetime {}", time.as_millis());
        engine.search(&self.commands_and(options.iter().map(set).chain([go])), time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn saved_games_read_back(
            game in "[a-z]{1,8}( [0-9]{1,2}){0,3}",
            start in "startpos|cells [.12/]{1,20} p1",
            moves in proptest::collection::vec("[a-z0-9]{1,5}", 0..6),
        ) {
            let record = GameRecord { game, start, moves };
            prop_assert_eq!(GameRecord::parse(&record.commands().join("\n")), Ok(record));
        }

        #[test]
        fn any_text_is_a_game_or_an_error(text: String) {
            drop(GameRecord::parse(&text));
        }
    }

    #[test]
    fn a_file_without_a_game_is_an_error() {
        assert!(GameRecord::parse("position startpos moves 4").unwrap_err().contains("newgame"));
    }
}
