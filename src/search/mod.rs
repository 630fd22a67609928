//! The playing search: iterative-deepening alpha-beta with a shared transposition table, for any
//! game.
//!
//! Knows rules and evaluation through the traits of [`crate::game`], limits and signals; knows
//! nothing of move texts, game names or output. [`search`] is the whole interface.

mod history;
mod move_picker;
mod negamax;
mod params;
pub mod result;
mod root;
pub mod score;
mod soft_time;
pub mod transposition_table;
pub mod tree;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::game::{Evaluator, Game};
use crate::limits::{Limits, NodeCounter, SearchControl};
use crate::platform::threads::{scope, spawn_scoped, useful_threads};
use crate::settings::Settings;
pub use negamax::Pruning;
use negamax::SearchThread;
use result::SearchResult;
use root::Root;
use transposition_table::TranspositionTable;

/// What a search gets: the one request type of search, strategies and solvers.
pub struct SearchRequest<'a, G: Game> {
    /// The position. The game is not over.
    pub game: &'a G,
    /// The moves to choose from: legal ones, at least one.
    pub moves: &'a [G::Move],
    /// The limits: all of them apply.
    pub limits: &'a Limits,
    /// Stop and ponder hit arrive here; nodes are counted here.
    pub control: &'a SearchControl,
    /// The transposition table of the playing search.
    pub tt: &'a TranspositionTable,
    /// What the user chose.
    pub settings: &'a Settings,
}

impl<G: Game> Clone for SearchRequest<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for SearchRequest<'_, G> {}

/// Searches until a limit, a signal or a proof, reports each completed iteration, and returns
/// the final result.
///
/// The first move of the first line is the move to play. If there was no time for anything it
/// is still legal, and the one the evaluator scores highest.
pub fn search<G: Game, E: Evaluator<G>>(
    request: &SearchRequest<'_, G>,
    evaluator: &E,
    pruning: Pruning,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let SearchRequest { game, limits, control, tt, settings, .. } = *request;
    let done = &AtomicBool::new(false);
    let threads = useful_threads(settings.threads) as u64;
    let share = |thread: u64| {
        limits.nodes.map(|nodes| nodes / threads + u64::from(thread < nodes % threads))
    };
    let new_thread = |thread: u64| {
        let counter = NodeCounter::new(control, limits, share(thread)).until(done);
        SearchThread::new(game, evaluator, counter, tt, pruning)
    };
    // Lazy SMP: helpers search the same root and share nothing but the table.
    scope(|scope| {
        for thread in 1..threads {
            let help = move || {
                tt.prefault(|| done.load(Relaxed));
                Root::new(request, new_thread(thread)).run_helper(thread);
            };
            // A machine that cannot start another thread searches with those it has.
            if let Err(error) = spawn_scoped(scope, help) {
                log::warn!("searching with {thread} threads: {error}");
                break;
            }
        }
        // Helpers end with the main thread, even if it panics.
        let _end_helpers = SetOnDrop(done);
        Root::new(request, new_thread(0)).run_main(report)
    })
}

/// Sets a flag when it is dropped.
struct SetOnDrop<'a>(&'a AtomicBool);

impl Drop for SetOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}
