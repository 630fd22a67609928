//! The exact solver: the final margin with best play from any position, and how to get it.
//!
//! A first guess comes from a search that trusts a forecast early; then tests with the smallest
//! window, "can the player to move get at least so many seeds?", close in on the truth.

pub mod memo;
mod moves;
mod ordering_search;
mod root;
mod search;

use std::sync::Arc;
use std::time::Duration;

use super::board::{Board, House};
use super::endgame::index::Index;
use super::endgame::{Endgames, TableCache};
use super::forecast::Forecast;
use super::row::Word;
use crate::limits::{Limits, NodeCounter};
use crate::platform::memory::Pages;
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
use crate::strategy::{Full, HybridGoal, Playable, Resources, Strategy, alternate};
use memo::Memo;
use root::Root;
use search::{Searcher, Tools};

/// Finds the exact margin of the best moves, after a first look of the full search or, under
/// limits, beside it: its answer stands if there is no time for the truth. Where there are too
/// many positions to be told apart, far beyond what can be solved, all is left to the full search.
pub struct Solver;

/// A position of the table takes an eighth of the time of a node of the solver: with so many for
/// each node, building takes no more than half as long as solving.
const BUILT_PER_NODE: u64 = 4;

/// The first guess needs few positions.
const GUESS_BYTES: usize = 4 << 20;

/// What the solver remembers between searches.
pub type Memory = Option<Notes>;

/// What was found out about positions with at most so many seeds in play.
pub struct Notes {
    memo: Memo,
    seeds: usize,
    pages: Pages,
}

/// Large pages make the solver faster by a quarter, but to get one may take longer than a shorter
/// search has left, and the first nodes ask for ten of them.
const LONG_SEARCH: Duration = Duration::from_secs(1);

fn pages_for(limits: &Limits) -> Pages {
    match limits.budget().hard {
        Some(time) if time < LONG_SEARCH => Pages::Usual,
        _ => Pages::Large,
    }
}

/// How many of `mebibytes` the transposition table of the full search gets. Half of the rest is
/// for an endgame table in memory, the other half for the memo.
pub fn tt_share(mebibytes: usize) -> usize {
    (mebibytes / 4).max(1)
}

fn solver_share(mebibytes: usize) -> usize {
    let rest = mebibytes - tt_share(mebibytes).min(mebibytes);
    (rest << 20) / 2
}

/// Whether the positions with so many houses and seeds can be numbered, which the solver needs.
pub fn is_made_for<W: Word>(board: &Board<W>) -> bool {
    Index::new(board.rules().houses(), board.rows().in_play() as usize).is_some()
}

impl<W: Word> Strategy<Board<W>> for Solver {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        resources: &mut Resources<'_, Board<W>>,
        report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        // A depth limits the search, not the solver.
        if request.limits.depth.is_some() {
            return Full.choose(request, resources, report);
        }
        solve_or_search(request, resources, HybridGoal::Solve, report)
    }
}

/// Search and solver in alternation, or the search alone if the solver cannot take the position.
pub fn solve_or_search<W: Word>(
    request: &SearchRequest<'_, Board<W>>,
    resources: &mut Resources<'_, Board<W>>,
    goal: HybridGoal,
    report: &mut dyn FnMut(&SearchResult<House>),
) -> SearchResult<House> {
    let evaluator = request.game.evaluator(resources.endgames);
    match SolverSession::new(request, resources) {
        Some(mut session) => {
            alternate(request, &evaluator, goal, &mut |nodes, _| session.prove(nodes), report)
        }
        None => Full.choose(request, resources, report),
    }
}

/// One position and all it takes to solve it.
struct SolverSession<'a, 'r, W: Word> {
    request: &'a SearchRequest<'r, Board<W>>,
    seeds: usize,
    index: Index,
    worth: Forecast,
    endgames: Arc<Endgames>,
    tables: &'a mut TableCache,
    memory: &'a mut Memory,
    /// What the player to move is expected to get by each line, once that has been looked into.
    guesses: Option<Vec<u32>>,
}

impl<'a, 'r, W: Word> SolverSession<'a, 'r, W> {
    /// With what is remembered and the tables at hand; `None` if there are too many positions to
    /// be told apart.
    fn new(
        request: &'a SearchRequest<'r, Board<W>>,
        resources: &'a mut Resources<'_, Board<W>>,
    ) -> Option<Self> {
        let rules = request.game.rules();
        let seeds = request.game.rows().in_play() as usize;
        let index = Index::new(rules.houses(), seeds)?;
        let memory = &mut *resources.memory;
        let pages = pages_for(request.limits);
        // What short searches have found out is soon found again.
        let will_do = |notes: &Notes| {
            seeds <= notes.seeds && (pages == Pages::Usual || notes.pages == Pages::Large)
        };
        let bytes = solver_share(request.settings.hash);
        if !memory.as_ref().is_some_and(will_do) {
            // The old one first, so that there are never two.
            *memory = None;
            let memo = Memo::new(bytes, index.size(seeds), pages);
            let memo = memo.map_err(|reason| log::info!("not to be solved: {reason}")).ok()?;
            *memory = Some(Notes { memo, seeds, pages });
        }
        let worth = Forecast::new(rules.houses());
        let tables = resources.endgames.get_or_default::<TableCache>();
        let endgames = tables.find_or_build(rules.into(), 0, bytes, pages, &|| true);
        Some(SolverSession {
            request,
            seeds,
            index,
            worth,
            endgames,
            tables,
            memory,
            guesses: None,
        })
    }

    /// A turn: the final report if it is found within that many nodes.
    fn prove(&mut self, nodes: u64) -> Option<SearchResult<House>> {
        self.build_endgames(BUILT_PER_NODE.saturating_mul(nodes));
        self.solve(nodes)
    }

    /// Sees to an endgame table as large as pays, but builds at most so many positions.
    ///
    /// Two fifths of the seeds in play are reached in a moment compared to the rest.
    fn build_endgames(&mut self, positions: u64) {
        let SearchRequest { game, limits, control, settings, .. } = *self.request;
        let bytes = solver_share(settings.hash);
        let most = positions.min(bytes as u64);
        let fits = |&seeds: &usize| self.index.size(seeds) <= most;
        let seeds = (0..=2 * self.seeds / 5).rev().find(fits).unwrap_or(0);
        let deadline = limits.budget().hard;
        let pages = pages_for(limits);
        self.endgames =
            self.tables.find_or_build(game.rules().into(), seeds, bytes, pages, &|| {
                let late = deadline.is_some_and(|deadline| control.time_used() >= deadline);
                !late && !control.is_stopped()
            });
    }

    /// All lines asked for, exact, if they are found within the limits and that many nodes.
    fn solve(&mut self, nodes: u64) -> Option<SearchResult<House>> {
        let request = self.request;
        let (index, worth, endgames) = (&self.index, &self.worth, &*self.endgames);
        let sowing = request.game.sowing();
        let tools = |horizon| Tools { sowing, index, endgames, worth, horizon };
        let mut counter = NodeCounter::new(request.control, request.limits, Some(nodes));
        let middle = self.seeds as u32 / 2;
        let horizon = self.seeds * 3 / 4;
        let mut guess_memo = None;
        if self.guesses.is_none() && horizon > endgames.seeds() {
            let memo = Memo::new(GUESS_BYTES, index.size(self.seeds), pages_for(request.limits));
            let memo = guess_memo.insert(memo.ok()?);
            let searcher = Searcher::new(tools(horizon as u32), memo, counter);
            let mut root = Root::new(request, searcher);
            self.guesses = root.best_shares(middle).ok();
            counter = root.into_meter();
        }
        let searcher = Searcher::new(tools(0), &mut self.memory.as_mut()?.memo, counter);
        let no_idea = vec![middle; request.moves.len()];
        Root::new(request, searcher).solve(self.guesses.as_ref().unwrap_or(&no_idea))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_searches_that_take_their_time_wait_for_large_pages() {
        let within = |milliseconds| Limits {
            movetime: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        };
        assert_eq!(pages_for(&within(50)), Pages::Usual);
        assert_eq!(pages_for(&within(5000)), Pages::Large);
        assert_eq!(pages_for(&Limits::default()), Pages::Large);
    }
}
