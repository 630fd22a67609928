//! The random strategy.

use super::{Playable, Resources, Strategy, pick};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;

/// A uniformly random legal move.
pub struct Random;

impl<G: Playable> Strategy<G> for Random {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        _resources: &mut Resources<'_, G>,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        pick(request, request.moves)
    }
}
