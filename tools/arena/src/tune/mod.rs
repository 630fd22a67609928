//! Tunes engine options by SPSA: an engine plays against itself with perturbed values, and the values
//! follow the results.
//!
//! [`parameter`] says what is tuned and in which range, [`spsa`] is the optimiser, [`record`] the file
//! from which a run is resumed. [`runner`] plays the games of an iteration, [`report`] presents the
//! values. Everything that happens depends on the settings, the seed and the results in the record, so
//! that a resumed run ends like an undisturbed one.

pub mod parameter;
pub mod record;
pub mod report;
pub mod runner;
pub mod spsa;
