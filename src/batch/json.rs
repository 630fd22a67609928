//! Positions and answers as lines of JSON.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::{Scores, Solved, notation, options};
use crate::games::connect4::solver::{MAX_SIDE, MIN_LINE, MIN_SIDE, Position, SolverScore};

/// A position to solve. An unknown key is an error: it is probably mistyped.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonPosition {
    /// Anything; it is returned unchanged.
    #[serde(default, deserialize_with = "id")]
    id: Option<Box<RawValue>>,
    #[serde(default, deserialize_with = "side")]
    rows: Option<u32>,
    #[serde(default, deserialize_with = "side")]
    cols: Option<u32>,
    /// Stones in a winning line.
    #[serde(default, deserialize_with = "line")]
    line: Option<u32>,
    /// As in a plain line.
    #[serde(deserialize_with = "moves")]
    moves: String,
}

/// An id as it is written, even if it is `null`.
fn id<'de, D: Deserializer<'de>>(source: D) -> Result<Option<Box<RawValue>>, D::Error> {
    let written = Box::<RawValue>::deserialize(source)?;
    if has_lone_surrogate(written.get()) {
        return Err(D::Error::custom("id has half a surrogate pair, which is not text"));
    }
    Ok(Some(written))
}

/// Whether a string in this valid JSON has half a surrogate pair: what is written is passed on as it
/// is, but not everybody could read it.
fn has_lone_surrogate(json: &str) -> bool {
    let mut units = Vec::new();
    let mut letters = json.chars();
    while let Some(letter) = letters.next() {
        // Only strings have backslashes.
        match (letter, letter == '\\' && letters.next() == Some('u')) {
            (_, true) => {
                let digits: String = letters.by_ref().take(4).collect();
                units.push(u16::from_str_radix(&digits, 16).unwrap_or_default());
            }
            (letter, false) => units.extend(letter.encode_utf16(&mut [0; 2]).iter()),
        }
    }
    char::decode_utf16(units).any(|letter| letter.is_err())
}

fn side<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    let wanted = format!("rows and cols must be whole numbers from {MIN_SIDE} to {MAX_SIDE}");
    value(source, &wanted)
}

fn line<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    value(source, &format!("line must be a whole number from {MIN_LINE} to {MAX_SIDE}"))
}

fn moves<'de, D: Deserializer<'de>>(source: D) -> Result<String, D::Error> {
    value(source, "moves must be a string")
}

/// A value, or this message if it has another type: serde's own would be in Rust's terms. Syntax
/// errors stay as they are.
fn value<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    source: D,
    wanted: &str,
) -> Result<T, D::Error> {
    let written = Box::<RawValue>::deserialize(source)?;
    serde_json::from_str(written.get()).map_err(|_| D::Error::custom(wanted))
}

/// Why a line is not a position, with its id if it has one.
struct Refused {
    id: Option<Box<RawValue>>,
    reason: String,
}

/// The id of a position, whatever is wrong with the rest.
#[derive(Deserialize)]
struct WithId {
    #[serde(default, deserialize_with = "id")]
    id: Option<Box<RawValue>>,
}

/// What is written: all of the position that could be read, then its scores or an error.
#[derive(Default, Serialize)]
struct JsonAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cols: Option<u32>,
    /// Left out for lines of four.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<SolverScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scores: Option<Vec<Option<SolverScore>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    microseconds: Option<u128>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The answer to a line, or to one that could not be read. `board` is the empty board for
/// positions that do not set their size.
pub fn answer(
    line: Result<String, String>,
    board: Position,
    solve: impl FnOnce(&Position) -> Solved,
) -> String {
    let line = line.map_err(|reason| Refused { id: None, reason });
    let answer = match line.and_then(|line| question(line.trim())) {
        Ok(question) => about(question, board, solve),
        Err(Refused { id, reason }) => {
            JsonAnswer { id, error: Some(reason), ..JsonAnswer::default() }
        }
    };
    // Nothing in it can fail to be written.
    serde_json::to_string(&answer).unwrap_or_default()
}

/// A line that begins with a brace is JSON; any other is moves, as in a plain file.
fn question(line: &str) -> Result<JsonPosition, Refused> {
    if !line.starts_with('{') {
        return Ok(JsonPosition { moves: line.to_owned(), ..JsonPosition::default() });
    }
    serde_json::from_str(line).map_err(|error| {
        // Every line is a document of its own, so the line number says nothing.
        let reason = error.to_string().replace(" at line 1 column", ", at column");
        let id = serde_json::from_str(line).ok().and_then(|WithId { id }| id);
        Refused { id, reason }
    })
}

fn about(
    question: JsonPosition,
    board: Position,
    solve: impl FnOnce(&Position) -> Solved,
) -> JsonAnswer {
    let rows = question.rows.unwrap_or(board.rows());
    let cols = question.cols.unwrap_or(board.columns());
    let line = question.line.unwrap_or(board.line());
    let position = options::board(rows, cols, line)
        .and_then(|empty| notation::parse(question.moves.trim(), empty));
    let asked = JsonAnswer {
        id: question.id,
        rows: Some(rows),
        cols: Some(cols),
        line: (line != 4).then_some(line),
        moves: Some(question.moves),
        ..JsonAnswer::default()
    };
    let Solved { scores, nodes, microseconds } = match position {
        Ok(position) => solve(&position),
        Err(reason) => return JsonAnswer { error: Some(reason), ..asked },
    };
    let (score, scores) = match scores {
        Scores::Position(score) => (Some(score), None),
        Scores::Columns(scores) => (None, Some(scores)),
    };
    JsonAnswer { score, scores, nodes: Some(nodes), microseconds: Some(microseconds), ..asked }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn answer_to(line: &str) -> String {
        let board = Position::new(6, 7).expect("the size is allowed");
        answer(Ok(line.to_owned()), board, |position| Solved {
            scores: Scores::Position(position.empties() as SolverScore),
            nodes: 3,
            microseconds: 5,
        })
    }

    #[test]
    fn what_was_asked_comes_back_with_the_answer() {
        for (line, answer) in [
            ("4453", r#"{"rows":6,"cols":7,"moves":"4453","score":38,"nodes":3,"microseconds":5}"#),
            ("", r#"{"rows":6,"cols":7,"moves":"","score":42,"nodes":3,"microseconds":5}"#),
            (
                r#" {"moves":"10,1","cols":10,"rows":5,"id":[1.50, "a"]}"#,
                r#"{"id":[1.50, "a"],"rows":5,"cols":10,"moves":"10,1","score":48,"nodes":3,"microseconds":5}"#,
            ),
            (
                r#"{"id":"\ud83d\ude00 \\ud800 😀","moves":"4"}"#,
                r#"{"id":"\ud83d\ude00 \\ud800 😀","rows":6,"cols":7,"moves":"4","score":41,"nodes":3,"microseconds":5}"#,
            ),
            (
                r#"{"moves":"4","line":5}"#,
                r#"{"rows":6,"cols":7,"line":5,"moves":"4","score":41,"nodes":3,"microseconds":5}"#,
            ),
        ] {
            assert_eq!(answer_to(line), answer);
        }
    }

    #[test]
    fn errors_are_answers_and_keep_the_name() {
        for (line, part) in [
            (
                r#"{"id":7,"moves":"48"}"#,
                r#"{"id":7,"rows":6,"cols":7,"moves":"48","error":"move 2, '8': column 8 does not exist"#,
            ),
            (r#"{"id":7,"moves":"4","rows":3}"#, r#""error":"no board of 3 rows and 7 columns: "#),
            (r#"{"id":null,"moves":"4","rows":3}"#, r#"{"id":null,"rows":3,"#),
            (r#"{"id":null}"#, r#"{"id":null,"error":"missing field"#),
            (r#"{"line":9,"moves":"4"}"#, r#""moves":"4","error":"no line of 9: "#),
            (
                r#"{"line":"x","moves":"4"}"#,
                r#"{"error":"line must be a whole number from 2 to 25"#,
            ),
            (r#"{"id":7}"#, r#"{"id":7,"error":"missing field `moves`, at column 8"#),
            (r#"{"moves":"4","row":5}"#, r#"{"error":"unknown field `row`, expected one of"#),
            (r#"{"moves":"4","row":5,"id":"a"}"#, r#"{"id":"a","error":"unknown field `row`"#),
            (r#"{"moves":"4"} x"#, r#"{"error":"trailing characters"#),
            (r#"{"moves":4}"#, r#"{"error":"moves must be a string, at column 11"}"#),
            (r#"{"moves":["4"],"id":7}"#, r#"{"id":7,"error":"moves must be a string, at column"#),
            (r#"{"id":7,"moves":"\ud800"}"#, r#"{"id":7,"error":"moves must be a string, at"#),
            (r#"{"id":"\ud800","moves":"4"}"#, r#"{"error":"id has half a surrogate pair, which"#),
            (r#"{"id":["\\\udc00"],"moves":"4"}"#, r#"{"error":"id has half a surrogate pair"#),
            (r#"{"id":7,"moves":"4","moves":"4"}"#, r#"{"id":7,"error":"duplicate field `moves`"#),
            ("{", r#"{"error":"EOF while parsing"#),
            (r#"{"id":7,"moves":"4"#, r#"{"error":"EOF while parsing a string"#),
            ("[4]", r#"{"rows":6,"cols":7,"moves":"[4]","error":"move 1, '[': expected a column"#),
        ] {
            let answer = answer_to(line);
            assert!(answer.contains(part), "{line}: {answer}");
        }
    }

    #[test]
    fn a_side_that_is_no_side_is_told_in_plain_words() {
        let reason = "rows and cols must be whole numbers from 4 to 25, at column";
        for side in [r#""si\"x""#, "-1", "6.5", "99999999999", "1e999", "[6]", "true"] {
            for key in ["rows", "cols"] {
                let answer = answer_to(&format!(r#"{{"{key}":{side},"moves":"4","id":7}}"#));
                let expected = format!(r#"{{"id":7,"error":"{reason}"#);
                assert!(answer.starts_with(&expected), "{side}: {answer}");
            }
        }
    }

    #[test]
    fn a_line_with_two_names_has_none() {
        for line in [r#"{"moves":"4","id":1,"id":2}"#, r#"{"id":1,"moves":4,"id":2}"#] {
            let answer = answer_to(line);
            assert!(answer.starts_with(r#"{"error":""#), "{line}: {answer}");
        }
        assert!(
            answer_to(r#"{"moves":"4","id":1,"id":2}"#).contains("duplicate field `id`, at column")
        );
    }

    #[test]
    fn quotes_are_escaped_once() {
        for line in [r#""44""#, r#"{"moves":"\"44\""}"#] {
            let answer: serde_json::Value = serde_json::from_str(&answer_to(line)).expect("JSON");
            assert_eq!(answer["error"], "move 1, '\"': expected a column (1..7)");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_the_answer_is_one_line_of_json(line in r#"\{?.*|\{"moves":"[1-7,]*".*"#) {
            let answer = answer_to(&line);
            prop_assert!(!answer.contains('\n'));
            prop_assert!(serde_json::from_str::<serde_json::Value>(&answer).is_ok(), "{answer}");
        }
    }
}
