//! The games of a match as they come in, and whether they are enough.

use std::collections::BTreeMap;

use crate::record::{GameRecord, Recorder};
use crate::settings::Settings;
use crate::tally::SprtState;

/// The games that were played, the file they are written to, and the test that looks at them.
pub struct Ledger<'a> {
    games: BTreeMap<u64, GameRecord>,
    recorder: Option<&'a mut Recorder>,
    sprt: Option<SprtState>,
}

impl<'a> Ledger<'a> {
    /// A match of which these games were played.
    pub fn new(
        settings: &Settings,
        games: Vec<GameRecord>,
        recorder: Option<&'a mut Recorder>,
    ) -> Ledger<'a> {
        let games = games.into_iter().map(|game| (game.number, game)).collect();
        let mut ledger = Ledger { games, recorder, sprt: settings.sprt.map(SprtState::new) };
        ledger.look();
        ledger
    }

    /// Adds a game, to the file first: what is not written does not count.
    pub fn add(&mut self, game: GameRecord) -> anyhow::Result<()> {
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

    /// Whether enough was played.
    pub fn is_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided_after().is_some())
    }

    /// The test, if there is one.
    pub fn sprt(&self) -> Option<&SprtState> {
        self.sprt.as_ref()
    }

    /// The games, by number.
    pub fn games(&self) -> &BTreeMap<u64, GameRecord> {
        &self.games
    }

    /// The games, in order.
    pub fn into_games(self) -> Vec<GameRecord> {
        self.games.into_values().collect()
    }
}
