//! The progress of a match on stderr: a bar if that is a terminal, and lines for log files.

use std::cell::Cell;
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar};
use ratlla_common::progress::bar;

use crate::match_state::{LiveScore, MatchState};
use crate::report::elo_text;
use crate::settings::MatchSettings;
use crate::stats::elo::estimate;
use crate::text::{printable, say};

/// The shortest time between two updates of the score.
const UPDATE_INTERVAL: Duration = Duration::from_millis(300);

/// A progress bar with the score and the estimated time left, and a line every few games.
pub struct Progress {
    bar: ProgressBar,
    last_update: Cell<Option<Instant>>,
    started: Instant,
    /// A line after every so many games.
    report_every: Option<NonZeroU64>,
    /// Whether games were repeated at the last update, so that it is said once.
    has_repeats: Cell<bool>,
}

impl Progress {
    /// A bar at `done` of `total` games.
    pub fn new(total: u64, done: u64, report_every: Option<NonZeroU64>) -> Progress {
        let bar = bar("games", total as usize).with_position(done);
        bar.reset_eta();
        bar.tick();
        let (last_update, has_repeats) = (Cell::new(None), Cell::new(false));
        Progress { bar, last_update, started: Instant::now(), report_every, has_repeats }
    }

    /// Shows the state after a game.
    pub fn show(&self, state: &MatchState<'_>) {
        let done = state.games().len() as u64;
        self.bar.set_position(done);
        if state.score().repeated > 0 && !self.has_repeats.replace(true) {
            let warning = "warning: a game was played again move for move; repeated games add no \
                           evidence (the report says how many there are)";
            self.bar.suspend(|| say(warning));
        }
        if self.report_every.is_some_and(|every| done.is_multiple_of(every.get())) {
            let (total, time) = (state.settings().total_games(), self.started.elapsed());
            let line =
                format!("{done} of {total} games, {}: {}", HumanDuration(time), message(state));
            self.bar.suspend(|| eprintln!("{line}"));
        }
        let is_due = self.last_update.get().is_none_or(|last| last.elapsed() >= UPDATE_INTERVAL);
        if is_due && !self.bar.is_hidden() {
            self.last_update.set(Some(Instant::now()));
            self.bar.set_message(message(state));
        }
    }
}

/// The score in one line.
fn message(state: &MatchState<'_>) -> String {
    let (settings, score) = (state.settings(), state.score());
    let mut text = match &settings.engines[..] {
        [first, _] => {
            let mut text = format!("{} {}", first.name, score.wdl[0]);
            if let Some(elo) = estimate(&score.pairs) {
                text += &format!(", Elo {}", elo_text(elo.elo, elo.error));
            }
            text
        }
        _ => leaders(settings, score),
    };
    if let Some(sprt) = state.sprt() {
        let (lower, upper) = sprt.sprt.bounds();
        text += &format!(", LLR {:.2} ({lower:.2}, {upper:.2})", sprt.llr);
    }
    if score.forfeits > 0 {
        text += &format!(", {} forfeits", score.forfeits);
    }
    if score.repeated > 0 {
        text += &format!(", {} repeated games", score.repeated);
    }
    printable(&text, usize::MAX)
}

/// The engines with the best scores.
fn leaders(settings: &MatchSettings, score: &LiveScore) -> String {
    const SHOWN: usize = 3;
    let scored = settings.engines.iter().zip(&score.wdl);
    let mut ranking: Vec<(&str, f64)> =
        scored.filter_map(|(engine, wdl)| Some((engine.name.as_str(), wdl.score()?))).collect();
    ranking.sort_by(|(_, a), (_, b)| b.total_cmp(a));
    let shown = ranking.iter().take(SHOWN);
    shown
        .map(|(name, score)| format!("{name} {:.1} %", 100.0 * score))
        .collect::<Vec<_>>()
        .join(", ")
}
