//! The operating system, as far as the engine needs it: clock, threads, memory and files.
//!
//! Everything below the session reaches the system through this module alone, so that rules,
//! evaluation, search, solvers and protocol also compile where there is none, as in a browser.

pub mod clock;
pub mod files;
pub mod memory;
pub mod threads;
