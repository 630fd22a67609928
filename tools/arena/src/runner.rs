//! Plays all games of a match that are not played yet, several at a time.
//!
//! Each worker thread has engines of its own and takes the next game when it is done with one. The
//! games come back to the thread that writes the record: what is not written does not count.

use std::sync::Mutex;

use anyhow::Context as _;
use crossbeam_channel::{Receiver, Sender, unbounded};
use ratlla::platform::threads::THREAD_STACK;

use crate::engine::House;
use crate::ledger::Ledger;
use crate::openings::OpeningList;
use crate::player::Player;
use crate::progress::Progress;
use crate::record::{GameRecord, Recorder};
use crate::settings::Settings;

/// A match in progress.
pub struct Runner<'a> {
    player: Player<'a>,
    openings: OpeningList,
}

impl<'a> Runner<'a> {
    /// A match with these settings.
    pub fn new(settings: &'a Settings, house: &'a House) -> anyhow::Result<Runner<'a>> {
        let openings = OpeningList::of(settings)?;
        Ok(Runner { player: Player { settings, house }, openings })
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
        let settings = self.player.settings;
        let mut ledger = Ledger::new(settings, std::mem::take(games), recorder);
        let missing: Vec<u64> =
            (0..settings.total_games()).filter(|n| !ledger.games().contains_key(n)).collect();
        let result = if ledger.is_decided() {
            Ok(())
        } else {
            self.play_all(missing, &mut ledger, concurrency, progress)
        };
        *games = ledger.into_games();
        result
    }

    fn play_all(
        &self,
        missing: Vec<u64>,
        ledger: &mut Ledger<'_>,
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
            let result = self.collect(&played, ledger, progress);
            self.player.house.cancel.cancel_if(result.is_err() || ledger.is_decided());
            result
        })
    }

    /// Writes down the games that come in.
    fn collect(
        &self,
        played: &Receiver<anyhow::Result<GameRecord>>,
        ledger: &mut Ledger<'_>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        for game in played {
            ledger.add(game?)?;
            progress.show(self.player.settings, ledger.games());
            if ledger.is_decided() {
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
        let mut engines = self.player.nobody();
        while !self.player.house.cancel.is_cancelled() {
            let next = waiting.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(number) = next else { return };
            let fixture = self.player.settings.fixture(number);
            let game = self.openings.get(fixture.round);
            let game = game.and_then(|opening| self.player.play(&fixture, &opening, &mut engines));
            let Some(game) = game.transpose() else { return };
            if played.send(game).is_err() {
                return;
            }
        }
    }
}
