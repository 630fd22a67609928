//! The static evaluations of a position.

use super::{AnyGame, TypedGame};
use crate::endgames::EndgameStore;
use crate::game::explain::Explain;
use crate::game::{Evaluate, Evaluator, Notation};
use crate::settings::Settings;
use crate::strategy::{self, Playable};
use crate::text::unknown;

impl<G: Notation + Playable + Explain> TypedGame<G> {
    /// The reply to `eval`.
    pub(super) fn terms(
        &self,
        name: Option<&str>,
        settings: &Settings,
        endgames: &EndgameStore,
    ) -> Result<Vec<(&'static str, i32)>, String> {
        if let Some(outcome) = self.game.outcome() {
            return Err(format!("the game is over ({outcome})"));
        }
        let chosen = name.or(settings.evaluation.as_deref());
        let name = chosen.unwrap_or(G::evaluations()[0].name);
        if name == strategy::FULL {
            let mut evaluator = self.game.evaluator(endgames);
            evaluator.reset(&self.game);
            return Ok(evaluator.terms(&self.game));
        }
        let known = || [&self.evaluations()[..], &[strategy::FULL]].concat();
        let evaluation = strategy::evaluation::<G>(name);
        let evaluation = evaluation.ok_or_else(|| unknown("evaluation", name, &known()))?;
        Ok(evaluation.terms(&self.game))
    }
}
