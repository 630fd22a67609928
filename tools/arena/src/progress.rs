//! The bar that shows how a match goes, on stderr if that is a terminal.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::record::GameRecord;
use crate::report::elo_text;
use crate::settings::Settings;
use crate::tally::Tally;

/// How long a score is shown at least.
const PAUSE: Duration = Duration::from_millis(300);

/// A bar with the score and the time that is left.
pub struct Progress {
    bar: ProgressBar,
    /// When the score was worked out the last time, which is not done for every game.
    last: Cell<Option<Instant>>,
}

impl Progress {
    /// A bar for `total` games of which `done` are played.
    pub fn new(total: u64, done: u64) -> Progress {
        let bar = ProgressBar::new(total).with_position(done);
        let template = "{pos}/{len} games [{bar:30}] {elapsed} gone, {eta} left  {msg}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.reset_eta();
        bar.tick();
        Progress { bar, last: Cell::new(None) }
    }

    /// Shows the state after a game.
    pub fn show(&self, settings: &Settings, games: &BTreeMap<u64, GameRecord>) {
        self.bar.set_position(games.len() as u64);
        let is_due = self.last.get().is_none_or(|last| last.elapsed() >= PAUSE);
        if is_due && !self.bar.is_hidden() {
            self.last.set(Some(Instant::now()));
            let games: Vec<GameRecord> = games.values().cloned().collect();
            self.bar.set_message(message(settings, &Tally::new(settings, &games)));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn message(settings: &Settings, tally: &Tally) -> String {
    let name = |index: usize| settings.engines[index].name.as_str();
    let [pairing] = &tally.pairings[..] else {
        let ratings = tally.ratings();
        let best = (0..ratings.len()).max_by(|&a, &b| ratings[a].elo.total_cmp(&ratings[b].elo));
        return best.map_or_else(String::new, |best| format!("{} leads", name(best)));
    };
    let score = pairing.score;
    let mut text = format!("{} +{} ={} -{}", name(0), score.won, score.drawn, score.lost);
    if let Some(strength) = pairing.strength() {
        text += &format!(", Elo {}", elo_text(strength.elo, strength.error));
    }
    if let Some(sprt) = &tally.sprt {
        let (lower, upper) = sprt.sprt.bounds();
        text += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.ratio);
    }
    text
}
