//! What a session should do, told in advance: which commands are refused, and which moves may
//! answer each `go`.

use ratlla::game::Wording;
use ratlla::games;
use ratlla::protocol::command::{Command, Go};
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use ratlla::table::Table;

use super::script::Step;

/// What to expect of a session.
#[derive(Default)]
pub struct Expected {
    /// The moves that may answer each `go`, in order.
    pub best_moves: Vec<Vec<String>>,
    /// How many lines say `error`.
    pub errors: usize,
    /// How many lines say `readyok`.
    pub ready: usize,
    /// Whether `quit` came, so that what had waited may be missing.
    pub quit: bool,
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
    table: Box<dyn Table>,
    strategy: String,
    /// Whether the level holds the search back, so that it ends by itself.
    held_back: bool,
    running: Running,
    /// Searches and counts begun so far.
    jobs: usize,
    steps: Vec<Step>,
    expected: Expected,
}

/// Option settings with known effect, for the generator: the line, and whether it is accepted.
pub const SETTINGS: &[(&str, bool)] = &[
    ("setoption name Hash value 1", true),
    ("setoption name Hash value 2", true),
    ("setoption name Clear Hash", true),
    ("setoption name Threads value 1", true),
    ("setoption name Threads value 2", true),
    ("setoption name MultiPV value 1", true),
    ("setoption name MultiPV value 3", true),
    ("setoption name Strategy value full", true),
    ("setoption name Strategy value random", true),
    ("setoption name Strategy value minimax", true),
    ("setoption name Depth value 2", true),
    ("setoption name Level value 1", true),
    ("setoption name Level value 10", true),
    ("setoption name Hash value 0", false),
    ("setoption name Threads value many", false),
    ("setoption name Colour value red", false),
];

impl Model {
    /// A session that begins.
    pub fn new() -> Model {
        let table = games::open("connect4", &[]).expect("the default game");
        let strategy = "full".to_owned();
        let (steps, expected) = (Vec::new(), Expected::default());
        let mut model = Model {
            dialect: Dialect::default(),
            table,
            strategy,
            held_back: false,
            running: Running::Nothing,
            jobs: 0,
            steps,
            expected,
        };
        // Small tables and shallow plain strategies, so that a session takes little time.
        model.take(b"setoption name Hash value 1");
        model.take(b"setoption name Depth value 2");
        model
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
                if is_costly(&command) || !self.is_modelled(&command, line) {
                    return;
                }
                if self.running != Running::Nothing {
                    // Only the help is there for all times; it contains no line that counts.
                    self.expected.errors += usize::from(command != Command::Help);
                } else if self.obey(command, line).is_err() {
                    self.expected.errors += 1;
                }
            }
        }
        self.steps.push(Step { after_jobs, line: line.to_vec() });
    }

    /// The script and what to expect of it.
    pub fn finish(mut self) -> (Vec<Step>, Expected) {
        // The end of the input is a signal like others: it comes when the last search runs.
        let after_jobs = self.finished();
        if !self.expected.quit {
            self.steps.push(Step { after_jobs, line: b"# the end".to_vec() });
        }
        (self.steps, self.expected)
    }

    /// How many searches and counts end without a signal to come.
    fn finished(&self) -> usize {
        self.jobs - usize::from(self.running != Running::Nothing)
    }

    fn is_modelled(&self, command: &Command, line: &[u8]) -> bool {
        match command {
            Command::SetOption { .. } => setting(line).is_some(),
            _ => true,
        }
    }

    fn obey(&mut self, command: Command, line: &[u8]) -> Result<(), String> {
        match command {
            Command::Speak(dialect) => {
                self.dialect = dialect;
                self.table.speak(dialect.wording());
                Ok(())
            }
            Command::SameGame => self.table.set_position(&[], &[]),
            Command::NewGame(words) => {
                self.table = games::open_told(&borrowed(&words))?;
                self.table.speak(self.dialect.wording());
                let known = self.table.strategies().contains(&self.strategy.as_str());
                if !known {
                    self.strategy = "full".to_owned();
                }
                Ok(())
            }
            Command::Position { setup, moves } => {
                self.table.set_position(&borrowed(&setup), &borrowed(&moves))
            }
            Command::Go(go) => self.go(&go),
            Command::Perft(_) => {
                self.jobs += 1;
                Ok(())
            }
            Command::SetOption { name, value } => {
                let accepted = setting(line).expect("is modelled");
                if accepted && name == "Strategy" {
                    self.strategy = value.expect("an accepted strategy");
                } else if accepted && name == "Level" {
                    self.held_back = value.is_some_and(|level| level != "10");
                }
                accepted.then_some(()).ok_or_else(String::new)
            }
            Command::Play(mv) => self.table.play(&mv),
            Command::Undo => self.table.undo(),
            Command::Eval => self.table.evaluation().map(drop).ok_or_else(String::new),
            _ => Ok(()),
        }
    }

    fn go(&mut self, go: &Go) -> Result<(), String> {
        self.table.check_moves(&go.search_moves)?;
        let over = self.table.outcome().is_some();
        let has_clock = go.time.iter().any(Option::is_some);
        let limited =
            go.depth.is_some() || go.nodes.is_some() || go.movetime.is_some() || has_clock;
        let answers = over || self.held_back || self.strategy != "full";
        let endless = go.infinite || !(limited || answers);
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
            self.in_words_of_the_dialect(&go.search_moves)
        };
        self.jobs += 1;
        self.expected.best_moves.push(allowed);
        Ok(())
    }
}

impl Model {
    /// The columns that `moves` name, in the words in which they are told.
    fn in_words_of_the_dialect(&mut self, moves: &[String]) -> Vec<String> {
        self.table.speak(Wording::Own);
        let columns = self.table.moves();
        self.table.speak(self.dialect.wording());
        let words = self.table.moves();
        let asked =
            |column: &String| moves.iter().any(|text| text.trim_start_matches('0') == column);
        columns
            .iter()
            .zip(words)
            .filter(|(column, _)| asked(column))
            .map(|(_, word)| word)
            .collect()
    }
}

/// Whether a setting of the list is accepted; nothing for other lines.
fn setting(line: &[u8]) -> Option<bool> {
    SETTINGS.iter().find(|(known, _)| known.as_bytes() == line).map(|&(_, accepted)| accepted)
}

/// What would take long: deep searches, long times, large counts.
fn is_costly(command: &Command) -> bool {
    match command {
        Command::Perft(depth) => *depth > 3,
        Command::Bench => true,
        Command::Go(go) => {
            let short = |time: Option<std::time::Duration>| {
                time.is_none_or(|time| time <= std::time::Duration::from_millis(20))
            };
            let slow_clock = !short(go.time[0]) || !short(go.time[1]) || !short(go.movetime);
            let increments = go.increment.iter().any(|&time| !short(Some(time)));
            let deep = go.depth.is_some_and(|depth| depth > 5);
            let many = go.nodes.is_some_and(|nodes| nodes > 3000);
            deep || many || slow_clock || increments
        }
        _ => false,
    }
}

fn borrowed(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}
