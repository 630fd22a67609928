//! Search for a good move, prove the truth, in turns.
//!
//! Nobody knows beforehand whether a position can be solved in time. So the full search and a
//! prover take turns, each turn twice as long as the last: as both remember what they found,
//! little is lost by going from one to the other. The search always has a good move at hand;
//! when the prover is done, its answer is final.

use super::{Playable, ReportedScore, SearchRequest, SearchResult};
use crate::limits::Limits;
use crate::search::think;

/// Nodes of the first turn of the search.
const FIRST_TURN: u64 = 1 << 14;
/// Nodes of a turn while the opponent is thinking: short enough for the clock to be looked at
/// in time after a ponder hit.
const PONDER_TURN: u64 = 1 << 18;

/// What the turns are for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Aim {
    /// A good move. The prover gets so many nodes for each node of the search, and what the search
    /// proves by itself will do.
    Move(f64),
    /// The truth, all of which only the prover knows.
    Truth,
}

impl Aim {
    /// How many nodes the prover gets for each node of the search.
    fn ratio(self, limits: &Limits) -> f64 {
        match self {
            Aim::Move(ratio) => ratio,
            // If there may be no time for the truth, an opinion should be the best there is.
            Aim::Truth if limits.is_limited() => 8.0,
            Aim::Truth => f64::INFINITY,
        }
    }
}

/// Tries to prove the truth: given a number of nodes and what the search has found, returns the
/// final report if it gets to the end.
pub type Prove<'a, M> = dyn FnMut(u64, &SearchResult<M>) -> Option<SearchResult<M>> + 'a;

/// Searches `request`, and lets `prove` have its turns.
pub fn take_turns<G: Playable>(
    request: &SearchRequest<'_, G>,
    aim: Aim,
    prove: &mut Prove<'_, G::Move>,
    report: &mut dyn FnMut(&SearchResult<G::Move>),
) -> SearchResult<G::Move> {
    let mut turns = Turns { request, told_depth: 0 };
    let ratio = aim.ratio(request.limits);
    let search_will_do = aim != Aim::Truth;
    let mut turn = FIRST_TURN;
    let mut deepest: Option<SearchResult<G::Move>> = None;
    loop {
        // An interrupted turn may have got less deep than the one before.
        let latest = turns.search(turn, report);
        let found = match deepest.take() {
            Some(before) if before.depth > latest.depth => before,
            _ => latest,
        };
        let settled = is_settled(&found);
        if turns.is_over() || (settled && search_will_do) {
            return turns.final_report(found);
        }
        let nodes = turns.nodes_left((turn as f64 * ratio) as u64);
        if let Some(proved) = prove(nodes, &found) {
            return proved;
        }
        // A prover that gave up though it might have gone on will never get there.
        if turns.is_over() || (settled && nodes == u64::MAX) {
            return turns.final_report(found);
        }
        deepest = Some(found);
        turn = turn.saturating_mul(2);
    }
}

struct Turns<'a, 'q, G: Playable> {
    request: &'a SearchRequest<'q, G>,
    /// The deepest iteration of the search that was told.
    told_depth: u32,
}

impl<G: Playable> Turns<'_, '_, G> {
    /// Whether there is no time or node left, or nobody wants to wait any longer.
    fn is_over(&self) -> bool {
        let SearchRequest { limits, control, .. } = self.request;
        let budget = limits.budget();
        let late = budget
            .soft
            .or(budget.hard)
            .is_some_and(|end| !control.is_pondering() && control.time_used() >= end);
        late || control.is_stopped() || self.nodes_left(u64::MAX) == 0
    }

    /// What the search found, with all the work that was done since.
    fn final_report(&self, found: SearchResult<G::Move>) -> SearchResult<G::Move> {
        let control = self.request.control;
        SearchResult { nodes: control.nodes(), time: control.elapsed(), ..found }
    }

    /// At most `turn` nodes, and none beyond the limit.
    fn nodes_left(&self, turn: u64) -> u64 {
        let SearchRequest { limits, control, .. } = self.request;
        let turn = if control.is_pondering() { turn.min(PONDER_TURN) } else { turn };
        limits.nodes.map_or(turn, |limit| turn.min(limit.saturating_sub(control.nodes())))
    }

    /// A turn of the search. Tells only iterations that were not told in an earlier turn.
    fn search(
        &mut self,
        turn: u64,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let request = self.request;
        let limits = Limits { nodes: Some(self.nodes_left(turn)), ..request.limits.clone() };
        let task = request.task(&limits, request.settings.multi_pv);
        let told_depth = &mut self.told_depth;
        let found = think(&task, &request.game.evaluator(), &mut |found| {
            if found.depth > *told_depth {
                *told_depth = found.depth;
                report(&found.into());
            }
        });
        (&found).into()
    }
}

/// Whether the search itself has proved all it was asked.
fn is_settled<M>(found: &SearchResult<M>) -> bool {
    found.lines.iter().all(|line| !matches!(line.standing, Some(ReportedScore::Points(_)) | None))
}
