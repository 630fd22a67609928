//! The dialects that engines speak, one file each.
//!
//! A dialect formats commands and parses replies. It knows nothing of processes, clocks or rules.
//! Outside this module moves are always in the notation of `ratlla`; a dialect with another
//! notation translates.

mod info;
mod line;
mod native;
mod option;
mod uci;
mod ugi;

use std::fmt::{self, Write as _};
use std::time::Duration;

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

pub use info::Info;
pub use option::EngineOption;

/// A position: how it was set up and the moves since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The words after `position`; empty for the start position.
    pub setup: String,
    /// The moves from there.
    pub moves: Vec<String>,
}

/// The parameters of a `go` command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoParams {
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Node count.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clocks of player 1 and player 2.
    pub clocks: [Option<Clock>; 2],
    /// Moves until the mover's clock gets more time.
    pub moves_to_go: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
}

/// A player's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves until more time is added.
    pub moves_to_go: Option<u32>,
}

/// A command and the first word of the line that completes its answer.
pub struct Handshake {
    /// The command.
    pub send: &'static str,
    /// The expected word.
    pub expect: &'static str,
}

/// The commands that ask for a move.
pub struct GoCommand {
    /// Sets the position; not timed.
    pub position: Option<String>,
    /// Starts the search and the clock.
    pub go: String,
}

/// A line from an engine, parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineMessage {
    /// The chosen move, which may be illegal.
    BestMove {
        /// The move.
        mv: String,
        /// The opponent's expected turn; empty if the engine expects nothing.
        ponder: Vec<String>,
    },
    /// Search information, which [`Info::latest`] reads.
    Info,
    /// The engine rejected a command.
    Error,
    /// Anything else; ignored.
    Other,
}

/// A protocol to talk to engines.
pub trait Dialect: Send {
    /// Fails if the dialect cannot express the game with this title (the words after `newgame`).
    fn supports(&self, _title: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether a game can start from an arbitrary position.
    fn supports_setup(&self) -> bool {
        true
    }

    /// The opening handshake, if there is one.
    fn hello(&self) -> Option<Handshake>;

    /// The command that lists the options of the current game, in a dialect whose handshake does
    /// not.
    fn list_options(&self) -> Option<&'static str> {
        None
    }

    /// Asks whether all commands so far are processed.
    fn is_ready(&self) -> Option<Handshake> {
        Some(Handshake { send: "isready", expect: "readyok" })
    }

    /// Sets an option; the value of a button is empty.
    fn set_option(&self, name: &str, value: &str) -> Option<String> {
        let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
        Some(format!("setoption name {name}{value}"))
    }

    /// Starts a new game.
    fn new_game(&self, title: &str) -> Vec<String>;

    /// Asks for a move.
    fn go_command(&self, position: &Position, go: &GoParams) -> GoCommand;

    /// Parses a line received while `position` is being searched.
    fn parse(&self, line: &str, _position: &Position) -> EngineMessage {
        parse_uci_line(line)
    }

    /// The command that ends the engine, if there is one beside closing stdin.
    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// The dialects by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// The protocol of `ratlla`.
    #[default]
    Native,
    /// The universal game interface.
    Ugi,
    /// UCI with the variant `cfour`.
    Uci,
    /// One line of moves in, one move out.
    Line,
}

impl Proto {
    /// The implementation.
    pub fn dialect(self) -> Box<dyn Dialect> {
        match self {
            Proto::Native => Box::new(native::Native),
            Proto::Ugi => Box::new(ugi::Ugi),
            Proto::Uci => Box::new(uci::Uci),
            Proto::Line => Box::new(line::Line),
        }
    }
}

impl fmt::Display for Proto {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.to_possible_value().as_ref().map_or("", |value| value.get_name()))
    }
}

/// `go` in UCI syntax, with the words for each player's time and increment.
fn go_line(go: &GoParams, clock_words: [[&str; 2]; 2]) -> String {
    let mut line = "go".to_owned();
    let mut add = |word: &str, number: Option<u128>| {
        if let Some(number) = number {
            // Writing to a string cannot fail.
            let _ = write!(line, " {word} {number}");
        }
    };
    add("depth", go.depth.map(u128::from));
    add("nodes", go.nodes.map(u128::from));
    add("movetime", go.movetime.map(|time| time.as_millis()));
    for (clock, [time_word, increment_word]) in go.clocks.iter().zip(clock_words) {
        add(time_word, clock.map(|clock| clock.remaining.as_millis()));
        add(increment_word, clock.map(|clock| clock.increment.as_millis()));
    }
    add("movestogo", go.moves_to_go.map(u128::from));
    if go.infinite {
        line += " infinite";
    }
    if go.ponder {
        line += " ponder";
    }
    line
}

/// Parses a line of any dialect that answers with `bestmove` and `info`.
fn parse_uci_line(line: &str) -> EngineMessage {
    let mut words = line.split_ascii_whitespace();
    match words.next() {
        Some("bestmove") => {
            let mv = words.next().unwrap_or_default().to_owned();
            let ponder = words.skip_while(|&word| word != "ponder").skip(1);
            EngineMessage::BestMove { mv, ponder: ponder.map(str::to_owned).collect() }
        }
        Some("info") if words.next() != Some("string") => EngineMessage::Info,
        _ if is_error_line(line) => EngineMessage::Error,
        _ => EngineMessage::Other,
    }
}

/// Whether the line rejects a command.
fn is_error_line(line: &str) -> bool {
    let line = line.trim().trim_start_matches("info string ");
    let start: String = line.chars().take(15).collect::<String>().to_lowercase();
    start.split(' ').next() == Some("error") || start.starts_with("unknown command")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all_limits() -> GoParams {
        let clock = |ms| Clock {
            remaining: Duration::from_millis(ms),
            increment: Duration::from_millis(ms / 10),
            moves_to_go: None,
        };
        GoParams {
            depth: Some(5),
            nodes: Some(70),
            movetime: Some(Duration::from_millis(90)),
            clocks: [Some(clock(1000)), Some(clock(2000))],
            ..GoParams::default()
        }
    }

    fn lines(proto: Proto, position: &Position, go: &GoParams) -> Vec<String> {
        let command = proto.dialect().go_command(position, go);
        command.position.into_iter().chain([command.go]).collect()
    }

    #[test]
    fn each_dialect_formats_go_in_its_own_words() {
        let position =
            Position { setup: String::new(), moves: vec!["4".into(), "4".into(), "3".into()] };
        let limits = "depth 5 nodes 70 movetime 90";
        assert_eq!(
            lines(Proto::Native, &position, &all_limits()),
            [
                "position moves 4 4 3",
                &format!("go {limits} p1time 1000 p1inc 100 p2time 2000 p2inc 200")
            ]
        );
        assert_eq!(
            lines(Proto::Ugi, &position, &all_limits()),
            [
                "position startpos moves 4 4 3",
                &format!("go {limits} p1time 1000 p1inc 100 p2time 2000 p2inc 200")
            ]
        );
        assert_eq!(
            lines(Proto::Uci, &position, &all_limits()),
            [
                "position startpos moves P@d1 P@d2 P@c1",
                &format!("go {limits} wtime 1000 winc 100 btime 2000 binc 200")
            ]
        );
        assert_eq!(lines(Proto::Line, &position, &all_limits()), ["4 4 3"]);
    }

    #[test]
    fn moves_to_go_and_pondering_are_words_of_go() {
        let go = GoParams { moves_to_go: Some(7), ponder: true, ..all_limits() };
        for proto in [Proto::Native, Proto::Ugi, Proto::Uci] {
            let lines = lines(proto, &Position::default(), &go);
            assert!(lines[1].ends_with(" movestogo 7 ponder"), "{lines:?}");
        }
    }

    #[test]
    fn a_position_without_moves_omits_the_word_moves() {
        let start = Position::default();
        let set_up = Position { setup: "pits 1 2".into(), moves: Vec::new() };
        let go = GoParams { infinite: true, ..GoParams::default() };
        assert_eq!(lines(Proto::Native, &start, &go), ["position startpos", "go infinite"]);
        assert_eq!(lines(Proto::Native, &set_up, &go), ["position pits 1 2", "go infinite"]);
        assert_eq!(lines(Proto::Ugi, &set_up, &go), ["position fen pits 1 2", "go infinite"]);
        assert_eq!(lines(Proto::Uci, &start, &go), ["position startpos", "go infinite"]);
        assert_eq!(lines(Proto::Line, &start, &go), [""]);
    }

    #[test]
    fn replies_are_parsed_in_every_dialect() {
        let position = Position { setup: String::new(), moves: vec!["4".into()] };
        let parse = |proto: Proto, line: &str| proto.dialect().parse(line, &position);
        let pondering = |word: &str, ponder: &[&str]| EngineMessage::BestMove {
            mv: word.into(),
            ponder: ponder.iter().map(|&word| word.into()).collect(),
        };
        let best_move = |word: &str| pondering(word, &[]);
        assert_eq!(parse(Proto::Native, "bestmove 4 ponder 3 1"), pondering("4", &["3", "1"]));
        assert_eq!(parse(Proto::Native, "bestmove 4 ponder"), best_move("4"));
        assert_eq!(parse(Proto::Native, "bestmove"), best_move(""));
        assert_eq!(parse(Proto::Native, "error go: no"), EngineMessage::Error);
        assert_eq!(parse(Proto::Native, "errors"), EngineMessage::Other);
        assert_eq!(parse(Proto::Ugi, "bestmove a2b2xc4"), best_move("a2b2xc4"));
        assert_eq!(parse(Proto::Uci, "bestmove P@d2 ponder P@d3"), pondering("4", &["4"]));
        assert_eq!(parse(Proto::Uci, "bestmove p@d2"), best_move("4"));
        assert_eq!(parse(Proto::Uci, "bestmove P@d1"), best_move("P@d1"));
        assert_eq!(parse(Proto::Ugi, "info string error position: no"), EngineMessage::Error);
        assert_eq!(parse(Proto::Uci, "Unknown command: 'x'"), EngineMessage::Error);
        assert_eq!(parse(Proto::Line, " 4 "), best_move("4"));
        assert_eq!(parse(Proto::Line, "error what?"), EngineMessage::Error);
    }
}
