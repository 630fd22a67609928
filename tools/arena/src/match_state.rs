//! The games of a match in progress and the SPRT that may end it. Knows nothing of how games are
//! played.

use std::collections::BTreeMap;

use crate::record::{GameRecord, RecordWriter};
use crate::settings::MatchSettings;
use crate::standings::SprtState;

/// The finished games, the record they are written to, and the SPRT.
pub struct MatchState<'a> {
    games: BTreeMap<u64, GameRecord>,
    record: Option<&'a mut RecordWriter>,
    sprt: Option<SprtState>,
}

impl<'a> MatchState<'a> {
    /// A match in which `games` are already finished.
    pub fn new(
        settings: &MatchSettings,
        games: Vec<GameRecord>,
        record: Option<&'a mut RecordWriter>,
    ) -> MatchState<'a> {
        let games = games.into_iter().map(|game| (game.number, game)).collect();
        let mut state = MatchState { games, record, sprt: settings.sprt.map(SprtState::new) };
        state.update_sprt();
        state
    }

    /// Adds a finished game. It is written to the record first: what is not on disk does not count.
    pub fn add(&mut self, game: GameRecord) -> anyhow::Result<()> {
        if let Some(record) = &mut self.record {
            record.add(&game)?;
        }
        self.games.insert(game.number, game);
        self.update_sprt();
        Ok(())
    }

    fn update_sprt(&mut self) {
        if let Some(sprt) = &mut self.sprt {
            sprt.extend(self.games.range(2 * sprt.pair_count()..).map(|(_, game)| game));
        }
    }

    /// Whether the SPRT has ended the match.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided_after().is_some())
    }

    /// The SPRT, if the match has one.
    pub fn sprt(&self) -> Option<&SprtState> {
        self.sprt.as_ref()
    }

    /// The finished games by number.
    pub fn games(&self) -> &BTreeMap<u64, GameRecord> {
        &self.games
    }

    /// The finished games in order of their numbers.
    pub fn into_games(self) -> Vec<GameRecord> {
        self.games.into_values().collect()
    }
}
