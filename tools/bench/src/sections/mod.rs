//! What can be measured: one file for each section, and the list of them.

mod games;
mod latency;
mod leaves;
mod peers;
mod solver;
mod speed;

use std::path::PathBuf;

use anyhow::Result;
use indicatif::{ProgressBar, ProgressStyle};

use crate::tables::Table;

/// Every section, in the order in which they are run.
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
    /// What users call it.
    pub name: &'static str,
    /// What it measures, in a line.
    pub purpose: &'static str,
    /// Measures.
    pub run: fn(&Context) -> Result<Vec<Table>>,
}

/// What the user chose.
pub struct Context {
    /// Fewer and shorter measurements.
    pub quick: bool,
    /// Solve every public position instead of those that are measured.
    pub all: bool,
    /// Leave out rows of solvers whose name does not contain this.
    pub only: Option<String>,
    /// The engine to measure instead of the one beside this program.
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

    /// A bar on stderr, if that is a terminal, for work of so many steps. It vanishes when done.
    pub fn progress(&self, what: &'static str, steps: usize) -> ProgressBar {
        let style = ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len} {eta} left")
            .unwrap_or_else(|_| ProgressStyle::default_bar());
        ProgressBar::new(steps as u64).with_style(style).with_message(what)
    }
}
