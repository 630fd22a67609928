//! Matches and tournaments between engine processes, with the rules taken from `ratlla`.
//!
//! [`config`] reads TOML files and flags and turns them into [`settings`]; [`preflight`] checks that
//! the engines accept them. The [`match_runner`] plays the games that the [`record`] lacks on a
//! [`pool`] of threads, one [`worker`] each, on [`processors`] of their own; the [`game_loop`] plays a
//! single game between two [`engine`]s under the [`rules`], until it ends or [`adjudication`] ends it.
//! [`standings`] aggregates results, [`stats`] turns them into Elo, LOS and LLR, and [`report`] presents
//! them. [`shards`] splits a match so that its games can be played on several machines. [`tune`] plays
//! an engine against itself to find better values of its options. [`compliance`] tests a single engine.

pub mod adjudication;
pub mod affinity;
pub mod cancel;
pub mod compliance;
pub mod config;
pub mod engine;
pub mod game_loop;
pub mod jsonl;
pub mod match_runner;
pub mod match_state;
pub mod nearest;
pub mod openings;
pub mod pool;
pub mod preflight;
pub mod presets;
pub mod processors;
pub mod progress;
pub mod record;
pub mod repeats;
pub mod report;
pub mod rules;
pub mod settings;
pub mod shards;
pub mod standings;
pub mod stats;
pub mod text;
pub mod tune;
pub mod worker;
