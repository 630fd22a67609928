//! `ratlla-arena-dummy`: a mock engine for the arena's tests. It speaks every dialect and misbehaves
//! on request.
//!
//! ```text
//! ratlla-arena-dummy DIALECT [BEHAVIOUR [NUMBER]]
//! ```
//!
//! By default it plays a move chosen by a hash of the position, and expects the opponent to do the
//! same. NUMBER is the turn, or the new game, from 1, in which it starts to misbehave.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use clap::ValueEnum as _;
use ratlla::any_game::AnyGame;
use ratlla::game::Outcome;
use ratlla_arena::engine::dialect::{EngineMessage, EngineOption, Position, Proto};
use ratlla_arena::rules;

/// What `tunable` announces: a number that decides how well it plays, and a text that does nothing.
const TUNABLE: &str = "option name Skill type spin default 50 min 0 max 100\n\
                       option name Weight type string default 0.5";
const BEST_SKILL: u64 = 70;

const OPTIONS: &str = "\
option name Hash type spin default 16 min 1 max 1024
option name Style type combo default solid var solid var risky
option name Seed type spin default 0 min 0 max 2147483647
option name Ponder type check default false
option name Clear Hash type button
option name Book File type string default <empty>";

fn main() -> anyhow::Result<()> {
    let mut words = std::env::args().skip(1);
    let proto = Proto::from_str(&words.next().unwrap_or_default(), false);
    let proto = proto.map_err(anyhow::Error::msg)?;
    let behaviour = words.next().unwrap_or_default();
    let turn = words.next().and_then(|number| number.parse().ok()).unwrap_or(1);
    if behaviour == "crash-at-start" {
        eprintln!("no luck today");
        std::process::exit(3);
    }
    let game = rules::open("")?;
    let position = Position::default();
    let (turns, games, skill) = (0, 0, 50);
    let mut dummy =
        Dummy { proto, behaviour, turn, turns, games, game, position, is_searching: false, skill };
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line == "quit" && dummy.behaviour != "clingy" {
            return Ok(());
        }
        dummy.execute(&line);
    }
    if dummy.behaviour == "deaf" || dummy.behaviour == "undying" {
        sleep_forever();
    }
    Ok(())
}

struct Dummy {
    proto: Proto,
    behaviour: String,
    turn: u64,
    turns: u64,
    games: u64,
    game: Box<dyn AnyGame>,
    position: Position,
    /// Whether a `go infinite` or a `go ponder` is running.
    is_searching: bool,
    /// How well it plays if it is `tunable`: best at [`BEST_SKILL`].
    skill: u64,
}

impl Dummy {
    fn execute(&mut self, line: &str) {
        if self.behaviour == "silent" || self.behaviour == "deaf" {
            return;
        }
        if self.behaviour == "babble" {
            return print("how do you do");
        }
        if self.proto == Proto::Line {
            self.set_position(&format!("moves {line}"));
            return self.answer();
        }
        match line.split_once(' ').unwrap_or((line, "")) {
            ("uci", _) => print(&format!("id name dummy\n{OPTIONS}\nuciok")),
            ("ugi", _) => print(&format!("id name dummy\n{OPTIONS}\nugiok")),
            ("options", _) if self.behaviour == "plain" => print("error unknown command 'options'"),
            ("options", _) if self.behaviour == "tunable" => print(TUNABLE),
            ("options", _) => print(OPTIONS),
            ("setoption", words) if self.behaviour == "tunable" => {
                if let Some(value) = words.strip_prefix("name Skill value ") {
                    self.skill = value.parse().unwrap_or(self.skill);
                }
            }
            ("setoption", words) if self.proto == Proto::Native => set_option(words),
            ("isready", _) if self.is_searching && self.behaviour == "busy" => {}
            ("isready", _) => print("readyok"),
            ("newgame", words) => {
                if let Ok(game) = rules::open(words) {
                    self.game = game;
                }
                self.games += 1;
                match self.behaviour.as_str() {
                    _ if self.games < self.turn => {}
                    "crash-at-newgame" => std::process::exit(4),
                    "refuse-newgame" => print("error newgame: not today"),
                    _ => {}
                }
            }
            ("position", words) => self.set_position(words),
            ("go", "" | "infinite") if self.behaviour != "eager" => self.is_searching = true,
            ("go", words) if words.ends_with("ponder") => self.is_searching = true,
            ("ponderhit", _) if self.is_searching => {
                self.is_searching = false;
                self.answer();
            }
            ("go", _) => self.answer(),
            ("stop", _) if self.is_searching && self.behaviour != "unstoppable" => {
                self.is_searching = false;
                self.answer();
            }
            ("stop", _) if self.behaviour == "jumpy" => self.answer(),
            ("xyzzy", _) if self.behaviour == "fragile" => std::process::exit(1),
            _ => {}
        }
    }

    fn set_position(&mut self, words: &str) {
        self.position = rules::parse_position(words.trim_start_matches("fen "));
        if self.proto == Proto::Uci {
            let words = self.position.moves.iter();
            let column = |word: &String| word.get(2..3).and_then(|file| file.bytes().next());
            self.position.moves =
                words.filter_map(column).map(|file| (file - b'a' + 1).to_string()).collect();
        }
        if let Err(reason) = rules::set_up(&mut *self.game, &self.position) {
            self.position = Position::default();
            if self.proto == Proto::Native && self.behaviour != "tolerant" {
                print(&format!("error position: {reason}"));
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
            "hang" => sleep_forever(),
            "illegal" => self.print_move("99"),
            "optimist" if self.game.outcome().is_some() => self.print_move("1"),
            "none" => self.print_move("(none)"),
            "slow" => {
                std::thread::sleep(Duration::from_millis(400));
                self.play();
            }
            "nap" => {
                std::thread::sleep(Duration::from_millis(1));
                self.play();
            }
            "flood" => loop {
                print("info string more and more and more");
            },
            "endless-line" => loop {
                print!("more and more and more ");
            },
            "wordy" => {
                print(&"info string and so on\n".repeat(40_000));
                self.play();
            }
            "complain" => print("error go: not today"),
            "chatty" => {
                self.play();
                self.play();
            }
            "tunable" => self.play_with_skill(),
            _ => self.play(),
        }
    }

    /// Wins and parries at once, the more often the closer its skill is to the best one; else plays
    /// anything.
    fn play_with_skill(&mut self) {
        let sees = self.game.key() % 100 >= self.skill.abs_diff(BEST_SKILL);
        let moves = self.game.moves();
        let mover = self.game.side_to_move();
        let wins = |game: &mut dyn AnyGame, mv: &str| {
            let side = game.side_to_move();
            let is_won = game.play(mv).is_ok() && game.outcome() == Some(Outcome::Win(side));
            // What was played can be taken back.
            let _ = game.undo();
            is_won
        };
        let loses = |game: &mut dyn AnyGame, mv: &str| {
            let _ = game.play(mv);
            let replies = game.moves();
            let is_lost =
                game.side_to_move() != mover && replies.iter().any(|reply| wins(game, reply));
            let _ = game.undo();
            is_lost
        };
        let game = &mut *self.game;
        let win = moves.iter().find(|mv| sees && wins(game, mv));
        let safe: Vec<&String> = moves.iter().filter(|mv| sees && !loses(game, mv)).collect();
        let choice = win.or_else(|| safe.get(game.key() as usize % safe.len().max(1)).copied());
        match choice.cloned() {
            Some(mv) => self.print_move(&mv),
            None => self.play(),
        }
    }

    fn play(&mut self) {
        let moves = self.game.moves();
        // The hash key is pseudo-random: all moves get played.
        let choice = self.game.key() % moves.len().max(1) as u64;
        match moves.get(choice as usize) {
            Some(mv) => self.print_move(mv),
            None => self.print_move("(none)"),
        }
    }

    fn print_move(&mut self, mv: &str) {
        let score = match self.behaviour.as_str() {
            "gloomy" => "cp -500",
            "cheerful" => "cp 500",
            _ => "cp 0",
        };
        match self.proto {
            Proto::Line => print(mv),
            Proto::Uci => {
                let mut position = self.position.clone();
                let square = square_of(&position, mv);
                position.moves.push(mv.to_owned());
                let ponder = self.expected(mv).map_or_else(String::new, |expected| {
                    format!(" ponder {}", square_of(&position, &expected))
                });
                print(&format!("info depth 1 score {score}\nbestmove {square}{ponder}"));
            }
            _ => {
                let ponder = self.expected(mv).map(|expected| format!(" ponder {expected}"));
                let ponder = ponder.unwrap_or_default();
                print(&format!("info depth 1 score {score} nodes 1\nbestmove {mv}{ponder}"));
            }
        }
    }

    /// The answer to a move that another dummy would give; a mistaken one expects the last move.
    fn expected(&mut self, mv: &str) -> Option<String> {
        self.game.play(mv).ok()?;
        let moves = self.game.moves();
        let choice = self.game.key() % moves.len().max(1) as u64;
        let expected = match self.behaviour.as_str() {
            "mistaken" => moves.last(),
            _ => moves.get(choice as usize),
        };
        self.game.undo().ok()?;
        expected.cloned()
    }
}

/// The UCI drop for a column: the one that parses as that column.
fn square_of(position: &Position, column: &str) -> String {
    let uci = Proto::Uci.dialect();
    let message = EngineMessage::BestMove { mv: column.to_owned(), ponder: Vec::new() };
    let is_drop = |square: &String| uci.parse(&format!("bestmove {square}"), position) == message;
    let files = "abcdefg".chars();
    let squares = files.flat_map(|file| (1..=6).map(move |rank| format!("P@{file}{rank}")));
    squares.into_iter().find(is_drop).unwrap_or_else(|| column.to_owned())
}

/// Complains about what is not a valid value of an option.
fn set_option(words: &str) {
    let words = words.strip_prefix("name ").unwrap_or(words);
    let (name, value) = words.split_once(" value ").unwrap_or((words, ""));
    let mut options = OPTIONS.lines().filter_map(EngineOption::parse);
    match options.find(|option| option.is_named(name)).map(|option| option.check(value)) {
        Some(Ok(())) => {}
        Some(Err(reason)) => print(&format!("error setoption: {name} {reason}")),
        None => print(&format!("error setoption: unknown option '{name}'")),
    }
}

fn print(text: &str) {
    let mut output = io::stdout().lock();
    // The arena is gone: exit quietly.
    if writeln!(output, "{text}").and_then(|()| output.flush()).is_err() {
        std::process::exit(0);
    }
}

fn sleep_forever() -> ! {
    loop {
        std::thread::sleep(Duration::from_secs(3600));
    }
}
