//! Plays all games of a match that are not played yet, several at a time.
//!
//! Each worker thread has engines of its own and takes the next game when it is done with one. The
//! games come back to the thread that writes the record: what is not written does not count.

use std::collections::BTreeMap;
use std::sync::Mutex;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, unbounded};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Outcome, Side};
use ratlla::search::THREAD_STACK;

use crate::engine::dialect::Position;
use crate::engine::fault::{Fault, Trouble};
use crate::engine::{Engine, House};
use crate::openings::OpeningList;
use crate::progress::Progress;
use crate::record::{Blame, GameRecord, GameResult, Recorder};
use crate::referee::{self, Course, End, Rules};
use crate::settings::{Fixture, Settings};
use crate::tally::SprtState;
use crate::umpire;

/// A match in progress.
pub struct Runner<'a> {
    settings: &'a Settings,
    house: &'a House,
    openings: OpeningList,
}

impl<'a> Runner<'a> {
    /// A match with these settings.
    pub fn new(settings: &'a Settings, house: &'a House) -> anyhow::Result<Runner<'a>> {
        let openings = OpeningList::new(&settings.openings, &settings.game, settings.seed)?;
        Ok(Runner { settings, house, openings })
    }

    /// Plays what `games` lack, until all is played, a test is decided or the house is told to
    /// stop; `games` have all that was played, in order, then.
    pub fn run(
        &self,
        games: &mut Vec<GameRecord>,
        recorder: Option<&mut Recorder>,
        concurrency: usize,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let mut book = Book::new(self.settings, std::mem::take(games), recorder);
        let missing: Vec<u64> =
            (0..self.settings.total_games()).filter(|n| !book.games.contains_key(n)).collect();
        let result = if book.is_decided() {
            Ok(())
        } else {
            self.play_all(missing, &mut book, concurrency, progress)
        };
        *games = book.games.into_values().collect();
        result
    }

    fn play_all(
        &self,
        missing: Vec<u64>,
        book: &mut Book<'_>,
        concurrency: usize,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let waiting = Mutex::new(missing.into_iter());
        let (sender, played) = unbounded();
        std::thread::scope(|scope| {
            for _ in 0..concurrency.max(1) {
                let (sender, waiting) = (sender.clone(), &waiting);
                std::thread::Builder::new()
                    .stack_size(THREAD_STACK)
                    .spawn_scoped(scope, move || self.work(waiting, &sender))
                    .context("cannot start a thread")?;
            }
            drop(sender);
            let result = self.collect(&played, book, progress);
            self.house.cancel.cancel_if(result.is_err() || book.is_decided());
            result
        })
    }

    /// Writes down the games that come in.
    fn collect(
        &self,
        played: &Receiver<anyhow::Result<GameRecord>>,
        book: &mut Book<'_>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        for game in played {
            book.add(game?)?;
            progress.show(self.settings, &book.games);
            if book.is_decided() {
                break;
            }
        }
        Ok(())
    }

    /// What a worker does.
    fn work(
        &self,
        waiting: &Mutex<impl Iterator<Item = u64>>,
        played: &Sender<anyhow::Result<GameRecord>>,
    ) {
        let mut engines: Vec<Option<Engine>> = Vec::new();
        engines.resize_with(self.settings.engines.len(), || None);
        while !self.house.cancel.is_cancelled() {
            let next = waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(number) = next else { return };
            let game = self.play(&self.settings.fixture(number), &mut engines).transpose();
            let Some(game) = game else { return };
            if played.send(game).is_err() {
                return;
            }
        }
    }

    /// Plays one game; `None` if it was cancelled.
    fn play(
        &self,
        fixture: &Fixture,
        engines: &mut [Option<Engine>],
    ) -> anyhow::Result<Option<GameRecord>> {
        let opening = self.openings.get(fixture.round)?;
        let mut table = umpire::open(&self.settings.game).map_err(anyhow::Error::msg)?;
        umpire::set_up(&mut *table, &opening).map_err(anyhow::Error::msg)?;
        for (side, player) in [Side::P1, Side::P2].into_iter().zip(fixture.players) {
            match self.prepare(&mut engines[player], player, fixture.round) {
                Ok(()) => {}
                Err(Trouble::Cancelled) => return Ok(None),
                Err(Trouble::Fault(fault)) => {
                    engines[player] = None;
                    let course = Course { answers: Vec::new(), end: End::Fault(side, fault) };
                    return Ok(Some(self.record(fixture, &opening, course)));
                }
            }
        }
        let rules = Rules {
            table: &mut *table,
            opening: &opening,
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
        Ok(Some(self.record(fixture, &opening, course)))
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

/// The games that were played, the file they are written to, and the test that looks at them.
struct Book<'a> {
    games: BTreeMap<u64, GameRecord>,
    recorder: Option<&'a mut Recorder>,
    sprt: Option<SprtState>,
}

impl<'a> Book<'a> {
    fn new(
        settings: &Settings,
        games: Vec<GameRecord>,
        recorder: Option<&'a mut Recorder>,
    ) -> Book<'a> {
        let games = games.into_iter().map(|game| (game.number, game)).collect();
        let mut book = Book { games, recorder, sprt: settings.sprt.map(SprtState::new) };
        book.look();
        book
    }

    fn add(&mut self, game: GameRecord) -> anyhow::Result<()> {
        if let Some(recorder) = &mut self.recorder {
            recorder.add(&game)?;
        }
        self.games.insert(game.number, game);
        self.look();
        Ok(())
    }

    /// Lets the test see the pairs that have become complete.
    fn look(&mut self) {
        let Some(sprt) = &mut self.sprt else { return };
        loop {
            let next = 2 * sprt.seen();
            let pair = (self.games.get(&next), self.games.get(&(next + 1)));
            let (Some(first), Some(second)) = pair else { return };
            if !sprt.see(first, second) {
                return;
            }
        }
    }

    fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided_after().is_some())
    }
}
