//! The playing search, at full strength or weakened to a level.

use super::level::StrengthLevel;
use super::{Playable, Prove, Resources, Strategy};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;

/// Iterative-deepening alpha-beta.
pub struct Full;

impl<G: Playable> Strategy<G> for Full {
    fn choose(
        &self,
        request: &SearchRequest<'_, G>,
        resources: &mut Resources<'_, G>,
        report: &mut dyn FnMut(&SearchResult<G::Move>),
    ) -> SearchResult<G::Move> {
        let SearchRequest { game, settings, .. } = request;
        match StrengthLevel::numbered(settings.level) {
            None => Prove.choose(request, resources, report),
            Some(level) => level.choose(request, &game.classic_evaluator(resources.endgames)),
        }
    }
}
