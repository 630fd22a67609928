//! The full search: iterative-deepening alpha-beta with a shared table, on any game.
//!
//! Knows rules and opinions through the traits of [`crate::game`], limits and signals; knows
//! nothing of move texts, game names or output. [`think`] is the whole interface.

mod history;
mod negamax;
mod root;
pub mod score;
pub mod transposition_table;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use crate::game::{Evaluator, Game};
use crate::limits::{Limits, NodeCounter, SearchControl};
use crate::platform::threads;
pub use negamax::Pruning;
use negamax::Searcher;
use root::Root;
use score::Value;
use transposition_table::TranspositionTable;

/// What to search, and with what.
pub struct Task<'a, G: Game> {
    /// The position. It is not over.
    pub game: &'a G,
    /// The moves to choose from: legal ones, at least one.
    pub moves: &'a [G::Move],
    /// What the search may use.
    pub limits: &'a Limits,
    /// How it can be stopped.
    pub control: &'a SearchControl,
    /// What it knows and learns.
    pub table: &'a TranspositionTable,
    /// How many of the best moves to tell about.
    pub multi_pv: usize,
    /// How many threads to use.
    pub threads: usize,
    /// Which liberties to take.
    pub pruning: Pruning,
}

/// One good line of play, and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line<M> {
    /// The value for the side to move.
    pub value: Value,
    /// The moves: at least one.
    pub moves: Vec<M>,
}

/// What a search has to tell at some moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report<M> {
    /// The iteration that was completed, or was going on when the search was stopped.
    pub depth: u32,
    /// The greatest ply reached.
    pub selective_depth: u32,
    /// The best lines, best first: at least one.
    pub lines: Vec<Line<M>>,
    /// Positions visited by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// How full the table is.
    pub hashfull: usize,
}

/// Searches until a limit, a signal or a proof, reports each completed iteration, and returns
/// the last report.
///
/// The first move of the first line is the move to play. If there was no time for anything it
/// is still legal, and what the judge likes best.
pub fn think<G: Game, J: Evaluator<G>>(
    task: &Task<'_, G>,
    evaluator: &J,
    report: &mut dyn FnMut(&Report<G::Move>),
) -> Report<G::Move> {
    task.table.begin_search();
    let done = &AtomicBool::new(false);
    let thread_count = task.threads.max(1) as u64;
    let share = |thread: u64| {
        task.limits
            .nodes
            .map(|nodes| nodes / thread_count + u64::from(thread < nodes % thread_count))
    };
    let searcher = |thread: u64| {
        let counter = NodeCounter::new(task.control, task.limits, share(thread)).until(done);
        Searcher::new(task.game, evaluator, counter, task.table, task.pruning)
    };
    threads::scope(|scope| {
        for thread in 1..thread_count {
            let help = move || {
                task.table.prefault(|| done.load(Relaxed));
                Root::new(task, searcher(thread)).help(thread);
            };
            // A machine that cannot start another thread searches with those it has.
            if let Err(error) = threads::spawn_scoped(scope, help) {
                log::warn!("searching with {thread} threads: {error}");
                break;
            }
        }
        let last = Root::new(task, searcher(0)).lead(report);
        done.store(true, Relaxed);
        last
    })
}
