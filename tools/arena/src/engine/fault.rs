//! What an engine can do wrong, and how it is told.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The kinds of faults, as they are counted and recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It answered with something that is no legal move.
    IllegalMove,
    /// Its answer came too late.
    TimeForfeit,
    /// Its process ended with a failure or was killed.
    Crash,
    /// Its process ended in peace, or closed its output, in the middle of a game.
    Disconnect,
    /// It did not answer at all.
    Stall,
    /// It talked without an end instead of answering.
    Flood,
    /// It does not speak as it should.
    WrongDialect,
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            FaultKind::IllegalMove => "illegal move",
            FaultKind::TimeForfeit => "time forfeit",
            FaultKind::Crash => "crash",
            FaultKind::Disconnect => "disconnect",
            FaultKind::Stall => "stall",
            FaultKind::Flood => "flood",
            FaultKind::WrongDialect => "wrong dialect",
        })
    }
}

/// A fault of one engine, with the story for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind of fault it is.
    pub kind: FaultKind,
    /// What happened.
    pub story: String,
    /// How much too late the answer was, if it was.
    pub overshoot: Option<Duration>,
}

impl Fault {
    /// A fault that is no matter of time.
    pub fn new(kind: FaultKind, story: impl Into<String>) -> Fault {
        Fault { kind, story: story.into(), overshoot: None }
    }

    /// An answer that came `overshoot` after the time allowed.
    pub fn late(overshoot: Duration, allowed: Duration) -> Fault {
        let [over, allowed] = [overshoot, allowed].map(|time| time.as_millis());
        Fault {
            kind: FaultKind::TimeForfeit,
            story: format!("{over} ms more than the {allowed} ms allowed"),
            overshoot: Some(overshoot),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.story)
    }
}

/// Why a conversation with an engine broke off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The engine is to blame.
    Fault(Fault),
    /// The arena was told to stop; nobody is to blame.
    Cancelled,
}

impl From<Fault> for Trouble {
    fn from(fault: Fault) -> Trouble {
        Trouble::Fault(fault)
    }
}
