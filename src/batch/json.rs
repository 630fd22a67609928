//! Questions and answers as lines of JSON.

use std::path::Path;

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use super::options::{SolveOptions, board_title, connect4_board};
use super::solved::JsonFields;
use super::{Question, Solve, Solved};
use crate::games::REGISTRY;
use crate::games::connect4::solver::{MAX_SIDE, MIN_LINE, MIN_SIDE};
use crate::platform::files::printable;
use crate::position_text::{PositionText, content};

/// A position to solve. An unknown key is an error: it is probably mistyped.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JsonPosition {
    /// Anything; it is returned unchanged.
    #[serde(default, deserialize_with = "id")]
    id: Option<Box<RawValue>>,
    /// The words after `newgame`.
    #[serde(default, deserialize_with = "game")]
    game: Option<String>,
    #[serde(default, deserialize_with = "side")]
    rows: Option<u32>,
    #[serde(default, deserialize_with = "side")]
    cols: Option<u32>,
    /// Stones in a winning line.
    #[serde(default, deserialize_with = "line")]
    line: Option<u32>,
    /// As in a plain line.
    #[serde(default, deserialize_with = "position")]
    position: Option<String>,
    /// The same.
    #[serde(default, deserialize_with = "moves")]
    moves: Option<String>,
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

fn game<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    value(source, "game must be a string")
}

fn side<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    let wanted = format!("rows and cols must be whole numbers from {MIN_SIDE} to {MAX_SIDE}");
    value(source, &wanted)
}

fn line<'de, D: Deserializer<'de>>(source: D) -> Result<Option<u32>, D::Error> {
    value(source, &format!("line must be a whole number from {MIN_LINE} to {MAX_SIDE}"))
}

fn position<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    value(source, "position must be a string")
}

fn moves<'de, D: Deserializer<'de>>(source: D) -> Result<Option<String>, D::Error> {
    value(source, "moves must be a string")
}

/// A value, unless it is `null`, or this message if it has another type: serde's own would be in Rust's
/// terms. Syntax errors stay as they are.
fn value<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    source: D,
    wanted: &str,
) -> Result<Option<T>, D::Error> {
    let written = Box::<RawValue>::deserialize(source)?;
    serde_json::from_str(written.get()).map_err(|_| D::Error::custom(wanted))
}

/// Only the id of a position, whatever is wrong with the rest.
#[derive(Deserialize)]
struct WithId {
    #[serde(default, deserialize_with = "id")]
    id: Option<Box<RawValue>>,
}

/// What is written: all of the question that could be read, then what was found out or an error.
#[derive(Default, Serialize)]
struct JsonAnswer {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<Box<RawValue>>,
    /// Left out for Connect Four, unless it was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cols: Option<u32>,
    /// Left out for lines of four.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<String>,
    #[serde(flatten)]
    found: Option<JsonFields>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// The answer to a line, or to one that could not be read, and what is wrong with the line.
pub fn answer(
    line: Result<String, String>,
    options: &SolveOptions,
    solve: &mut Solve<'_>,
) -> (String, Option<String>) {
    let mut answer = JsonAnswer::default();
    match line.and_then(|line| fill_in(&line, options, solve, &mut answer)) {
        Ok(None) => return Default::default(),
        Ok(Some(solved)) => answer.found = Some(solved.json(options.extras)),
        Err(reason) => answer.error = Some(reason),
    }
    // Nothing in it can fail to be written.
    (serde_json::to_string(&answer).unwrap_or_default(), answer.error)
}

/// Solves what a line asks for, if anything, and fills in what it says.
fn fill_in(
    line: &str,
    options: &SolveOptions,
    solve: &mut Solve<'_>,
    answer: &mut JsonAnswer,
) -> Result<Option<Solved>, String> {
    let line = line.trim();
    // A line that begins with a brace is JSON; any other is as in a plain file.
    let question = if line.starts_with('{') {
        let asked: JsonPosition = serde_json::from_str(line).map_err(|error| {
            answer.id = serde_json::from_str(line).ok().and_then(|WithId { id }| id);
            // Every line is a document of its own, so the line number says nothing.
            let reason = error.to_string().replace(" at line 1 column", ", at column");
            // It quotes unknown keys, whatever they are.
            printable(Path::new(&reason))
        })?;
        answer.id = asked.id;
        answer.position.clone_from(&asked.position);
        answer.moves.clone_from(&asked.moves);
        let board = [asked.rows, asked.cols, asked.line];
        let game = game_of(asked.game, board, options, answer)?;
        if asked.position.is_none() && asked.moves.is_none() {
            return Err("expected the key moves or position".to_owned());
        }
        Question { game, position: joined(asked.position.as_deref(), asked.moves)? }
    } else {
        let content = content(line);
        if content.is_empty() {
            return Ok(None);
        }
        let game = game_of(None, [None; 3], options, answer)?;
        let position = PositionText::of_content(&content);
        answer.position.clone_from(&position.setup);
        let has_moves = position.setup.is_none() || !position.moves.is_empty();
        answer.moves = has_moves.then(|| position.moves.clone());
        Question { game, position }
    };
    solve(&question).map(Some)
}

/// The position that the keys `position` and `moves` say together.
fn joined(position: Option<&str>, moves: Option<String>) -> Result<PositionText, String> {
    let start = PositionText::of_position(&content(position.unwrap_or_default()));
    match moves {
        None => Ok(start),
        Some(_) if start.has_moves() => {
            Err("expected moves in one of the keys position and moves, got both".to_owned())
        }
        Some(moves) => Ok(PositionText { moves, ..start }),
    }
}

/// The title of the game that is asked about, which is filled in.
fn game_of(
    game: Option<String>,
    board: [Option<u32>; 3],
    options: &SolveOptions,
    answer: &mut JsonAnswer,
) -> Result<String, String> {
    let is_default = board == [None; 3];
    let default = connect4_board(&options.game);
    match (game, default) {
        (Some(game), _) => {
            let words: Vec<String> = game.split_whitespace().map(str::to_owned).collect();
            answer.game = Some(game);
            match is_default {
                true => REGISTRY.title(&words),
                false => Err("rows, cols and line do not go with game".to_owned()),
            }
        }
        (None, Some(default)) => {
            let [rows, cols, line] = [0, 1, 2].map(|index| board[index].unwrap_or(default[index]));
            answer.rows = Some(rows);
            answer.cols = Some(cols);
            answer.line = (line != 4).then_some(line);
            if is_default { Ok(options.game.clone()) } else { board_title(board, default) }
        }
        (None, None) => {
            answer.game = Some(options.game.clone());
            match is_default {
                true => Ok(options.game.clone()),
                false => Err(format!("rows, cols and line do not go with {}", options.game)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;

    use super::super::options::parse;
    use super::super::solved::Scores;
    use super::*;
    use crate::game::ExactScore;
    use crate::subcommand::Invocation;
    use proptest::prelude::*;

    fn answer_with(arguments: &str, line: &str) -> String {
        let words = arguments.split_whitespace().map(OsString::from);
        let Ok(Invocation::Run(options)) = parse(words) else { panic!("{arguments}") };
        // Stands for a solver: the score is the number of legal moves.
        let (text, error) = answer(Ok(line.to_owned()), &options, &mut |question| {
            let words: Vec<&str> = question.game.split_whitespace().collect();
            let mut game = REGISTRY.open_from_words(&words).expect("a title");
            question.position.set_up(&mut *game)?;
            let score = Some(ExactScore::Number(game.moves().len() as i32));
            let line = Some(game.moves());
            Ok(Solved { scores: Scores::Position(score), nodes: 3, microseconds: 5, line })
        });
        assert_eq!(error.is_some(), text.contains(r#""error":"#), "{text}");
        text
    }

    fn answer_to(line: &str) -> String {
        answer_with("", line)
    }

    #[test]
    fn what_was_asked_comes_back_with_the_answer() {
        let found = r#""score":7,"nodes":3,"microseconds":5}"#;
        for (line, asked) in [
            ("4453", r#"{"rows":6,"cols":7,"moves":"4453","#),
            ("- # empty", r#"{"rows":6,"cols":7,"moves":"-","#),
            (" 4\t 4,5\t", r#"{"rows":6,"cols":7,"moves":"4 4,5","#),
            (r#"{"moves":""}"#, r#"{"rows":6,"cols":7,"moves":"","#),
            (
                r#" {"moves":"7,1","cols":7,"rows":5,"id":[1.50, "a"]}"#,
                r#"{"id":[1.50, "a"],"rows":5,"cols":7,"moves":"7,1","#,
            ),
            (
                r#"{"id":"\ud83d\ude00 \\ud800 😀","moves":"4","rows":null}"#,
                r#"{"id":"\ud83d\ude00 \\ud800 😀","rows":6,"cols":7,"moves":"4","#,
            ),
            (
                r##"{"id":"#","moves":"4","line":5}"##,
                r##"{"id":"#","rows":6,"cols":7,"line":5,"moves":"4","##,
            ),
            (
                "grid ......./......./......./......./......./..X.... moves 4",
                r#"{"rows":6,"cols":7,"position":"grid ......./......./......./......./......./..X....","moves":"4","#,
            ),
            (
                r#"{"position":"7/7/7/7/7/7 w"}"#,
                r#"{"rows":6,"cols":7,"position":"7/7/7/7/7/7 w","#,
            ),
            ("startpos", r#"{"rows":6,"cols":7,"position":"startpos","#),
            (r#"{"game":"boom","moves":"4"}"#, r#"{"game":"boom","moves":"4","#),
            (r#"{"game":"Kalah 7 3","position":"-"}"#, r#"{"game":"Kalah 7 3","position":"-","#),
        ] {
            assert_eq!(answer_to(line), format!("{asked}{found}"));
        }
        let kalah = answer_with("--game kalah 7 3 --best --pv", "-");
        let best = r#""best":"1","pv":["1","2","3","4","5","6","7"]}"#;
        let expected = r#"{"game":"kalah 7 3","moves":"-","score":7,"nodes":3,"microseconds":5,"#;
        assert_eq!(kalah, format!("{expected}{best}"));
        for line in ["", "  ", "# {}"] {
            assert_eq!(answer_to(line), "", "{line}");
        }
    }

    #[test]
    fn errors_are_answers_and_keep_the_name() {
        for (line, part) in [
            (
                r#"{"id":7,"moves":"48"}"#,
                r#"{"id":7,"rows":6,"cols":7,"moves":"48","error":"move 2, '8': column 8 does not exist"#,
            ),
            (
                r#"{"id":7,"moves":"4","rows":3}"#,
                r#""error":"rows and columns must be 4..25 (got 3 and 7)"#,
            ),
            (r#"{"id":null,"moves":"4","rows":3}"#, r#"{"id":null,"rows":3,"#),
            (
                r#"{"id":null}"#,
                r#"{"id":null,"rows":6,"cols":7,"error":"expected the key moves or position"}"#,
            ),
            (r#"{"moves":null}"#, r#""error":"expected the key moves or position"}"#),
            (
                r#"{"game":"chess","moves":""}"#,
                r#"{"game":"chess","moves":"","error":"unknown game"#,
            ),
            (
                r#"{"game":"","rows":5,"moves":""}"#,
                r#""error":"rows, cols and line do not go with"#,
            ),
            (
                r#"{"position":"grid x","moves":"4"}"#,
                r#""moves":"4","error":"expected 6 rows, got 1"#,
            ),
            (r#"{"position":6}"#, r#"{"error":"position must be a string, at column"#),
            (r#"{"game":{},"moves":"1"}"#, r#"{"error":"game must be a string, at column"#),
            (
                r#"{"line":9,"moves":"4"}"#,
                r#""moves":"4","error":"the line must be 2..7 with 6 rows"#,
            ),
            (
                r#"{"line":"x","moves":"4"}"#,
                r#"{"error":"line must be a whole number from 2 to 25"#,
            ),
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
            (
                "[4]",
                r#"{"rows":6,"cols":7,"moves":"[4]","error":"move 1, '[4]': expected a column"#,
            ),
        ] {
            let answer = answer_to(line);
            assert!(answer.contains(part), "{line}: {answer}");
        }
    }

    /// The score stands for the position: see `answer_with`.
    #[test]
    fn a_position_is_written_as_in_a_plain_line() {
        for line in [
            "startpos moves 111111",
            "startpos moves 1 1 1,1 1 1",
            "moves 111111",
            "grid ......./O....../X....../O....../X....../O.X.... p1 moves 1",
            "- moves 111111",
        ] {
            let plain = answer_to(line);
            let keyed = answer_to(&format!(r#"{{"position":"{line}"}}"#));
            for answer in [plain, keyed] {
                assert!(answer.ends_with(r#""score":6,"nodes":3,"microseconds":5}"#), "{answer}");
            }
        }
        let both = answer_to(r#"{"id":1,"position":"startpos moves 4","moves":"4"}"#);
        let reason = "expected moves in one of the keys position and moves, got both";
        assert!(both.contains(reason), "{both}");
        let wrong = answer_to(r#"{"position":"startpos moves 4 9"}"#);
        assert!(wrong.contains("move 2, '9': column 9 does not exist"), "{wrong}");
    }

    #[test]
    fn unknown_keys_do_not_spoil_the_message() {
        for key in ["m\u{7f}oves".to_owned(), "x".repeat(100_000)] {
            let answer = answer_to(&format!(r#"{{"id":7,"{key}":"4"}}"#));
            assert!(answer.starts_with(r#"{"id":7,"error":"unknown field `"#), "{answer}");
            assert!(answer.len() < 400 && !answer.contains('\u{7f}'), "{answer}");
            assert!(answer.contains(", at column "), "{answer}");
        }
    }

    #[test]
    fn a_board_does_not_go_with_another_game() {
        let answer = answer_with("--game boom", r#"{"rows":7,"moves":"4"}"#);
        let reason = "rows, cols and line do not go with boom";
        assert_eq!(answer, format!(r#"{{"game":"boom","moves":"4","error":"{reason}"}}"#));
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
            assert_eq!(answer["error"], "move 1, '\"44\"': expected a column (1..7)");
        }
    }

    proptest! {
        #[test]
        fn whatever_is_asked_the_answer_is_one_line_of_json(line in r#"\{?.*|\{"moves":"[1-7,]*".*"#) {
            let answer = answer_to(&line);
            prop_assert!(!answer.contains('\n'));
            let is_json = serde_json::from_str::<serde_json::Value>(&answer).is_ok();
            prop_assert!(is_json || content(&line).is_empty() && answer.is_empty(), "{answer}");
        }
    }
}
