//! Plays games on several threads. Knows which game runs where, not how a game is played or what it is
//! played for.
//!
//! Each thread is a [`Worker`] with its own engines that takes the next game. Finished games go back to
//! the calling thread.

use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::mpsc::{Sender, channel};

use anyhow::Context as _;
use ratlla::platform::threads::spawn_scoped;

use crate::affinity::bind;
use crate::engine::EngineContext;
use crate::openings::OpeningSuite;
use crate::processors::Schedule;
use crate::record::GameRecord;
use crate::settings::{MatchSettings, Pairing};
use crate::worker::Worker;

/// What all threads share.
#[derive(Clone, Copy)]
pub struct Pool<'a> {
    /// The match.
    pub settings: &'a MatchSettings,
    /// What its engines share. Cancelling it ends all games.
    pub context: &'a EngineContext,
    /// Its openings.
    pub openings: &'a OpeningSuite,
    /// How many threads there are, and on which processors.
    pub schedule: &'a Schedule,
}

impl Pool<'_> {
    /// Plays these games and calls `finished` with each, in the order in which they end. If that breaks
    /// off or fails, or if a game does, the context is cancelled.
    pub fn play(
        &self,
        games: impl Iterator<Item = Pairing> + Send,
        mut finished: impl FnMut(GameRecord) -> anyhow::Result<ControlFlow<()>>,
    ) -> anyhow::Result<()> {
        let queue = Mutex::new(games);
        let (sender, results) = channel();
        std::thread::scope(|scope| {
            for index in 0..self.schedule.concurrency.get() {
                let (sender, queue) = (sender.clone(), &queue);
                let cpus = self.schedule.bound.as_ref().and_then(|bound| bound.get(index));
                let work = move || match cpus.map_or(Ok(()), |cpus| bind(cpus)) {
                    Ok(()) => self.work(queue, &sender),
                    // The other side is gone if another worker has failed already.
                    Err(error) => drop(sender.send(Err(error))),
                };
                spawn_scoped(scope, work)
                    .inspect_err(|_| self.context.cancel.cancel())
                    .context("cannot start a thread")?;
            }
            drop(sender);
            for game in results {
                let next = game.and_then(&mut finished);
                if !matches!(next, Ok(ControlFlow::Continue(()))) {
                    self.context.cancel.cancel();
                    return next.map(|_| ());
                }
            }
            Ok(())
        })
    }

    /// The body of a thread.
    fn work(
        &self,
        queue: &Mutex<impl Iterator<Item = Pairing>>,
        finished: &Sender<anyhow::Result<GameRecord>>,
    ) {
        let mut worker = Worker::new(self.settings, self.context);
        while !self.context.cancel.is_cancelled() {
            let next = queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).next();
            let Some(pairing) = next else { return };
            let opening = self.openings.get(pairing.round);
            let game = opening.and_then(|opening| worker.play(&pairing, &opening));
            let Some(game) = game.transpose() else { return };
            if finished.send(game).is_err() {
                return;
            }
        }
    }
}
