//! One engine to talk to: a process and the dialect that it speaks.

pub mod dialect;
pub mod fault;
mod lines;
pub mod process;

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::cancel::Cancel;
use crate::settings::EngineSpec;
use dialect::{Dialect, Exchange, Go, Heard, Info, Position};
use fault::{Fault, FaultKind, Trouble};
use process::{Process, shown};

/// An engine that has said so much without answering never will. Lines count for more than their
/// letters.
const FLOOD: u64 = 8 << 20;

/// What is the same for all engines.
#[derive(Clone, Debug)]
pub struct House {
    /// The program that can be a supervisor: see [`ratlla_client::supervisor`].
    pub arena: PathBuf,
    /// Told when all is to stop.
    pub cancel: Cancel,
    /// How long an answer may be overdue before it is given up.
    pub patience: Duration,
}

/// A move, and how it was found.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move: a word, not yet known to be legal.
    pub mv: String,
    /// How long it took.
    pub time: Duration,
    /// What the engine told about it.
    pub info: Info,
}

/// A running engine. Dropped, it ends.
pub struct Engine {
    spec: EngineSpec,
    process: Process,
    dialect: Box<dyn Dialect>,
    patience: Duration,
    has_options: bool,
    /// Whether it has answered anything yet, so that it is known to be up.
    is_up: bool,
}

impl Engine {
    /// Starts the engine and greets it.
    pub fn start(spec: &EngineSpec, house: &House) -> Result<Engine, Trouble> {
        let process =
            Process::start(&house.arena, &spec.command, spec.dir.as_deref(), &house.cancel)
                .map_err(|error| Fault::new(FaultKind::Crash, format!("cannot start: {error}")))?;
        let mut engine = Engine {
            spec: spec.clone(),
            process,
            dialect: spec.proto.dialect(),
            patience: house.patience,
            has_options: false,
            is_up: false,
        };
        match engine.dialect.hello() {
            Some(hello) => engine.exchange(&hello)?,
            None => engine.sync()?,
        }
        Ok(engine)
    }

    /// Begins a game. `{seed}` in the values of options stands for `seed`.
    pub fn new_game(&mut self, title: &str, seed: u64) -> Result<(), Trouble> {
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
        self.sync()
    }

    /// Asks for a move. An answer that takes longer than `allowed` is still waited for, for as
    /// long as patience lasts, and it is up to the caller what to think of it. But the start of an
    /// engine that cannot say when it is up is not held against its first answer.
    pub fn ask(
        &mut self,
        position: &Position,
        go: &Go,
        allowed: Option<Duration>,
    ) -> Result<Answer, Trouble> {
        let question = self.dialect.question(position, go);
        if let Some(line) = question.prepare {
            self.process.send(&line)?;
            self.sync()?;
        }
        self.process.forget_output();
        let asked = self.process.send(&question.ask)?;
        let patience = allowed.unwrap_or_default() + self.patience;
        let mut answer = self.answer(position, asked, patience)?;
        if !self.is_up {
            answer.time = allowed.map_or(answer.time, |allowed| answer.time.min(allowed));
            self.is_up = true;
        }
        Ok(answer)
    }

    /// Waits for the answer to a question that was asked at `asked`.
    pub fn answer(
        &mut self,
        position: &Position,
        asked: Instant,
        patience: Duration,
    ) -> Result<Answer, Trouble> {
        let mut info = Info::default();
        let before = self.process.volume();
        while let Some(line) = self.process.line(asked + patience)? {
            match self.dialect.hear(&line.text, position) {
                Heard::Move(mv) => return Ok(Answer { mv, time: line.at - asked, info }),
                Heard::Info(more) => info.update(more),
                Heard::Complaint => {
                    let story = format!("asked for a move it says '{}'", shown(&line.text));
                    return Err(Fault::new(FaultKind::WrongDialect, story).into());
                }
                Heard::Other => {}
            }
            self.check_volume(before)?;
        }
        self.check_volume(before)?;
        let story = format!("no move after {} ms", asked.elapsed().as_millis());
        Err(Fault::new(FaultKind::Stall, story).into())
    }

    /// Makes sure that all that was said so far is done, if the dialect has a way to know.
    pub fn sync(&mut self) -> Result<(), Trouble> {
        self.dialect.sync().map_or(Ok(()), |exchange| self.exchange(&exchange))
    }

    /// Whether its process still runs.
    pub fn is_alive(&mut self) -> bool {
        self.process.is_alive()
    }

    /// The process itself, for those who want to see what happens.
    pub fn process(&mut self) -> &mut Process {
        &mut self.process
    }

    /// The dialect that it speaks.
    pub fn dialect(&self) -> &dyn Dialect {
        &*self.dialect
    }

    fn exchange(&mut self, exchange: &Exchange) -> Result<(), Trouble> {
        let Exchange { say, answer } = exchange;
        let deadline = self.process.send(say)? + self.patience;
        let before = self.process.volume();
        let mut said = None;
        while let Some(line) = self.process.line(deadline)? {
            if line.text.split_whitespace().next() == Some(answer) {
                self.is_up = true;
                return Ok(());
            }
            if self.dialect.hear(&line.text, &Position::default()) == Heard::Complaint {
                let story = format!("it says '{}'", shown(&line.text));
                return Err(Fault::new(FaultKind::WrongDialect, story).into());
            }
            said = Some(line.text);
            self.check_volume(before)?;
        }
        self.check_volume(before)?;
        Err(match said {
            None => Fault::new(FaultKind::Stall, format!("no answer to '{say}'")),
            Some(said) => {
                let story = format!("to '{say}' it says '{}' and not '{answer}'", shown(&said));
                Fault::new(FaultKind::WrongDialect, story)
            }
        }
        .into())
    }

    fn check_volume(&self, before: u64) -> Result<(), Trouble> {
        let said = self.process.volume() - before;
        if said <= FLOOD {
            return Ok(());
        }
        let story = format!("it writes without an end and does not answer ({} MiB)", said >> 20);
        Err(Fault::new(FaultKind::Flood, story).into())
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Whether it listens or not, it is going to end.
        if let Some(quit) = self.dialect.quit() {
            let _ = self.process.send(quit);
        }
    }
}
