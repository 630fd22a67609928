//! The ways an engine can forfeit a game, and errors in talking to engines.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The kinds of forfeit, as they are counted and recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForfeitKind {
    /// It answered with something other than a legal move.
    IllegalMove,
    /// It exceeded its time by more than the margin.
    TimeForfeit,
    /// Its process exited with a failure or was killed.
    Crash,
    /// Its process exited with status 0, or closed a pipe, during a game.
    Disconnect,
    /// It did not answer at all.
    Stall,
    /// It produced unbounded output instead of an answer.
    Flood,
    /// It broke the protocol.
    WrongDialect,
}

impl fmt::Display for ForfeitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            ForfeitKind::IllegalMove => "illegal move",
            ForfeitKind::TimeForfeit => "time forfeit",
            ForfeitKind::Crash => "crash",
            ForfeitKind::Disconnect => "disconnect",
            ForfeitKind::Stall => "stall",
            ForfeitKind::Flood => "flood",
            ForfeitKind::WrongDialect => "wrong dialect",
        })
    }
}

/// A forfeit by one engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forfeit {
    /// What kind it is.
    pub kind: ForfeitKind,
    /// What happened, for people.
    pub detail: String,
    /// How late the answer was, for a time forfeit.
    pub overshoot: Option<Duration>,
}

impl Forfeit {
    /// A forfeit for a reason other than time.
    pub fn new(kind: ForfeitKind, detail: impl Into<String>) -> Forfeit {
        Forfeit { kind, detail: detail.into(), overshoot: None }
    }

    /// A time forfeit: an answer `overshoot` later than `budget`.
    pub fn late(overshoot: Duration, budget: Duration) -> Forfeit {
        let [over, budget] = [overshoot, budget].map(|time| time.as_millis());
        Forfeit {
            kind: ForfeitKind::TimeForfeit,
            detail: format!("{over} ms over the limit of {budget} ms"),
            overshoot: Some(overshoot),
        }
    }
}

impl fmt::Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}

/// Why an exchange with an engine ended without a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    /// The engine is at fault.
    Forfeit(Forfeit),
    /// The arena was told to stop.
    Cancelled,
}

impl From<Forfeit> for EngineError {
    fn from(forfeit: Forfeit) -> EngineError {
        EngineError::Forfeit(forfeit)
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::Forfeit(forfeit) => forfeit.fmt(f),
            EngineError::Cancelled => f.write_str("interrupted"),
        }
    }
}

impl std::error::Error for EngineError {}
