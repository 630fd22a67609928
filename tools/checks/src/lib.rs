//! What must hold for any input: fuzz targets, and a model of the protocol's conversations.
//!
//! The fuzzer in `fuzz/` searches for inputs on which a target panics, the tests run the inputs
//! in `corpus/` and variations of them, and the program `ratlla-checks` follows the model for hours.
//! Nothing in the library touches files.

pub mod conversation;
mod counters;
#[path = "../../../tests/support/embedded.rs"]
mod embedded;
pub mod model;
mod proved;
#[path = "../../../tests/support/refused.rs"]
pub mod refused;
pub mod script;
pub mod targets;
