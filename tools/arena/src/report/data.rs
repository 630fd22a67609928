//! What a report shows: settings and games whose texts are safe to print, and their standings.

use crate::record::GameRecord;
use crate::settings::MatchSettings;
use crate::standings::Standings;
use crate::text::printable;

/// Longer names are cut.
const MAX_NAME: usize = 60;
/// Longer texts are cut.
const MAX_TEXT: usize = 1000;

/// A match as reports show it. Every text in it went through [`printable`].
pub struct ReportData {
    /// The settings.
    pub settings: MatchSettings,
    /// The games, in order.
    pub games: Vec<GameRecord>,
    /// Their results.
    pub standings: Standings,
}

impl ReportData {
    /// The report on `games`, which must be in order.
    pub fn new(settings: &MatchSettings, games: &[GameRecord]) -> ReportData {
        let mut standings = Standings::new(settings, games.iter());
        let mut settings = settings.clone();
        clean(&mut settings.game, MAX_TEXT);
        for engine in &mut settings.engines {
            clean(&mut engine.name, MAX_NAME);
        }
        let mut games = games.to_vec();
        games.iter_mut().for_each(clean_game);
        for losses in &mut standings.losses {
            let counts = std::mem::take(&mut losses.counts).into_iter();
            losses.counts =
                counts.map(|(reason, count)| (printable(&reason, MAX_TEXT), count)).collect();
        }
        ReportData { settings, games, standings }
    }

    /// The name of an engine.
    pub fn name(&self, engine: usize) -> &str {
        &self.settings.engines[engine].name
    }

    /// What is known about the end of a game beyond its reason.
    pub fn detail(game: &GameRecord) -> Option<&str> {
        let forfeit = game.forfeit.as_ref().map(|forfeit| forfeit.detail.as_str());
        forfeit.or(game.adjudication.as_ref().map(|adjudication| adjudication.detail.as_str()))
    }

    /// The names of player 1 and player 2 of a game.
    pub fn players(&self, game: &GameRecord) -> [&str; 2] {
        self.settings.pairing(game.number).engines.map(|engine| self.name(engine))
    }
}

fn clean_game(game: &mut GameRecord) {
    for name in [&mut game.p1, &mut game.p2] {
        clean(name, MAX_NAME);
    }
    for text in [&mut game.setup, &mut game.reason] {
        clean(text, MAX_TEXT);
    }
    let moves = game.opening.iter_mut().chain(&mut game.moves);
    for text in moves.chain(game.scores.iter_mut().flatten()) {
        clean(text, MAX_NAME);
    }
    if let Some(forfeit) = &mut game.forfeit {
        clean(&mut forfeit.engine, MAX_NAME);
        clean(&mut forfeit.detail, MAX_TEXT);
    }
    if let Some(adjudication) = &mut game.adjudication {
        clean(&mut adjudication.detail, MAX_TEXT);
    }
}

fn clean(text: &mut String, max: usize) {
    *text = printable(text, max);
}
