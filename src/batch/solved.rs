//! What was found out about a position, and its text.
//!
//! Knows fields and their texts, which are the same in plain answers and in JSON; knows nothing of
//! solving.

use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::game::ExactScore;

/// What is written for something that was not proved within the limits.
const UNPROVED: &str = "?";
/// What is written for a move where there is none.
const NONE: &str = "-";
/// What is written for the score of a column that takes no stone.
const NO_SCORE: &str = ".";

/// The answer about a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The score or scores asked for.
    pub scores: Scores,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub microseconds: u128,
    /// The best move and what follows it, as far as asked for and proved; no moves if the game is over.
    /// `None` if the best move is not proved.
    pub line: Option<Vec<String>>,
}

/// A score, or `None` if it was not proved.
pub type Known = Option<ExactScore>;

/// What was asked for.
#[derive(Clone, Debug, PartialEq)]
pub enum Scores {
    /// The score of the position.
    Position(Known),
    /// The score of each column, `None` where no stone can be dropped.
    Columns(Vec<Option<Known>>),
    /// The score of each legal move.
    Moves(Vec<(String, Known)>),
}

/// Which fields an answer has besides the scores, nodes and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extras {
    /// The best move.
    pub best: bool,
    /// The principal variation.
    pub pv: bool,
}

impl Solved {
    /// The fields in one line, each of them one word but for the scores of several moves.
    pub fn plain(&self, extras: Extras) -> String {
        let mut fields = match &self.scores {
            Scores::Position(score) => vec![text(score)],
            Scores::Columns(scores) => {
                let score =
                    |score: &Option<Known>| score.as_ref().map_or(NO_SCORE.to_owned(), text);
                scores.iter().map(score).collect()
            }
            Scores::Moves(scores) => {
                scores.iter().map(|(mv, score)| format!("{mv}={}", text(score))).collect()
            }
        };
        fields.push(self.nodes.to_string());
        fields.push(self.microseconds.to_string());
        if extras.best {
            fields.push(line_text(self.best()));
        }
        if extras.pv {
            fields.push(line_text(self.line.as_deref()));
        }
        fields.join(" ")
    }

    /// The best move alone, as a line.
    fn best(&self) -> Option<&[String]> {
        self.line.as_deref().map(|line| &line[..line.len().min(1)])
    }
}

fn text(score: &Known) -> String {
    score.map_or(UNPROVED.to_owned(), |score| score.to_string())
}

fn line_text(line: Option<&[String]>) -> String {
    match line {
        None => UNPROVED.to_owned(),
        Some([]) => NONE.to_owned(),
        Some(moves) => moves.join(","),
    }
}

/// A value for JSON, or the sign of something that was not proved.
#[derive(serde::Serialize)]
#[serde(untagged)]
pub enum OrUnproved<T> {
    Proved(T),
    Unproved(&'static str),
}

impl<T> From<Option<T>> for OrUnproved<T> {
    fn from(value: Option<T>) -> OrUnproved<T> {
        value.map_or(OrUnproved::Unproved(UNPROVED), OrUnproved::Proved)
    }
}

/// The fields for JSON.
#[derive(serde::Serialize)]
pub struct JsonFields {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<OrUnproved<ExactScore>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<JsonScores>,
    nodes: u64,
    microseconds: u128,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<OrUnproved<Option<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pv: Option<OrUnproved<Vec<String>>>,
}

/// An array of the columns' scores, or an object with the scores of the moves.
struct JsonScores(Scores);

impl Serialize for JsonScores {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Scores::Position(score) => OrUnproved::from(*score).serialize(serializer),
            Scores::Columns(columns) => {
                serializer.collect_seq(columns.iter().map(|score| score.map(OrUnproved::from)))
            }
            Scores::Moves(moves) => {
                let mut map = serializer.serialize_map(Some(moves.len()))?;
                for (mv, score) in moves {
                    map.serialize_entry(mv, &OrUnproved::from(*score))?;
                }
                map.end()
            }
        }
    }
}

impl Solved {
    /// The same fields for JSON.
    pub fn json(self, extras: Extras) -> JsonFields {
        let best = self.best().map(|best| best.first().cloned());
        let (score, scores) = match self.scores {
            Scores::Position(score) => (Some(score.into()), None),
            scores => (None, Some(JsonScores(scores))),
        };
        JsonFields {
            score,
            scores,
            nodes: self.nodes,
            microseconds: self.microseconds,
            best: extras.best.then(|| best.into()),
            pv: extras.pv.then(|| self.line.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::ExactValue;

    const BOTH: Extras = Extras { best: true, pv: true };

    fn solved(scores: Scores, line: Option<&[&str]>) -> Solved {
        let line = line.map(|line| line.iter().map(|&mv| mv.to_owned()).collect());
        Solved { scores, nodes: 3, microseconds: 5, line }
    }

    fn number(score: i32) -> Known {
        Some(ExactScore::Number(score))
    }

    #[test]
    fn plain_answers_and_json_have_the_same_fields() {
        let distance = |value| Some(ExactScore::Distance(value));
        let moves = |moves: &[(&str, Known)]| {
            Scores::Moves(moves.iter().map(|&(mv, score)| (mv.to_owned(), score)).collect())
        };
        for (solved, plain, json) in [
            (
                solved(Scores::Position(number(-7)), Some(&["4", "2"])),
                "-7 3 5 4 4,2",
                r#"{"score":-7,"nodes":3,"microseconds":5,"best":"4","pv":["4","2"]}"#,
            ),
            (
                solved(Scores::Position(None), None),
                "? 3 5 ? ?",
                r#"{"score":"?","nodes":3,"microseconds":5,"best":"?","pv":"?"}"#,
            ),
            (
                solved(Scores::Columns(vec![Some(number(1)), None, Some(None)]), Some(&["1"])),
                "1 . ? 3 5 1 1",
                r#"{"scores":[1,null,"?"],"nodes":3,"microseconds":5,"best":"1","pv":["1"]}"#,
            ),
            (
                solved(moves(&[("b1", distance(ExactValue::Win(3))), ("a1", None)]), Some(&["b1"])),
                "b1=win:3 a1=? 3 5 b1 b1",
                r#"{"scores":{"b1":"win:3","a1":"?"},"nodes":3,"microseconds":5,"best":"b1","pv":["b1"]}"#,
            ),
            (
                solved(Scores::Position(distance(ExactValue::Loss(0))), Some(&[])),
                "loss:0 3 5 - -",
                r#"{"score":"loss:0","nodes":3,"microseconds":5,"best":null,"pv":[]}"#,
            ),
            (
                solved(moves(&[]), Some(&[])),
                "3 5 - -",
                r#"{"scores":{},"nodes":3,"microseconds":5,"best":null,"pv":[]}"#,
            ),
        ] {
            assert_eq!(solved.plain(BOTH), plain);
            assert_eq!(serde_json::to_string(&solved.json(BOTH)).expect("JSON"), json);
        }
    }

    #[test]
    fn the_best_move_and_the_line_are_written_on_request() {
        let solved = solved(Scores::Position(number(0)), Some(&["4", "2"]));
        assert_eq!(solved.plain(Extras::default()), "0 3 5");
        assert_eq!(solved.plain(Extras { best: true, pv: false }), "0 3 5 4");
        assert_eq!(solved.plain(Extras { best: false, pv: true }), "0 3 5 4,2");
        let json = serde_json::to_string(&solved.json(Extras::default())).expect("JSON");
        assert_eq!(json, r#"{"score":0,"nodes":3,"microseconds":5}"#);
    }
}
