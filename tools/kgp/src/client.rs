//! The connection to a server, in the mode `freeplay`.
//!
//! The reader answers pings and stops searches at once; each position is searched on a thread of
//! its own. All threads write whole lines to the same output.

use std::collections::HashMap;
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::Scope;
use std::time::Duration;

use ratlla::engine::Engine;
use ratlla::limits::SearchControl;
use ratlla::platform::threads::THREAD_STACK;
use ratlla::protocol::command::Go;
use ratlla::settings::Settings;
use ratlla::text::escaped;

use crate::board::Board;
use crate::line::{Argument, Line, quote};
use crate::memory::Budget;
use crate::server_log::ServerLog;

/// The user's options.
#[derive(Clone, Debug)]
pub struct Options {
    /// The player name sent to the server.
    pub name: String,
    /// The token that identifies the player to the server.
    pub token: Option<String>,
    /// Time per position, overriding the server's clock.
    pub movetime: Option<Duration>,
    /// Memory for the tables of all searches together, in MiB.
    pub hash: usize,
}

/// Longer lines are skipped.
const MAX_LINE: u64 = 16384;
/// Time per position if neither the user nor the server gives one.
const DEFAULT_TIME: Duration = Duration::from_secs(5);
/// Time for a move to reach the server.
const OVERHEAD: Duration = Duration::from_millis(200);

/// How the server manages time.
#[derive(Clone, Copy, Default, PartialEq)]
enum TimeMode {
    /// Without a clock, or not announced.
    #[default]
    None,
    /// The clock is for all further positions.
    Absolute,
    /// The clock is for each position.
    Relative,
}

/// Plays until the server says goodbye or closes the connection. Fails when the connection is lost: if a read or a
/// write fails, be it because the server is silent for longer than the stream's timeout.
pub fn run(
    mut input: impl BufRead,
    output: impl Write + Send,
    options: &Options,
) -> Result<(), String> {
    let connection = Connection {
        output: Mutex::new(output),
        running: Mutex::default(),
        memory: Budget::new(options.hash),
        log: ServerLog::new(),
        failure: OnceLock::new(),
    };
    std::thread::scope(|scope| {
        let mut client =
            Client { connection: &connection, options, time_mode: TimeMode::None, clock: None };
        let result = loop {
            let line = match read_line(&mut input, &connection.log) {
                Ok(Some(line)) => line,
                Ok(None) => break Ok(()),
                Err(error) => break Err(lost(&error)),
            };
            match client.execute(&line, scope) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(reason) => break Err(reason),
            }
            // Part of a line may have been sent, so nothing that follows would be understood.
            if let Some(reason) = connection.failure.get() {
                break Err(reason.clone());
            }
        };
        connection.stop(None);
        result
    })
}

/// Why the connection is lost.
fn lost(error: &io::Error) -> String {
    match error.kind() {
        // Which of them a timeout is depends on the system.
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
            "connection lost: nothing came or went for too long".to_owned()
        }
        _ => format!("connection lost: {error}"),
    }
}

fn read_line(input: &mut impl BufRead, log: &ServerLog) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    let length = input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line)?;
    if length as u64 == MAX_LINE && line.last() != Some(&b'\n') {
        log.warn("skipping a line that is too long");
        input.skip_until(b'\n')?;
        return Ok(Some(String::new()));
    }
    Ok((length > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

/// What the reader and the searches share.
struct Connection<W> {
    output: Mutex<W>,
    /// The running searches, by the id of their `state`.
    running: Mutex<HashMap<Option<u64>, Arc<SearchControl>>>,
    memory: Budget,
    /// What the server causes is logged here.
    log: ServerLog,
    /// Why the first line that could not be sent was not.
    failure: OnceLock<String>,
}

impl<W: Write> Connection<W> {
    /// Sends one command, unless one before could not be sent.
    fn send(&self, reference: Option<u64>, text: &str) {
        let line = match reference {
            Some(number) => format!("@{number} {text}"),
            None => text.to_owned(),
        };
        log::debug!("> {line}");
        self.write(&line);
    }

    fn write(&self, line: &str) {
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        if self.failure.get().is_some() {
            return;
        }
        let written = output.write_all(format!("{line}\r\n").as_bytes());
        if let Err(error) = written.and_then(|()| output.flush()) {
            self.failure.get_or_init(|| lost(&error));
        }
    }

    /// Whether the server still waits for this search.
    fn is_wanted(&self, id: Option<u64>, control: &Arc<SearchControl>) -> bool {
        let running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        is_current(&running, id, control)
    }

    /// Removes a finished search; whether the server still waited for it.
    fn finish(&self, id: Option<u64>, control: &Arc<SearchControl>) -> bool {
        // One lock for both, or a search that another `state` starts in between would be removed.
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let is_wanted = is_current(&running, id, control);
        if is_wanted {
            running.remove(&id);
        }
        is_wanted
    }

    /// Stops the search for a `state`, or all searches without a reference.
    fn stop(&self, reference: Option<u64>) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        match reference {
            Some(_) => drop(running.remove(&reference).map(|control| control.stop())),
            None => running.drain().for_each(|(_, control)| control.stop()),
        }
    }
}

/// Whether this search is the one that runs for the `state` with this id.
fn is_current(
    running: &HashMap<Option<u64>, Arc<SearchControl>>,
    id: Option<u64>,
    control: &Arc<SearchControl>,
) -> bool {
    running.get(&id).is_some_and(|current| Arc::ptr_eq(current, control))
}

struct Client<'a, W> {
    connection: &'a Connection<W>,
    options: &'a Options,
    time_mode: TimeMode,
    clock: Option<Duration>,
}

impl<'a, W: Write + Send> Client<'a, W> {
    /// Executes a line; `false` if it was the last.
    fn execute<'scope>(
        &mut self,
        text: &str,
        scope: &'scope Scope<'scope, '_>,
    ) -> Result<bool, String>
    where
        'a: 'scope,
    {
        if text.is_empty() {
            return Ok(true);
        }
        log::debug!("< {}", text.escape_debug());
        let line = match Line::parse(text) {
            Ok(line) => line,
            Err(reason) => {
                self.connection.log.warn(&reason);
                return Ok(true);
            }
        };
        match (line.name.as_str(), &line.arguments[..]) {
            ("kgp", [Argument::Number(1), ..]) => self.introduce(),
            ("kgp", _) => {
                self.send_error(line.id, "unsupported version: expected 1");
                return Err(format!("unsupported version: expected 1, got '{}'", escaped(text)));
            }
            ("state", [Argument::Board(numbers), ..]) => match Board::new(numbers) {
                Ok(board) => self.start(line.id, board, scope),
                Err(reason) => self.send_error(line.id, &reason),
            },
            ("stop", _) => self.connection.stop(line.reference),
            ("ping", []) => self.connection.send(line.id, "pong"),
            ("ping", [argument, ..]) => {
                self.connection.send(line.id, &format!("pong {}", text_of(argument)));
            }
            ("set", [Argument::Word(option), value, ..]) => self.set(option, value),
            ("error", _) => {
                self.connection.log.warn(&format!("server error: {}", text.escape_debug()));
            }
            ("goodbye", _) => return Ok(false),
            _ => {}
        }
        Ok(true)
    }

    fn send_error(&self, id: Option<u64>, reason: &str) {
        self.connection.send(id, &format!("error {}", quote(reason)));
    }

    fn introduce(&self) {
        let set = |option: &str, value: &str| {
            self.connection.send(None, &format!("set {option} {}", quote(value)));
        };
        set("info:name", &self.options.name);
        set("info:authors", "the ratlla authors");
        if let Some(token) = &self.options.token {
            // Logs are shown to others more freely than a password.
            log::debug!("> set auth:token (not logged)");
            self.connection.write(&format!("set auth:token {}", quote(token)));
        }
        self.connection.send(None, "mode freeplay");
    }

    /// The server's options about time; others are ignored.
    fn set(&mut self, option: &str, value: &Argument) {
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

    fn limits(&self) -> Go {
        let by_clock = |remaining| match self.time_mode {
            TimeMode::None => None,
            TimeMode::Absolute => Some((Some(remaining), None)),
            TimeMode::Relative => Some((None, Some(remaining))),
        };
        let by_server = self.clock.and_then(by_clock);
        let (remaining, movetime) = match (self.options.movetime, by_server) {
            (Some(movetime), _) => (None, Some(movetime)),
            (None, Some((remaining, movetime))) => {
                (remaining, movetime.map(|time: Duration| time.saturating_sub(OVERHEAD)))
            }
            (None, None) => (None, Some(DEFAULT_TIME)),
        };
        Go { movetime, time: [remaining; 2], ..Go::default() }
    }

    /// Starts a search.
    fn start<'scope>(&self, id: Option<u64>, board: Board, scope: &'scope Scope<'scope, '_>)
    where
        'a: 'scope,
    {
        let Some(&fallback) = board.moves().first() else {
            return self.connection.send(id, "yield");
        };
        let control = Arc::new(SearchControl::new(false, false));
        let mut running = self.connection.running.lock().unwrap_or_else(PoisonError::into_inner);
        if id.is_some() && running.contains_key(&id) {
            return self.connection.log.warn(&format!("duplicate state {id:?}"));
        }
        if let Some(previous) = running.remove(&id) {
            previous.stop();
        }
        // Bounds the number of searches, too.
        let Some(share) = self.connection.memory.take() else {
            drop(running);
            return self.answer_at_once(id, fallback, "too many positions at once");
        };
        running.insert(id, control.clone());
        drop(running);
        let (connection, limits, own) = (self.connection, self.limits(), control.clone());
        let search = move || {
            let mut sent = 0;
            let mut report = |house: usize| {
                if house != sent && connection.is_wanted(id, &own) {
                    connection.send(id, &format!("move {house}"));
                    sent = house;
                }
            };
            if let Err(reason) = search(&board, &limits, share.mib, &own, &mut report) {
                connection.log.warn(&format!("{reason}; playing the first legal move"));
                report(fallback);
            }
            drop(share);
            if connection.finish(id, &own) {
                connection.send(id, "yield");
            }
        };
        let thread = std::thread::Builder::new().stack_size(THREAD_STACK);
        if let Err(error) = thread.spawn_scoped(scope, search) {
            self.connection.finish(id, &control);
            self.answer_at_once(id, fallback, &format!("cannot start a thread: {error}"));
        }
    }

    /// Plays a move without a search.
    fn answer_at_once(&self, id: Option<u64>, house: usize, reason: &str) {
        self.connection.log.warn(&format!("{reason}; playing the first legal move"));
        self.connection.send(id, &format!("move {house}"));
        self.connection.send(id, "yield");
    }
}

/// Reports successively better moves until a limit, a stop or a proof ends the search.
fn search(
    board: &Board,
    limits: &Go,
    hash: usize,
    control: &SearchControl,
    report: &mut dyn FnMut(usize),
) -> Result<(), String> {
    let mut engine = Engine::new(board.to_game()?, hash)?;
    let settings = Settings { hash, move_overhead: Duration::ZERO, ..Settings::default() };
    let mut report_move = |mv: Option<&String>| {
        if let Some(house) = mv.and_then(|mv| mv.parse().ok()) {
            report(house);
        }
    };
    let result = engine.search(limits, &settings, control, &mut |found| {
        report_move(found.best_move());
    });
    report_move(result.best_move());
    Ok(())
}

/// An argument as text.
fn text_of(argument: &Argument) -> String {
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
