//! The reply to `state` as JSON.

use serde::{Serialize, Serializer};

use crate::game::ParameterValue;
use crate::game::state::GameState;

/// The reply to `state`: the game, and the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateReply {
    /// The words after `newgame`.
    pub game: String,
    /// The first of them.
    pub name: &'static str,
    /// The others, by name.
    #[serde(serialize_with = "in_order")]
    pub parameters: Vec<(&'static str, ParameterValue)>,
    /// The position.
    #[serde(flatten)]
    pub state: GameState,
}

impl StateReply {
    /// The object, in one line.
    pub fn json(&self) -> String {
        // Only maps with other keys than strings could fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A map whose keys keep their order.
fn in_order<S: Serializer>(
    parameters: &[(&'static str, ParameterValue)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(parameters.iter().copied())
}
