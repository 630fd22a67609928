//! The engine process, as far as it may fail: started on demand, and again after a failure.

use std::time::{Duration, Instant};

use ratlla_client::{Engine, EngineError, Launch};

use crate::interrupt::Interrupt;

/// Reply timeout of all commands but searches.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How often a running search looks for Ctrl-C.
const POLL: Duration = Duration::from_millis(50);

/// Why a query failed.
#[derive(Debug, PartialEq, Eq)]
pub enum QueryError {
    /// The engine replied with an error.
    Rejected(String),
    /// The engine could not be started, exited or did not reply. The next query starts it again.
    Failed(String),
}

impl QueryError {
    /// The reason, for a message.
    pub fn into_reason(self) -> String {
        match self {
            QueryError::Rejected(reason) | QueryError::Failed(reason) => reason,
        }
    }
}

impl From<EngineError> for QueryError {
    fn from(error: EngineError) -> QueryError {
        QueryError::Failed(error.to_string())
    }
}

/// An engine that is started by the first query, and again after a failure.
pub struct RestartingEngine {
    launch: Launch,
    running: Option<Engine>,
    interrupt: Interrupt,
}

impl RestartingEngine {
    /// An engine that is not running yet. `interrupt` stops its searches.
    pub fn new(launch: Launch, interrupt: Interrupt) -> RestartingEngine {
        RestartingEngine { launch, running: None, interrupt }
    }

    /// Whether the user stopped the last search.
    pub fn was_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    /// Sends commands that are answered at once and returns the replies. The commands must set up all
    /// they depend on: an engine that was restarted does not know earlier ones.
    pub fn ask(&mut self, commands: &[String]) -> Result<Vec<String>, QueryError> {
        let commands = [commands, &["isready".to_owned()]].concat();
        let mut replies = self.exchange(&commands, TIMEOUT, |line| line == "readyok")?;
        replies.pop();
        match replies.iter().find_map(|line| line.strip_prefix("error ")) {
            Some(reason) => Err(QueryError::Rejected(reason.to_owned())),
            None => Ok(replies),
        }
    }

    /// Sends commands that end with a search of about this length and returns the replies up to
    /// `bestmove`.
    pub fn search(
        &mut self,
        commands: &[String],
        time: Duration,
    ) -> Result<Vec<String>, QueryError> {
        self.interrupt.clear();
        let is_last = |line: &str| line.starts_with("bestmove ") || line.starts_with("error ");
        let replies = self.exchange(commands, time + TIMEOUT, is_last)?;
        match replies.last().and_then(|line| line.strip_prefix("error ")) {
            // What else was asked for may still be under way.
            Some(reason) => {
                let reason = reason.to_owned();
                self.running = None;
                Err(QueryError::Rejected(reason))
            }
            None => Ok(replies),
        }
    }

    fn exchange(
        &mut self,
        commands: &[String],
        timeout: Duration,
        is_last: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, QueryError> {
        if let Some(command) = commands.iter().find(|command| command.contains(['\n', '\r'])) {
            let reason = format!("line break in '{}'", command.escape_debug());
            return Err(QueryError::Rejected(reason));
        }
        let mut engine = match self.running.take() {
            Some(engine) => engine,
            None => Engine::start(&self.launch).map_err(|error| {
                QueryError::Failed(format!("cannot start '{}': {error}", self.launch.name()))
            })?,
        };
        for command in commands {
            engine.send(command)?;
        }
        let deadline = Instant::now() + timeout;
        let (mut replies, mut is_stopped) = (Vec::new(), false);
        while !replies.last().is_some_and(|line: &String| is_last(line)) {
            let left = deadline.saturating_duration_since(Instant::now());
            match engine.next_line(left.min(POLL)) {
                Ok(line) => replies.push(line.text),
                Err(EngineError::Timeout) if !left.is_zero() => {}
                Err(error) => return Err(error.into()),
            }
            if self.interrupt.is_raised() && !is_stopped {
                engine.send("stop")?;
                is_stopped = true;
            }
        }
        // Kept only if all went well: an engine that failed is killed here.
        self.running = Some(engine);
        Ok(replies)
    }
}

/// The move in the last of these replies to a search; `None` if the game is over.
pub fn best_move(replies: &[String]) -> Option<String> {
    let words = replies.last()?.strip_prefix("bestmove ")?;
    words.split(' ').next().filter(|&mv| mv != "(none)").map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_engine_is_reported() {
        let launch = Launch::from_command_line("/no/such/engine").unwrap();
        let error = RestartingEngine::new(launch, Interrupt::default()).ask(&[]).unwrap_err();
        assert!(error.into_reason().contains("cannot start 'engine'"));
    }

    #[test]
    fn a_command_is_one_line() {
        let launch = Launch::from_command_line("/no/such/engine").unwrap();
        let mut engine = RestartingEngine::new(launch, Interrupt::default());
        let error = engine.ask(&["play 4\nquit".to_owned()]).unwrap_err();
        assert_eq!(error, QueryError::Rejected("line break in 'play 4\\nquit'".to_owned()));
    }

    #[test]
    fn the_best_move_is_the_word_after_bestmove() {
        let replies = |last: &str| ["info depth 1".to_owned(), last.to_owned()];
        assert_eq!(best_move(&replies("bestmove 4 ponder 3")), Some("4".to_owned()));
        assert_eq!(best_move(&replies("bestmove (none)")), None);
    }
}
