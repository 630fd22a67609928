//! The root of the search: iterative deepening, aspiration windows, several best lines.

use std::cmp::Reverse;
use std::time::Duration;

use super::SearchRequest;
use super::negamax::{SearchThread, bound_of};
use super::params::{
    ASPIRATION_GROWTH, ASPIRATION_LIMIT, ASPIRATION_MIN_DEPTH, ASPIRATION_WINDOW, MAX_DEPTH,
};
use super::result::{PvLine, SearchEnd, SearchResult};
use super::score::{Certainty, Score, Value, Window};
use super::soft_time::SoftTime;
use super::transposition_table::Bound;
use crate::game::{Evaluator, Game};
use crate::limits::Stopped;
use crate::platform::threads::{processors, useful_threads};

/// A search of this length is worth huge pages, if a processor is free to move the table there.
/// Shorter ones are not: on a busy system a huge page takes up to 150 ms, and every other request
/// for memory waits as long.
const HUGE_PAGES_AFTER: Duration = Duration::from_millis(250);

/// A root move with its value and principal variation.
#[derive(Clone)]
struct RootMove<M> {
    value: Value,
    /// What the value says: not exact after failing low or high.
    bound: Bound,
    pv: Vec<M>,
    /// The iteration that the value stems from.
    depth: u32,
    /// What is proved about the move for good: the score is at least and at most this.
    proved: [Score; 2],
}

impl<M> RootMove<M> {
    /// Takes in the value of a search with this window, and returns it within what is proved.
    fn learn(&mut self, value: Value, window: Window) -> Value {
        let [least, most] = &mut self.proved;
        let lower = value.score > window.alpha;
        let upper = value.score < window.beta;
        // Wins and losses end with the game, so they are proved whatever was pruned.
        if lower && (value.holds_here() || value.score.is_win()) {
            *least = (*least).max(value.score);
        }
        if upper && (value.holds_here() || value.score.is_loss()) {
            *most = (*most).min(value.score);
        }
        let score = value.score.min(*most).max(*least);
        let decided = *least == *most || *most <= window.alpha || *least >= window.beta;
        let certainty = if decided { Certainty::Proved } else { value.certainty };
        Value { score, certainty }
    }
}

/// The root moves at the end of an iteration, best first as far as known.
#[derive(Clone)]
struct RootResult<M> {
    depth: u32,
    moves: Vec<RootMove<M>>,
}

/// One thread's search at the root.
pub(super) struct Root<'a, G: Game, E: Evaluator<G>> {
    request: &'a SearchRequest<'a, G>,
    thread: SearchThread<'a, G, E>,
    /// Best first, as far as known.
    moves: Vec<RootMove<G::Move>>,
    /// The last decided result, while the search for the exact distance goes on.
    decided: Option<RootResult<G::Move>>,
}

impl<'a, G: Game, E: Evaluator<G>> Root<'a, G, E> {
    pub fn new(request: &'a SearchRequest<'a, G>, thread: SearchThread<'a, G, E>) -> Self {
        let mut candidates = Vec::new();
        thread.evaluator.candidates(request.game, &mut candidates);
        thread.evaluator.score_moves(request.game, &mut candidates);
        // By cached keys here and below: keys and places are of the same type for every game, so that the
        // code is there once.
        candidates.sort_by_cached_key(|candidate| -candidate.score);
        let place = |mv: &G::Move| {
            let place = candidates.iter().position(|candidate| candidate.mv == *mv);
            place.unwrap_or(candidates.len())
        };
        let mut ordered = request.moves.to_vec();
        ordered.sort_by_cached_key(place);
        let static_eval =
            Value::heuristic(Score::heuristic(thread.evaluator.evaluate(request.game)));
        let root_move = |mv| RootMove {
            value: static_eval,
            bound: Bound::Exact,
            pv: vec![mv],
            depth: 0,
            proved: [-Score::INFINITE, Score::INFINITE],
        };
        let moves = ordered.into_iter().map(root_move).collect();
        Root { request, moves, thread, decided: None }
    }

    /// The main thread: deepens until a limit, a signal or a proof, and reports each completed
    /// iteration.
    ///
    /// Of an interrupted iteration the best move so far counts. With several lines all stem from
    /// the last completed iteration, so that they can be compared.
    pub fn run_main(
        mut self,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let mut completed = RootResult { depth: 0, moves: self.moves.clone() };
        let mut soft_time = SoftTime::new(self.request.limits);
        let end = self.deepen(1, &mut |root, depth| {
            if depth > completed.depth {
                completed = RootResult { depth, moves: root.moves.clone() };
                report(&root.result(depth, SearchEnd::Interrupted));
            }
            let best = &root.moves[0];
            soft_time.goes_on(best.pv[0], best.value.score, root.request.control)
        });
        let mut depth = completed.depth;
        if let Some(decided) = self.decided.take() {
            // The exact distance was not found in time: what is decided stays.
            self.moves = decided.moves;
            depth = decided.depth;
        } else if end.is_err() {
            if self.line_count() > 1 && depth > 0 {
                self.moves = completed.moves;
            } else {
                self.avoid_losses();
                depth += u32::from(self.moves[0].depth > depth);
            }
        }
        self.result(depth.min(self.max_depth()), end.unwrap_or(SearchEnd::Interrupted))
    }

    /// A helper thread: deepens to fill the shared table. Every other helper runs one ply ahead,
    /// so that not all do the same at the same time.
    pub fn run_helper(mut self, thread: u64) {
        // Only the table matters, not how it ended.
        let _ = self.deepen(1 + (thread % 2) as u32, &mut |_, _| true);
        self.thread.counter.publish();
    }

    /// Iterative deepening; calls `completed` after each iteration, and goes on while that says so.
    /// Returns why it ended by itself.
    ///
    /// Once the result is a win or a loss, only its distance is open. Lossy pruning may have
    /// hidden a shorter way, so the search begins anew without it, and ends when it is as deep
    /// as the distance. Until then the decided result stays at hand: it is never taken back.
    fn deepen(
        &mut self,
        from: u32,
        completed: &mut dyn FnMut(&Self, u32) -> bool,
    ) -> Result<SearchEnd, Stopped> {
        let SearchRequest { control, tt, settings, .. } = *self.request;
        let spare_processor = useful_threads(settings.threads) < processors();
        let mut depth = from;
        while depth <= self.max_depth() {
            let finished = self.iterate(depth);
            self.thread.counter.publish();
            finished?;
            let goes_on = completed(self, depth);
            if control.elapsed() >= HUGE_PAGES_AFTER && spare_processor {
                tt.move_to_huge_pages();
            }
            if self.is_settled(depth) {
                self.decided = None;
                return Ok(SearchEnd::Exact);
            }
            if self.is_decided() {
                let reached =
                    self.decided.as_ref().map_or(depth, |decided| decided.depth.max(depth));
                self.decided = Some(RootResult { depth: reached, moves: self.moves.clone() });
            }
            if !goes_on {
                return Ok(SearchEnd::DeepEnough);
            }
            if self.decided.is_some() && self.thread.disable_lossy_pruning() {
                depth = from;
                continue;
            }
            depth += 1;
        }
        Ok(SearchEnd::DeepEnough)
    }

    /// An interrupted iteration may have found no more than that some moves lose, and nothing
    /// about the others: then the best of those is played, and the position does not count as
    /// lost.
    fn avoid_losses(&mut self) {
        let open = self.moves.iter().position(|root| !root.value.score.is_loss());
        if let Some(index) = open {
            self.moves[..=index].rotate_right(1);
        }
    }

    fn max_depth(&self) -> u32 {
        self.request.limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH)
    }

    /// Whether deeper iterations cannot change the requested lines.
    fn is_settled(&self, depth: u32) -> bool {
        self.requested_lines().all(|Value { score, certainty }| {
            let near = score.plies_to_end().is_some_and(|plies| plies <= depth as usize);
            certainty >= Certainty::Finished || near && self.thread.is_lossless()
        })
    }

    /// Whether all requested lines are proved, or at least won or lost.
    fn is_decided(&self) -> bool {
        self.requested_lines()
            .all(|value| value.holds_here() || value.score.plies_to_end().is_some())
    }

    fn requested_lines(&self) -> impl Iterator<Item = Value> {
        self.moves[..self.line_count()].iter().map(|root| root.value)
    }

    fn line_count(&self) -> usize {
        self.request.settings.multi_pv.clamp(1, self.moves.len())
    }

    fn result(&self, depth: u32, end: SearchEnd) -> SearchResult<G::Move> {
        let line = |root: &RootMove<G::Move>| PvLine {
            score: Some(root.value.into()),
            bound: root.bound,
            moves: root.pv.clone(),
        };
        SearchResult {
            depth: Some((depth, self.thread.selective_depth as u32)),
            lines: self.moves[..self.line_count()].iter().map(line).collect(),
            nodes: self.request.control.nodes(),
            tree: None,
            time: self.request.control.elapsed(),
            hashfull: Some(self.request.tt.hashfull()),
            end,
        }
    }

    /// Searches all moves `depth` plies deep: the best of all, then the best of the rest, for
    /// each requested line. If interrupted, `self.moves` is still in the best order known.
    fn iterate(&mut self, depth: u32) -> Result<(), Stopped> {
        self.moves.iter_mut().for_each(|root| root.depth = root.depth.min(depth - 1));
        for first in 0..self.line_count() {
            self.aspiration_search(depth, first)?;
            // A line that was searched later may turn out better than one before it.
            self.moves[..=first].sort_by_cached_key(|root| Reverse(root.value.score));
        }
        Ok(())
    }

    /// Searches the moves from `first` on in an aspiration window around their previous value,
    /// widened until the new value lies inside.
    fn aspiration_search(&mut self, depth: u32, first: usize) -> Result<(), Stopped> {
        let guess = self.moves[first].value.score;
        let mut width = ASPIRATION_WINDOW;
        let mut window = if depth < ASPIRATION_MIN_DEPTH || guess.plies_to_end().is_some() {
            Window::FULL
        } else {
            Window { alpha: guess.plus(-width), beta: guess.plus(width) }
        };
        loop {
            let value = self.search_root_moves(first, window, depth)?;
            width *= ASPIRATION_GROWTH;
            if value.score <= window.alpha && window.alpha > Window::FULL.alpha {
                window.alpha = value.score.plus(-width);
            } else if value.score >= window.beta && window.beta < Window::FULL.beta {
                window.beta = value.score.plus(width);
            } else {
                return Ok(());
            }
            if width > ASPIRATION_LIMIT {
                window = Window::FULL;
            }
        }
    }

    /// Searches the moves from `first` on and brings the best of them to `first`.
    ///
    /// Only the first move, or one that is proved better than alpha, may lead: after failing low
    /// the others have upper bounds, which say nothing about which of them is best.
    fn search_root_moves(
        &mut self,
        first: usize,
        window: Window,
        depth: u32,
    ) -> Result<Value, Stopped> {
        let mut best = Value::proved(-Score::INFINITE);
        let mut least = Certainty::Proved;
        for index in first..self.moves.len() {
            let mv = self.moves[index].pv[0];
            let raised = window.raised(best.score);
            let plies = depth as i32;
            let reduction = self.thread.reduction(plies, index - first);
            let searched = self.thread.pvs(mv, raised, plies - 1, reduction, index == first, 0)?;
            let root = &mut self.moves[index];
            let value = root.learn(searched, raised);
            least = least.min(value.certainty);
            if index == first || value.score > raised.alpha {
                best = value;
                root.bound = bound_of(value.score, window);
                // A value from an earlier proof keeps its line. Beyond the window there is none:
                // what the thread has is another move's.
                if searched.score == value.score {
                    root.pv.truncate(1);
                    if root.bound == Bound::Exact {
                        self.thread.update_pv(mv, 0);
                        root.pv.clone_from(&self.thread.pv[0]);
                    }
                }
                // Of this move alone nothing is proved: another one may be better.
                root.value = Value::heuristic(value.score);
                root.depth = depth;
                self.moves[first..=index].rotate_right(1);
                if value.score >= window.beta {
                    return Ok(best);
                }
            } else if value.score.is_loss() {
                // An upper bound only, but a loss is a loss.
                root.value = value;
                root.pv.truncate(1);
            }
        }
        // A proof takes all moves: that of the best one alone is a lower bound.
        let certainty = if window.contains(best.score) { least } else { Certainty::Estimate };
        self.moves[first].value.certainty = certainty;
        Ok(Value { certainty, ..best })
    }
}
