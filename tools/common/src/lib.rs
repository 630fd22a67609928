//! What the command-line tools share: exit statuses, man pages, progress bars and tables of text.
//!
//! Knows nothing of games, engines or what a tool is for.

pub mod manual;
pub mod program;
pub mod progress;
pub mod table;
