//! The playing search as a solver, for games without one of their own.

use super::{Playable, Resources, Strategy};
use crate::search::result::SearchResult;
use crate::search::{Pruning, SearchRequest, search};

/// The playing search at full strength, whatever the level. It ends by itself only with a proof, or
/// where only repetitions are left: once it has found who wins, it searches again without lossy
/// pruning for the distance.
pub struct Prove;

impl<G: Playable> Strategy<G> for Prove {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        resources: &mut Resources<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let evaluator = request.game.evaluator(resources.endgames);
        search(request, &evaluator, Pruning::FULL, report)
    }
}
