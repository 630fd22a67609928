//! Everything a match depends on, with all defaults filled in. The settings are the first line of
//! the record, so a match can be resumed from its record alone. Knows no files, flags or processes.

mod adjudication;
mod check;
mod engine;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::stats::sprt::Sprt;
pub use adjudication::{AdjudicationRules, DrawRule, ExactRule, ResignRule};
pub use engine::{EngineSpec, SearchLimits};

/// A match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The game: the words after `newgame`.
    pub game: String,
    /// The engines: at least two, with distinct names.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: TournamentFormat,
    /// How many engines play all others in a gauntlet, from the first.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub seeds: usize,
    /// Games per pair of engines; even, because every opening is played with both sides.
    pub games: u64,
    /// The random seed.
    pub seed: u64,
    /// Where openings come from.
    pub openings: OpeningSource,
    /// Ends a match of two engines early.
    pub sprt: Option<Sprt>,
    /// Time overrun that is tolerated, in milliseconds.
    pub margin: u64,
    /// How long an answer may be overdue before the engine forfeits, in milliseconds.
    pub patience: u64,
    /// Whether the match goes on, with a lost game, if an engine fails between games.
    #[serde(default, skip_serializing_if = "is_default")]
    pub recover: bool,
    /// Which games end before the rules of the game end them.
    #[serde(default, skip_serializing_if = "is_default")]
    pub adjudication: AdjudicationRules,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Every engine plays every other
    #[default]
    RoundRobin,
    /// The first engine, or the first --seeds engines, play all others
    Gauntlet,
}

/// Where openings come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpeningSource {
    /// Balanced sequences of random moves.
    Random {
        /// The length of each.
        plies: u32,
        /// What counts as balanced.
        #[serde(default, skip_serializing_if = "is_default")]
        balance: Balance,
    },
    /// These positions in turn: the words after `position`.
    List(Vec<String>),
}

/// Which random openings are balanced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Balance {
    /// A short search sees neither side clearly ahead
    #[default]
    Search,
    /// Drawn with best play, where the solver can tell; otherwise like search
    Exact,
}

impl MatchSettings {
    /// [`MatchSettings::margin`] as a duration.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }

    /// [`MatchSettings::patience`] as a duration.
    pub fn patience(&self) -> Duration {
        Duration::from_millis(self.patience)
    }

    /// How many engines, from the first, play all those after them: all but the last one in a round
    /// robin.
    fn leaders(&self) -> usize {
        let most = self.engines.len().saturating_sub(1);
        match self.format {
            TournamentFormat::RoundRobin => most,
            TournamentFormat::Gauntlet => self.seeds.min(most),
        }
    }

    /// The number of pairs of engines that meet.
    pub fn pair_count(&self) -> u64 {
        let (engines, leaders) = (self.engines.len() as u64, self.leaders() as u64);
        leaders * engines - leaders * (leaders + 1) / 2
    }

    /// The pair of engines with this number, from 0, as indices.
    fn engine_pair(&self, mut number: u64) -> [usize; 2] {
        let engines = self.engines.len() as u64;
        let mut first = 0;
        // Each leader meets one engine fewer than the leader before it.
        while number >= engines - 1 - first {
            number -= engines - 1 - first;
            first += 1;
        }
        [first as usize, (first + 1 + number) as usize]
    }

    /// The pairs of engines that meet, as indices.
    pub fn engine_pairs(&self) -> Vec<[usize; 2]> {
        (0..self.pair_count()).map(|number| self.engine_pair(number)).collect()
    }

    /// The number of games of all pairs together.
    pub fn total_games(&self) -> u64 {
        self.games * self.pair_count()
    }

    /// The pairing of the game with this number, from 0. In a round, every pair of engines plays
    /// the same opening as a game pair: two consecutive games with sides swapped.
    pub fn pairing(&self, number: u64) -> Pairing {
        let (game_pair, pairs) = (number / 2, self.pair_count());
        let [a, b] = self.engine_pair(game_pair % pairs);
        let engines = if number.is_multiple_of(2) { [a, b] } else { [b, a] };
        Pairing { number, round: game_pair / pairs, engines }
    }
}

/// Who plays a game, and with which opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// The number of the game, from 0.
    pub number: u64,
    /// The number of the opening, from 0.
    pub round: u64,
    /// Player 1 and player 2, as indices.
    pub engines: [usize; 2],
}

fn one() -> usize {
    1
}

fn is_one(number: &usize) -> bool {
    *number == 1
}

/// Whether a value is left out of the record, which keeps old records readable.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A match between `engines` engines.
    pub fn settings(engines: usize, format: TournamentFormat) -> MatchSettings {
        let engine = |index: usize| EngineSpec {
            name: format!("e{index}"),
            command: vec!["engine".into()],
            limits: SearchLimits { nodes: Some(1), ..SearchLimits::default() },
            ..EngineSpec::default()
        };
        MatchSettings {
            game: "connect4 6 7 4".into(),
            engines: (0..engines).map(engine).collect(),
            format,
            seeds: 1,
            games: 4,
            seed: 1,
            openings: OpeningSource::Random { plies: 2, balance: Balance::Search },
            sprt: None,
            margin: 0,
            patience: 0,
            recover: false,
            adjudication: AdjudicationRules::default(),
        }
    }

    #[test]
    fn round_robin_and_gauntlet_pair_the_right_engines() {
        assert_eq!(
            settings(3, TournamentFormat::RoundRobin).engine_pairs(),
            [[0, 1], [0, 2], [1, 2]]
        );
        assert_eq!(
            settings(4, TournamentFormat::Gauntlet).engine_pairs(),
            [[0, 1], [0, 2], [0, 3]]
        );
        assert_eq!(settings(3, TournamentFormat::RoundRobin).total_games(), 12);
        let seeded = |seeds| {
            let mut settings = settings(4, TournamentFormat::Gauntlet);
            settings.seeds = seeds;
            settings.engine_pairs()
        };
        assert_eq!(seeded(2), [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3]]);
        // With enough seeds a gauntlet is a round robin.
        assert_eq!(seeded(3), settings(4, TournamentFormat::RoundRobin).engine_pairs());
        assert_eq!(seeded(99), seeded(3));
    }

    #[test]
    fn every_pair_plays_every_opening_with_both_sides() {
        let settings = settings(3, TournamentFormat::RoundRobin);
        let games: Vec<Pairing> =
            (0..settings.total_games()).map(|n| settings.pairing(n)).collect();
        for round in 0..2 {
            for [a, b] in settings.engine_pairs() {
                for engines in [[a, b], [b, a]] {
                    let found =
                        games.iter().filter(|game| game.round == round && game.engines == engines);
                    assert_eq!(found.count(), 1);
                }
            }
        }
        for pair in games.chunks(2) {
            assert_eq!(pair[0].engines, [pair[1].engines[1], pair[1].engines[0]]);
        }
    }
}
