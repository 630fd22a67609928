//! What the command-line tools share: exit statuses, progress bars and tables of text.
//!
//! Knows nothing of games, engines or what a tool is for.

pub mod program;
pub mod progress;
pub mod table;
