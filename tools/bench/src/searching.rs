//! Searches through the library, without a process in between: what the search itself does.

use std::time::Duration;

use anyhow::{Result, anyhow};
use cpu_time::ThreadTime;
use ratlla::any_game::{AnyGame, Choice, Info, Request};
use ratlla::games;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

/// A position by the words that lead to it.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Rows and columns.
    pub board: &'static str,
    /// What to call it.
    pub name: &'static str,
    /// The moves from the empty board.
    pub moves: &'static str,
}

impl Position {
    /// A table with this position on it.
    pub fn open(&self) -> Result<Box<dyn AnyGame>> {
        let mut table = open_connect4(self.board)?;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        table.set_position(&[], &moves).map_err(|reason| anyhow!(reason))?;
        Ok(table)
    }
}

/// An empty Connect Four board of this many rows and columns.
pub fn open_connect4(board: &str) -> Result<Box<dyn AnyGame>> {
    let parameters: Vec<&str> = board.split_whitespace().collect();
    games::open("connect4", &parameters).map_err(|reason| anyhow!(reason))
}

/// What came of a search.
pub struct Found {
    /// What it told while it searched: at least one thing.
    pub infos: Vec<Info>,
    /// The move it chose.
    pub choice: Choice,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// How long it took.
    pub time: Duration,
    /// How long the thread that led it kept a processor busy.
    pub processor_time: Duration,
}

impl Found {
    /// Positions that one thread visited in each second of processor time: what other programs
    /// take of the machine in the meantime does not count.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.processor_time.as_secs_f64()
    }

    /// The last depth that was completed in less than `limit`.
    pub fn depth_within(&self, limit: Duration) -> u32 {
        let completed = self.infos.iter().filter(|info| info.time < limit);
        completed.filter_map(|info| info.depth).map(|(depth, _)| depth).max().unwrap_or(0)
    }

    /// Whether the search ended because it knew the outcome.
    pub fn is_proved(&self) -> bool {
        let last = self.infos.last().and_then(|info| info.standing);
        last.is_some_and(|standing| !matches!(standing, ReportedScore::Points(_)))
    }

    /// Leaves visited, if the strategy counts them.
    pub fn leaves(&self) -> Option<u64> {
        self.infos.last().and_then(|info| info.leaves)
    }
}

/// Lets the strategy in `settings` choose a move, with an empty transposition table of `hash`
/// MiB.
pub fn search(
    table: &dyn AnyGame,
    settings: &Settings,
    limits: &Limits,
    hash: usize,
) -> Result<Found> {
    let tt = TranspositionTable::new(hash).map_err(|reason| anyhow!(reason))?;
    let control = SearchControl::new(false, false);
    let request =
        Request { limits, search_moves: &[], settings, solve: false, control: &control, tt: &tt };
    let mut infos = Vec::new();
    let processor = ThreadTime::now();
    let choice = table.think(&request, &mut |info| infos.push(info));
    Ok(Found {
        infos,
        choice,
        nodes: control.nodes(),
        time: control.elapsed(),
        processor_time: processor.elapsed(),
    })
}
