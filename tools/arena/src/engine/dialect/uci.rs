//! UCI as chess programs speak it, with the variant `cfour`: Connect Four on 6 rows and 7 columns.
//!
//! A move is a drop on a square, `P@d1`: files a to g are the columns, ranks 1 to 6 the rows from
//! the bottom.

use super::native::moves;
use super::{Dialect, Exchange, Go, Heard, Position, Question, go, hear};

/// UCI `cfour`.
pub struct Uci;

/// The words for the clocks of player 1 and 2.
const CLOCK_WORDS: [[&str; 2]; 2] = [["wtime", "winc"], ["btime", "binc"]];
/// The only game that has a name in UCI.
const TITLE: &str = "connect4 6 7 4";

impl Dialect for Uci {
    fn plays(&self, title: &str) -> Result<(), String> {
        match title {
            TITLE => Ok(()),
            _ => Err(format!("proto=uci plays {TITLE} only, not {title}")),
        }
    }

    fn sets_up_positions(&self) -> bool {
        false
    }

    fn hello(&self) -> Option<Exchange> {
        Some(Exchange { say: "uci", answer: "uciok" })
    }

    fn new_game(&self, _title: &str) -> Vec<String> {
        ["setoption name UCI_Variant value cfour", "ucinewgame"].map(str::to_owned).into()
    }

    fn question(&self, position: &Position, limits: &Go) -> Question {
        let history = &position.moves;
        let drops: Vec<String> =
            (0..history.len()).map(|ply| drop_text(&history[..ply], &history[ply])).collect();
        let prepare = format!("position startpos{}", moves(&drops));
        Question { prepare: Some(prepare), ask: go(limits, CLOCK_WORDS) }
    }

    fn hear(&self, line: &str, position: &Position) -> Heard {
        match hear(line) {
            Heard::Move(word) => Heard::Move(column_of(&position.moves, word)),
            other => other,
        }
    }
}

/// The drop that `column` is after `before`: the columns played so far tell the row.
fn drop_text(before: &[String], column: &str) -> String {
    let file =
        column.parse().ok().and_then(|number: u8| Some(char::from(b'`'.checked_add(number)?)));
    let rank = before.iter().filter(|&played| played == column).count() + 1;
    format!("P@{}{rank}", file.unwrap_or('?'))
}

/// The column that `drop` names after `before`, or the word itself if it is not the square where a
/// stone would come to lie.
fn column_of(before: &[String], drop: String) -> String {
    let columns = ["1", "2", "3", "4", "5", "6", "7"];
    let named = columns.iter().find(|column| drop_text(before, column).eq_ignore_ascii_case(&drop));
    named.map_or(drop, |&column| column.to_owned())
}
