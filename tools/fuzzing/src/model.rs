//! What a session should do, told in advance: which commands are refused, and which moves may
//! answer each `go`.

use std::mem::take;
use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla::game::MoveNotation;
use ratlla::games;
use ratlla::protocol::command::{Command, Go};
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla::strategy::FULL;

use crate::script::Step;

/// What to expect of a session.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The moves that may answer each `go`, in order.
    pub best_moves: Vec<Vec<String>>,
    /// How many lines say `error`.
    pub errors: usize,
    /// How many lines say `readyok`.
    pub ready: usize,
    /// Searches and counts.
    pub jobs: usize,
    /// Whether `quit` came, so that what had waited may be missing.
    pub quit: bool,
}

impl Expected {
    /// Whether a session that has ended, or is idle, said what it should: one legal move for each
    /// `go`, one message for each error, one `readyok` for each question.
    pub fn check(&self, said: &[String]) -> Result<(), String> {
        let starting = |word: &'static str| said.iter().filter(move |line| line.starts_with(word));
        if let Some(line) = said.iter().find(|line| line.contains("internal error")) {
            return Err(line.clone());
        }
        let best: Vec<&str> =
            starting("bestmove ").map(|line| line.split(' ').nth(1).unwrap_or_default()).collect();
        let errors = starting("error ").count() + starting("info string error ").count();
        let found = [best.len(), errors, starting("readyok").count()];
        let wanted = [self.best_moves.len(), self.errors, self.ready];
        if (self.quit && best.len() > self.best_moves.len()) || (!self.quit && found != wanted) {
            return Err(format!("best moves, errors and readyok: {found:?}, not {wanted:?}"));
        }
        let mut answers = best.iter().zip(&self.best_moves);
        match answers.find(|(mv, allowed)| !allowed.iter().any(|legal| legal == *mv)) {
            Some((mv, allowed)) => Err(format!("{mv} is none of {allowed:?}")),
            None => Ok(()),
        }
    }
}

/// A running search that only a signal ends, or none.
#[derive(Clone, Copy, PartialEq)]
enum Running {
    /// The engine is idle, or will be by itself.
    Nothing,
    /// Until `stop`.
    Endless,
    /// Until `stop` or `ponderhit`.
    Pondering,
}

/// Follows a session line by line.
pub struct Model {
    dialect: Dialect,
    table: Box<dyn AnyGame>,
    strategy: String,
    /// Whether the level holds the search back, so that it ends by itself.
    held_back: bool,
    running: Running,
    steps: Vec<Step>,
    expected: Expected,
}

impl Default for Model {
    fn default() -> Model {
        Model::new()
    }
}

impl Model {
    /// A session that begins.
    pub fn new() -> Model {
        let mut model = Model {
            dialect: Dialect::default(),
            table: games::open_from_words(&[]).expect("the default game"),
            strategy: FULL.to_owned(),
            held_back: false,
            running: Running::Nothing,
            steps: Vec::new(),
            expected: Expected::default(),
        };
        // Small tables and shallow plain strategies, so that a session takes little time.
        model.take(b"setoption name Hash value 1");
        model.take(b"setoption name Depth value 2");
        model
    }

    /// The game in progress.
    pub fn table(&self) -> &dyn AnyGame {
        &*self.table
    }

    /// Adds a line to the script, unless what it asks for would take long or have an effect
    /// that is not modelled.
    pub fn take(&mut self, line: &[u8]) {
        if self.expected.quit || line.contains(&b'\n') {
            return;
        }
        // A signal acts on the search that runs when it is read: wait for the right one.
        let mut after_jobs = 0;
        let finished = self.finished();
        match parse_line(line, self.dialect) {
            Ok(None) => {}
            Err(_) => self.expected.errors += 1,
            Ok(Some(Command::IsReady)) => self.expected.ready += 1,
            Ok(Some(Command::Stop)) => {
                after_jobs = finished;
                self.running = Running::Nothing;
            }
            Ok(Some(Command::PonderHit)) => {
                after_jobs = finished;
                if self.running == Running::Pondering {
                    self.running = Running::Nothing;
                }
            }
            Ok(Some(Command::Quit)) => {
                after_jobs = finished;
                self.expected.quit = true;
            }
            Ok(Some(command)) => {
                if is_costly(&command) || !self.is_modelled(&command) {
                    return;
                }
                if self.running != Running::Nothing {
                    // Some are there for all times; what they say contains no line that counts.
                    let is_at_hand = matches!(command, Command::Help | Command::Ignored);
                    self.expected.errors += usize::from(!is_at_hand);
                } else if self.obey(command).is_err() {
                    self.expected.errors += 1;
                }
            }
        }
        self.steps.push(Step { after_jobs, line: line.to_vec() });
    }

    /// The script and what to expect of it, if the input ends with it.
    pub fn finish(mut self) -> (Vec<Step>, Expected) {
        // The end of the input is a signal like others: it comes when the last search runs.
        let after_jobs = self.finished();
        if !self.expected.quit {
            self.steps.push(Step { after_jobs, line: b"# the end".to_vec() });
        }
        (self.steps, self.expected)
    }

    /// The script since the last chapter and what to expect of it. The session is idle then, and
    /// goes on.
    pub fn chapter(&mut self) -> (Vec<Step>, Expected) {
        self.take(b"stop");
        (take(&mut self.steps), take(&mut self.expected))
    }

    /// How many searches and counts end without a signal to come.
    fn finished(&self) -> usize {
        self.expected.jobs - usize::from(self.running != Running::Nothing)
    }

    fn is_modelled(&self, command: &Command) -> bool {
        match command {
            Command::SetOption { name, value } => self.accepts(name, value.as_deref()).is_some(),
            _ => true,
        }
    }

    /// Whether a setting is accepted; nothing if its effect is not modelled, or too costly.
    fn accepts(&self, name: &str, value: Option<&str>) -> Option<bool> {
        let among =
            |words: &[&str]| value.is_some_and(|v| words.iter().any(|w| w.eq_ignore_ascii_case(v)));
        // Values up to `cheap` or `most` are allowed, those in between too costly.
        let spin = |least: u64, cheap: u64, most: u64| match value.map(str::parse::<u64>) {
            Some(Ok(number)) if (least..=cheap).contains(&number) => Some(true),
            Some(Ok(number)) if (cheap..=most).contains(&number) => None,
            _ => Some(false),
        };
        match name.to_ascii_lowercase().as_str() {
            "hash" => spin(1, 4, 65536),
            "threads" => spin(1, 3, 256),
            "multipv" => spin(1, 500, 500),
            "move overhead" => spin(0, 5000, 5000),
            "depth" => spin(1, 2, 100),
            "seed" => spin(0, i32::MAX as u64, i32::MAX as u64),
            "level" if value == Some("10") => Some(true),
            "level" => spin(1, 2, 10),
            "ponder" | "ownbook" | "pruning" | "uci_showwdl" => Some(among(&["true", "false"])),
            "clear hash" => Some(value.is_none()),
            "strategy" => Some(among(&self.table.strategies())),
            "evaluation" => Some(among(&self.table.evaluations())),
            "order" => Some(among(&["left", "right", "centre"])),
            "game" | "uci_variant" | "uci_limitstrength" | "uci_elo" => None,
            // Files are not for tests that try anything.
            "kalahtable" | "walitable" | "debug log file" => None,
            _ => Some(false),
        }
    }

    fn obey(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::SetDialect(dialect) => {
                self.dialect = dialect;
                self.table.set_notation(dialect.notation());
                Ok(())
            }
            Command::RestartGame => self.table.set_position(&[], &[]),
            Command::NewGame(words) => {
                self.table = games::open_from_words(&borrowed(&words))?;
                self.table.set_notation(self.dialect.notation());
                if !self.table.strategies().contains(&self.strategy.as_str()) {
                    self.strategy = FULL.to_owned();
                }
                Ok(())
            }
            Command::Position { setup, moves } => {
                self.table.set_position(&borrowed(&setup), &borrowed(&moves))
            }
            Command::Go(go) => {
                let over = self.table.outcome().is_some();
                let solver = over || self.table.has_solver();
                self.table.check_moves(&go.search_moves)?;
                if go.solve && !solver {
                    return Err("no solver".to_owned());
                }
                let answers =
                    if go.solve { solver } else { self.held_back || self.strategy != FULL };
                self.go(&go, answers);
                Ok(())
            }
            Command::Analyze(go) => {
                self.table.check_moves(&go.search_moves)?;
                self.go(&go, self.table.has_solver());
                Ok(())
            }
            Command::Perft(_) => {
                self.expected.jobs += 1;
                Ok(())
            }
            Command::SetOption { name, value } => {
                let accepted = self.accepts(&name, value.as_deref()).expect("is modelled");
                let value = value.unwrap_or_default().to_ascii_lowercase();
                match name.to_ascii_lowercase().as_str() {
                    "strategy" if accepted => self.strategy = value,
                    "level" if accepted => self.held_back = value != "10",
                    _ => {}
                }
                accepted.then_some(()).ok_or_else(|| "refused".to_owned())
            }
            Command::Play(mv) => self.table.play(&mv),
            Command::Undo => self.table.undo(),
            Command::Eval => self.table.evaluation().map(drop).ok_or_else(|| "over".to_owned()),
            _ => Ok(()),
        }
    }

    /// A search begins; without a limit it ends by itself only if it `answers`.
    fn go(&mut self, go: &Go, answers: bool) {
        let over = self.table.outcome().is_some();
        let has_clock = go.time.iter().any(Option::is_some);
        let limited =
            go.deepest().is_some() || go.nodes.is_some() || go.movetime.is_some() || has_clock;
        let endless = go.infinite || !(limited || answers || over);
        self.running = match (endless, go.ponder) {
            (true, _) => Running::Endless,
            (false, true) => Running::Pondering,
            (false, false) => Running::Nothing,
        };
        let allowed = if over {
            vec!["(none)".to_owned()]
        } else if go.search_moves.is_empty() {
            self.table.moves()
        } else {
            self.told(&go.search_moves)
        };
        self.expected.jobs += 1;
        self.expected.best_moves.push(allowed);
    }

    /// The legal moves that `moves` name, in whatever words, in those in which they are told.
    fn told(&mut self, moves: &[String]) -> Vec<String> {
        let asked: Vec<String> = moves.iter().map(|text| self.after(text)).collect();
        let words = self.table.moves();
        words.into_iter().filter(|word| asked.contains(&self.after(word))).collect()
    }

    /// The position after a legal move.
    fn after(&mut self, mv: &str) -> String {
        self.table.play(mv).expect("a legal move");
        self.table.set_notation(MoveNotation::Native);
        let position = self.table.position_text();
        self.table.set_notation(self.dialect.notation());
        self.table.undo().expect("a move to take back");
        position
    }
}

/// What would take long: deep searches, long times, large counts.
fn is_costly(command: &Command) -> bool {
    match command {
        Command::Perft(depth) => *depth > 2,
        Command::Bench => true,
        Command::Go(go) if !go.solve => is_long(go),
        // A solver heeds no depth.
        Command::Go(go) | Command::Analyze(go) => {
            let is_limited = go.nodes.is_some() || go.movetime.is_some() || go.infinite;
            is_long(go) || !is_limited
        }
        _ => false,
    }
}

fn is_long(go: &Go) -> bool {
    let times = go.time.iter().chain([&go.movetime]).flatten().chain(&go.increment);
    times.into_iter().any(|&time| time > Duration::from_millis(20))
        || go.deepest().is_some_and(|depth| depth > 4)
        || go.nodes.is_some_and(|nodes| nodes > 3000)
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
