//! What a solved position is told as: one line of JSON, or a few lines for people.

use std::fmt;
use std::fs;

use anyhow::{Context, Result};
use ratlla::bound_table::TableUsage;
use serde::Serialize;

use super::job::Progress;

/// A solved position. Scores are in the words of the protocol, for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The words after `newgame`.
    game: String,
    /// The moves to the position.
    #[serde(skip_serializing_if = "String::is_empty")]
    after: String,
    score: String,
    /// Every legal move with its score, if that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<(String, String)>,
    /// A line of best play, to the end of the game where the solver gives it.
    pv: String,
    /// All nodes of the job, those for the legal moves included.
    nodes: u64,
    seconds: f64,
    /// What score and line took, if the legal moves took more.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    value: Option<ValueEffort>,
    /// The file with the endgame table that was used.
    #[serde(skip_serializing_if = "Option::is_none")]
    table: Option<String>,
    threads: usize,
    /// The option `Hash`.
    hash_mib: u32,
    /// The most memory the process has had.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_mib: Option<u64>,
    /// The entries of the solver's table in use at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    table_entries: Option<usize>,
}

/// What the position took without its legal moves one by one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ValueEffort {
    value_nodes: u64,
    value_seconds: f64,
}

impl Row {
    /// The row of a finished job.
    pub fn new(
        progress: Progress,
        usage: Option<TableUsage>,
        threads: usize,
        hash_mib: u32,
    ) -> Result<Row> {
        let Progress { game, after, effort, value, moves } = progress;
        let (line, value_effort) = value.context("the position is not solved")?;
        let value_effort = ValueEffort {
            value_nodes: value_effort.nodes,
            value_seconds: rounded(value_effort.seconds),
        };
        Ok(Row {
            game,
            after: after.join(" "),
            score: line.score,
            pv: line.moves.join(" "),
            nodes: effort.nodes,
            seconds: rounded(effort.seconds),
            value: (!moves.is_empty()).then_some(value_effort),
            moves,
            table: None,
            threads,
            hash_mib,
            memory_mib: peak_memory(),
            table_entries: usage.map(|usage| usage.entries),
        })
    }
}

impl Row {
    /// The same row of a job that used the endgame table in this file, if any.
    pub fn with_table(self, table: Option<String>) -> Row {
        Row { table, ..self }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { game, after, score, pv, nodes, seconds, .. } = self;
        match after.as_str() {
            "" => writeln!(f, "{game}: {score}")?,
            moves => writeln!(f, "{game} after {moves}: {score}")?,
        }
        for (mv, score) in &self.moves {
            writeln!(f, "move {mv}: {score}")?;
        }
        writeln!(f, "line {pv}")?;
        write!(f, "{nodes} nodes, {seconds} s, threads {}, Hash {}", self.threads, self.hash_mib)?;
        match self.memory_mib {
            Some(mebibytes) => writeln!(f, ", {mebibytes} MiB of memory used"),
            None => writeln!(f),
        }
    }
}

/// Seconds to the millisecond.
fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}

/// The most memory this process has had, in MiB, where the system tells it.
fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1 << 10))
}
