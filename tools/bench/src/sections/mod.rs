//! The sections, one file each, and the list of them.

mod games;
mod latency;
mod leaves;
mod peers;
mod solver;
mod speed;

use std::path::PathBuf;

use anyhow::Result;
use ratlla_common::table::Table;

/// All sections, in the order in which they run.
pub const SECTIONS: &[Section] = &[
    speed::SECTION,
    games::SECTION,
    latency::SECTION,
    leaves::SECTION,
    solver::SECTION,
    peers::SECTION,
];

/// One kind of measurement.
pub struct Section {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it measures, for the help text.
    pub purpose: &'static str,
    /// Makes the measurements.
    pub run: fn(&Context) -> Result<Vec<Table>>,
}

/// The user's options.
pub struct Context {
    /// Fewer and shorter measurements.
    pub quick: bool,
    /// Solve every public position once instead.
    pub all: bool,
    /// Only rows of solvers whose name contains this.
    pub only: Option<String>,
    /// The engine, instead of the one beside this program.
    pub engine: Option<PathBuf>,
}

impl Context {
    /// `full`, or `quick` for a short run.
    pub fn amount<T>(&self, full: T, quick: T) -> T {
        if self.quick { quick } else { full }
    }

    /// Whether to measure the row of this name.
    pub fn wants(&self, name: &str) -> bool {
        self.only.as_ref().is_none_or(|only| name.contains(only))
    }
}
