//! Plays single games of a match with its own set of engine processes, and records the outcome.
//! Knows nothing of other workers, of files or of when a match ends.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Outcome, Side};

use crate::engine::dialect::Position;
use crate::engine::forfeit::EngineError;
use crate::engine::{Engine, EngineContext};
use crate::game_loop::{self, GameOutcome, GameSetup, Termination};
use crate::record::{ForfeitRecord, GameRecord, GameResult};
use crate::rules;
use crate::settings::{MatchSettings, Pairing};

/// Plays one game at a time. Engines are started on demand and kept for the next game.
pub struct Worker<'a> {
    settings: &'a MatchSettings,
    context: &'a EngineContext,
    /// The running engines, by index in the settings.
    engines: Vec<Option<Engine>>,
}

impl<'a> Worker<'a> {
    /// A worker with no engine running yet.
    pub fn new(settings: &'a MatchSettings, context: &'a EngineContext) -> Worker<'a> {
        Worker { settings, context, engines: settings.engines.iter().map(|_| None).collect() }
    }

    /// Plays one game; `None` if it was cancelled.
    pub fn play(
        &mut self,
        pairing: &Pairing,
        opening: &Position,
    ) -> anyhow::Result<Option<GameRecord>> {
        let mut game = rules::open(&self.settings.game)?;
        rules::set_up(&mut *game, opening)?;
        for (side, engine) in [Side::P1, Side::P2].into_iter().zip(pairing.engines) {
            match self.prepare(engine, pairing.round) {
                Ok(()) => {}
                Err(EngineError::Cancelled) => return Ok(None),
                Err(EngineError::Forfeit(forfeit)) => {
                    self.engines[engine] = None;
                    let termination = Termination::Forfeit(side, forfeit);
                    let outcome = GameOutcome { moves: Vec::new(), termination };
                    return Ok(Some(self.record(pairing, opening, outcome)));
                }
            }
        }
        let setup = GameSetup {
            game: &mut *game,
            opening,
            limits: pairing.engines.map(|engine| self.settings.engines[engine].limits),
            margin: self.settings.margin(),
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
    fn prepare(&mut self, engine: usize, round: u64) -> Result<(), EngineError> {
        let slot = &mut self.engines[engine];
        slot.take_if(|engine| !engine.is_alive());
        let engine = match slot {
            Some(engine) => engine,
            None => slot.insert(Engine::start(&self.settings.engines[engine], self.context)?),
        };
        engine.new_game(&self.settings.game, round_seed(self.settings.seed, round))
    }

    fn record(&self, pairing: &Pairing, opening: &Position, outcome: GameOutcome) -> GameRecord {
        let name = |engine: usize| self.settings.engines[engine].name.clone();
        let [p1, p2] = pairing.engines.map(name);
        let (result, reason, forfeit) = match outcome.termination {
            Termination::Normal(Outcome::Draw) => (GameResult::Draw, "draw".to_owned(), None),
            Termination::Normal(Outcome::Win(side)) => {
                (win(side), rules::won_by(&self.settings.game).to_owned(), None)
            }
            Termination::Forfeit(side, forfeit) => {
                let record = ForfeitRecord {
                    engine: name(pairing.engines[side.index()]),
                    kind: forfeit.kind,
                    detail: forfeit.detail,
                    overshoot: forfeit.overshoot.map(|time| time.as_millis() as u64),
                };
                (win(!side), forfeit.kind.to_string(), Some(record))
            }
        };
        let moves = &outcome.moves;
        GameRecord {
            number: pairing.number,
            round: pairing.round,
            p1,
            p2,
            setup: opening.setup.clone(),
            opening: opening.moves.clone(),
            moves: moves.iter().map(|played| played.mv.clone()).collect(),
            times: moves.iter().map(|played| played.time.as_millis() as u64).collect(),
            scores: moves.iter().map(|played| played.info.score.clone()).collect(),
            depths: moves.iter().map(|played| played.info.depth).collect(),
            nodes: moves.iter().map(|played| played.info.nodes).collect(),
            clocks: Vec::new(),
            ponderhits: Vec::new(),
            result,
            reason,
            forfeit,
            adjudication: None,
        }
    }
}

fn win(side: Side) -> GameResult {
    match side {
        Side::P1 => GameResult::P1Win,
        Side::P2 => GameResult::P2Win,
    }
}

/// The value of `{seed}` in a round: never 0, and within the range of any engine's option.
fn round_seed(seed: u64, round: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    rng.random_range(1..=i32::MAX as u64)
}
