//! `ratlla-arena-dummy`: a small engine for the tests of the arena. It speaks every dialect and
//! does whatever wrong it is told to.
//!
//! ```text
//! ratlla-arena-dummy DIALECT [BEHAVIOUR [NUMBER]]
//! ```
//!
//! Left alone it plays the move that a hash of the position chooses. NUMBER says in which of its
//! turns, from 1, it begins to misbehave.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla_arena::engine::dialect::{Heard, Position, Proto};
use ratlla_arena::umpire;

fn main() -> io::Result<()> {
    let mut words = std::env::args().skip(1);
    let proto: Proto = words.next().unwrap_or_default().parse().map_err(io::Error::other)?;
    let behaviour = words.next().unwrap_or_default();
    let turn = words.next().and_then(|number| number.parse().ok()).unwrap_or(1);
    if behaviour == "crash-at-start" {
        eprintln!("no luck today");
        std::process::exit(3);
    }
    let table = umpire::open("").map_err(io::Error::other)?;
    let position = Position::default();
    let mut dummy = Dummy { proto, behaviour, turn, turns: 0, table, position, thinks: false };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "quit" && dummy.behaviour != "clingy" {
            return Ok(());
        }
        dummy.obey(&line);
    }
    if dummy.behaviour == "deaf" || dummy.behaviour == "undying" {
        endless_sleep();
    }
    Ok(())
}

struct Dummy {
    proto: Proto,
    behaviour: String,
    turn: u64,
    turns: u64,
    table: Box<dyn AnyGame>,
    position: Position,
    /// Until it is told to stop.
    thinks: bool,
}

impl Dummy {
    fn obey(&mut self, line: &str) {
        if self.behaviour == "silent" || self.behaviour == "deaf" {
            return;
        }
        if self.behaviour == "babble" {
            return say("how do you do");
        }
        if self.proto == Proto::Line {
            self.set_position(&format!("moves {line}"));
            return self.answer();
        }
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => say("id name dummy\nuciok"),
            ("ugi", _) => say("id name dummy\nugiok"),
            ("isready", _) if self.thinks && self.behaviour == "busy" => {}
            ("isready", _) => say("readyok"),
            ("newgame", words) => {
                if let Ok(table) = umpire::open(words) {
                    self.table = table;
                }
            }
            ("position", words) => self.set_position(words),
            ("go", "infinite") if self.behaviour != "eager" => self.thinks = true,
            ("go", _) => self.answer(),
            ("stop", _) if self.thinks && self.behaviour != "unstoppable" => {
                self.thinks = false;
                self.answer();
            }
            ("stop", _) if self.behaviour == "jumpy" => self.answer(),
            ("xyzzy", _) if self.behaviour == "fragile" => std::process::exit(1),
            _ => {}
        }
    }

    fn set_position(&mut self, words: &str) {
        self.position = umpire::parse_position(words.trim_start_matches("fen "));
        if self.proto == Proto::Uci {
            let words = self.position.moves.iter();
            let column = |word: &String| word.get(2..3).and_then(|file| file.bytes().next());
            self.position.moves =
                words.filter_map(column).map(|file| (file - b'a' + 1).to_string()).collect();
        }
        if let Err(reason) = umpire::set_up(&mut *self.table, &self.position) {
            self.position = Position::default();
            if self.proto == Proto::Native && self.behaviour != "tolerant" {
                say(&format!("error position: {reason}"));
            }
        }
    }

    fn answer(&mut self) {
        self.turns += 1;
        if self.turns < self.turn {
            return self.play();
        }
        match self.behaviour.as_str() {
            "crash" => std::process::abort(),
            "exit" => std::process::exit(0),
            "mute" => {}
            "hang" => endless_sleep(),
            "illegal" => self.tell("99"),
            "optimist" if self.table.outcome().is_some() => self.tell("1"),
            "none" => self.tell("(none)"),
            "slow" => {
                std::thread::sleep(Duration::from_millis(400));
                self.play();
            }
            "nap" => {
                std::thread::sleep(Duration::from_millis(1));
                self.play();
            }
            "flood" => loop {
                say("info string more and more and more");
            },
            "endless-line" => loop {
                print!("more and more and more ");
            },
            "complain" => say("error go: I do not want to"),
            "chatty" => {
                self.play();
                self.play();
            }
            _ => self.play(),
        }
    }

    fn play(&self) {
        let moves = self.table.moves();
        // A key has no pattern that a small number of moves could follow.
        let choice = self.table.key() % moves.len().max(1) as u64;
        match moves.get(choice as usize) {
            Some(mv) => self.tell(mv),
            None => self.tell("(none)"),
        }
    }

    fn tell(&self, mv: &str) {
        match self.proto {
            Proto::Line => say(mv),
            Proto::Uci => say(&format!("info depth 1 score cp 0\nbestmove {}", self.drop_of(mv))),
            _ => say(&format!("info depth 1 score cp 0 nodes 1\nbestmove {mv}")),
        }
    }

    /// The square that UCI means by a column: the one that is read back as that column.
    fn drop_of(&self, column: &str) -> String {
        let uci = Proto::Uci.dialect();
        let reads_back = |square: &String| {
            uci.hear(&format!("bestmove {square}"), &self.position) == Heard::Move(column.into())
        };
        let files = "abcdefg".chars();
        let squares = files.flat_map(|file| (1..=6).map(move |rank| format!("P@{file}{rank}")));
        squares.into_iter().find(reads_back).unwrap_or_else(|| column.to_owned())
    }
}

fn say(text: &str) {
    let mut output = io::stdout().lock();
    // Whoever does not listen does not matter.
    if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn endless_sleep() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
