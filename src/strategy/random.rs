//! Any legal move.

use super::{Playable, Quest, Report, Strategy};

/// A uniformly random legal move.
pub struct Random;

impl<G: Playable> Strategy<G> for Random {
    fn choose(
        &self,
        quest: &Quest<'_, G>,
        _report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        quest.pick(quest.moves)
    }
}
