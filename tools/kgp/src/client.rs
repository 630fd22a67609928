//! The conversation with a server, in the mode `freeplay`.
//!
//! The reader answers pings and stops searches at once; each position is thought about on a
//! thread of its own, and all of them write whole lines to the same output.

use std::collections::HashMap;
use std::io::{BufRead, Read, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use ratlla::any_game::Request;
use ratlla::limits::{Clock, Limits, SearchControl};
use ratlla::platform::threads::THREAD_STACK;
use ratlla::search::transposition_table::TranspositionTable;

use crate::board::Board;
use crate::line::{Argument, Line, quote};

/// What the user chose.
#[derive(Clone, Debug)]
pub struct Choices {
    /// What the server is told about who plays.
    pub name: String,
    /// What proves to the server that it is the same player as last time.
    pub token: Option<String>,
    /// How long to think about each position, whatever the server says.
    pub movetime: Option<Duration>,
    /// MiB of memory for each position that is being thought about.
    pub hash: usize,
}

/// Longer lines are no commands.
const LONGEST_LINE: u64 = 16384;
/// So many positions are thought about at the same time; more are answered at once.
const MOST_AT_ONCE: usize = 64;
/// How long to think if nobody says anything about time.
const USUAL_TIME: Duration = Duration::from_secs(5);
/// What a move may take on its way to the server.
const OVERHEAD: Duration = Duration::from_millis(200);

/// How the server manages time.
#[derive(Clone, Copy, Default, PartialEq)]
enum TimeMode {
    /// Not at all, or it does not tell.
    #[default]
    None,
    /// The clock is for all positions to come.
    Absolute,
    /// The clock is for each position.
    Relative,
}

/// Talks to a server until it says goodbye or the connection ends.
pub fn converse(
    mut input: impl BufRead,
    output: impl Write + Send,
    choices: &Choices,
) -> Result<(), String> {
    let desk = Desk { output: Mutex::new(output), running: Mutex::default() };
    std::thread::scope(|scope| {
        let mut client = Client { desk: &desk, choices, time_mode: TimeMode::None, clock: None };
        let result = loop {
            let line = match read_line(&mut input) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(format!("the connection broke: {error}")),
            };
            match client.obey(&line, scope) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(reason) => break Err(reason),
            }
        };
        desk.stop(None);
        result
    })
}

fn read_line(input: &mut impl BufRead) -> std::io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if length as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
        log::warn!("a line is too long and is skipped");
        input.skip_until(b'\n')?;
        return Ok(Some(String::new()));
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

/// What the reader and the thinkers share.
struct Desk<W> {
    output: Mutex<W>,
    /// The searches that can be stopped, by the number of their `state`.
    running: Mutex<HashMap<Option<u64>, Arc<SearchControl>>>,
}

impl<W: Write> Desk<W> {
    /// Writes one command. A server that does not listen any more will be noticed by the reader.
    fn say(&self, reference: Option<u64>, text: &str) {
        let line = match reference {
            Some(number) => format!("@{number} {text}"),
            None => text.to_owned(),
        };
        log::debug!("> {line}");
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        let written = output.write_all(format!("{line}\r\n").as_bytes());
        if let Err(error) = written.and_then(|()| output.flush()) {
            log::warn!("cannot write: {error}");
        }
    }

    /// Whether the server still waits for this search.
    fn is_wanted(&self, id: Option<u64>, control: &Arc<SearchControl>) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        running.get(&id).is_some_and(|current| Arc::ptr_eq(current, control))
    }

    /// Forgets a search that is done, and tells whether the server still waited for it.
    fn finish(&self, id: Option<u64>, control: &Arc<SearchControl>) -> bool {
        let is_wanted = self.is_wanted(id, control);
        if is_wanted {
            self.running.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
        }
        is_wanted
    }

    /// Stops the search for a `state`, or all if the server does not say which.
    fn stop(&self, reference: Option<u64>) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match reference {
            Some(_) => drop(running.remove(&reference).map(|control| control.stop())),
            None => running.drain().for_each(|(_, control)| control.stop()),
        }
    }
}

struct Client<'a, W> {
    desk: &'a Desk<W>,
    choices: &'a Choices,
    time_mode: TimeMode,
    clock: Option<Duration>,
}

impl<'a, W: Write + Send> Client<'a, W> {
    /// Obeys a line; `false` if it was the last.
    fn obey<'scope>(&mut self, text: &str, scope: &'scope Scope<'scope, '_>) -> Result<bool, String>
    where
        'a: 'scope,
    {
        if text.is_empty() {
            return Ok(true);
        }
        log::debug!("< {text}");
        let line = match Line::parse(text) {
            Ok(line) => line,
            Err(reason) => {
                log::warn!("{reason}");
                return Ok(true);
            }
        };
        match (line.name.as_str(), &line.arguments[..]) {
            ("kgp", [Argument::Number(1), ..]) => self.introduce(),
            ("kgp", _) => {
                self.desk.say(line.id, &format!("error {}", quote("only version 1 is spoken")));
                return Err(format!("the server speaks another version: {text}"));
            }
            ("state", [Argument::Board(numbers), ..]) => match Board::new(numbers) {
                Ok(board) => self.start(line.id, board, scope),
                Err(reason) => self.desk.say(line.id, &format!("error {}", quote(&reason))),
            },
            ("stop", _) => self.desk.stop(line.reference),
            ("ping", []) => self.desk.say(line.id, "pong"),
            ("ping", [argument, ..]) => self.desk.say(line.id, &format!("pong {}", told(argument))),
            ("set", [Argument::Word(option), value, ..]) => self.note(option, value),
            ("error", _) => log::warn!("the server complains: {text}"),
            ("goodbye", _) => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn introduce(&self) {
        let choices = self.choices;
        self.desk.say(None, &format!("set info:name {}", quote(&choices.name)));
        self.desk.say(None, &format!("set info:authors {}", quote("the ratlla authors")));
        if let Some(token) = &choices.token {
            self.desk.say(None, &format!("set auth:token {}", quote(token)));
        }
        self.desk.say(None, "mode freeplay");
    }

    /// What the server says about time; other remarks are of no use here.
    fn note(&mut self, option: &str, value: &Argument) {
        match (option, value) {
            ("time:mode", Argument::Word(mode) | Argument::Text(mode)) => {
                self.time_mode = match mode.as_str() {
                    "absolute" => TimeMode::Absolute,
                    "relative" => TimeMode::Relative,
                    _ => TimeMode::None,
                };
            }
            ("time:clock", Argument::Number(seconds)) => {
                self.clock = Some(Duration::from_secs((*seconds).clamp(0, 1 << 30) as u64));
            }
            _ => {}
        }
    }

    fn limits(&self) -> Limits {
        let of_clock = |remaining| match self.time_mode {
            TimeMode::None => None,
            TimeMode::Absolute => Some((Some(remaining), None)),
            TimeMode::Relative => Some((None, Some(remaining))),
        };
        let by_server = self.clock.and_then(of_clock);
        let (remaining, movetime) = match (self.choices.movetime, by_server) {
            (Some(movetime), _) => (None, Some(movetime)),
            (None, Some((remaining, movetime))) => {
                (remaining, movetime.map(|time: Duration| time.saturating_sub(OVERHEAD)))
            }
            (None, None) => (None, Some(USUAL_TIME)),
        };
        let clock =
            remaining.map(|remaining| Clock { remaining, overhead: OVERHEAD, ..Clock::default() });
        Limits { movetime, clock, ..Limits::default() }
    }

    /// Begins to think about a position.
    fn start<'scope>(&self, id: Option<u64>, board: Board, scope: &'scope Scope<'scope, '_>)
    where
        'a: 'scope,
    {
        let Some(&any) = board.moves().first() else {
            return self.desk.say(id, "yield");
        };
        let control = Arc::new(SearchControl::new(false, false));
        let mut running = self.desk.running.lock().unwrap_or_else(PoisonError::into_inner);
        if id.is_some() && running.contains_key(&id) {
            return log::warn!("state {id:?} came twice");
        }
        if running.len() >= MOST_AT_ONCE {
            control.stop();
        }
        if let Some(before) = running.insert(id, control.clone()) {
            before.stop();
        }
        drop(running);
        let (desk, limits, hash) = (self.desk, self.limits(), self.choices.hash);
        let think = move || {
            let mut told = 0;
            let mut tell = |house: usize| {
                if house != told && desk.is_wanted(id, &control) {
                    desk.say(id, &format!("move {house}"));
                    told = house;
                }
            };
            if let Err(reason) = improve(&board, &limits, hash, &control, &mut tell) {
                log::warn!("{reason}: any move will do");
                tell(any);
            }
            if desk.finish(id, &control) {
                desk.say(id, "yield");
            }
        };
        let thread = std::thread::Builder::new().stack_size(THREAD_STACK);
        if let Err(error) = thread.spawn_scoped(scope, think) {
            log::warn!("no thread can be started: {error}");
            self.desk.say(id, &format!("move {any}"));
            self.desk.say(id, "yield");
        }
    }
}

/// Tells better and better moves until a limit, a signal or the truth ends it.
fn improve(
    board: &Board,
    limits: &Limits,
    hash: usize,
    control: &SearchControl,
    tell: &mut dyn FnMut(usize),
) -> Result<(), String> {
    let table = board.table()?;
    let tt = TranspositionTable::new(table.table_share(hash))?;
    let request = Request {
        limits,
        search_moves: &[],
        settings: &Default::default(),
        solve: false,
        control,
        tt: &tt,
    };
    let mut tell_word = |word: Option<&String>| {
        if let Some(house) = word.and_then(|word| word.parse().ok()) {
            tell(house);
        }
    };
    let choice = table.think(&request, &mut |info| tell_word(info.line.first()));
    tell_word(choice.best.as_ref());
    Ok(())
}

/// An argument as it came.
fn told(argument: &Argument) -> String {
    match argument {
        Argument::Number(number) => number.to_string(),
        Argument::Word(word) => word.clone(),
        Argument::Text(text) => quote(text),
        Argument::Board(numbers) => {
            let numbers: Vec<String> = numbers.iter().map(u32::to_string).collect();
            format!("<{}>", numbers.join(","))
        }
    }
}
