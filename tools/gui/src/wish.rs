//! What a page may ask for.

pub mod permitted;

use serde::Deserialize;

/// What a page asks for. It numbers the processes that it starts.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wish {
    /// Start an engine of the list.
    Start {
        /// What the page will call it.
        process: u32,
        /// Its place in the list.
        engine: usize,
    },
    /// Send a line to one.
    Send {
        /// Which one.
        process: u32,
        /// The line, which need not be [`permitted`].
        line: String,
    },
    /// End one.
    End {
        /// Which one.
        process: u32,
    },
}

impl Wish {
    /// The wish in a message, or why there is none.
    pub fn parse(text: &str) -> Result<Wish, String> {
        serde_json::from_str(text).map_err(|error| format!("not a message of this server: {error}"))
    }
}
