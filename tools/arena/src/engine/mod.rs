//! A running engine: a process and the dialect it speaks. Knows when to send which command and
//! what counts as an answer; does not know the rules of any game.

pub mod dialect;
pub mod forfeit;
mod output;
pub mod process;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cancel::CancelToken;
use crate::settings::EngineSpec;
use dialect::{Dialect, EngineMessage, GoParams, Handshake, Info, Position};
use forfeit::{EngineError, Forfeit, ForfeitKind};
use process::{Process, printable};

/// Output in bytes after which an engine that has not answered forfeits.
const FLOOD: u64 = 8 << 20;

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
}

/// A running engine. Dropping it ends the process.
pub struct Engine {
    spec: EngineSpec,
    process: Process,
    dialect: Box<dyn Dialect>,
    patience: Duration,
    has_options: bool,
    /// Whether it has answered anything, so that start-up is known to be over.
    is_up: bool,
}

impl Engine {
    /// Starts the engine and completes the handshake.
    pub fn start(spec: &EngineSpec, context: &EngineContext) -> Result<Engine, EngineError> {
        let process = Process::start(
            &context.supervisor,
            &spec.command,
            spec.dir.as_deref(),
            &context.cancel,
        )
        .map_err(|error| Forfeit::new(ForfeitKind::Crash, format!("cannot start: {error}")))?;
        let mut engine = Engine {
            spec: spec.clone(),
            process,
            dialect: spec.proto.dialect(),
            patience: context.patience,
            has_options: false,
            is_up: false,
        };
        match engine.dialect.hello() {
            Some(hello) => engine.exchange(&hello)?,
            None => engine.wait_ready()?,
        }
        Ok(engine)
    }

    /// Starts a new game. `{seed}` in option values is replaced by `seed`.
    pub fn new_game(&mut self, title: &str, seed: u64) -> Result<(), EngineError> {
        for line in self.dialect.new_game(title) {
            self.process.send(&line)?;
        }
        for (name, value) in self.spec.options.clone() {
            let changes = value.contains("{seed}");
            let value = value.replace("{seed}", &seed.to_string());
            if (changes || !self.has_options)
                && let Some(line) = self.dialect.set_option(&name, &value)
            {
                self.process.send(&line)?;
            }
        }
        self.has_options = true;
        self.wait_ready()
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
        let command = self.dialect.go_command(position, go);
        if let Some(line) = command.position {
            self.process.send(&line)?;
            self.wait_ready()?;
        }
        self.process.discard_output();
        let sent = self.process.send(&command.go)?;
        let timeout = budget.unwrap_or_default() + self.patience;
        let mut answer = self.wait_for_move(position, sent, timeout)?;
        if !self.is_up {
            answer.time = budget.map_or(answer.time, |budget| answer.time.min(budget));
            self.is_up = true;
        }
        Ok(answer)
    }

    /// Waits for the answer to a `go` command that was sent at `sent`.
    fn wait_for_move(
        &mut self,
        position: &Position,
        sent: Instant,
        timeout: Duration,
    ) -> Result<EngineMove, EngineError> {
        let mut info = Info::default();
        let before = self.process.output_bytes();
        while let Some(line) = self.process.line(sent + timeout)? {
            match self.dialect.parse(&line.text, position) {
                EngineMessage::BestMove(mv) => {
                    return Ok(EngineMove { mv, time: line.at - sent, info });
                }
                EngineMessage::Info(more) => info.update(more),
                EngineMessage::Error => {
                    let detail = format!("expected a move, got '{}'", printable(&line.text));
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

    /// Waits until all commands sent so far are processed, if the dialect can tell.
    pub fn wait_ready(&mut self) -> Result<(), EngineError> {
        self.dialect.is_ready().map_or(Ok(()), |handshake| self.exchange(&handshake))
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

    fn exchange(&mut self, handshake: &Handshake) -> Result<(), EngineError> {
        let Handshake { send, expect } = handshake;
        let deadline = self.process.send(send)? + self.patience;
        let before = self.process.output_bytes();
        let mut last = None;
        while let Some(line) = self.process.line(deadline)? {
            if line.text.split_whitespace().next() == Some(expect) {
                self.is_up = true;
                return Ok(());
            }
            let is_error =
                self.dialect.parse(&line.text, &Position::default()) == EngineMessage::Error;
            last = Some(line.text);
            if is_error {
                break;
            }
            self.check_flood(before)?;
        }
        self.check_flood(before)?;
        Err(match last {
            None => Forfeit::new(ForfeitKind::Stall, format!("no answer to '{send}'")),
            Some(last) => {
                let last = printable(&last);
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
