//! A running engine: a process and the dialect it speaks. Knows when to send which command and
//! what counts as an answer; does not know the rules of any game.

pub mod dialect;
pub mod forfeit;
pub mod log;
mod output;
mod pipes;
pub mod process;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::settings::EngineSpec;
use crate::text::quoted;
use dialect::{Dialect, EngineMessage, EngineOption, GoParams, Handshake, Info, Position};
use forfeit::{EngineError, Forfeit, ForfeitKind};
use log::EngineLog;
use process::Process;

/// Output in bytes after which an engine that has not answered forfeits.
const FLOOD: u64 = 8 << 20;

/// `isready` between a position and `go` tells late output from an answer, but wakes the arena once more
/// for every move. After so many moves without any late output an engine is trusted to answer once.
const TRUSTED_AFTER: u32 = 10;

/// What all engines of a match share.
#[derive(Clone, Debug)]
pub struct EngineContext {
    /// This executable, which is started again to supervise each engine: see
    /// [`ratlla_client::supervisor`].
    pub supervisor: PathBuf,
    /// Ends all exchanges with engines.
    pub cancel: CancelToken,
    /// How long an answer may be overdue before the engine forfeits.
    pub patience: Duration,
    /// Where everything that engines read and write is copied to.
    pub log: Option<EngineLog>,
}

/// A move as an engine played it.
#[derive(Clone, Debug)]
pub struct EngineMove {
    /// The move in the notation of `ratlla`; not yet known to be legal.
    pub mv: String,
    /// The time it took.
    pub time: Duration,
    /// What the engine reported about its search.
    pub info: Info,
    /// The opponent's turn that it expects; empty if it expects nothing.
    pub expected: Vec<String>,
    /// Whether it had pondered on this position.
    pub ponderhit: bool,
}

/// What an error message does to an exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnError {
    Fail,
    Ignore,
}

/// A running engine. Dropping it ends the process.
pub struct Engine {
    spec: EngineSpec,
    process: Process,
    dialect: Box<dyn Dialect>,
    patience: Duration,
    /// The options it announced in its handshake.
    announced: Vec<EngineOption>,
    has_options: bool,
    /// Whether it has answered anything, so that start-up is known to be over.
    is_up: bool,
    /// The position that it ponders on.
    pondering: Option<Position>,
    /// Consecutive moves after which it was known to say nothing until the next search.
    quiet_moves: u32,
}

impl Engine {
    /// Starts the engine and completes the handshake.
    pub fn start(spec: &EngineSpec, context: &EngineContext) -> Result<Engine, EngineError> {
        let process = Process::start(spec, context)
            .map_err(|error| Forfeit::new(ForfeitKind::Crash, format!("cannot start: {error}")))?;
        let mut engine = Engine {
            spec: spec.clone(),
            process,
            dialect: spec.proto.dialect(),
            patience: context.patience,
            announced: Vec::new(),
            has_options: false,
            is_up: false,
            pondering: None,
            quiet_moves: 0,
        };
        match engine.dialect.hello() {
            Some(hello) => {
                let lines = engine.exchange(&[], &hello, OnError::Fail)?;
                engine.announced =
                    lines.iter().filter_map(|line| EngineOption::parse(line)).collect();
            }
            None => engine.wait_ready()?,
        }
        Ok(engine)
    }

    /// Starts a new game. `{seed}` in option values is replaced by `seed`. The engine must not ponder.
    pub fn new_game(&mut self, title: &str, seed: u64) -> Result<(), EngineError> {
        let mut lines = self.dialect.new_game(title);
        for (name, value) in &self.spec.options {
            if !self.has_options || value.contains("{seed}") {
                let value = value.replace("{seed}", &seed.to_string());
                lines.extend(self.dialect.set_option(name, &value));
            }
        }
        let ponder = self.announced.iter().find(|option| option.is_named("Ponder"));
        if let Some(option) = ponder.filter(|_| self.spec.ponder && !self.has_options) {
            lines.extend(self.dialect.set_option(&option.name, "true"));
        }
        self.has_options = true;
        self.send_and_wait(&lines)
    }

    /// The options that the engine announces for the game with this title; `None` if its dialect has
    /// no options. Starts a new game if that takes a command.
    pub fn options(&mut self, title: &str) -> Result<Option<Vec<EngineOption>>, EngineError> {
        let (Some(list), Some(ready)) = (self.dialect.list_options(), self.dialect.is_ready())
        else {
            return Ok(self.dialect.hello().map(|_| self.announced.clone()));
        };
        let mut lines = self.dialect.new_game(title);
        lines.push(list.to_owned());
        // An engine need not know the command: then it announces nothing.
        let lines = self.exchange(&lines, &ready, OnError::Ignore)?;
        Ok(Some(lines.iter().filter_map(|line| EngineOption::parse(line)).collect()))
    }

    /// The number of the game that it plays, for the log.
    pub fn set_game_number(&self, number: u64) {
        self.process.log().set_game(number);
    }

    /// Asks for a move. A late answer is still accepted until `patience` has passed beyond
    /// `budget`: the caller decides what it costs. The first answer of an engine that cannot signal
    /// readiness never counts as late, because it includes the start-up.
    pub fn best_move(
        &mut self,
        position: &Position,
        go: &GoParams,
        budget: Option<Duration>,
    ) -> Result<EngineMove, EngineError> {
        let timeout = budget.unwrap_or_default() + self.patience;
        if self.pondering.take_if(|expected| expected == position).is_some() {
            let sent = self.process.send("ponderhit")?;
            let answer = self.wait_for_move(position, sent, timeout)?;
            return Ok(EngineMove { ponderhit: true, ..answer });
        }
        self.stop_pondering()?;
        let sent = self.start_search(position, go, timeout)?;
        let mut answer = self.wait_for_move(position, sent, timeout)?;
        if !self.is_up {
            answer.time = budget.map_or(answer.time, |budget| answer.time.min(budget));
            self.is_up = true;
        }
        Ok(answer)
    }

    /// Sends a position and `go` and returns the time just before. What the engine has said since its
    /// last answer is no answer to this.
    fn start_search(
        &mut self,
        position: &Position,
        go: &GoParams,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        let command = self.dialect.go_command(position, go);
        if self.process.discard_output() {
            self.quiet_moves = 0;
        }
        let Some(line) = &command.position else { return self.process.send(&command.go) };
        let ready = self.dialect.is_ready().filter(|_| self.quiet_moves < TRUSTED_AFTER);
        let Some(ready) = ready else { return self.process.send_all(&[line, &command.go]) };
        // All at once: waiting for `readyok` before `go` would double the cost of a move.
        let sent = self.process.send_all(&[line, ready.send, &command.go])?;
        let late = self.wait_for(&ready, sent + timeout, OnError::Fail)?;
        self.quiet_moves = if late.is_empty() { self.quiet_moves + 1 } else { 0 };
        Ok(sent)
    }

    /// Waits for the answer to a `go` command that was sent at `sent`.
    fn wait_for_move(
        &mut self,
        position: &Position,
        sent: Instant,
        timeout: Duration,
    ) -> Result<EngineMove, EngineError> {
        let mut infos = Vec::new();
        let before = self.process.output_bytes();
        while let Some(line) = self.process.line(sent + timeout)? {
            match self.dialect.parse(&line.text, position) {
                EngineMessage::BestMove { mv, ponder } => {
                    // An engine may have ended its search before `ponderhit`.
                    let time = line.at.saturating_duration_since(sent);
                    let info = Info::latest(&infos);
                    return Ok(EngineMove { mv, time, info, expected: ponder, ponderhit: false });
                }
                EngineMessage::Info => infos.push(line.text),
                EngineMessage::Error => {
                    let detail = format!("expected a move, got '{}'", quoted(&line.text));
                    return Err(Forfeit::new(ForfeitKind::WrongDialect, detail).into());
                }
                EngineMessage::Other => {}
            }
            self.check_flood(before)?;
        }
        self.check_flood(before)?;
        let detail = format!("no move within {} ms", sent.elapsed().as_millis());
        Err(Forfeit::new(ForfeitKind::Stall, detail).into())
    }

    /// Lets the engine ponder on a position in which it will be its turn.
    pub fn ponder(&mut self, position: Position, go: &GoParams) -> Result<(), EngineError> {
        let go = GoParams { ponder: true, ..go.clone() };
        let command = self.dialect.go_command(&position, &go);
        self.process.discard_output();
        self.process.send_all(&[&command.position.unwrap_or_default(), &command.go])?;
        self.pondering = Some(position);
        Ok(())
    }

    /// Ends a search that the opponent's turn has made useless.
    pub fn stop_pondering(&mut self) -> Result<(), EngineError> {
        let Some(position) = self.pondering.take() else { return Ok(()) };
        let sent = self.process.send("stop")?;
        self.wait_for_move(&position, sent, self.patience).map(drop)
    }

    /// Waits until all commands sent so far are processed, if the dialect can tell.
    pub fn wait_ready(&mut self) -> Result<(), EngineError> {
        self.send_and_wait(&[])
    }

    /// Sends lines and waits until they are processed, if the dialect can tell.
    fn send_and_wait(&mut self, lines: &[String]) -> Result<(), EngineError> {
        match self.dialect.is_ready() {
            Some(ready) => self.exchange(lines, &ready, OnError::Fail).map(drop),
            None => lines.iter().try_for_each(|line| self.process.send(line).map(drop)),
        }
    }

    /// Whether the process is still running.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// The process, for raw access.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// The dialect the engine speaks.
    pub fn dialect(&self) -> &dyn Dialect {
        &*self.dialect
    }

    /// Sends lines and a handshake, and returns the answer up to the end of the handshake.
    fn exchange(
        &mut self,
        lines: &[String],
        handshake: &Handshake,
        on_error: OnError,
    ) -> Result<Vec<String>, EngineError> {
        let lines: Vec<&str> = lines.iter().map(String::as_str).chain([handshake.send]).collect();
        let deadline = self.process.send_all(&lines)? + self.patience;
        self.wait_for(handshake, deadline, on_error)
    }

    /// Waits for the end of a handshake that was sent, and returns what comes before it.
    fn wait_for(
        &mut self,
        handshake: &Handshake,
        deadline: Instant,
        on_error: OnError,
    ) -> Result<Vec<String>, EngineError> {
        let Handshake { send, expect } = handshake;
        let before = self.process.output_bytes();
        let mut answer = Vec::new();
        while let Some(line) = self.process.line(deadline)? {
            if line.text.split_whitespace().next() == Some(expect) {
                self.is_up = true;
                return Ok(answer);
            }
            let is_error =
                self.dialect.parse(&line.text, &Position::default()) == EngineMessage::Error;
            answer.push(line.text);
            if is_error && on_error == OnError::Fail {
                break;
            }
            self.check_flood(before)?;
        }
        self.check_flood(before)?;
        Err(match answer.last() {
            None => Forfeit::new(ForfeitKind::Stall, format!("no answer to '{send}'")),
            Some(last) => {
                let last = quoted(last);
                let detail = format!("expected '{expect}' in answer to '{send}', got '{last}'");
                Forfeit::new(ForfeitKind::WrongDialect, detail)
            }
        }
        .into())
    }

    fn check_flood(&self, before: u64) -> Result<(), Forfeit> {
        let output = self.process.output_bytes() - before;
        if output <= FLOOD {
            return Ok(());
        }
        let detail = format!("{} MiB of output without an answer", output >> 20);
        Err(Forfeit::new(ForfeitKind::Flood, detail))
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // A courtesy: the process is ended in any case.
        if let Some(quit) = self.dialect.quit() {
            let _ = self.process.send(quit);
        }
    }
}
