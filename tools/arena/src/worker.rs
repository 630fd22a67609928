//! Plays single games of a match with its own set of engine processes, and records the outcome.
//! Knows nothing of other workers, of files or of when a match ends.

use std::time::Duration;

use anyhow::ensure;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Outcome, Side};

use crate::adjudication::{Adjudication, Adjudicator};
use crate::engine::dialect::Position;
use crate::engine::forfeit::{EngineError, Forfeit};
use crate::engine::{Engine, EngineContext};
use crate::game_loop::{self, GameOutcome, GameSetup, PlayedMove, Termination};
use crate::record::{AdjudicationRecord, ForfeitRecord, GameRecord, GameResult};
use crate::rules::{self, ExactSolver};
use crate::settings::{MatchSettings, Pairing};

/// Plays one game at a time. Engines are started on demand and kept for the next game.
pub struct Worker<'a> {
    settings: &'a MatchSettings,
    context: &'a EngineContext,
    /// The running engines, by index in the settings.
    engines: Vec<Option<Engine>>,
    /// Made for the first game, if the solver may adjudicate.
    solver: Option<ExactSolver>,
}

impl<'a> Worker<'a> {
    /// A worker with no engine running yet.
    pub fn new(settings: &'a MatchSettings, context: &'a EngineContext) -> Worker<'a> {
        let engines = settings.engines.iter().map(|_| None).collect();
        Worker { settings, context, engines, solver: None }
    }

    /// Plays one game; `None` if it was cancelled. An engine that cannot be prepared for it is an
    /// error, unless the match is to recover from that.
    pub fn play(
        &mut self,
        pairing: &Pairing,
        opening: &Position,
    ) -> anyhow::Result<Option<GameRecord>> {
        let mut game = rules::open(&self.settings.game)?;
        rules::set_up(&mut *game, opening)?;
        for (side, engine) in [Side::P1, Side::P2].into_iter().zip(pairing.engines) {
            match self.prepare(engine, pairing) {
                Ok(()) => {}
                Err(EngineError::Cancelled) => return Ok(None),
                Err(EngineError::Forfeit(forfeit)) => {
                    self.engines[engine] = None;
                    ensure!(
                        self.settings.recover,
                        "engine {} failed before game {}: {forfeit} (--recover makes this a lost \
                         game)",
                        self.settings.engines[engine].name,
                        pairing.number
                    );
                    let termination = Termination::Forfeit(side, forfeit);
                    let outcome = GameOutcome { moves: Vec::new(), termination };
                    return Ok(Some(self.record(pairing, opening, outcome)));
                }
            }
        }
        let rules = &self.settings.adjudication;
        if let (Some(rule), None) = (&rules.exact, &self.solver) {
            self.solver = Some(ExactSolver::new(&self.settings.game, rule)?);
        }
        let specs = pairing.engines.map(|engine| &self.settings.engines[engine]);
        let setup = GameSetup {
            game: &mut *game,
            opening,
            limits: specs.map(|spec| spec.limits),
            ponder: specs.map(|spec| spec.ponder),
            margin: self.settings.margin(),
            adjudicator: Some(Adjudicator::new(rules, self.solver.as_mut())),
        };
        let Ok([Some(first), Some(second)]) = self.engines.get_disjoint_mut(pairing.engines) else {
            anyhow::bail!("an engine cannot play itself");
        };
        let Some(outcome) = game_loop::play(setup, [first, second]) else {
            return Ok(None);
        };
        // An engine that forfeits is restarted for its next game.
        if let Termination::Forfeit(side, _) = &outcome.termination {
            self.engines[pairing.engines[side.index()]] = None;
        }
        Ok(Some(self.record(pairing, opening, outcome)))
    }

    /// Readies an engine for a game, starting it if it is not running.
    fn prepare(&mut self, engine: usize, pairing: &Pairing) -> Result<(), EngineError> {
        let (slot, spec) = (&mut self.engines[engine], &self.settings.engines[engine]);
        slot.take_if(|engine| spec.restart || !engine.is_alive());
        let engine = match slot {
            Some(engine) => engine,
            None => slot.insert(Engine::start(spec, self.context)?),
        };
        engine.set_game_number(pairing.number);
        engine.new_game(&self.settings.game, round_seed(self.settings.seed, pairing.round))
    }

    fn record(&self, pairing: &Pairing, opening: &Position, outcome: GameOutcome) -> GameRecord {
        let name = |engine: usize| self.settings.engines[engine].name.clone();
        let [p1, p2] = pairing.engines.map(name);
        let (mut forfeit, mut adjudication) = (None, None);
        let (result, reason) = match outcome.termination {
            Termination::Normal(outcome @ Outcome::Draw) => (outcome.into(), "draw".to_owned()),
            Termination::Normal(outcome) => {
                (outcome.into(), rules::won_by(&self.settings.game).to_owned())
            }
            Termination::Adjudicated(Adjudication { kind, outcome, detail }) => {
                adjudication = Some(AdjudicationRecord { kind, detail });
                (outcome.into(), kind.to_string())
            }
            Termination::Forfeit(side, Forfeit { kind, detail, overshoot }) => {
                forfeit = Some(ForfeitRecord {
                    engine: name(pairing.engines[side.index()]),
                    kind,
                    detail,
                    overshoot: overshoot.map(|time| time.as_millis() as u64),
                });
                (Outcome::Win(!side).into(), kind.to_string())
            }
        };
        let mut game = GameRecord {
            number: pairing.number,
            round: pairing.round,
            p1,
            p2,
            setup: opening.setup.clone(),
            opening: opening.moves.clone(),
            result,
            reason,
            forfeit,
            adjudication,
            ..GameRecord::default()
        };
        let specs = pairing.engines.map(|engine| &self.settings.engines[engine]);
        let has_clocks = specs.iter().any(|spec| spec.limits.time.is_some());
        let has_pondering = specs.iter().any(|spec| spec.ponder);
        let milliseconds = |time: Duration| time.as_millis() as u64;
        for PlayedMove { answer, clock } in outcome.moves {
            game.moves.push(answer.mv);
            game.times.push(milliseconds(answer.time));
            game.scores.push(answer.info.score);
            game.depths.push(answer.info.depth);
            game.nodes.push(answer.info.nodes);
            game.clocks.extend(has_clocks.then(|| clock.map(milliseconds)));
            game.ponderhits.extend(has_pondering.then_some(answer.ponderhit));
        }
        game
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> GameResult {
        match outcome {
            Outcome::Win(Side::P1) => GameResult::P1Win,
            Outcome::Win(Side::P2) => GameResult::P2Win,
            Outcome::Draw => GameResult::Draw,
        }
    }
}

/// The value of `{seed}` in a round: never 0, and within the range of any engine's option.
fn round_seed(seed: u64, round: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    rng.random_range(1..=i32::MAX as u64)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn each_round_of_each_match_has_a_seed_of_its_own_that_engines_accept() {
        let seeds = (0..30).flat_map(|seed| (0..100).map(move |round| round_seed(seed, round)));
        let seeds: Vec<u64> = seeds.collect();
        assert!(seeds.iter().all(|seed| (1..=i32::MAX as u64).contains(seed)));
        assert_eq!(seeds.iter().collect::<HashSet<_>>().len(), seeds.len());
    }
}
