//! An engine of a match and its search limits.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::is_default;
use crate::engine::dialect::{Clock, GoParams, Proto};

/// An engine of the match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The dialect it speaks.
    #[serde(default)]
    pub proto: Proto,
    /// Its options; `{seed}` in a value is replaced by a number that changes every round.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Its search limits.
    #[serde(default)]
    pub limits: SearchLimits,
    /// Whether it is started anew for every game.
    #[serde(default, skip_serializing_if = "is_default")]
    pub restart: bool,
    /// Whether it thinks on the opponent's time.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ponder: bool,
}

/// Search limits of an engine. All given limits apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchLimits {
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Base time on the clock in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Increment per move in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inc: Option<u64>,
    /// Moves after which the base time is added again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<u32>,
}

impl SearchLimits {
    /// Whether anything bounds a search.
    pub fn is_some(&self) -> bool {
        let SearchLimits { movetime, depth, nodes, time, .. } = self;
        movetime.is_some() || depth.is_some() || nodes.is_some() || time.is_some()
    }

    /// The clock at the start of a game, if there is one.
    pub fn clock(&self) -> Option<Clock> {
        self.time.map(|time| Clock {
            remaining: Duration::from_millis(time),
            increment: Duration::from_millis(self.inc.unwrap_or(0)),
            moves_to_go: self.moves,
        })
    }

    /// The `go` parameters under these limits.
    pub fn go(&self, clocks: [Option<Clock>; 2]) -> GoParams {
        GoParams {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            clocks,
            ..GoParams::default()
        }
    }
}
