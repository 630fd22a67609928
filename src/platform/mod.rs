//! The operating system, as far as the engine needs it: clock, threads, memory, files, randomness.
//!
//! Everything below the session reaches the system through this module alone, so that rules,
//! evaluation, search, solvers and protocol also compile where there is none, as in a browser
//! (`wasm32-unknown-unknown`). What differs there is decided in here: one thread, or those that the
//! host provides, its clock, memory from the heap, no files.

pub mod clock;
pub mod faults;
pub mod files;
pub mod memory;
pub mod random;
pub mod threads;
