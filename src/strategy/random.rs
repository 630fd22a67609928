//! Any legal move.

use super::{Quest, Report, Strategy};
use crate::game::Game;

/// A uniformly random legal move.
pub struct Random;

impl<G: Game> Strategy<G> for Random {
    fn choose(
        &self,
        quest: &Quest<'_, G>,
        _report: &mut dyn FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        quest.pick(quest.moves)
    }
}
