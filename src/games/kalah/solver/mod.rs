//! The exact solver: the final margin with best play from any position, and the moves that reach
//! it.
//!
//! A search with the forecast as evaluation gives a first guess; null-window tests ("does the
//! player to move get at least `beta` seeds?") then start there, as in MTD(f). Reading order:
//! `moves`, `search`, `root`, `parallel`; `table` and `ordering_search` serve the search.

mod book_lines;
mod exact;
mod moves;
mod ordering_search;
mod parallel;
mod root;
mod search;
mod table;

use std::sync::Arc;
use std::time::Duration;

use super::board::{Board, House};
use super::book_probe::book_probe;
use super::endgame::build::Means;
use super::endgame::index::Index;
use super::endgame::{Endgames, TableCache};
use super::forecast::Forecast;
use super::row::Word;
use crate::bound_table::SavedTable;
use crate::limits::{Limits, NodeCounter};
use crate::platform::memory::Pages;
use crate::platform::threads::useful_threads;
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
use crate::settings::Settings;
use crate::strategy::{Full, HybridGoal, Playable, Resources, SolverWork, Strategy, alternate};
pub use exact::ShareSolver;
use parallel::ParallelProof;
use root::SolverRoot;
use search::{ShareSearch, SolverContext};
use table::ShareTable;

/// Finds the exact margin of the best moves: in the opening book, else after a short playing search
/// or, under limits, in alternation with it: the search answers if the solver runs out of time. Games with too many
/// positions for the table to distinguish, far too many to solve, are left to the playing search.
pub struct Solver;

/// The time to build a position of the endgame table, in that of a solver node.
const BUILDING_COST: f64 = 0.1;

/// Endgame table positions built per solver node: building takes at most half as long as solving.
const BUILT_PER_NODE: u64 = 4;

/// How many times fewer nodes a table with one seed more leaves.
const GAIN_PER_SEED: f64 = 1.4;

/// No proof takes more nodes than this part of the positions: it matters with few houses.
const VISITED: f64 = 0.003;

/// Size of the solver's table with the smallest Hash.
const LEAST_BYTES: usize = 1 << 18;

/// Size of the table of the first guess.
const GUESS_BYTES: usize = 4 << 20;

/// What the solver keeps between searches.
pub type SolverMemory = Option<KeptTable>;

/// A table for positions with at most `seeds` seeds in play.
pub struct KeptTable {
    table: ShareTable,
    seeds: usize,
    pages: Pages,
}

/// Huge pages make the solver a quarter faster, but allocating them may take longer than a search
/// shorter than this.
const LONG_SEARCH: Duration = Duration::from_secs(1);

fn pages_for(limits: &Limits) -> Pages {
    match limits.budget().hard {
        Some(time) if time < LONG_SEARCH => Pages::Default,
        _ => Pages::Huge,
    }
}

/// The playing search's part of `mebibytes`. Half of the rest is for an endgame table in memory, the
/// other half for the solver's table.
pub fn tt_share(mebibytes: usize) -> usize {
    (mebibytes / 4).max(1)
}

fn solver_share(mebibytes: usize) -> usize {
    let rest = mebibytes - tt_share(mebibytes).min(mebibytes);
    ((rest << 20) / 2).max(LEAST_BYTES)
}

/// Says what the solver lacks for this position with `hash` MiB, if anything.
pub fn check_support<W: Word>(board: &Board<W>, hash: usize) -> Result<(), String> {
    let (houses, seeds) = (board.rules().houses(), board.rows().in_play() as usize);
    let index = Index::new(houses, seeds)
        .ok_or_else(|| format!("too many positions with {seeds} seeds in play"))?;
    let least = ShareTable::least_bytes(index.size(seeds));
    // The least Hash of which the solver's share is enough.
    let needed = (1..).find(|&hash| solver_share(hash) >= least).unwrap_or(hash);
    if needed > hash {
        return Err(format!("expected a Hash of at least {needed}, got {hash}"));
    }
    Ok(())
}

/// The table in `memory`, if it fits a position with `seeds` seeds in play; else a new one.
fn kept_table<'m>(
    index: &Index,
    seeds: usize,
    bytes: usize,
    pages: Pages,
    memory: &'m mut SolverMemory,
) -> Result<&'m mut ShareTable, String> {
    // A table of small pages is dropped for a long search: its entries are soon found again.
    let fits = |kept: &KeptTable| {
        seeds <= kept.seeds && (pages == Pages::Default || kept.pages == Pages::Huge)
    };
    // The old one is freed first, so that there are never two in memory.
    let kept = match memory.take().filter(fits) {
        Some(kept) => kept,
        None => {
            KeptTable { table: ShareTable::new(bytes, index.size(seeds), pages)?, seeds, pages }
        }
    };
    Ok(&mut memory.insert(kept).table)
}

/// The table of a long search of this position, to be saved or loaded.
pub fn saved_table<'m, W: Word>(
    board: &Board<W>,
    settings: &Settings,
    memory: &'m mut SolverMemory,
) -> Result<&'m mut dyn SavedTable, String> {
    let seeds = board.rows().in_play() as usize;
    let index = Index::new(board.rules().houses(), seeds).ok_or("too many positions")?;
    let bytes = solver_share(settings.hash);
    kept_table(&index, seeds, bytes, Pages::Huge, memory).map(ShareTable::saved)
}

impl<W: Word> Strategy<Board<W>> for Solver {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        resources: &mut Resources<'_, Board<W>>,
        report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        // A depth limits only the playing search.
        if request.limits.depth.is_some() {
            return Full.choose(request, resources, report);
        }
        if let Some(found) = book_probe(request) {
            return book_lines::complete(found, request, resources);
        }
        solve_or_search(request, resources, HybridGoal::Solve, report)
    }
}

/// Search and solver in alternation, or the search alone if the solver does not support the position.
pub fn solve_or_search<W: Word>(
    request: &SearchRequest<'_, Board<W>>,
    resources: &mut Resources<'_, Board<W>>,
    goal: HybridGoal,
    report: &mut dyn FnMut(&SearchResult<House>),
) -> SearchResult<House> {
    let evaluator = request.game.evaluator(resources.endgames);
    match SolverSession::new(request, resources) {
        Some(mut session) => {
            let work = solver_work(request.game.rows().in_play());
            let prove = &mut |nodes, _: &_| session.prove(nodes);
            alternate(request, &evaluator, goal, work, prove, report)
        }
        None => Full.choose(request, resources, report),
    }
}

/// What the solver needs, as measured on positions of games: half of those with 35 seeds in play
/// take 400,000 nodes, and two more seeds take twice as many, with an endgame table of two fifths of
/// the seeds. The number of houses matters little.
fn solver_work(seeds: u32) -> SolverWork {
    let median = 400_000.0 * 2f64.powf((f64::from(seeds) - 35.0) / 2.0);
    SolverWork { median, spread: 0.45, node_cost: 5.0 }
}

/// The solver's work on one request.
struct SolverSession<'a, 'r, W: Word> {
    request: &'a SearchRequest<'r, Board<W>>,
    seeds: usize,
    index: Index,
    forecast: Forecast,
    endgames: Arc<Endgames>,
    tables: &'a mut TableCache,
    memory: &'a mut SolverMemory,
    /// The expected share of each line, once there is a first guess.
    guesses: Option<Vec<u32>>,
}

impl<'a, 'r, W: Word> SolverSession<'a, 'r, W> {
    /// Reuses the kept table if it fits; `None` if there are too many positions for a table to
    /// distinguish.
    fn new(
        request: &'a SearchRequest<'r, Board<W>>,
        resources: &'a mut Resources<'_, Board<W>>,
    ) -> Option<Self> {
        let rules = request.game.rules();
        let seeds = request.game.rows().in_play() as usize;
        let index = Index::new(rules.houses(), seeds)?;
        let memory = &mut *resources.memory;
        let pages = pages_for(request.limits);
        let bytes = solver_share(request.settings.hash);
        kept_table(&index, seeds, bytes, pages, memory)
            .map_err(|reason| log::info!("solver not used: {reason}"))
            .ok()?;
        let forecast = Forecast::new(rules.houses());
        let tables = resources.endgames.get_or_default::<TableCache>();
        let means = Means { pages, threads: 1 };
        let endgames = tables.find_or_build(rules.into(), 0, bytes, means, &|| true);
        Some(SolverSession {
            request,
            seeds,
            index,
            forecast,
            endgames,
            tables,
            memory,
            guesses: None,
        })
    }

    /// A turn of the solver: the exact result if it is found within `nodes`.
    fn prove(&mut self, nodes: u64) -> Option<SearchResult<House>> {
        self.build_endgames(BUILT_PER_NODE.saturating_mul(nodes));
        self.solve(nodes)
    }

    /// Extends the endgame table to the size that pays most, but by at most `positions`.
    fn build_endgames(&mut self, positions: u64) {
        let SearchRequest { game, limits, control, settings, .. } = *self.request;
        let bytes = solver_share(settings.hash);
        let most = positions.min(bytes as u64);
        let seeds = self.best_table(most);
        let deadline = limits.budget().hard;
        let means = Means { pages: pages_for(limits), threads: useful_threads(settings.threads) };
        self.endgames =
            self.tables.find_or_build(game.rules().into(), seeds, bytes, means, &|| {
                let late = deadline.is_some_and(|deadline| control.is_time_up(deadline));
                !late && !control.should_stop()
            });
    }

    /// How many seeds the endgame table of at most `most` positions should cover: one more costs time
    /// to build and saves time to solve.
    fn best_table(&self, most: u64) -> usize {
        let all = self.index.size(self.seeds) as f64;
        let nodes = solver_work(self.seeds as u32).median.min(all * VISITED);
        let usual = 0.4 * self.seeds as f64;
        let cost = |seeds: usize| {
            let building = self.index.size(seeds) as f64 * BUILDING_COST;
            building + nodes * GAIN_PER_SEED.powf(usual - seeds as f64)
        };
        (0..=self.seeds)
            .take_while(|&seeds| self.index.size(seeds) <= most)
            .min_by(|&few, &many| cost(few).total_cmp(&cost(many)))
            .unwrap_or(0)
    }

    /// All requested lines, exact, if found within the limits and `nodes`.
    fn solve(&mut self, nodes: u64) -> Option<SearchResult<House>> {
        let request = self.request;
        let (index, forecast, endgames) = (&self.index, &self.forecast, &*self.endgames);
        let sowing = request.game.sowing();
        let context = |horizon| SolverContext { sowing, index, endgames, forecast, horizon };
        let middle = self.seeds as u32 / 2;
        let horizon = self.seeds * 3 / 4;
        let mut spent = 0;
        if self.guesses.is_none() && horizon > endgames.seeds() {
            let counter = NodeCounter::new(request.control, request.limits, Some(nodes));
            let pages = pages_for(request.limits);
            let guess_table = ShareTable::new(GUESS_BYTES, index.size(self.seeds), pages).ok()?;
            let search = ShareSearch::new(context(horizon as u32), &guess_table, counter);
            let mut root = SolverRoot::new(request, search);
            self.guesses = root.best_shares(middle).ok();
            spent = root.publish();
        }
        let even = vec![middle; request.moves.len()];
        let proof = ParallelProof {
            request,
            context: context(0),
            guesses: self.guesses.as_ref().unwrap_or(&even),
            table: &mut self.memory.as_mut()?.table,
            expected: solver_work(self.seeds as u32).median as u64,
        };
        proof.run(nodes - spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Game;
    use crate::games::kalah::sowing::Rules;
    use crate::limits::SearchControl;
    use crate::search::result::ReportedScore;
    use crate::search::transposition_table::TranspositionTable;

    /// Beside the table, a witness keeps whole keys. Without an endgame table the proof is long enough for
    /// several threads.
    #[test]
    fn every_answer_of_the_table_was_stored_for_that_position() {
        for (seeds, empty_capture, margin) in [(3, false, 6), (3, true, 8), (4, false, 2)] {
            let board = Board::<u64>::new(Rules::new(4, seeds, empty_capture).unwrap());
            let mut moves = Vec::new();
            board.legal_moves(&mut moves);
            for threads in [1, 2] {
                let control = SearchControl::new(false, false);
                let request = SearchRequest {
                    game: &board,
                    moves: &moves,
                    limits: &Limits::default(),
                    control: &control,
                    tt: &TranspositionTable::new(1).unwrap(),
                    settings: &Settings { threads, ..Settings::default() },
                };
                let mut memory = SolverMemory::default();
                let mut resources =
                    Resources { memory: &mut memory, endgames: &mut Default::default() };
                let mut session = SolverSession::new(&request, &mut resources).unwrap();
                session.memory.as_mut().unwrap().table.keep_whole_keys();
                let found = session.solve(u64::MAX).expect("no limit");
                // One thread searches alone before the others start.
                assert!(seeds < 4 || control.nodes() > 50_000, "{}", control.nodes());
                assert_eq!(found.lines[0].score, Some(ReportedScore::Margin(margin)));
            }
        }
    }

    #[test]
    fn a_kept_table_is_used_for_no_more_seeds_than_it_was_made_for() {
        let mut memory = None;
        let mut kept = |seeds, pages| {
            let index = Index::new(4, seeds).unwrap();
            kept_table(&index, seeds, 1 << 20, pages, &mut memory).unwrap();
            memory.as_ref().map(|kept: &KeptTable| (kept.seeds, kept.pages)).unwrap()
        };
        let [small, huge] = [Pages::Default, Pages::Huge];
        assert_eq!(kept(8, small), (8, small));
        assert_eq!(kept(5, small), (8, small), "kept");
        assert_eq!(kept(9, small), (9, small), "too small");
        assert_eq!(kept(7, huge), (7, huge), "of small pages");
        assert_eq!(kept(6, small), (7, huge), "kept");
    }

    #[test]
    fn only_long_searches_use_huge_pages() {
        let within = |milliseconds| Limits {
            movetime: Some(Duration::from_millis(milliseconds)),
            ..Limits::default()
        };
        assert_eq!(pages_for(&within(50)), Pages::Default);
        assert_eq!(pages_for(&within(5000)), Pages::Huge);
        assert_eq!(pages_for(&Limits::default()), Pages::Huge);
    }
}
