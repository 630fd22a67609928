//! What must hold for any input: fuzz targets, and a model of the protocol's conversations.
//!
//! The fuzzer in `fuzz/` searches for inputs on which a target panics, the tests run the inputs
//! in `corpus/` and variations of them, and the program `ratlla-checks` follows the model for hours.
//! Nothing in the library touches files.

pub mod conversation;
mod counters;
pub mod model;
mod proved;
pub mod script;
pub mod targets;
