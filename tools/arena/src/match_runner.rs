//! Plays the missing games of a match. Knows which games these are and when the match ends, not how a
//! game is played.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::engine::EngineContext;
use crate::match_state::MatchState;
use crate::openings::OpeningSuite;
use crate::pool::Pool;
use crate::processors::Schedule;
use crate::progress::Progress;
use crate::record::{GameRecord, RecordWriter};
use crate::settings::MatchSettings;

/// A match ready to be played.
pub struct MatchRunner<'a> {
    settings: &'a MatchSettings,
    context: &'a EngineContext,
    openings: OpeningSuite,
}

impl<'a> MatchRunner<'a> {
    /// A match in which `games` are finished. Fails if the settings allow no opening.
    pub fn new(
        settings: &'a MatchSettings,
        context: &'a EngineContext,
        games: &[GameRecord],
    ) -> anyhow::Result<MatchRunner<'a>> {
        let openings = OpeningSuite::of(settings)?.resumed(games);
        Ok(MatchRunner { settings, context, openings })
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
        let MatchRunner { settings, context, openings } = self;
        let done: HashSet<u64> = state.games().keys().copied().collect();
        let missing = (0..settings.total_games()).filter(move |number| !done.contains(number));
        let games = missing.map(|number| settings.pairing(number));
        Pool { settings, context, openings, schedule }.play(games, |game| {
            state.add(game)?;
            progress.show(state);
            let is_over = state.is_decided();
            Ok(if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        })
    }
}
