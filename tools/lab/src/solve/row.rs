//! What a solved position is told as: one line of JSON, or a few lines for people.

use std::fmt;
use std::fs;
use std::time::Duration;

use ratlla::protocol::dialect::Dialect;
use ratlla::search::result::ReportedScore;
use serde::Serialize;

/// A solved position. Scores are in the words of the protocol, for the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// The words after `newgame`.
    pub game: String,
    /// The moves to the position.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub after: String,
    pub score: String,
    /// Every legal move with its score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<(String, String)>>,
    /// A line of best play, to the end of the game where the solver gives it.
    pub pv: String,
    /// All nodes of the job, those for the legal moves included.
    pub nodes: u64,
    pub seconds: f64,
    /// The nodes and seconds for score and line, if the legal moves took more.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub value: Option<ValueEffort>,
    pub threads: u32,
    /// The option `Hash`.
    pub hash_mib: u32,
    /// The most memory the process has had.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
}

/// What the position took without its legal moves one by one.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ValueEffort {
    pub value_nodes: u64,
    pub value_seconds: f64,
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row { game, after, score, pv, nodes, seconds, .. } = self;
        match after.as_str() {
            "" => writeln!(f, "{game}: {score}")?,
            moves => writeln!(f, "{game} after {moves}: {score}")?,
        }
        for (mv, score) in self.moves.iter().flatten() {
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

/// A score in the words of the protocol.
pub fn score_text(score: ReportedScore) -> String {
    Dialect::Native.score(score)
}

/// Seconds to the millisecond, which is more than a noisy machine can repeat.
pub fn rounded(time: Duration) -> f64 {
    (time.as_secs_f64() * 1000.0).round() / 1000.0
}

/// The most memory this process has had, in MiB, where the system tells it.
pub fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.div_ceil(1 << 10))
}
