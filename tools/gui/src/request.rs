//! The messages that a page sends.

pub mod allowlist;

use serde::Deserialize;

/// A request of a page, which numbers the processes it starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Request {
    /// Start an engine.
    Start {
        /// The page's number for the process.
        process: u32,
        /// The index in the list of engines.
        engine: usize,
    },
    /// Send a line to an engine.
    Send {
        /// The process.
        process: u32,
        /// The line, not yet checked against the [`allowlist`].
        line: String,
    },
    /// End an engine.
    End {
        /// The process.
        process: u32,
    },
}

impl Request {
    /// Parses a message.
    pub fn parse(text: &str) -> Result<Request, String> {
        serde_json::from_str(text).map_err(|error| format!("invalid request: {error}"))
    }
}
