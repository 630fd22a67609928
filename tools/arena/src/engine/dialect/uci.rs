//! UCI with the variant `cfour`: Connect Four on 6 rows and 7 columns.
//!
//! A move is a drop, `P@d1`: files a to g are the columns, ranks 1 to 6 the rows from the bottom.

use super::native::moves;
use super::{
    Dialect, EngineMessage, GoCommand, GoParams, Handshake, Position, go_line, parse_uci_line,
};

/// UCI `cfour`.
pub struct Uci;

/// The words for time and increment of player 1 and player 2.
const CLOCK_WORDS: [[&str; 2]; 2] = [["wtime", "winc"], ["btime", "binc"]];
/// The only game the variant covers.
const TITLE: &str = "connect4 6 7 4";

impl Dialect for Uci {
    fn supports(&self, title: &str) -> Result<(), String> {
        match title {
            TITLE => Ok(()),
            _ => Err(format!("proto=uci supports only {TITLE} (got {title})")),
        }
    }

    fn supports_setup(&self) -> bool {
        false
    }

    fn hello(&self) -> Option<Handshake> {
        Some(Handshake { send: "uci", expect: "uciok" })
    }

    fn new_game(&self, _title: &str) -> Vec<String> {
        ["setoption name UCI_Variant value cfour", "ucinewgame"].map(str::to_owned).into()
    }

    fn go_command(&self, position: &Position, go: &GoParams) -> GoCommand {
        let history = &position.moves;
        let drops: Vec<String> =
            (0..history.len()).map(|ply| drop_text(&history[..ply], &history[ply])).collect();
        let position = format!("position startpos{}", moves(&drops));
        GoCommand { position: Some(position), go: go_line(go, CLOCK_WORDS) }
    }

    fn parse(&self, line: &str, position: &Position) -> EngineMessage {
        match parse_uci_line(line) {
            EngineMessage::BestMove { mv, ponder } => {
                let mut history = position.moves.clone();
                let mut column = |drop: String| {
                    history.push(column_of(&history, drop));
                    history.last().cloned().unwrap_or_default()
                };
                let mv = column(mv);
                EngineMessage::BestMove { mv, ponder: ponder.into_iter().map(column).collect() }
            }
            other => other,
        }
    }
}

/// The drop for `column` after the moves `before`, which determine the row.
fn drop_text(before: &[String], column: &str) -> String {
    let file =
        column.parse().ok().and_then(|number: u8| Some(char::from(b'`'.checked_add(number)?)));
    let rank = before.iter().filter(|&played| played == column).count() + 1;
    format!("P@{}{rank}", file.unwrap_or('?'))
}

/// The column of `drop` after the moves `before`, or the word itself if a stone would not land there.
fn column_of(before: &[String], drop: String) -> String {
    let columns = ["1", "2", "3", "4", "5", "6", "7"];
    let named = columns.iter().find(|column| drop_text(before, column).eq_ignore_ascii_case(&drop));
    named.map_or(drop, |&column| column.to_owned())
}
