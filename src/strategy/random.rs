//! Any legal move.

use super::{Playable, SearchRequest, SearchResult, Strategy};

/// A uniformly random legal move.
pub struct Random;

impl<G: Playable> Strategy<G> for Random {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        _report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        request.pick(request.moves)
    }
}
