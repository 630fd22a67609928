//! The position as the engine describes it: its reply to `state`.

use serde::Deserialize;

use crate::board::{Board, Cell};
use crate::engine::QueryError;

/// The sides as the engine calls them.
pub const SIDES: [&str; 2] = ["p1", "p2"];

/// The number of a side: 0 or 1.
pub fn side_number(side: &str) -> usize {
    usize::from(side == SIDES[1])
}

/// A position.
#[derive(Deserialize)]
pub struct State {
    /// The arguments of `newgame` for this game.
    #[serde(default)]
    pub game: String,
    side: String,
    result: String,
    ending: Option<Ending>,
    /// The board.
    #[serde(default)]
    pub board: Board,
    /// The legal moves.
    pub moves: Vec<Move>,
    /// The moves since the start, as the engine writes them.
    #[serde(default)]
    pub history: Vec<String>,
    /// The last move.
    #[serde(default)]
    pub last: Option<Move>,
    /// Whether a solver applies here.
    #[serde(default)]
    pub solver: bool,
    /// The board as text, for games without cells.
    #[serde(default)]
    pub drawing: Vec<String>,
}

#[derive(Deserialize)]
struct Ending {
    reason: String,
    #[serde(default)]
    cells: Vec<Cell>,
}

/// A move and what it does.
#[derive(Deserialize)]
pub struct Move {
    /// Its text.
    #[serde(rename = "move")]
    pub text: String,
    #[serde(default)]
    side: String,
    /// Whether the same side moves again.
    #[serde(default)]
    pub again: bool,
    from: Option<Cell>,
    to: Option<Cell>,
    #[serde(default)]
    bomb: bool,
    #[serde(default)]
    path: Vec<serde_json::Value>,
    #[serde(default)]
    removed: Vec<Cell>,
    #[serde(default)]
    gain: u32,
}

/// How a game ended.
pub struct GameEnd<'a> {
    /// The number of the side that won; `None` for a draw.
    pub winner: Option<usize>,
    /// Why, in a few words; may be empty.
    pub reason: &'a str,
}

impl State {
    /// Finds the description among the engine's replies.
    pub fn find(replies: &[String]) -> Result<State, QueryError> {
        let text = replies.iter().rev().find_map(|line| line.strip_prefix("state "));
        let text = text
            .ok_or_else(|| QueryError::Failed("the engine does not answer 'state'".to_owned()))?;
        serde_json::from_str(text)
            .map_err(|error| QueryError::Failed(format!("cannot read the engine's state: {error}")))
    }

    /// The number of the side to move.
    pub fn side(&self) -> usize {
        side_number(&self.side)
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<GameEnd<'_>> {
        let winner = match self.result.as_str() {
            "none" => return None,
            "p1win" => Some(0),
            "p2win" => Some(1),
            _ => None,
        };
        let reason = self.ending.as_ref().map_or("", |ending| ending.reason.as_str());
        Some(GameEnd { winner, reason })
    }

    /// The cells of the winning line.
    pub fn winning_cells(&self) -> &[Cell] {
        self.ending.as_ref().map_or(&[], |ending| &ending.cells)
    }

    /// The texts of the legal moves.
    pub fn move_texts(&self) -> impl Iterator<Item = &str> + Clone {
        self.moves.iter().map(|mv| mv.text.as_str())
    }

    /// The legal move that a user means by this text.
    pub fn legal(&self, text: &str) -> Option<&str> {
        self.move_texts().find(|mv| mv.eq_ignore_ascii_case(text))
    }
}

impl Move {
    /// The number of the side that made it.
    pub fn side(&self) -> usize {
        side_number(&self.side)
    }

    /// The cell that shows where it was made.
    pub fn cell(&self) -> Option<Cell> {
        // Sown seeds come from a house; an exploded bomb has left no trace.
        self.to.or(self.from.filter(|_| !self.path.is_empty()))
    }

    /// What it did besides placing or moving a piece, in a few words.
    pub fn effects(&self) -> Vec<String> {
        let mut effects = Vec::new();
        let removed = self.removed.len();
        if self.bomb {
            effects.push("a bomb".to_owned());
        }
        if !self.path.is_empty() {
            let captures = if removed > 0 { " with a capture" } else { "" };
            match self.gain {
                0 => effects.push("nothing stored".to_owned()),
                gain => effects.push(format!("{gain} stored{captures}")),
            }
            if self.again {
                effects.push("another move".to_owned());
            }
        } else if self.to.is_none() && removed > 0 {
            let pieces = if removed == 1 { "piece" } else { "pieces" };
            effects.push(format!("the explosion removes {removed} {pieces}"));
        } else if removed > 0 {
            effects.push("a capture".to_owned());
        }
        effects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn effects(json: &str) -> String {
        serde_json::from_str::<Move>(json).unwrap().effects().join(", ")
    }

    #[test]
    fn what_a_move_did_is_told() {
        assert_eq!(effects(r#"{"move":"4","to":[5,3]}"#), "");
        assert_eq!(effects(r#"{"move":"4","to":[5,3],"bomb":true}"#), "a bomb");
        let boom = r#"{"move":"boom","from":[4,5],"removed":[[4,3],[4,5]],"falls":[]}"#;
        assert_eq!(effects(boom), "the explosion removes 2 pieces");
        let boom = r#"{"move":"boom","from":[4,5],"removed":[[4,5]],"falls":[]}"#;
        assert_eq!(effects(boom), "the explosion removes 1 piece");
        let sown = r#"{"move":"1","again":true,"from":[0,2],"path":[[0,1],"p2"],"gain":1}"#;
        assert_eq!(effects(sown), "1 stored, another move");
        let captured = r#"{"move":"1","from":[0,2],"path":[[0,1]],"removed":[[1,1]],"gain":5}"#;
        assert_eq!(effects(captured), "5 stored with a capture");
        let step = r#"{"move":"b1b2xa3","from":[2,1],"to":[1,1],"removed":[[0,0]]}"#;
        assert_eq!(effects(step), "a capture");
    }

    #[test]
    fn replies_that_are_not_a_state_are_errors() {
        for reply in ["readyok", "state", "state {}", "state [", "state {\"side\":1}"] {
            assert!(State::find(&[reply.to_owned()]).is_err(), "{reply}");
        }
    }
}
