//! What compliance checks share: an engine ready for use and ways to talk to it.

use std::time::{Duration, Instant};

use anyhow::bail;

use crate::engine::dialect::{EngineMessage, GoParams, Position, Proto};
use crate::engine::{Engine, EngineContext, EngineMove};
use crate::openings::OpeningSuite;
use crate::rules;
use crate::settings::{Balance, EngineSpec, OpeningSource, SearchLimits};
use crate::text::quoted;

/// The engine under test.
pub struct Harness<'a> {
    /// How to start it.
    pub spec: &'a EngineSpec,
    /// The game: the words after `newgame`.
    pub title: &'a str,
    context: &'a EngineContext,
    /// Time overrun that is tolerated.
    pub margin: Duration,
    engine: Option<Engine>,
}

impl<'a> Harness<'a> {
    /// A harness whose engine is not started yet.
    pub fn new(
        spec: &'a EngineSpec,
        title: &'a str,
        context: &'a EngineContext,
        margin: Duration,
    ) -> Harness<'a> {
        Harness { spec, title, context, margin, engine: None }
    }

    /// Starts another engine, up to the handshake.
    pub fn start(&self) -> anyhow::Result<Engine> {
        Ok(Engine::start(self.spec, self.context)?)
    }

    /// Starts another engine and a new game.
    pub fn start_game(&self) -> anyhow::Result<Engine> {
        let mut engine = self.start()?;
        engine.new_game(self.title, 1)?;
        Ok(engine)
    }

    /// The engine shared by the checks, in a game. It is not restarted during a check, so that a
    /// crash is noticed.
    pub fn engine(&mut self) -> anyhow::Result<&mut Engine> {
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => self.start_game()?,
        };
        Ok(self.engine.insert(engine))
    }

    /// Makes the next check start a new engine if the last one `failed` or the engine has exited.
    pub fn drop_engine_if(&mut self, failed: bool) {
        self.engine.take_if(|engine| failed || !engine.is_alive());
    }

    /// The timeout for answers that should be immediate.
    pub fn patience(&self) -> Duration {
        self.context.patience
    }

    /// The limits for checks that are not about limits: the engine's own, without clocks.
    pub fn usual_limits(&self) -> SearchLimits {
        let limits = SearchLimits { time: None, inc: None, moves: None, ..self.spec.limits };
        if limits.is_some() || self.spec.proto == Proto::Line {
            limits
        } else {
            super::DEFAULT_LIMITS
        }
    }

    /// Deterministic test positions.
    pub fn positions(&self, count: u64) -> anyhow::Result<Vec<Position>> {
        let suite = OpeningSuite::new(
            &OpeningSource::Random { plies: 3, balance: Balance::Search },
            self.title,
            1,
        )?;
        (0..count).map(|round| suite.get(round)).collect()
    }

    /// Asks for a move under the usual limits; fails unless it is legal.
    pub fn usual_move(&mut self, position: &Position) -> anyhow::Result<EngineMove> {
        let go = self.usual_limits().go([None; 2]);
        self.legal_move(position, &go)
    }

    /// Asks for a move; fails unless it is legal.
    pub fn legal_move(&mut self, position: &Position, go: &GoParams) -> anyhow::Result<EngineMove> {
        let mut game = rules::open(self.title)?;
        rules::set_up(&mut *game, position)?;
        let answer = self.engine()?.best_move(position, go, go.movetime)?;
        let legal = game.moves();
        if legal.contains(&answer.mv) {
            return Ok(answer);
        }
        let (mv, legal) = (quoted(&answer.mv), legal.join(" "));
        bail!("illegal move '{mv}' in {} (legal: {legal})", game.position_text())
    }

    /// Starts an infinite search of the start position; returns the time of `go`.
    pub fn go_infinite(&mut self) -> anyhow::Result<Instant> {
        let engine = self.engine()?;
        let go = GoParams { infinite: true, ..GoParams::default() };
        let command = engine.dialect().go_command(&Position::default(), &go);
        if let Some(line) = command.position {
            engine.process().send(&line)?;
        }
        engine.wait_ready()?;
        Ok(engine.process().send(&command.go)?)
    }

    /// Sends a line.
    pub fn send(&mut self, line: &str) -> anyhow::Result<()> {
        self.engine()?.process().send(line)?;
        Ok(())
    }

    /// Sends `isready` and returns all lines up to `readyok`. `when` completes the error message.
    pub fn ready_lines(&mut self, when: &str) -> anyhow::Result<Vec<String>> {
        self.send("isready")?;
        self.lines_until("readyok", when)
    }

    /// All lines up to and including one that starts with `word`. `when` completes the error
    /// message.
    pub fn lines_until(&mut self, word: &str, when: &str) -> anyhow::Result<Vec<String>> {
        let patience = self.patience();
        let deadline = Instant::now() + patience;
        let process = self.engine()?.process();
        let mut lines = Vec::new();
        while let Some(line) = process.line(deadline)? {
            let found = line.text.split_whitespace().next() == Some(word);
            lines.push(line.text);
            if found {
                return Ok(lines);
            }
        }
        let last = lines
            .last()
            .map_or_else(String::new, |line| format!("; the last line was '{}'", quoted(line)));
        bail!("no '{word}' within {} ms {when}{last}", patience.as_millis())
    }

    /// The number of moves it outputs until `deadline`.
    pub fn moves_before(&mut self, deadline: Instant) -> anyhow::Result<usize> {
        let process = self.engine()?.process();
        let mut lines = Vec::new();
        while let Some(line) = process.line(deadline)? {
            lines.push(line.text);
        }
        self.count_moves(&lines)
    }

    /// The number of `lines` that are moves.
    pub fn count_moves(&mut self, lines: &[String]) -> anyhow::Result<usize> {
        let dialect = self.engine()?.dialect();
        let is_move = |line: &&String| {
            matches!(dialect.parse(line, &Position::default()), EngineMessage::BestMove { .. })
        };
        Ok(lines.iter().filter(is_move).count())
    }
}
