//! The dialects that engines speak, one small file each.
//!
//! A dialect turns what the arena wants to say into lines and lines into what was said. It knows
//! nothing of processes, clocks or rules. Moves are words of the protocol of `ratlla` everywhere
//! outside; a dialect with other words translates them.

mod info;
mod line;
mod native;
mod uci;
mod ugi;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use info::Info;

/// A position as the arena knows it: how it was set up, and what was played since.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The words after `position`, or nothing for the start of the game.
    pub setup: String,
    /// The moves since.
    pub moves: Vec<String>,
}

/// What an engine may use for one move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clocks of both players, if they have any.
    pub clocks: [Option<Clock>; 2],
    /// Think until told to stop.
    pub infinite: bool,
}

/// What is left on a clock, and what it gains with each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Left.
    pub remaining: Duration,
    /// Gained.
    pub increment: Duration,
}

/// Something to say, and the word that begins the last line of the answer.
pub struct Exchange {
    /// What to say.
    pub say: &'static str,
    /// What comes back.
    pub answer: &'static str,
}

/// How to ask for a move.
pub struct Question {
    /// What comes before, if anything does, and costs the engine no time.
    pub prepare: Option<String>,
    /// The line that starts the clock.
    pub ask: String,
}

/// What a line of an engine means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// The move that it plays: a word, which may be illegal.
    Move(String),
    /// What it thinks.
    Info(Info),
    /// It does not understand.
    Complaint,
    /// Something else, which can be ignored.
    Other,
}

/// One way to talk to an engine.
pub trait Dialect: Send {
    /// Whether games of this kind can be played; the error says why not. The title is what comes
    /// after `newgame`.
    fn plays(&self, _title: &str) -> Result<(), String> {
        Ok(())
    }

    /// Whether a game can begin with another position than its start.
    fn sets_up_positions(&self) -> bool {
        true
    }

    /// What is said first, if anything is.
    fn hello(&self) -> Option<Exchange>;

    /// How to make sure that all that was said so far is done.
    fn sync(&self) -> Option<Exchange> {
        Some(Exchange { say: "isready", answer: "readyok" })
    }

    /// How to set an option; a button has no value.
    fn set_option(&self, name: &str, value: &str) -> Option<String> {
        set_option(name, value)
    }

    /// How to begin a game.
    fn new_game(&self, title: &str) -> Vec<String>;

    /// How to ask for a move.
    fn question(&self, position: &Position, go: &Go) -> Question;

    /// What a line means that comes while it is asked about `position`.
    fn hear(&self, line: &str, _position: &Position) -> Heard {
        hear(line)
    }

    /// How to end a search early.
    fn stop(&self) -> Option<&'static str> {
        Some("stop")
    }

    /// How to say goodbye, beside closing the input.
    fn quit(&self) -> Option<&'static str> {
        Some("quit")
    }
}

/// The names of the dialects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proto {
    /// The protocol of `ratlla`.
    #[default]
    Native,
    /// The universal game interface.
    Ugi,
    /// UCI with the variant `cfour`.
    Uci,
    /// A history in each line, a move in each answer.
    Line,
}

impl Proto {
    const ALL: [(&'static str, Proto); 4] = [
        ("native", Proto::Native),
        ("ugi", Proto::Ugi),
        ("uci", Proto::Uci),
        ("line", Proto::Line),
    ];

    /// The dialect itself.
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
        let name = Proto::ALL.iter().find(|(_, proto)| proto == self).map_or("", |(name, _)| name);
        f.pad(name)
    }
}

impl FromStr for Proto {
    type Err = String;

    fn from_str(text: &str) -> Result<Proto, String> {
        let found = Proto::ALL.iter().find(|(name, _)| *name == text);
        let names: Vec<&str> = Proto::ALL.iter().map(|(name, _)| *name).collect();
        found
            .map(|&(_, proto)| proto)
            .ok_or_else(|| format!("no dialect is called '{text}': there is {}", names.join(", ")))
    }
}

/// `setoption` as UCI has it.
fn set_option(name: &str, value: &str) -> Option<String> {
    let value = if value.is_empty() { String::new() } else { format!(" value {value}") };
    Some(format!("setoption name {name}{value}"))
}

/// `go` as UCI has it, with the words for both players' clocks and increments.
fn go(go: &Go, clock_words: [[&str; 2]; 2]) -> String {
    let mut line = "go".to_owned();
    let mut add = |word: &str, number: Option<u128>| {
        if let Some(number) = number {
            line += &format!(" {word} {number}");
        }
    };
    add("depth", go.depth.map(u128::from));
    add("nodes", go.nodes.map(u128::from));
    add("movetime", go.movetime.map(|time| time.as_millis()));
    for (clock, [time_word, increment_word]) in go.clocks.iter().zip(clock_words) {
        add(time_word, clock.map(|clock| clock.remaining.as_millis()));
        add(increment_word, clock.map(|clock| clock.increment.as_millis()));
    }
    if go.infinite {
        line += " infinite";
    }
    line
}

/// What a line means where answers are `bestmove` and `info`.
fn hear(line: &str) -> Heard {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => Heard::Move(words.next().unwrap_or_default().to_owned()),
        _ if is_complaint(line) => Heard::Complaint,
        Some("info") => Heard::Info(Info::parse(words)),
        _ => Heard::Other,
    }
}

/// Whether an engine that says this has not understood.
fn is_complaint(line: &str) -> bool {
    let line = line.trim().trim_start_matches("info string ");
    let start: String = line.chars().take(15).collect::<String>().to_lowercase();
    start.split(' ').next() == Some("error") || start.starts_with("unknown command")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everything() -> Go {
        let clock = |ms| Clock {
            remaining: Duration::from_millis(ms),
            increment: Duration::from_millis(ms / 10),
        };
        Go {
            depth: Some(5),
            nodes: Some(70),
            movetime: Some(Duration::from_millis(90)),
            clocks: [Some(clock(1000)), Some(clock(2000))],
            infinite: false,
        }
    }

    fn lines(proto: Proto, position: &Position, go: &Go) -> Vec<String> {
        let question = proto.dialect().question(position, go);
        question.prepare.into_iter().chain([question.ask]).collect()
    }

    #[test]
    fn each_dialect_asks_in_its_own_words() {
        let position =
            Position { setup: String::new(), moves: vec!["4".into(), "4".into(), "3".into()] };
        let limits = "depth 5 nodes 70 movetime 90";
        assert_eq!(
            lines(Proto::Native, &position, &everything()),
            [
                "position moves 4 4 3",
                &format!("go {limits} p1time 1000 p1inc 100 p2time 2000 p2inc 200")
            ]
        );
        assert_eq!(
            lines(Proto::Ugi, &position, &everything()),
            [
                "position startpos moves 4 4 3",
                &format!("go {limits} p1time 1000 p1inc 100 p2time 2000 p2inc 200")
            ]
        );
        assert_eq!(
            lines(Proto::Uci, &position, &everything()),
            [
                "position startpos moves P@d1 P@d2 P@c1",
                &format!("go {limits} wtime 1000 winc 100 btime 2000 binc 200")
            ]
        );
        assert_eq!(lines(Proto::Line, &position, &everything()), ["4 4 3"]);
    }

    #[test]
    fn a_position_without_moves_has_no_word_for_them() {
        let start = Position::default();
        let set_up = Position { setup: "pits 1 2".into(), moves: Vec::new() };
        let go = Go { infinite: true, ..Go::default() };
        assert_eq!(lines(Proto::Native, &start, &go), ["position startpos", "go infinite"]);
        assert_eq!(lines(Proto::Native, &set_up, &go), ["position pits 1 2", "go infinite"]);
        assert_eq!(lines(Proto::Ugi, &set_up, &go), ["position fen pits 1 2", "go infinite"]);
        assert_eq!(lines(Proto::Uci, &start, &go), ["position startpos", "go infinite"]);
        assert_eq!(lines(Proto::Line, &start, &go), [""]);
    }

    #[test]
    fn answers_become_moves() {
        let position = Position { setup: String::new(), moves: vec!["4".into()] };
        let hear = |proto: Proto, line: &str| proto.dialect().hear(line, &position);
        let column = |word: &str| Heard::Move(word.into());
        assert_eq!(hear(Proto::Native, "bestmove 4 ponder 3"), column("4"));
        assert_eq!(hear(Proto::Native, "bestmove"), column(""));
        assert_eq!(hear(Proto::Native, "error go: no"), Heard::Complaint);
        assert_eq!(hear(Proto::Native, "errors"), Heard::Other);
        assert_eq!(hear(Proto::Ugi, "bestmove a2b2xc4"), column("a2b2xc4"));
        assert_eq!(hear(Proto::Uci, "bestmove P@d2 ponder P@d3"), column("4"));
        assert_eq!(hear(Proto::Uci, "bestmove p@d2"), column("4"));
        assert_eq!(hear(Proto::Uci, "bestmove P@d1"), column("P@d1"));
        assert_eq!(hear(Proto::Ugi, "info string error position: no"), Heard::Complaint);
        assert_eq!(hear(Proto::Uci, "Unknown command: 'x'"), Heard::Complaint);
        assert_eq!(hear(Proto::Line, " 4 "), column("4"));
        assert_eq!(hear(Proto::Line, "error what?"), Heard::Complaint);
    }
}
