//! Searches inside this process.

use std::time::Duration;

use anyhow::{Error, Result};
use cpu_time::ThreadTime;
use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::Go;
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;

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
    REGISTRY.open("connect4", &parameters).map_err(Error::msg)
}

/// The result of a search.
pub struct Found {
    /// Its results, the final one last.
    pub results: Vec<SearchResult<String>>,
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
        let completed = self.results.iter().filter(|result| result.time < limit);
        completed.filter_map(|result| result.depth).map(|(depth, _)| depth).max().unwrap_or(0)
    }

    /// Whether the search ended with a proof.
    pub fn is_proved(&self) -> bool {
        let last = self.results.last().and_then(|result| result.lines[0].score);
        last.is_some_and(ReportedScore::is_proved)
    }

    /// The chosen move.
    pub fn best_move(&self) -> Option<&String> {
        self.results.last().and_then(|result| result.best_move())
    }

    /// Leaves, if the strategy counts them.
    pub fn leaves(&self) -> Option<u64> {
        self.results.last().and_then(|result| result.tree).map(|counts| counts.leaves)
    }
}

/// Searches with an empty transposition table of `hash` MiB.
pub fn search(game: &mut dyn AnyGame, settings: &Settings, go: &Go, hash: usize) -> Result<Found> {
    let tt = TranspositionTable::new(hash).map_err(Error::msg)?;
    let control = SearchControl::new(false, false);
    let endgames = &mut EndgameStore::default();
    let mut results = Vec::new();
    let started = ThreadTime::now();
    let last =
        game.search(go, settings, &control, &tt, endgames, &mut |result| results.push(result));
    results.push(last);
    Ok(Found {
        results,
        nodes: control.nodes(),
        time: control.elapsed(),
        cpu_time: started.elapsed(),
    })
}
