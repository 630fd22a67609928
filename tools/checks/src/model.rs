//! Predicts what a session answers: which commands are errors, which moves may answer each `go`, and the
//! board.
//!
//! Each law has a negative half:
//!
//! - A command is carried out, and one that is refused changes nothing. The model knows its game as words
//!   alone, the setup and the moves since, and opens it anew for every command: its game has never met a
//!   refused command, nor taken a move back. So what `d` shows is predicted, also on the way back to the
//!   start at the end of a script.
//! - `stop` and `ponderhit` act on the search that runs; before it, after it and without one they do nothing.
//!   A search that waits for them has no answer without them.
//! - A `go` has one answer, and nothing else has one.
//! - What a search has proved stays proved (`proved`), and counters do not go back
//!   (`counters`), but the next search begins with neither.

use std::mem::take;
use std::time::Duration;

use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::MoveNotation;
use ratlla::games::REGISTRY;
use ratlla::protocol::command::{Command, Go, Goal};
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla::settings::Settings;
use ratlla::strategy::FULL;

use crate::counters::line_that_counts_back;
use crate::proved::broken_proof;
use crate::refused::refused_lines;
use crate::script::Step;

/// The expected output of a session.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// The moves that may answer each `go`, in order.
    pub best_moves: Vec<Vec<String>>,
    /// Whether each `go` is answered by the best move that was found.
    pub plays_best: Vec<bool>,
    /// Number of error messages.
    pub errors: usize,
    /// Number of `readyok` lines.
    pub ready: usize,
    /// What `d` shows below the drawing.
    pub boards: Vec<[String; 5]>,
    /// Number of searches, perft counts and trees.
    pub jobs: usize,
    /// Whether `quit` was sent: then replies to queued lines may be missing.
    pub quit: bool,
}

impl Expected {
    /// Checks the output of a session that has ended or is idle: one legal move for each `go`, one
    /// message for each error, one `readyok` for each `isready`, the board as it must be, and no proved score
    /// taken back.
    pub fn check(&self, output: &[String]) -> Result<(), String> {
        let starting =
            |word: &'static str| output.iter().filter(move |line| line.starts_with(word));
        if let Some(line) = output.iter().find(|line| line.contains("internal error")) {
            return Err(line.clone());
        }
        let best: Vec<&str> =
            starting("bestmove ").map(|line| line.split(' ').nth(1).unwrap_or_default()).collect();
        let errors = starting("error ").count() + starting("info string error ").count();
        let found = [best.len(), errors, starting("readyok").count()];
        let expected = [self.best_moves.len(), self.errors, self.ready];
        if (self.quit && best.len() > self.best_moves.len()) || (!self.quit && found != expected) {
            return Err(format!(
                "expected {expected:?} best moves, errors and readyok, found {found:?}"
            ));
        }
        let boards = output
            .windows(5)
            .filter(|lines| lines[0].starts_with("game ") && lines[1].starts_with("position "));
        let mut shown = boards.zip(&self.boards);
        if let Some((found, expected)) = shown.find(|(found, expected)| found != expected) {
            return Err(format!("expected the board {expected:?}, found {found:?}"));
        }
        if let Some(line) = broken_proof(output, &self.plays_best) {
            return Err(format!("a false proof, or one that is taken back: {line}"));
        }
        if let Some(line) = line_that_counts_back(output) {
            return Err(format!("nodes or time went back: {line}"));
        }
        let mut answers = best.iter().zip(&self.best_moves);
        match answers.find(|(mv, allowed)| !allowed.iter().any(|legal| legal == *mv)) {
            Some((mv, allowed)) => Err(format!("expected one of {allowed:?}, found bestmove {mv}")),
            None => Ok(()),
        }
    }
}

/// Whether a search runs that only a signal ends.
#[derive(Clone, Copy, PartialEq)]
enum Running {
    /// The engine is idle, or will be without a signal.
    Nothing,
    /// Until `stop`.
    Endless,
    /// Until `stop` or `ponderhit`.
    Pondering,
}

/// A session as far as the model follows it.
pub struct Model {
    dialect: Dialect,
    /// The game in progress, opened after the last command that changed it.
    game: Box<dyn AnyGame>,
    /// The words of the position that was set up; none for the start.
    setup: Vec<String>,
    /// The moves since then.
    played: Vec<String>,
    strategy: String,
    /// The option `Hash`, on which it depends which solvers there are.
    hash: usize,
    /// Whether the level limits the search, so that it ends without a signal.
    is_limited_by_level: bool,
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
    /// A new session.
    pub fn new() -> Model {
        let mut model = Model {
            dialect: Dialect::default(),
            game: REGISTRY.open_from_words(&[]).expect("the default game"),
            setup: Vec::new(),
            played: Vec::new(),
            strategy: FULL.to_owned(),
            hash: Settings::default().hash,
            is_limited_by_level: false,
            running: Running::Nothing,
            steps: Vec::new(),
            expected: Expected::default(),
        };
        // A small table and shallow plain strategies keep sessions short.
        model.send(b"setoption name Hash value 1");
        model.send(b"setoption name Depth value 2");
        model
    }

    /// The game in progress.
    pub fn game(&self) -> &dyn AnyGame {
        &*self.game
    }

    /// Adds a line to the script, unless it would take long or is not modelled.
    pub fn send(&mut self, line: &[u8]) {
        if self.expected.quit || line.contains(&b'\n') {
            return;
        }
        // A signal acts on the search that runs when it is read, so it waits for the right one.
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
                    // A few commands are accepted during a search.
                    let is_accepted = matches!(command, Command::Help | Command::Ignored);
                    self.expected.errors += usize::from(!is_accepted);
                } else if self.execute(command).is_err() {
                    self.expected.errors += 1;
                }
            }
        }
        self.steps.push(Step { after_jobs, line: line.to_vec() });
    }

    /// Adds a line that must be refused, whatever it is about: one of [`Model::refused_lines`].
    pub fn refuse(&mut self, line: &str) {
        if !self.expected.quit {
            self.expected.errors += 1;
            self.steps.push(Step { after_jobs: 0, line: line.as_bytes().to_vec() });
        }
    }

    /// Lines that are wrong here, whether or not a search runs. Other dialects than the native one skip what
    /// they do not know, so nothing is wrong there.
    pub fn refused_lines(&self) -> Vec<String> {
        match self.dialect {
            Dialect::Native => refused_lines(&*self.game, &self.setup, &self.played),
            Dialect::Uci | Dialect::Ugi => Vec::new(),
        }
    }

    /// Looks at the board and takes the last moves back, one by one.
    fn look_back(&mut self) {
        /// Moves taken back at most: it is done after every script.
        const MOVES: usize = 8;
        if self.running == Running::Nothing {
            self.send(b"d");
            for _ in 0..=self.played.len().min(MOVES) {
                self.send(b"undo");
                self.send(b"d");
            }
        }
    }

    /// The script and its expected output, if the input ends here.
    pub fn finish(mut self) -> (Vec<Step>, Expected) {
        self.look_back();
        // The end of the input is a signal too: it waits for the last search.
        let after_jobs = self.finished();
        if !self.expected.quit {
            self.steps.push(Step { after_jobs, line: b"# the end".to_vec() });
        }
        (self.steps, self.expected)
    }

    /// Stops the search and returns the script since the last call and its expected output. The
    /// session continues.
    pub fn take_script(&mut self) -> (Vec<Step>, Expected) {
        self.send(b"stop");
        self.look_back();
        (take(&mut self.steps), take(&mut self.expected))
    }

    /// Number of searches, perft counts and trees that end without a further signal.
    fn finished(&self) -> usize {
        self.expected.jobs - usize::from(self.running != Running::Nothing)
    }

    fn is_modelled(&self, command: &Command) -> bool {
        match command {
            Command::SetOption { name, value } => self.accepts(name, value.as_deref()).is_some(),
            // Which names there are is the business of other tests.
            Command::GetOption(name) => name.is_none(),
            _ => true,
        }
    }

    /// Whether an option value is accepted; `None` if it is not modelled or too costly.
    fn accepts(&self, name: &str, value: Option<&str>) -> Option<bool> {
        let among =
            |words: &[&str]| value.is_some_and(|v| words.iter().any(|w| w.eq_ignore_ascii_case(v)));
        // Values up to `max` are accepted, those above `cheap` too costly.
        let spin = |min: u64, cheap: u64, max: u64| match value.map(str::parse::<u64>) {
            Some(Ok(number)) if (min..=cheap).contains(&number) => Some(true),
            Some(Ok(number)) if (cheap..=max).contains(&number) => None,
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
            "strategy" => Some(among(&self.game.strategies())),
            "evaluation" => Some(among(&self.game.evaluations())),
            "order" => Some(among(&["left", "right", "centre"])),
            "game" | "uci_variant" | "uci_limitstrength" | "uci_elo" => None,
            // Random input must not name files.
            "kalahtable" | "walitable" | "debug log file" => None,
            _ => Some(false),
        }
    }

    fn execute(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::SetDialect(dialect) => {
                self.dialect = dialect;
                self.game.set_notation(dialect.notation());
                Ok(())
            }
            Command::RestartGame => self.set_up(Vec::new(), Vec::new()),
            Command::NewGame(words) => {
                self.game = REGISTRY.open_from_words(&borrowed(&words))?;
                self.set_up(Vec::new(), Vec::new())?;
                if !self.game.strategies().contains(&self.strategy.as_str()) {
                    self.strategy = FULL.to_owned();
                }
                Ok(())
            }
            Command::Position { setup, moves } => self.set_up(setup, moves),
            Command::Go(go) => {
                let over = self.game.outcome().is_some();
                let endgames = EndgameStore::default();
                let solver = self.game.has_solver(self.hash, &endgames);
                let alone = Go {
                    search_moves: go.search_moves.clone(),
                    asked: go.asked.clone(),
                    ..Go::default()
                };
                self.game.prepare(&alone, &Settings::default(), &endgames)?;
                if go.goal == Goal::Solve && !solver && !over {
                    return Err("no solver".to_owned());
                }
                let answers = match go.goal {
                    Goal::Move => self.is_limited_by_level || self.strategy != FULL,
                    Goal::Solve | Goal::Analyze | Goal::Explain | Goal::Refute => solver,
                };
                self.go(&go, answers);
                Ok(())
            }
            Command::Perft(_) => {
                self.expected.jobs += 1;
                Ok(())
            }
            Command::Tree(tree) => {
                self.check_root(&tree.moves)?;
                self.expected.jobs += 1;
                Ok(())
            }
            Command::SetOption { name, value } => {
                let accepted = self.accepts(&name, value.as_deref()).unwrap_or_default();
                let value = value.unwrap_or_default().to_ascii_lowercase();
                match name.to_ascii_lowercase().as_str() {
                    "strategy" if accepted => self.strategy = value,
                    "hash" if accepted => self.hash = value.parse().expect("a number"),
                    "level" if accepted => self.is_limited_by_level = value != "10",
                    _ => {}
                }
                accepted.then_some(()).ok_or_else(|| "rejected".to_owned())
            }
            Command::Play(mv) => {
                let played = [&self.played[..], &[mv]].concat();
                self.set_up(self.setup.clone(), played)
            }
            Command::Undo => {
                let (_, played) = self.played.split_last().ok_or("nothing to take back")?;
                self.set_up(self.setup.clone(), played.to_vec())
            }
            Command::Display => {
                self.expected.boards.push(board(&*self.game));
                Ok(())
            }
            Command::Eval(name) => {
                let known = |name: &String| {
                    name == FULL || self.game.evaluations().contains(&name.as_str())
                };
                match self.game.outcome() {
                    None if name.as_ref().is_none_or(known) => Ok(()),
                    _ => Err("over, or an unknown evaluation".to_owned()),
                }
            }
            _ => Ok(()),
        }
    }

    /// Opens the game anew with these words of a position and these moves, if it takes them.
    fn set_up(&mut self, setup: Vec<String>, played: Vec<String>) -> Result<(), String> {
        let title = self.game.title();
        let mut game = REGISTRY.open_from_words(&title.split(' ').collect::<Vec<_>>())?;
        game.set_notation(self.dialect.notation());
        game.set_position(&borrowed(&setup), &borrowed(&played))?;
        (self.game, self.setup, self.played) = (game, setup, played);
        Ok(())
    }

    /// Whether these moves can be played from here and do not end the game.
    fn check_root(&mut self, moves: &[String]) -> Result<(), String> {
        let mut played = 0;
        let mut result = Ok(());
        for mv in moves {
            result = self.game.play(mv);
            if result.is_err() {
                break;
            }
            played += 1;
        }
        let is_over = self.game.outcome().is_some();
        (0..played).for_each(|_| self.game.undo().expect("a move to undo"));
        result.and_then(|()| if is_over { Err("over".to_owned()) } else { Ok(()) })
    }

    /// Starts a search; without a limit it ends without a signal only if it `answers`.
    fn go(&mut self, go: &Go, answers: bool) {
        let over = self.game.outcome().is_some();
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
            self.game.moves()
        } else {
            self.in_dialect(&go.search_moves)
        };
        self.expected.jobs += 1;
        self.expected.best_moves.push(allowed);
        self.expected.plays_best.push(self.strategy == FULL && !self.is_limited_by_level);
    }

    /// Legal moves in any notation, in that of the dialect.
    fn in_dialect(&mut self, moves: &[String]) -> Vec<String> {
        let wanted: Vec<String> = moves.iter().map(|text| self.after(text)).collect();
        let words = self.game.moves();
        words.into_iter().filter(|word| wanted.contains(&self.after(word))).collect()
    }

    /// The position after a legal move.
    fn after(&mut self, mv: &str) -> String {
        self.game.play(mv).expect("a legal move");
        self.game.set_notation(MoveNotation::Native);
        let position = self.game.position_text();
        self.game.set_notation(self.dialect.notation());
        self.game.undo().expect("a move to undo");
        position
    }
}

/// What `d` shows of a game below its drawing.
fn board(game: &dyn AnyGame) -> [String; 5] {
    let result = game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
    [
        format!("game {}", game.title()),
        format!("position {}", game.position_text()),
        format!("side {}", game.side_to_move()),
        format!("key {:016x}", game.key()),
        format!("result {result}"),
    ]
}

/// Whether a command would take long.
fn is_costly(command: &Command) -> bool {
    match command {
        Command::Perft(depth) => *depth > 2,
        // Without a depth it is that of the option, which stays small.
        Command::Tree(tree) => tree.depth.is_some_and(|depth| depth > 2),
        Command::Bench => true,
        Command::Go(go) if go.goal == Goal::Move => is_long(go),
        // Solvers ignore the depth.
        Command::Go(go) => {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embedded::replies;

    /// The replies to the lines of a model, those that wait for a search each in a batch of their own.
    fn check(lines: &[&str], change: impl Fn(&mut Vec<String>)) -> Result<(), String> {
        let mut model = Model::new();
        lines.iter().for_each(|line| model.send(line.as_bytes()));
        let (steps, expected) = model.finish();
        let batches: Vec<String> = steps
            .iter()
            .map(|step| String::from_utf8_lossy(&step.line).into_owned() + "\n")
            .collect();
        let mut output = replies(&batches);
        change(&mut output);
        expected.check(&output)
    }

    #[test]
    fn a_good_session_passes() {
        check(&["position moves 4 4 3", "go nodes 100", "play 9", "undo", "isready"], |_| {})
            .unwrap();
    }

    #[test]
    fn an_output_that_breaks_a_law_is_found() {
        let lines = ["position moves 4 4 3", "go nodes 100", "position moves 4 9", "isready", "d"];
        type Change = fn(&mut Vec<String>);
        let changes: [(&str, Change); 9] = [
            ("an answer too many", |output| output.push("bestmove 4".to_owned())),
            ("no answer", |output| output.retain(|line| !line.starts_with("bestmove "))),
            ("an illegal answer", |output| {
                let best = output.iter_mut().find(|line| line.starts_with("bestmove ")).unwrap();
                *best = "bestmove 9".to_owned();
            }),
            ("an error too many", |output| output.push("error late".to_owned())),
            ("no error", |output| {
                let error = output.iter().position(|line| line.starts_with("error position"));
                output.remove(error.unwrap());
            }),
            ("not ready", |output| output.retain(|line| line != "readyok")),
            ("ready twice", |output| output.push("readyok".to_owned())),
            ("a panic", |output| output.push("info string internal error".to_owned())),
            ("another board", |output| {
                let key = output.iter_mut().rfind(|line| line.starts_with("key ")).unwrap();
                *key = "key 0123456789abcdef".to_owned();
            }),
        ];
        for (name, change) in changes {
            assert!(check(&lines, change).is_err(), "{name}");
        }
    }

    /// Before a search, after it and without one, and the wrong one of the two.
    #[test]
    fn a_signal_without_its_search_does_nothing() {
        for lines in [
            &["stop", "ponderhit", "go nodes 50", "stop", "ponderhit", "d"][..],
            &["go infinite", "ponderhit", "isready", "stop", "stop", "d"],
            &["go ponder nodes 50", "isready", "ponderhit", "ponderhit", "stop", "d"],
            &["go ponder infinite", "ponderhit", "position moves 1", "stop", "d"],
            &[
                "position moves 4",
                "go infinite",
                "undo",
                "play 4",
                "position moves 1 9",
                "stop",
                "undo",
                "d",
            ],
        ] {
            let mut model = Model::new();
            lines.iter().for_each(|line| model.send(line.as_bytes()));
            crate::conversation::check_model(model, false);
        }
    }
}
