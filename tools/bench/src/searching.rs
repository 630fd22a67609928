//! Searches inside this process.

use std::time::Duration;

use anyhow::{Error, Result};
use cpu_time::ThreadTime;
use ratlla::any_game::{AnyGame, Choice, Info, Request};
use ratlla::games;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::{ReportedScore, Settings};

/// A position given by its moves.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Rows and columns.
    pub board: &'static str,
    /// Its name in tables.
    pub name: &'static str,
    /// The moves from the empty board.
    pub moves: &'static str,
}

impl Position {
    /// A game with this position.
    pub fn open(&self) -> Result<Box<dyn AnyGame>> {
        let mut game = open_connect4(self.board)?;
        let moves: Vec<&str> = self.moves.split_whitespace().collect();
        game.set_position(&[], &moves).map_err(Error::msg)?;
        Ok(game)
    }
}

/// An empty Connect Four board of these rows and columns.
pub fn open_connect4(board: &str) -> Result<Box<dyn AnyGame>> {
    let parameters: Vec<&str> = board.split_whitespace().collect();
    games::open("connect4", &parameters).map_err(Error::msg)
}

/// The result of a search.
pub struct Found {
    /// Its reports, at least one.
    pub infos: Vec<Info>,
    /// The chosen move.
    pub choice: Choice,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// CPU time of the main search thread.
    pub cpu_time: Duration,
}

impl Found {
    /// Nodes per second of CPU time, for searches with one thread: other programs that run at the
    /// same time hardly matter.
    pub fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.cpu_time.as_secs_f64()
    }

    /// The last depth completed within `limit`.
    pub fn depth_within(&self, limit: Duration) -> u32 {
        let completed = self.infos.iter().filter(|info| info.time < limit);
        completed.filter_map(|info| info.depth).map(|(depth, _)| depth).max().unwrap_or(0)
    }

    /// Whether the search ended with a proof.
    pub fn is_proved(&self) -> bool {
        let last = self.infos.last().and_then(|info| info.standing);
        last.is_some_and(|score| !matches!(score, ReportedScore::Points(_)))
    }

    /// Leaves, if the strategy counts them.
    pub fn leaves(&self) -> Option<u64> {
        self.infos.last().and_then(|info| info.leaves)
    }
}

/// Searches with an empty transposition table of `hash` MiB.
pub fn search(
    game: &dyn AnyGame,
    settings: &Settings,
    limits: &Limits,
    hash: usize,
) -> Result<Found> {
    let tt = TranspositionTable::new(hash).map_err(Error::msg)?;
    let control = SearchControl::new(false, false);
    let request =
        Request { limits, search_moves: &[], settings, solve: false, control: &control, tt: &tt };
    let mut infos = Vec::new();
    let started = ThreadTime::now();
    let choice = game.think(&request, &mut |info| infos.push(info));
    Ok(Found {
        infos,
        choice,
        nodes: control.nodes(),
        time: control.elapsed(),
        cpu_time: started.elapsed(),
    })
}
