//! The rules by which the arena ends games early.

use std::path::PathBuf;

use anyhow::ensure;
use serde::{Deserialize, Serialize};

/// When a game ends before the rules of the game end it. A move here is one by each player, as in the
/// score of a game; a ply is one by either.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// A draw, if both engines see an even game for long enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// A loss of the engine that has seen itself losing for long enough.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<ResignRule>,
    /// A draw after this many moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_moves: Option<u32>,
    /// The result with best play, once the solver knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exact: Option<ExactRule>,
}

/// A draw by the engines' scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DrawRule {
    /// Never before this many moves.
    #[serde(default)]
    pub movenumber: u32,
    /// For this many consecutive moves of both engines.
    #[serde(default = "one")]
    pub movecount: u32,
    /// The largest absolute score, in centipoints.
    #[serde(default)]
    pub score: u32,
}

/// A loss by an engine's scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResignRule {
    /// For this many consecutive moves.
    #[serde(default = "one")]
    pub movecount: u32,
    /// The score is this far below 0, in centipoints.
    pub score: u32,
    /// Whether the opponent must agree, with scores as far above 0.
    #[serde(default)]
    pub twosided: bool,
}

/// A result by the solver of the game, or by its endgame tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExactRule {
    /// Nodes that the solver may search after each move.
    #[serde(default = "ExactRule::default_nodes")]
    pub nodes: u64,
    /// A file of endgame tables of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<PathBuf>,
}

impl ExactRule {
    /// Some ten milliseconds.
    const fn default_nodes() -> u64 {
        100_000
    }
}

impl Default for ExactRule {
    fn default() -> ExactRule {
        ExactRule { nodes: ExactRule::default_nodes(), table: None }
    }
}

impl AdjudicationRules {
    /// Checks what the types cannot express.
    pub fn check(&self) -> anyhow::Result<()> {
        let counts = [self.draw.map(|rule| rule.movecount), self.resign.map(|rule| rule.movecount)];
        ensure!(!counts.contains(&Some(0)), "movecount must be at least 1 (got 0)");
        if let Some(ResignRule { score: 0, .. }) = self.resign {
            anyhow::bail!("resign: score must be at least 1 (got 0)");
        }
        ensure!(self.max_moves != Some(0), "maxmoves must be at least 1 (got 0)");
        ensure!(
            self.exact.as_ref().is_none_or(|rule| rule.nodes > 0),
            "exact: nodes must be at least 1 (got 0)"
        );
        Ok(())
    }
}

fn one() -> u32 {
    1
}
