//! What the steps of a compliance run have in common: an engine at hand, and ways to listen to it.

use std::time::{Duration, Instant};

use ratlla::any_game::AnyGame;

use crate::engine::dialect::{Go, Heard, Position, Proto};
use crate::engine::fault::Trouble;
use crate::engine::process::shown;
use crate::engine::{Answer, Engine, House};
use crate::openings::OpeningList;
use crate::settings::{EngineSpec, Limits, Openings};
use crate::umpire;

/// An engine under examination.
pub struct Probe<'a> {
    spec: &'a EngineSpec,
    /// The game: the words after `newgame`.
    pub title: &'a str,
    house: &'a House,
    /// How much a move may be late without harm.
    pub margin: Duration,
    engine: Option<Engine>,
}

impl<'a> Probe<'a> {
    /// An engine that is not started yet.
    pub fn new(
        spec: &'a EngineSpec,
        title: &'a str,
        house: &'a House,
        margin: Duration,
    ) -> Probe<'a> {
        Probe { spec, title, house, margin, engine: None }
    }

    /// An engine that was just started and greeted.
    pub fn started(&self) -> Result<Engine, String> {
        Engine::start(self.spec, self.house).map_err(told)
    }

    /// An engine that was just started and has begun a game.
    pub fn ready(&self) -> Result<Engine, String> {
        let mut engine = self.started()?;
        engine.new_game(self.title, 1).map_err(told)?;
        Ok(engine)
    }

    /// The engine, which has begun a game. One that ends in the middle of a step is not replaced:
    /// that is what the step is to find out.
    pub fn engine(&mut self) -> Result<&mut Engine, String> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.ready()?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Lets the next step begin with a new engine if this one has ended.
    pub fn bury_engine(&mut self) {
        self.engine.take_if(|engine| !engine.is_alive());
    }

    /// Lets the next step begin with a new engine.
    pub fn give_up_engine(&mut self) {
        self.engine = None;
    }

    /// How long anything may take that should take no time.
    pub fn patience(&self) -> Duration {
        self.house.patience
    }

    /// What the engine may use for a move when nothing else is asked of it.
    pub fn usual_limits(&self) -> Limits {
        let Limits { movetime, depth, nodes, .. } = self.spec.limits;
        let given = Limits { movetime, depth, nodes, ..Limits::default() };
        match self.spec.proto {
            _ if given.is_some() => given,
            Proto::Line => given,
            _ => Limits { movetime: Some(200), ..given },
        }
    }

    /// The same, as a question.
    pub fn usual_go(&self) -> Go {
        let Limits { movetime, depth, nodes, .. } = self.usual_limits();
        Go { depth, nodes, movetime: movetime.map(Duration::from_millis), ..Go::default() }
    }

    /// Positions to ask about, the same ones each time.
    pub fn positions(&self, count: u64) -> Result<Vec<Position>, String> {
        let list = OpeningList::new(&Openings::Random { plies: 3 }, self.title, 1);
        let list = list.map_err(|error| error.to_string())?;
        (0..count).map(|round| list.get(round).map_err(|error| error.to_string())).collect()
    }

    /// A table for the game.
    pub fn table(&self) -> Result<Box<dyn AnyGame>, String> {
        umpire::open(self.title)
    }

    /// Asks for a move and makes sure that it is legal.
    pub fn legal_answer(&mut self, position: &Position, go: &Go) -> Result<Answer, String> {
        let mut table = self.table()?;
        umpire::set_up(&mut *table, position)?;
        let answer = self.engine()?.ask(position, go, go.movetime).map_err(told)?;
        let legal = table.moves();
        if legal.contains(&answer.mv) {
            return Ok(answer);
        }
        let position = table.position_text();
        Err(format!(
            "in {position} it plays '{}'; legal are {}",
            shown(&answer.mv),
            legal.join(" ")
        ))
    }

    /// Lets it think about the start until told otherwise.
    pub fn think_for_ever(&mut self) -> Result<Instant, String> {
        let engine = self.engine()?;
        let go = Go { infinite: true, ..Go::default() };
        let question = engine.dialect().question(&Position::default(), &go);
        if let Some(line) = question.prepare {
            engine.process().send(&line).map_err(told)?;
        }
        engine.sync().map_err(told)?;
        engine.process().send(&question.ask).map_err(told)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> Result<(), String> {
        self.engine()?.process().send(line).map(drop).map_err(told)
    }

    /// All lines up to one that begins with `word`, that one included. `why` says what it was to
    /// answer.
    pub fn lines_until(&mut self, word: &str, why: &str) -> Result<Vec<String>, String> {
        let patience = self.patience();
        let deadline = Instant::now() + patience;
        let process = self.engine()?.process();
        let mut lines = Vec::new();
        while let Some(line) = process.line(deadline).map_err(told)? {
            let found = line.text.split_whitespace().next() == Some(word);
            lines.push(line.text);
            if found {
                return Ok(lines);
            }
        }
        let last = lines
            .last()
            .map_or_else(String::new, |line| format!("; last it said '{}'", shown(line)));
        Err(format!("no '{word}' within {} ms {why}{last}", patience.as_millis()))
    }

    /// How many moves it tells until `deadline`.
    pub fn moves_before(&mut self, deadline: Instant) -> Result<usize, String> {
        let process = self.engine()?.process();
        let mut lines = Vec::new();
        while let Some(line) = process.line(deadline).map_err(told)? {
            lines.push(line.text);
        }
        self.moves_in(&lines)
    }

    /// How many of `lines` are moves.
    pub fn moves_in(&mut self, lines: &[String]) -> Result<usize, String> {
        let dialect = self.engine()?.dialect();
        let is_move =
            |line: &&String| matches!(dialect.hear(line, &Position::default()), Heard::Move(_));
        Ok(lines.iter().filter(is_move).count())
    }
}

/// A trouble in words.
pub fn told(trouble: Trouble) -> String {
    match trouble {
        Trouble::Fault(fault) => fault.to_string(),
        Trouble::Cancelled => "interrupted".to_owned(),
    }
}
