//! Playing search and solver in alternation.
//!
//! Nobody can say beforehand whether a position can be solved in time. So search and solver
//! alternate, each slice twice as long as the last: both keep what they found, so little is lost
//! by switching. The search always has a good move at hand; when the solver finishes, its answer
//! is final. How much of the time the solver gets follows its chance to finish in what is left.

use std::time::Duration;

use super::Playable;
use super::solver_work::SolverWork;
use crate::limits::Limits;
use crate::search::result::{ReportedScore, SearchEnd, SearchResult};
use crate::search::{Pruning, SearchRequest, search};

/// Nodes of the first slice of the search.
const FIRST_SLICE: u64 = 1 << 14;

/// The largest part of the effort that the solver gets, unless nothing else is wanted: if it runs
/// out of time, the search should have a good answer.
const MOST: f64 = 8.0 / 9.0;
/// With this chance to finish, the solver gets all of that; with a smaller one, as much as its chance.
const LIKELY: f64 = 0.4;
/// With a chance smaller than this it gets nothing.
const NEGLIGIBLE: f64 = 0.01;
/// Without a limit in sight the solver will finish some day, so it gets at least this.
const LEAST_UNLIMITED: f64 = 0.25;
/// Without a limit, what is left is taken to be this many times what was spent.
const OUTLOOK: f64 = 8.0;

/// What the caller is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HybridGoal {
    /// A good move. What the search proves by itself will do.
    Move,
    /// A good move in a game that counts more than winning: once the search has proved who wins, the
    /// margin is left to the solver.
    Margin,
    /// The exact score, which only the solver knows in full.
    Solve,
}

impl HybridGoal {
    /// The part of the effort that the solver gets if it will finish in time with this chance.
    /// `settled` says that the search itself has proved all it can.
    fn solver_share(self, chance: f64, end: End, settled: bool) -> f64 {
        match (self, end) {
            (HybridGoal::Solve, End::None) => 1.0,
            (HybridGoal::Solve, _) => MOST,
            _ if chance >= LIKELY => MOST,
            (_, End::InSight) if chance < NEGLIGIBLE => 0.0,
            _ if settled => MOST,
            (_, End::None | End::Later) => chance.max(LEAST_UNLIMITED),
            (_, End::InSight) => chance,
        }
    }
}

/// When the effort will end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// At a limit.
    InSight,
    /// At a time that is not known yet: at a limit after pondering, or at a stop.
    Later,
    /// With the solver's answer: nothing less is wanted.
    None,
}

/// A slice of the solver: gets a number of nodes and what the search has found, and returns the
/// final result if it finishes.
pub type Prover<'a, M> = dyn FnMut(u64, &SearchResult<M>) -> Option<SearchResult<M>> + 'a;

/// Searches `request` with `evaluator`, alternating with slices of `prove`, a solver that has this
/// much `work` with positions such as this one.
pub fn alternate<G: Playable>(
    request: &SearchRequest<'_, G>,
    evaluator: &G::Evaluator,
    goal: HybridGoal,
    work: SolverWork,
    prove: &mut Prover<'_, G::Move>,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let mut slices = Slices { request, evaluator, reported_depth: 0 };
    let (mut searching, mut solving) = (Effort::default(), Effort::default());
    let mut slice = FIRST_SLICE;
    let mut best: Option<SearchResult<G::Move>> = None;
    // Whether nothing is left for the search to find.
    let mut ended = false;
    loop {
        let found = match best.take() {
            Some(before) if ended => before,
            before => {
                let (found, all) =
                    searching.measure(request, || slices.search(slice, before, report));
                // To the margin it does not matter how far away the end is.
                ended = all || (goal == HybridGoal::Margin && is_settled(&found));
                found
            }
        };
        let settled = is_settled(&found);
        let finished = settled && ended;
        if slices.is_over() || (finished && goal == HybridGoal::Move) {
            return slices.final_result(found);
        }
        let cost = slices.solver_node_cost(work, &searching, &solving);
        let end = slices.end();
        let left = slices.effort_left(end, &searching) / cost;
        let chance = work.chance(solving.nodes as f64, left);
        let share = goal.solver_share(chance, end, settled);
        if ended && share == 0.0 {
            return slices.final_result(found);
        }
        let nodes = slices.nodes_left((slice as f64 * share / (1.0 - share) / cost) as u64);
        let before = solving.nodes;
        if nodes > 0
            && let Some(proved) = solving.measure(request, || prove(nodes, &found))
        {
            return proved;
        }
        // A solver that gave up, having done nothing or all it could, will never finish. For the exact
        // score, knowing the winner is not enough.
        let gave_up = nodes > 0 && (solving.nodes == before || nodes == u64::MAX);
        let done = ended || (settled && goal != HybridGoal::Solve);
        if slices.is_over() || (done && gave_up) {
            return slices.final_result(found);
        }
        best = Some(found);
        // Without a chance for the solver there is nothing to interrupt the search for.
        slice = if share == 0.0 { u64::MAX } else { slice.saturating_mul(2) };
    }
}

/// What search or solver has used.
#[derive(Clone, Copy, Debug, Default)]
struct Effort {
    nodes: u64,
    time: Duration,
}

impl Effort {
    /// Adds what `work` uses.
    fn measure<G: Playable, T>(
        &mut self,
        request: &SearchRequest<'_, G>,
        work: impl FnOnce() -> T,
    ) -> T {
        let control = request.control;
        let (nodes, time) = (control.nodes(), control.elapsed());
        let result = work();
        self.nodes += control.nodes() - nodes;
        self.time += control.elapsed().saturating_sub(time);
        result
    }

    /// Seconds for each node; `None` before there is enough to tell.
    fn seconds_per_node(&self) -> Option<f64> {
        let seconds = self.time.as_secs_f64();
        (self.nodes >= 1000 && seconds > 0.0).then(|| seconds / self.nodes as f64)
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

    /// The time of a solver node in search nodes: measured, but under a node limit always as expected,
    /// so that a search can be repeated.
    fn solver_node_cost(&self, work: SolverWork, searching: &Effort, solving: &Effort) -> f64 {
        let measured = solving.seconds_per_node().zip(searching.seconds_per_node());
        match measured.filter(|_| self.request.limits.nodes.is_none()) {
            Some((solver, search)) => solver / search,
            None => work.node_cost,
        }
    }

    fn end(&self) -> End {
        match self.request {
            SearchRequest { control, .. } if control.is_pondering() => End::Later,
            SearchRequest { limits, .. } if limits.is_limited() => End::InSight,
            SearchRequest { limits, .. } if limits.may_be_stopped => End::Later,
            _ => End::None,
        }
    }

    /// What is left until `end`, in nodes of the search.
    fn effort_left(&self, end: End, searching: &Effort) -> f64 {
        let SearchRequest { limits, control, .. } = self.request;
        if end != End::InSight {
            return OUTLOOK * control.nodes() as f64;
        }
        let budget = limits.budget();
        let by_time = budget.soft.or(budget.hard).zip(searching.seconds_per_node());
        let by_time = by_time.map(|(end, seconds_per_node)| {
            end.saturating_sub(control.time_used()).as_secs_f64() / seconds_per_node
        });
        let by_nodes = limits.nodes.map(|_| self.nodes_left(u64::MAX) as f64);
        by_nodes.into_iter().chain(by_time).reduce(f64::min).unwrap_or(f64::INFINITY)
    }

    /// A slice of the search after one that found `before`, and whether it ended by itself: then
    /// there is nothing left to search for. Reports only iterations that no earlier slice has
    /// reported, and nothing that takes back what is proved.
    fn search(
        &mut self,
        slice: u64,
        before: Option<SearchResult<G::Move>>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> (SearchResult<G::Move>, bool) {
        let nodes = self.nodes_left(slice);
        let limits = Limits { nodes: Some(nodes), ..self.request.limits.clone() };
        let request = SearchRequest { limits: &limits, ..*self.request };
        let reported_depth = &mut self.reported_depth;
        let latest = search(&request, self.evaluator, Pruning::FULL, &mut |found| {
            let (depth, _) = found.depth.unwrap_or_default();
            if depth > *reported_depth && !before.as_ref().is_some_and(|it| is_better(it, found)) {
                *reported_depth = depth;
                report(found);
            }
        });
        let ended = latest.end != SearchEnd::Interrupted;
        let found = match before {
            Some(before) if is_better(&before, &latest) => before,
            _ => latest,
        };
        (found, ended)
    }
}

/// Whether the result of an earlier slice is to be kept: an interrupted slice may have got less deep,
/// and what is proved about the best line is never taken back.
fn is_better<M>(before: &SearchResult<M>, latest: &SearchResult<M>) -> bool {
    let is_proved =
        |found: &SearchResult<M>| found.lines[0].score.is_some_and(ReportedScore::is_proved);
    match (is_proved(before), is_proved(latest)) {
        (true, false) => true,
        (false, true) => false,
        _ if latest.end == SearchEnd::Exact => false,
        // A distance is an upper bound: the shorter one says more.
        (true, true) if distance(before) != distance(latest) => distance(before) < distance(latest),
        _ => before.depth > latest.depth,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::result::PvLine;

    #[test]
    fn the_solver_gets_more_the_likelier_it_finishes() {
        for goal in [HybridGoal::Move, HybridGoal::Margin] {
            let share = |chance| goal.solver_share(chance, End::InSight, false);
            assert_eq!([0.0, 0.005, 0.2, 0.3, 0.5].map(share), [0.0, 0.0, 0.2, 0.3, MOST]);
            for end in [End::Later, End::None] {
                let share = |chance| goal.solver_share(chance, end, false);
                assert_eq!([0.0, 0.3, 0.8].map(share), [LEAST_UNLIMITED, 0.3, MOST]);
            }
        }
        let solve = |end| HybridGoal::Solve.solver_share(0.0, end, false);
        assert_eq!([End::InSight, End::Later, End::None].map(solve), [MOST, MOST, 1.0]);
    }

    #[test]
    fn what_an_earlier_slice_proved_is_kept_and_no_more() {
        let result = |score, depth, end| SearchResult {
            depth: Some((depth, depth)),
            lines: vec![PvLine::new(Some(score), vec![1u8])],
            nodes: 0,
            tree: None,
            time: Duration::ZERO,
            hashfull: None,
            end,
        };
        let kept = |before, latest| {
            let interrupted = |(score, depth)| result(score, depth, SearchEnd::Interrupted);
            is_better(&interrupted(before), &interrupted(latest))
        };
        use ReportedScore::{Draw, Loss, Points, Win};
        for proved in [Win(9), Loss(8), Draw] {
            assert!(kept((proved, 3), (Points(500), 20)), "{proved:?}");
            assert!(!kept((Points(500), 20), (proved, 3)), "{proved:?}");
        }
        // The nearer end; among equals the deeper search, and of those the later.
        for (near, far) in [(Win(9), Win(11)), (Loss(8), Loss(10))] {
            assert!(kept((near, 3), (far, 20)) && !kept((far, 20), (near, 3)));
        }
        for score in [Points(5), Draw, Win(9)] {
            assert!(kept((score, 8), (score, 7)));
            assert!(!kept((score, 7), (score, 7)) && !kept((score, 6), (score, 7)));
        }
        // A search that has ended by itself knows best.
        let before = result(Win(9), 20, SearchEnd::Interrupted);
        assert!(!is_better(&before, &result(Win(11), 3, SearchEnd::Exact)));
    }

    #[test]
    fn an_effort_has_a_rate_once_there_is_enough_to_tell() {
        let rate =
            |nodes, time| Effort { nodes, time: Duration::from_millis(time) }.seconds_per_node();
        assert_eq!([rate(0, 0), rate(999, 2), rate(1000, 0)], [None; 3]);
        assert!(rate(1000, 2).is_some_and(|rate| (rate - 2e-6).abs() < 1e-12));
    }

    #[test]
    fn once_the_winner_is_known_the_margin_is_left_to_the_solver() {
        let share = |chance, end| HybridGoal::Margin.solver_share(chance, end, true);
        assert_eq!(share(0.005, End::InSight), 0.0, "there is nothing to wait for");
        assert_eq!(share(0.1, End::InSight), MOST);
        assert_eq!(share(0.0, End::None), MOST);
    }
}
