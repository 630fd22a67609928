//! Playing search and solver in alternation.
//!
//! Nobody can say beforehand whether a position can be solved in time. So search and solver
//! alternate, each slice twice as long as the last: both keep what they found, so little is lost
//! by switching. The search always has a good move at hand; when the solver finishes, its answer
//! is final.

use super::Playable;
use crate::limits::Limits;
use crate::search::result::{ReportedScore, SearchResult};
use crate::search::{Pruning, SearchRequest, search};

/// Nodes of the first slice of the search.
const FIRST_SLICE: u64 = 1 << 14;

/// What the caller is after.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HybridGoal {
    /// A good move. The solver gets this many nodes for each node of the search, and what the
    /// search proves by itself will do.
    Move(f64),
    /// The exact score, which only the solver knows in full.
    Solve,
}

impl HybridGoal {
    /// How many nodes the solver gets for each node of the search.
    fn solver_ratio(self, limits: &Limits) -> f64 {
        match self {
            HybridGoal::Move(ratio) => ratio,
            // If the solver may run out of time, the search should have a good answer.
            HybridGoal::Solve if limits.is_limited() => 8.0,
            HybridGoal::Solve => f64::INFINITY,
        }
    }
}

/// A slice of the solver: gets a number of nodes and what the search has found, and returns the
/// final result if it finishes.
pub type Prover<'a, M> = dyn FnMut(u64, &SearchResult<M>) -> Option<SearchResult<M>> + 'a;

/// Searches `request` with `evaluator`, alternating with slices of `prove`.
pub fn alternate<G: Playable>(
    request: &SearchRequest<'_, G>,
    evaluator: &G::Evaluator,
    goal: HybridGoal,
    prove: &mut Prover<'_, G::Move>,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let mut slices = Slices { request, evaluator, reported_depth: 0 };
    let ratio = goal.solver_ratio(request.limits);
    let search_will_do = goal != HybridGoal::Solve;
    let mut slice = FIRST_SLICE;
    let mut best: Option<SearchResult<G::Move>> = None;
    loop {
        let latest = slices.search(slice, report);
        let found = match best.take() {
            Some(before) if is_better(&before, &latest) => before,
            _ => latest,
        };
        let settled = is_settled(&found);
        if slices.is_over() || (settled && search_will_do) {
            return slices.final_result(found);
        }
        let nodes = slices.nodes_left((slice as f64 * ratio) as u64);
        if let Some(proved) = prove(nodes, &found) {
            return proved;
        }
        // A solver that gave up without a limit will never finish.
        if slices.is_over() || (settled && nodes == u64::MAX) {
            return slices.final_result(found);
        }
        best = Some(found);
        slice = slice.saturating_mul(2);
    }
}

struct Slices<'a, 'r, G: Playable> {
    request: &'a SearchRequest<'r, G>,
    evaluator: &'a G::Evaluator,
    /// The deepest iteration reported so far.
    reported_depth: u32,
}

impl<G: Playable> Slices<'_, '_, G> {
    /// Whether time or nodes are used up, or a stop has come.
    fn is_over(&self) -> bool {
        let SearchRequest { limits, control, .. } = self.request;
        let budget = limits.budget();
        let late = budget.hard.is_some_and(|hard| control.is_time_up(hard))
            || budget.soft.is_some_and(|soft| control.is_soft_time_up(soft));
        late || control.is_stopped() || self.nodes_left(u64::MAX) == 0
    }

    /// What the search found, with all nodes and time spent since.
    fn final_result(&self, found: SearchResult<G::Move>) -> SearchResult<G::Move> {
        let control = self.request.control;
        SearchResult { nodes: control.nodes(), time: control.elapsed(), ..found }
    }

    /// At most `slice` nodes, and none beyond the limit.
    fn nodes_left(&self, slice: u64) -> u64 {
        let SearchRequest { limits, control, .. } = self.request;
        limits.nodes.map_or(slice, |limit| slice.min(limit.saturating_sub(control.nodes())))
    }

    /// A slice of the search. Reports only iterations that no earlier slice has reported.
    fn search(
        &mut self,
        slice: u64,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let limits = Limits { nodes: Some(self.nodes_left(slice)), ..self.request.limits.clone() };
        let request = SearchRequest { limits: &limits, ..*self.request };
        let reported_depth = &mut self.reported_depth;
        search(&request, self.evaluator, Pruning::FULL, &mut |found| {
            let (depth, _) = found.depth.unwrap_or_default();
            if depth > *reported_depth {
                *reported_depth = depth;
                report(found);
            }
        })
    }
}

/// Whether the result of an earlier slice is to be kept: an interrupted slice may have got less deep,
/// and what is proved is never taken back.
fn is_better<M>(before: &SearchResult<M>, latest: &SearchResult<M>) -> bool {
    match (is_settled(before), is_settled(latest)) {
        (true, false) => true,
        (false, true) => false,
        // A distance is an upper bound: the shorter one says more.
        (true, true) => distance(before) < distance(latest),
        (false, false) => before.depth > latest.depth,
    }
}

/// The number of plies to the end in the first line, if it is won or lost.
fn distance<M>(found: &SearchResult<M>) -> Option<usize> {
    match found.lines[0].score {
        Some(ReportedScore::Win(plies) | ReportedScore::Loss(plies)) => Some(plies),
        _ => None,
    }
}

/// Whether the search itself has proved all it was asked.
fn is_settled<M>(found: &SearchResult<M>) -> bool {
    found.lines.iter().all(|line| line.score.is_some_and(ReportedScore::is_proved))
}
