//! The rows of the record.

use anyhow::{Result, ensure};
use clap::ValueEnum;
use ratlla_checks::targets::TARGETS;
use serde::{Deserialize, Serialize};

/// The result of a check that passed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The day, as in 2026-01-31.
    pub date: String,
    /// The machine, and what else it did.
    pub on: String,
    /// The check and what it found.
    #[serde(flatten)]
    pub kind: Kind,
}

/// A check, and what it found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "check", rename_all = "kebab-case")]
pub enum Kind {
    /// A run of a fuzz target.
    Fuzz {
        /// Its name.
        target: String,
        /// How long it ran.
        seconds: u64,
        /// How many inputs it tried.
        inputs: u64,
        /// How many places in the code they reached.
        coverage: u64,
        /// How many of them increased that.
        new: u64,
    },
    /// Tests under a tool that finds what they alone would not.
    Tests {
        /// The tool.
        under: Under,
        /// How many passed.
        tests: u64,
    },
    /// Random sessions.
    Sequences {
        /// The tool that the engine ran under, if any.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        under: Option<Under>,
        /// How many.
        sequences: u64,
        /// How many `go` they had, each answered once.
        searches: u64,
        /// How many other commands that take time: perft counts and trees, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counts: Option<u64>,
        /// How long it took, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seconds: Option<u64>,
        /// The engine's memory; not measured on every system.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        memory: Option<Memory>,
    },
    /// Games between long-lived processes.
    Soak {
        /// How long they played.
        minutes: u64,
        /// How many games.
        games: u64,
        /// How many moves.
        moves: u64,
        /// How many moves were late while the machine stalled, which is no fault.
        excused: u64,
        /// The time of the slowest of the other moves, in milliseconds.
        slowest_ms: u64,
        /// The longest stall of the machine, in milliseconds, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        longest_stall_ms: Option<u64>,
        /// The memory of the process that took most, in MiB.
        max_memory_mib: f64,
    },
}

/// A tool that observes each access to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Under {
    /// The address sanitizer
    AddressSanitizer,
    /// The thread sanitizer
    ThreadSanitizer,
    /// The interpreter Miri
    Miri,
}

/// Memory over time, in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// At the beginning.
    pub first: f64,
    /// At the end.
    pub last: f64,
    /// The most.
    pub max: f64,
}

impl Row {
    /// Reads a row and checks it.
    pub fn parse(line: &str) -> Result<Row> {
        let row: Row = serde_json::from_str(line)?;
        row.check()?;
        ensure!(row.line()?.trim_end() == line, "unknown or misplaced fields");
        Ok(row)
    }

    fn check(&self) -> Result<()> {
        let date = self.date.parse::<jiff::civil::Date>();
        ensure!(
            date.is_ok_and(|date| date.to_string() == self.date),
            "expected a date such as 2026-01-31 (got '{}')",
            self.date
        );
        ensure!(!self.on.contains(['|', '\n']), "'on' is part of a table (got '{}')", self.on);
        if let Kind::Fuzz { target, .. } = &self.kind {
            let is_known = TARGETS.iter().any(|known| known.name == target);
            ensure!(is_known, "there is no fuzz target '{target}'");
        }
        Ok(())
    }

    /// Its line in a file.
    pub fn line(&self) -> Result<String> {
        Ok(serde_json::to_string(self)? + "\n")
    }
}

impl Kind {
    /// Its place in the record: different for different checks, the same for another run of this one.
    pub fn place(&self) -> impl Ord + use<> {
        match self {
            Kind::Fuzz { target, .. } => {
                (0, TARGETS.iter().position(|known| known.name == target), None)
            }
            Kind::Tests { under, .. } => (1, None, Some(*under)),
            Kind::Sequences { under, .. } => (2, None, *under),
            Kind::Soak { .. } => (3, None, None),
        }
    }

    /// Whether that is another run of the same check.
    pub fn is_same_check(&self, other: &Kind) -> bool {
        self.place() == other.place()
    }
}
