//! Queries to the engine, in terms of its protocol.

use std::time::Duration;

use ratlla_client::{Engine, EngineError, Launch};

/// Reply timeout of all commands but searches.
const TIMEOUT: Duration = Duration::from_secs(10);

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

/// A game that the engine supports.
#[derive(Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// The name in `newgame`.
    pub name: String,
    /// The numeric parameters: name, default, minimum and maximum.
    pub numbers: Vec<(String, u64, [u64; 2])>,
    /// The optional keywords that may follow.
    pub keywords: Vec<String>,
}

/// An engine that is started by the first query, and again after a failure.
pub struct RestartingEngine {
    launch: Launch,
    running: Option<Engine>,
}

impl RestartingEngine {
    /// An engine that is not running yet.
    pub fn new(launch: Launch) -> RestartingEngine {
        RestartingEngine { launch, running: None }
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

    /// Sends commands that end with a search and returns the best move.
    pub fn search(&mut self, commands: &[String], time: Duration) -> Result<String, QueryError> {
        let is_last = |line: &str| line.starts_with("bestmove ") || line.starts_with("error ");
        let replies = self.exchange(commands, time + TIMEOUT, is_last)?;
        let last = replies.last().map(String::as_str).unwrap_or_default();
        match last.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next()) {
            Some(mv) => Ok(mv.to_owned()),
            None => Err(QueryError::Rejected(last.to_owned())),
        }
    }

    /// The games that the engine supports.
    pub fn games(&mut self) -> Result<Vec<GameInfo>, QueryError> {
        let replies = self.ask(&["games".to_owned()])?;
        Ok(replies.iter().filter_map(|line| parse_game(line)).collect())
    }

    fn exchange(
        &mut self,
        commands: &[String],
        timeout: Duration,
        is_last: impl Fn(&str) -> bool,
    ) -> Result<Vec<String>, QueryError> {
        let mut engine = match self.running.take() {
            Some(engine) => engine,
            None => Engine::start(&self.launch).map_err(|error| {
                QueryError::Failed(format!("cannot start '{}': {error}", self.launch.name()))
            })?,
        };
        for command in commands {
            engine.send(command)?;
        }
        let lines = engine.lines_until(timeout, is_last)?;
        // Kept only if all went well: an engine that failed is killed here.
        self.running = Some(engine);
        Ok(lines.into_iter().map(|line| line.text).collect())
    }
}

/// Parses a line of the reply to `games`.
fn parse_game(line: &str) -> Option<GameInfo> {
    let mut parts = line.strip_prefix("game ")?.split(" parameter ");
    let name = parts.next()?.trim().to_owned();
    let (mut numbers, mut keywords) = (vec![], vec![]);
    for part in parts {
        match part.split(' ').collect::<Vec<_>>()[..] {
            [name, "type", "spin", "default", default, "min", min, "max", max] => {
                let range = [min.parse().ok()?, max.parse().ok()?];
                numbers.push((name.to_owned(), default.parse().ok()?, range));
            }
            [name, "type", "check", ..] => keywords.push(name.to_owned()),
            _ => return None,
        }
    }
    Some(GameInfo { name, numbers, keywords })
}

/// The values of the combo option `name` in the reply to `options`.
pub fn option_values(options: &[String], name: &str) -> Vec<String> {
    let start = format!("option name {name} type combo ");
    let line = options.iter().find_map(|line| line.strip_prefix(start.as_str()));
    let values = line.into_iter().flat_map(|rest| rest.split(" var ").skip(1));
    values.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_and_their_parameters_are_parsed() {
        let line = "game kalah parameter houses type spin default 6 min 1 max 12 parameter empty type check default false";
        let kalah = parse_game(line).unwrap();
        assert_eq!(kalah.name, "kalah");
        assert_eq!(kalah.numbers, [("houses".to_owned(), 6, [1, 12])]);
        assert_eq!(kalah.keywords, ["empty"]);
        assert_eq!(parse_game("game boom").unwrap().name, "boom");
        assert_eq!(parse_game("readyok"), None);
    }

    #[test]
    fn option_values_are_parsed() {
        let options =
            ["option name Strategy type combo default full var random var full".to_owned()];
        assert_eq!(option_values(&options, "Strategy"), ["random", "full"]);
        assert!(option_values(&options, "Order").is_empty());
    }

    #[test]
    fn a_missing_engine_is_reported() {
        let launch = Launch::from_command_line("/no/such/engine").unwrap();
        let error = RestartingEngine::new(launch).ask(&[]).unwrap_err();
        assert!(error.into_reason().contains("cannot start 'engine'"));
    }
}
