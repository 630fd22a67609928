//! The arena: matches between engine processes, refereed by the rules of `ratlla`.
//!
//! [`config`] reads what users write and makes [`settings`] of it. The [`runner`] plays the games
//! that the [`record`] does not have yet; each is led by the [`referee`], who talks to two
//! [`engine`]s and asks the [`umpire`], that is the library, about the rules. The [`tally`] counts
//! what the record has, [`stats`] says what it is worth, and the [`report`] shows it. [`pieces`]
//! cuts a match up, so that its games can be played in many places. [`check`] tells the author of
//! one engine what it does wrong.

pub mod cancel;
pub mod check;
pub mod config;
pub mod engine;
pub mod ledger;
pub mod openings;
pub mod pieces;
pub mod player;
pub mod presets;
pub mod progress;
pub mod record;
pub mod referee;
pub mod report;
pub mod runner;
pub mod settings;
pub mod stats;
pub mod tally;
pub mod umpire;
