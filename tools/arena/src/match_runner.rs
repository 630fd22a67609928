//! Plays the missing games of a match on several threads. Knows which game runs where, not how a
//! game is played.
//!
//! Each thread is a [`Worker`] with its own engines that takes the next unplayed game. Results go
//! back to the calling thread, which writes the record.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};

use anyhow::Context as _;
use ratlla::platform::threads::THREAD_STACK;

use crate::engine::EngineContext;
use crate::match_state::MatchState;
use crate::openings::OpeningSuite;
use crate::processors::{Schedule, bind};
use crate::progress::Progress;
use crate::record::{GameRecord, RecordWriter};
use crate::settings::MatchSettings;
use crate::worker::Worker;

/// A match ready to be played.
pub struct MatchRunner<'a> {
    settings: &'a MatchSettings,
    context: &'a EngineContext,
    openings: OpeningSuite,
}

impl<'a> MatchRunner<'a> {
    /// Fails if the settings allow no opening.
    pub fn new(
        settings: &'a MatchSettings,
        context: &'a EngineContext,
    ) -> anyhow::Result<MatchRunner<'a>> {
        Ok(MatchRunner { settings, context, openings: OpeningSuite::of(settings)? })
    }

    /// Plays the games missing from `games` until the match is complete, its SPRT is decided or
    /// the context is cancelled. Afterwards `games` holds all finished games in order.
    pub fn run(
        &self,
        games: &mut Vec<GameRecord>,
        record: Option<&mut RecordWriter>,
        schedule: &Schedule,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let mut state = MatchState::new(self.settings, std::mem::take(games), record);
        let result = if state.is_complete() {
            Ok(())
        } else {
            self.play_all(&mut state, schedule, progress)
        };
        *games = state.into_games();
        result
    }

    fn play_all(
        &self,
        state: &mut MatchState<'_>,
        schedule: &Schedule,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        let done: HashSet<u64> = state.games().keys().copied().collect();
        let missing = (0..self.settings.total_games()).filter(move |number| !done.contains(number));
        let queue = Mutex::new(missing);
        let (sender, finished) = channel();
        std::thread::scope(|scope| {
            for index in 0..schedule.concurrency.get() {
                let (sender, queue) = (sender.clone(), &queue);
                let cpus = schedule.bound.as_ref().and_then(|bound| bound.get(index));
                std::thread::Builder::new()
                    .stack_size(THREAD_STACK)
                    .spawn_scoped(scope, move || match cpus.map_or(Ok(()), |cpus| bind(cpus)) {
                        Ok(()) => self.work(queue, &sender),
                        // The other side is gone if another worker has failed already.
                        Err(error) => drop(sender.send(Err(error))),
                    })
                    .context("cannot start a thread")?;
            }
            drop(sender);
            let result = self.collect(&finished, state, progress);
            if result.is_err() || state.is_decided() {
                self.context.cancel.cancel();
            }
            result
        })
    }

    /// Records games as they finish.
    fn collect(
        &self,
        finished: &Receiver<anyhow::Result<GameRecord>>,
        state: &mut MatchState<'_>,
        progress: &Progress,
    ) -> anyhow::Result<()> {
        for game in finished {
            state.add(game?)?;
            progress.show(state);
            if state.is_decided() {
                break;
            }
        }
        Ok(())
    }

    /// The body of a worker thread.
    fn work(
        &self,
        queue: &Mutex<impl Iterator<Item = u64>>,
        finished: &Sender<anyhow::Result<GameRecord>>,
    ) {
        let mut worker = Worker::new(self.settings, self.context);
        while !self.context.cancel.is_cancelled() {
            let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(number) = next else { return };
            let pairing = self.settings.pairing(number);
            let opening = self.openings.get(pairing.round);
            let game = opening.and_then(|opening| worker.play(&pairing, &opening));
            let Some(game) = game.transpose() else { return };
            if finished.send(game).is_err() {
                return;
            }
        }
    }
}
