//! The progress bar of a match, on stderr if that is a terminal.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use ratlla_common::progress::bar;

use crate::record::GameRecord;
use crate::report::elo_text;
use crate::settings::MatchSettings;
use crate::standings::Standings;

/// The shortest time between two updates of the score.
const UPDATE_INTERVAL: Duration = Duration::from_millis(300);

/// A progress bar with the score and the estimated time left.
pub struct Progress {
    bar: ProgressBar,
    last_update: Cell<Option<Instant>>,
}

impl Progress {
    /// A bar at `done` of `total` games.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = bar("games", total as usize).with_position(done);
        bar.reset_eta();
        bar.tick();
        Progress { bar, last_update: Cell::new(None) }
    }

    /// Shows the state after a game.
    pub fn show(&self, settings: &MatchSettings, games: &BTreeMap<u64, GameRecord>) {
        self.bar.set_position(games.len() as u64);
        let is_due = self.last_update.get().is_none_or(|last| last.elapsed() >= UPDATE_INTERVAL);
        if is_due && !self.bar.is_hidden() {
            self.last_update.set(Some(Instant::now()));
            self.bar.set_message(message(settings, &Standings::new(settings, games.values())));
        }
    }
}

fn message(settings: &MatchSettings, standings: &Standings) -> String {
    let name = |index: usize| settings.engines[index].name.as_str();
    let [result] = &standings.head_to_head[..] else {
        let ranking = standings.ranking();
        return ranking
            .first()
            .map_or_else(String::new, |(best, _)| format!("{} leads", name(*best)));
    };
    let mut text = format!("{} {}", name(0), result.wdl);
    if let Some(elo) = result.elo() {
        text += &format!(", Elo {}", elo_text(elo.elo, elo.error));
    }
    if let Some(sprt) = &standings.sprt {
        let (lower, upper) = sprt.sprt.bounds();
        text += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr);
    }
    text
}
