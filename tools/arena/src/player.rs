//! Plays single games of a match: two engines, one opening, and what becomes of it.

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Outcome, Side};

use crate::engine::dialect::Position;
use crate::engine::fault::{Fault, Trouble};
use crate::engine::{Engine, House};
use crate::record::{Blame, GameRecord, GameResult};
use crate::referee::{self, Course, End, Rules};
use crate::settings::{Fixture, Settings};
use crate::umpire;

/// Whoever plays single games of a match.
pub struct Player<'a> {
    /// The match.
    pub settings: &'a Settings,
    /// What is the same for all engines.
    pub house: &'a House,
}

/// The engines that run, by index.
pub type Engines = Vec<Option<Engine>>;

impl Player<'_> {
    /// No engine runs yet.
    pub fn nobody(&self) -> Engines {
        self.settings.engines.iter().map(|_| None).collect()
    }

    /// Plays one game; `None` if it was cancelled. Engines that are needed are started, and run on
    /// for the next game.
    pub fn play(
        &self,
        fixture: &Fixture,
        opening: &Position,
        engines: &mut Engines,
    ) -> anyhow::Result<Option<GameRecord>> {
        let mut table = umpire::open(&self.settings.game).map_err(anyhow::Error::msg)?;
        umpire::set_up(&mut *table, opening).map_err(anyhow::Error::msg)?;
        for (side, player) in [Side::P1, Side::P2].into_iter().zip(fixture.players) {
            match self.prepare(&mut engines[player], player, fixture.round) {
                Ok(()) => {}
                Err(Trouble::Cancelled) => return Ok(None),
                Err(Trouble::Fault(fault)) => {
                    engines[player] = None;
                    let course = Course { answers: Vec::new(), end: End::Fault(side, fault) };
                    return Ok(Some(self.record(fixture, opening, course)));
                }
            }
        }
        let rules = Rules {
            table: &mut *table,
            opening,
            limits: fixture.players.map(|player| self.settings.engines[player].limits),
            margin: self.settings.margin(),
        };
        let Ok([Some(first), Some(second)]) = engines.get_disjoint_mut(fixture.players) else {
            anyhow::bail!("an engine cannot play itself");
        };
        let Some(course) = referee::play(rules, [first, second]) else {
            return Ok(None);
        };
        // Who did wrong begins the next game anew.
        if let End::Fault(side, _) = &course.end {
            engines[fixture.players[side.index()]] = None;
        }
        Ok(Some(self.record(fixture, opening, course)))
    }

    /// Makes an engine ready for a game: it is started if it does not run, or not any more.
    fn prepare(
        &self,
        engine: &mut Option<Engine>,
        player: usize,
        round: u64,
    ) -> Result<(), Trouble> {
        if engine.as_mut().is_some_and(|engine| !engine.is_alive()) {
            *engine = None;
        }
        let engine = match engine {
            Some(engine) => engine,
            None => engine.insert(Engine::start(&self.settings.engines[player], self.house)?),
        };
        engine.new_game(&self.settings.game, pair_seed(self.settings.seed, round))
    }

    fn record(&self, fixture: &Fixture, opening: &Position, course: Course) -> GameRecord {
        let name = |player: usize| self.settings.engines[player].name.clone();
        let [p1, p2] = fixture.players.map(name);
        let (result, reason, fault) = match course.end {
            End::Over(Outcome::Draw) => (GameResult::Draw, "draw".to_owned(), None),
            End::Over(Outcome::Win(side)) => {
                (won(side), umpire::won_by(&self.settings.game).to_owned(), None)
            }
            End::Fault(side, fault) => {
                let engine = name(fixture.players[side.index()]);
                (won(!side), fault.kind.to_string(), Some(blame(engine, fault)))
            }
        };
        let answers = &course.answers;
        GameRecord {
            number: fixture.number,
            round: fixture.round,
            p1,
            p2,
            setup: opening.setup.clone(),
            opening: opening.moves.clone(),
            moves: answers.iter().map(|answer| answer.mv.clone()).collect(),
            times: answers.iter().map(|answer| answer.time.as_millis() as u64).collect(),
            scores: answers.iter().map(|answer| answer.info.score.clone()).collect(),
            depths: answers.iter().map(|answer| answer.info.depth).collect(),
            nodes: answers.iter().map(|answer| answer.info.nodes).collect(),
            result,
            reason,
            fault,
        }
    }
}

fn won(side: Side) -> GameResult {
    match side {
        Side::P1 => GameResult::P1Win,
        Side::P2 => GameResult::P2Win,
    }
}

fn blame(engine: String, fault: Fault) -> Blame {
    Blame {
        engine,
        kind: fault.kind,
        story: fault.story,
        overshoot: fault.overshoot.map(|time| time.as_millis() as u64),
    }
}

/// The number that `{seed}` stands for in an opening: never 0, and small enough for any engine.
fn pair_seed(seed: u64, round: u64) -> u64 {
    let mut rng = SmallRng::seed_from_u64(seed ^ round.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    rng.random_range(1..=i32::MAX as u64)
}
