//! A position of a game as the modes of the program read it: moves, or a position as in a `position`
//! command.
//!
//! Knows how positions and moves are written in a line; knows nothing of what is asked about them.

use crate::any_game::AnyGame;
use crate::text::is_number;

/// The text of the start position.
const START: &str = "-";

/// A position: where it starts, and the moves played from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionText {
    /// The words of a `position` command; the start position if there are none.
    pub setup: Option<String>,
    /// The moves, as they were written.
    pub moves: String,
}

/// A line without its comment, its words separated by single blanks; empty if there are none.
pub fn content(line: &str) -> String {
    let words = line.split('#').next().unwrap_or_default().split_whitespace();
    words.collect::<Vec<_>>().join(" ")
}

impl PositionText {
    /// The position in the [`content`] of a line: moves, or the words of a `position` command.
    pub fn of_content(text: &str) -> PositionText {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.contains(&"moves") || is_position(&words) {
            true => PositionText::of_position(text),
            false => PositionText { setup: None, moves: text.to_owned() },
        }
    }

    /// The position in the words of a `position` command.
    pub fn of_position(text: &str) -> PositionText {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut parts = words.splitn(2, |&word| word == "moves").map(|part| part.join(" "));
        let setup = parts.next().filter(|setup| !setup.is_empty());
        PositionText { setup, moves: parts.next().unwrap_or_default() }
    }

    /// Whether moves are played, or at least written: `-` stands for none.
    pub fn has_moves(&self) -> bool {
        !self.moves.is_empty() && self.moves != START
    }

    /// The words that set up where the moves start, as [`AnyGame::set_position`] takes them.
    pub fn setup_words(&self) -> Vec<&str> {
        match self.setup.as_deref().unwrap_or_default().trim() {
            "startpos" | START => Vec::new(),
            setup => setup.split_whitespace().collect(),
        }
    }

    /// Sets up the position in `game`, or says what is wrong with it.
    pub fn set_up(&self, game: &mut dyn AnyGame) -> Result<(), String> {
        game.set_position(&[], &[])?;
        let first_moves = game.moves();
        let has_digits = first_moves.iter().all(|mv| mv.len() == 1 && is_number(mv));
        let moves = move_words(&self.moves, has_digits)?;
        game.set_position(&self.setup_words(), &moves).map_err(|reason| {
            let is_move = |digit: char| first_moves.iter().any(|mv| mv.starts_with(digit));
            let runs_on = |word: &&str| match word.len() {
                0 | 1 => false,
                2 => has_digits && word.chars().all(is_move),
                _ => is_number(word),
            };
            match moves.iter().any(runs_on) {
                true => format!("{reason}; separate moves by blanks or commas"),
                false => reason,
            }
        })
    }
}

/// Whether these words are a position: it begins with one of its keywords, or with the rows of a FEN.
fn is_position(words: &[&str]) -> bool {
    const KEYWORDS: [&str; 5] = ["startpos", "fen", "grid", "cells", "pits"];
    words.first().is_some_and(|word| KEYWORDS.contains(word) || word.contains('/'))
}

/// The moves in a text: separated by blanks or commas, or digits without anything between them in
/// games with such moves.
fn move_words(text: &str, has_digits: bool) -> Result<Vec<&str>, String> {
    let text = text.trim();
    let is_separator = |letter: char| letter == ',' || letter.is_whitespace();
    if text.is_empty() || text == START {
        return Ok(Vec::new());
    }
    if has_digits && text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(is_separator)
    {
        let word = |(start, letter): (usize, char)| &text[start..start + letter.len_utf8()];
        return Ok(text.char_indices().map(word).collect());
    }
    let mut words = Vec::new();
    for part in text.split(',') {
        let before = words.len();
        words.extend(part.split_whitespace());
        if words.len() == before {
            return Err(format!("move {} is missing (commas separate moves)", before + 1));
        }
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::REGISTRY;

    /// The position text after a line about a game, or what is wrong with the line.
    fn position(game: &str, line: &str) -> Result<String, String> {
        let words: Vec<&str> = game.split_whitespace().collect();
        let mut game = REGISTRY.open_from_words(&words)?;
        PositionText::of_content(&content(line)).set_up(&mut *game)?;
        Ok(game.position_text())
    }

    fn after(game: &str, moves: &[&str]) -> Result<String, String> {
        let words: Vec<&str> = game.split_whitespace().collect();
        let mut game = REGISTRY.open_from_words(&words)?;
        game.set_position(&[], moves)?;
        Ok(game.position_text())
    }

    #[test]
    fn moves_are_digits_or_words_between_blanks_or_commas() {
        for line in ["4451", "4,4,5,1", "4 4 5 1", " 4,4, 5 ,1\t# a comment", "04 4 5 1#"] {
            assert_eq!(position("6 7", line), after("6 7", &["4", "4", "5", "1"]), "{line}");
        }
        assert_eq!(position("6 7", "P@d1"), after("6 7", &["4"]));
        assert_eq!(position("6 11", "10,1,11"), after("6 11", &["10", "1", "11"]));
        assert_eq!(position("6 11", "11"), after("6 11", &["11"]));
        assert_eq!(position("6 9", "99"), after("6 9", &["9", "9"]));
        assert_eq!(position("kalah 6 4", "36"), after("kalah 6 4", &["3", "6"]));
        assert_eq!(position("kalah 10 4", "10 1"), after("kalah 10 4", &["10", "1"]));
        assert_eq!(position("wali 3 3 3", "a1 b2"), after("wali 3 3 3", &["a1", "b2"]));
        assert_eq!(position("boom", "41,2"), position("boom", "41 2"));
    }

    #[test]
    fn the_start_position_has_a_sign_and_a_blank_line_has_nothing() {
        for line in ["-", " - # the empty board", "startpos", "moves", "startpos moves"] {
            assert_eq!(position("4 4", line), after("4 4", &[]), "{line}");
        }
        for line in ["", " \t", "# 4453", "  #"] {
            assert_eq!(content(line), "", "{line}");
        }
    }

    #[test]
    fn positions_are_written_as_in_a_session() {
        let expected = after("4 5", &["1", "2", "1"]);
        for line in [
            "grid ...../...../X..../XO... p2",
            "grid ...../...../X..../XO...",
            "fen 5/5/P4/Pp3 b - - 0 2",
            "5/5/P4/Pp3 b",
            "grid ...../...../...../XO... moves 1",
            "grid ...../...../...../XO... p1 moves 1",
            "startpos moves 121",
            "startpos moves 1 2 1",
            "moves 1,2,1",
        ] {
            assert_eq!(position("4 5", line), expected, "{line}");
        }
        for entry in REGISTRY.0 {
            let text = after(entry.name, &[]).expect("it opens");
            assert_eq!(position(entry.name, &text), Ok(text), "{}", entry.name);
        }
        let line = "pits 2 0 0 2 / 3 3 2 0 p2";
        assert_eq!(position("kalah 3 2", line), Ok(line.to_owned()));
        let line = "cells ..2/111/... p2 move";
        assert_eq!(position("wali 3 3 3", line), Ok(line.to_owned()));
    }

    #[test]
    fn the_first_wrong_move_is_named_with_the_reason() {
        for (line, reason) in [
            ("48", "move 2, '8': column 8 does not exist (columns are 1..7)"),
            ("40", "move 2, '0': column 0 does not exist (columns are 1..7)"),
            ("4x9", "move 2, 'x': expected a column (1..7)"),
            ("é", "move 1, 'é': expected a column (1..7)"),
            (",", "move 1 is missing (commas separate moves)"),
            ("1,2,", "move 3 is missing (commas separate moves)"),
            ("1, ,2", "move 2 is missing (commas separate moves)"),
            (r#"4"4"#, r#"move 2, '"': expected a column (1..7)"#),
            (r#"4,\"4"#, r#"move 2, '\\"4': expected a column (1..7)"#),
            ("4,+4", "move 2, '+4': expected a column (1..7)"),
            ("4 -1", "move 2, '-1': expected a column (1..7)"),
            (
                "44444437632223 2",
                "move 1, '44444437632223': column 44444437632223 does not exist (columns are 1..7); separate moves by blanks or commas",
            ),
            ("1111111", "move 7, '1': column 1 is full"),
            ("12121212", "move 8, '2': the game is over (p1win)"),
            ("grid ...", "expected 6 rows, got 1"),
            ("grid", "expected rows separated by '/' after 'grid', top row first"),
            ("pits 4 4", "expected a position (startpos, grid, fen) or 'moves', got 'pits'"),
            ("grid ../..", "expected 6 rows, got 2"),
            ("fen", "expected a position after 'fen'"),
            ("x/y moves 4", "expected a side to move (w or b) after the board"),
        ] {
            assert_eq!(position("6 7", line), Err(reason.to_owned()), "{line}");
        }
        let reason = "move 1, '44': column 44 does not exist (columns are 1..7); separate moves by blanks or commas";
        assert_eq!(position("6 7", "44 53"), Err(reason.to_owned()));
        let reason = "move 2, '10': column 10 does not exist (columns are 1..7)";
        assert_eq!(position("6 7", "4 10"), Err(reason.to_owned()));
        let reason = "move 1, '1234': column 1234 does not exist (columns are 1..10); separate moves by blanks or commas";
        assert_eq!(position("6 10", "1234"), Err(reason.to_owned()));
    }

    #[test]
    fn long_words_and_control_characters_do_not_spoil_the_message() {
        let reason = position("6 7", &format!("1,{}", "x".repeat(1000))).expect_err("no column");
        assert!(reason.len() < 150, "{reason}");
        let reason = position("6 7", "1\u{1b}").expect_err("no column");
        assert!(!reason.contains('\u{1b}'), "{reason}");
    }
}
