//! The games of a match in progress, their score so far and the SPRT that may end it. Knows nothing
//! of how games are played.
//!
//! Everything is counted as games arrive: a long match must not cost more per game than a short one,
//! on the processors whose time is being measured.

use std::collections::BTreeMap;

use crate::record::{GameRecord, RecordWriter};
use crate::repeats::SeenGames;
use crate::settings::MatchSettings;
use crate::standings::SprtState;
use crate::stats::Pentanomial;
use crate::stats::Wdl;

/// The finished games, the record they are written to, the score and the SPRT.
pub struct MatchState<'a> {
    settings: &'a MatchSettings,
    games: BTreeMap<u64, GameRecord>,
    record: Option<&'a mut RecordWriter>,
    score: LiveScore,
    sprt: Option<SprtState>,
    seen: SeenGames,
}

/// The score of a match in progress.
#[derive(Clone, Debug, Default)]
pub struct LiveScore {
    /// The results of each engine.
    pub wdl: Vec<Wdl>,
    /// The game pairs of a match between two engines, from the first one's point of view.
    pub pairs: Pentanomial,
    /// Games that ended by a forfeit.
    pub forfeits: u64,
    /// Games that repeat another one.
    pub repeated: u64,
}

impl LiveScore {
    fn add(&mut self, settings: &MatchSettings, game: &GameRecord, other: Option<&GameRecord>) {
        self.forfeits += u64::from(game.forfeit.is_some());
        let points = game.result.half_points();
        for (engine, points) in settings.pairing(game.number).engines.into_iter().zip(points) {
            let Some(wdl) = self.wdl.get_mut(engine) else { continue };
            match points {
                2 => wdl.wins += 1,
                1 => wdl.draws += 1,
                _ => wdl.losses += 1,
            }
        }
        if let Some(other) = other.filter(|_| settings.engines.len() == 2) {
            let [first, second] =
                if game.number < other.number { [game, other] } else { [other, game] };
            let points = first.result.half_points()[0] + second.result.half_points()[1];
            self.pairs[points as usize] += 1;
        }
    }
}

impl<'a> MatchState<'a> {
    /// A match in which `games` are already finished.
    pub fn new(
        settings: &'a MatchSettings,
        games: Vec<GameRecord>,
        record: Option<&'a mut RecordWriter>,
    ) -> MatchState<'a> {
        let wdl = vec![Wdl::default(); settings.engines.len()];
        let mut state = MatchState {
            settings,
            games: BTreeMap::new(),
            record,
            score: LiveScore { wdl, ..LiveScore::default() },
            sprt: settings.sprt.map(SprtState::new),
            seen: SeenGames::default(),
        };
        for game in games {
            state.insert(game);
        }
        state.update_sprt();
        state
    }

    /// Adds a finished game. It is written to the record first: what is not on disk does not count.
    pub fn add(&mut self, game: GameRecord) -> anyhow::Result<()> {
        if let Some(record) = &mut self.record {
            record.add(&game)?;
        }
        self.insert(game);
        self.update_sprt();
        Ok(())
    }

    /// A game that is played again counts once.
    fn insert(&mut self, game: GameRecord) {
        if !self.games.contains_key(&game.number) {
            self.score.add(self.settings, &game, self.games.get(&(game.number ^ 1)));
            let repeated = self.seen.add(self.settings, &game);
            self.score.repeated += u64::from(repeated.is_some());
        }
        self.games.insert(game.number, game);
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

    /// Whether nothing is left to play.
    pub fn is_complete(&self) -> bool {
        self.is_decided() || self.games.len() as u64 >= self.settings.total_games()
    }

    /// The settings of the match.
    pub fn settings(&self) -> &'a MatchSettings {
        self.settings
    }

    /// The score so far.
    pub fn score(&self) -> &LiveScore {
        &self.score
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;
    use crate::standings::Standings;

    #[test]
    fn the_live_score_is_that_of_the_standings_in_any_order() {
        let results = [GameResult::P1Win, GameResult::Draw, GameResult::P2Win, GameResult::P1Win];
        for engines in [2, 3] {
            let mut settings = settings(engines, TournamentFormat::RoundRobin);
            settings.games = 20;
            let total = settings.total_games();
            let mut state = MatchState::new(&settings, Vec::new(), None);
            // 7 and the number of games have no common factor.
            for number in (0..total).map(|step| step * 7 % total) {
                let result = results[(number * number % 11 % 4) as usize];
                let game = GameRecord { number, result, ..GameRecord::default() };
                state.add(game).unwrap();
            }
            let live = state.score().clone();
            let standings = Standings::new(&settings, state.games().values());
            assert_eq!(live.wdl, standings.wdl);
            if engines == 2 {
                assert_eq!(live.pairs, standings.head_to_head[0].pairs);
            }
            assert!(state.is_complete());
        }
    }

    fn game(settings: &MatchSettings, number: u64, result: GameResult) -> GameRecord {
        let pairing = settings.pairing(number);
        let [p1, p2] = pairing.engines.map(|engine| settings.engines[engine].name.clone());
        // No two games are the same.
        let opening = vec![number.to_string()];
        GameRecord {
            number,
            round: pairing.round,
            p1,
            p2,
            opening,
            result,
            ..GameRecord::default()
        }
    }

    /// What is on disk counts, and nothing else does.
    #[test]
    fn a_game_is_on_disk_before_it_counts() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("record");
        let mut record = RecordWriter::create(&path, &settings).unwrap();
        let mut state = MatchState::new(&settings, Vec::new(), Some(&mut record));
        for number in 0..3 {
            state.add(game(&settings, number, GameResult::P1Win)).unwrap();
            let (_, games) = crate::record::read(&path).unwrap();
            assert_eq!(games, state.games().values().cloned().collect::<Vec<_>>());
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_game_that_cannot_be_written_does_not_count() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let mut record = RecordWriter::full();
        let mut state = MatchState::new(&settings, Vec::new(), Some(&mut record));
        assert!(state.add(game(&settings, 0, GameResult::P1Win)).is_err());
        assert!(state.games().is_empty());
        assert_eq!(state.score().wdl, [Wdl::default(); 2]);
    }

    #[test]
    fn a_game_that_is_played_again_counts_once() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let mut state = MatchState::new(&settings, Vec::new(), None);
        for _ in 0..2 {
            for number in [0, 1] {
                state.add(game(&settings, number, GameResult::P1Win)).unwrap();
            }
        }
        let score = state.score();
        assert_eq!(score.wdl, [Wdl { wins: 1, draws: 0, losses: 1 }; 2]);
        assert_eq!((score.pairs, score.repeated, score.forfeits), ([0, 0, 1, 0, 0], 0, 0));
        assert_eq!(state.into_games().len(), 2);
    }

    #[test]
    fn forfeits_and_repeated_games_are_counted_as_they_come() {
        use crate::engine::forfeit::ForfeitKind;
        use crate::record::ForfeitRecord;
        let settings = settings(3, TournamentFormat::RoundRobin);
        let mut state = MatchState::new(&settings, Vec::new(), None);
        let forfeit = ForfeitRecord {
            engine: "e0".to_owned(),
            kind: ForfeitKind::Crash,
            detail: String::new(),
            overshoot: None,
        };
        // Games 0 and 6 have the same engines.
        let same = |number: u64| GameRecord {
            opening: vec!["1".to_owned()],
            ..game(&settings, number, GameResult::Draw)
        };
        let mut counted = Vec::new();
        for (number, is_forfeit) in [(0, false), (1, true), (6, false), (7, true)] {
            let forfeit = is_forfeit.then(|| forfeit.clone());
            state.add(GameRecord { forfeit, ..same(number) }).unwrap();
            counted.push((state.score().forfeits, state.score().repeated));
        }
        assert_eq!(counted, [(0, 0), (1, 0), (1, 1), (2, 2)]);
        // Pairs are those of two engines only.
        assert_eq!(state.score().pairs, [0; 5]);
    }

    /// A match ends with its last game, or as soon as its test is decided: also one that is resumed.
    #[test]
    fn a_match_is_complete_at_its_last_game_or_decision_and_not_before() {
        let mut settings = settings(2, TournamentFormat::RoundRobin);
        settings.games = 60;
        let won = |number: u64| {
            let result =
                if number.is_multiple_of(2) { GameResult::P1Win } else { GameResult::P2Win };
            game(&settings, number, result)
        };
        let games: Vec<GameRecord> = (0..60).map(won).collect();
        let state =
            |settings, count: usize| MatchState::new(settings, games[..count].to_vec(), None);
        for count in 0..60 {
            assert!(!state(&settings, count).is_complete(), "{count}");
        }
        assert!(state(&settings, 60).is_complete() && !state(&settings, 60).is_decided());
        let tested = MatchSettings {
            sprt: Some(crate::stats::sprt::Sprt {
                elo0: 0.0,
                elo1: 100.0,
                alpha: 0.05,
                beta: 0.05,
                model: crate::stats::sprt::EloModel::Normalized,
            }),
            ..settings.clone()
        };
        let mut running = MatchState::new(&tested, Vec::new(), None);
        let mut end = None;
        for (count, game) in (1..).zip(&games) {
            running.add(game.clone()).unwrap();
            let resumed = state(&tested, count);
            assert_eq!(resumed.is_decided(), running.is_decided(), "{count}");
            assert_eq!(resumed.is_complete(), running.is_decided(), "{count}");
            end = end.or(running.is_decided().then_some(count));
        }
        assert!(end.is_some_and(|end| end < 60 && end % 2 == 0), "{end:?}");
        let decided = running.sprt().and_then(SprtState::decided_after);
        assert_eq!(decided, end.map(|end| end as u64));
    }
}
