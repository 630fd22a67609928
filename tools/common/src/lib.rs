//! What the command-line tools share: exit statuses, man pages, progress bars, tables of text and documents with
//! such tables.
//!
//! Knows nothing of games, engines or what a tool is for.

pub mod manual;
pub mod page;
pub mod program;
pub mod progress;
pub mod table;
