//! Questions to the engine, in the words of its protocol.

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use ratlla_client::{self as client, Event, Launch};

/// No answer but that of a search takes longer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Why there is no answer.
#[derive(Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The engine says what is wrong.
    Refused(String),
    /// It has ended, or does not answer. The next question starts it again.
    Gone(String),
}

/// A game that the engine knows.
#[derive(Debug, PartialEq, Eq)]
pub struct Game {
    /// What it is called.
    pub name: String,
    /// The numbers that it wants: name, usual value, limits.
    pub numbers: Vec<(String, u64, [u64; 2])>,
    /// The words that may follow.
    pub words: Vec<String>,
}

/// An engine, running or to be started.
pub struct Engine {
    launch: Launch,
    running: Option<(client::Engine, Receiver<Event>)>,
}

impl Engine {
    /// It is started with the first question.
    pub fn new(launch: Launch) -> Engine {
        Engine { launch, running: None }
    }

    /// Sends lines that are answered at once and returns the answers. They must be complete: an
    /// engine that had to be started again knows nothing of earlier ones.
    pub fn ask(&mut self, lines: &[String]) -> Result<Vec<String>, Trouble> {
        let mut lines = lines.to_vec();
        lines.push("isready".to_owned());
        let mut answers = self.exchange(&lines, PATIENCE, |line| line == "readyok")?;
        answers.pop();
        match answers.iter().find_map(|line| line.strip_prefix("error ")) {
            Some(reason) => Err(Trouble::Refused(reason.to_owned())),
            None => Ok(answers),
        }
    }

    /// Sends lines of which the last is a search, and returns the move.
    pub fn search(&mut self, lines: &[String], time: Duration) -> Result<String, Trouble> {
        let is_end = |line: &str| line.starts_with("bestmove ") || line.starts_with("error ");
        let answers = self.exchange(lines, time + PATIENCE, is_end)?;
        let last = answers.last().map(String::as_str).unwrap_or_default();
        match last.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next()) {
            Some(mv) => Ok(mv.to_owned()),
            None => Err(Trouble::Refused(last.to_owned())),
        }
    }

    /// The games that it knows.
    pub fn games(&mut self) -> Result<Vec<Game>, Trouble> {
        let answers = self.ask(&["games".to_owned()])?;
        Ok(answers.iter().filter_map(|line| game(line)).collect())
    }

    fn exchange(
        &mut self,
        lines: &[String],
        patience: Duration,
        is_last: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, Trouble> {
        let result = self.try_exchange(lines, patience, is_last);
        if matches!(result, Err(Trouble::Gone(_))) {
            self.running = None;
        }
        result
    }

    fn try_exchange(
        &mut self,
        lines: &[String],
        patience: Duration,
        is_last: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, Trouble> {
        let running = match self.running.take() {
            Some(running) => running,
            None => self.start()?,
        };
        let (engine, events) = self.running.insert(running);
        for line in lines {
            engine.send(line).map_err(|unheard| Trouble::Gone(unheard.to_string()))?;
        }
        let end = Instant::now() + patience;
        let mut answers = Vec::new();
        loop {
            match events.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Event::Line(line)) => {
                    let is_last = is_last(&line);
                    answers.push(line);
                    if is_last {
                        return Ok(answers);
                    }
                }
                Ok(Event::Gone(how)) => return Err(Trouble::Gone(how)),
                Err(RecvTimeoutError::Timeout) => {
                    return Err(Trouble::Gone("it does not answer".to_owned()));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Trouble::Gone("it has ended".to_owned()));
                }
            }
        }
    }

    fn start(&self) -> Result<(client::Engine, Receiver<Event>), Trouble> {
        let (sender, events) = channel();
        let engine = client::Engine::start(&self.launch, move |event| sender.send(event).is_ok());
        let engine = engine.map_err(|error| {
            Trouble::Gone(format!("'{}' cannot be started: {error}", self.launch.name()))
        })?;
        Ok((engine, events))
    }
}

/// A line of the answer to `games`.
fn game(line: &str) -> Option<Game> {
    let mut parts = line.strip_prefix("game ")?.split(" parameter ");
    let name = parts.next()?.trim().to_owned();
    let (mut numbers, mut words) = (vec![], vec![]);
    for part in parts {
        match part.split(' ').collect::<Vec<_>>()[..] {
            [name, "type", "spin", "default", usual, "min", least, "max", most] => {
                let limits = [least.parse().ok()?, most.parse().ok()?];
                numbers.push((name.to_owned(), usual.parse().ok()?, limits));
            }
            [name, "type", "check", ..] => words.push(name.to_owned()),
            _ => return None,
        }
    }
    Some(Game { name, numbers, words })
}

/// The values that an option of this name may have, in the answer to `options`.
pub fn choices(options: &[String], name: &str) -> Vec<String> {
    let start = format!("option name {name} type combo ");
    let line = options.iter().find_map(|line| line.strip_prefix(start.as_str()));
    let values = line.into_iter().flat_map(|rest| rest.split(" var ").skip(1));
    values.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_their_parameters_are_read() {
        let line = "game kalah parameter houses type spin default 6 min 1 max 12 parameter empty type check default false";
        let kalah = game(line).unwrap();
        assert_eq!(kalah.name, "kalah");
        assert_eq!(kalah.numbers, [("houses".to_owned(), 6, [1, 12])]);
        assert_eq!(kalah.words, ["empty"]);
        assert_eq!(game("game boom").unwrap().name, "boom");
        assert_eq!(game("readyok"), None);
    }

    #[test]
    fn choices_are_read() {
        let options =
            ["option name Strategy type combo default full var random var full".to_owned()];
        assert_eq!(choices(&options, "Strategy"), ["random", "full"]);
        assert!(choices(&options, "Order").is_empty());
    }

    #[test]
    fn an_engine_that_is_not_there_is_told_of() {
        let mut engine = Engine::new(Launch::from_command_line("/no/such/engine").unwrap());
        let Err(Trouble::Gone(reason)) = engine.ask(&[]) else { panic!("it is there") };
        assert!(reason.contains("cannot be started"));
    }
}
