//! Everything a match depends on, with all defaults filled in. The settings are the first line of
//! the record, so a match can be resumed from its record alone. Knows no files, flags or processes.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::dialect::{Clock, GoParams, Proto};
use crate::stats::sprt::Sprt;

/// A match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchSettings {
    /// The game: the words after `newgame`.
    pub game: String,
    /// The engines: at least two, with distinct names.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: TournamentFormat,
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
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentFormat {
    /// Every engine plays every other
    #[default]
    RoundRobin,
    /// The first engine plays all others
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
    },
    /// These positions in turn: the words after `position`.
    List(Vec<String>),
}

/// An engine of the match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Its name in tables and records.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The dialect it speaks.
    #[serde(default)]
    pub proto: Proto,
    /// Its options; `{seed}` in a value is replaced by a number that changes every round.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Its search limits.
    #[serde(default)]
    pub limits: SearchLimits,
}

/// Search limits of an engine. All given limits apply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchLimits {
    /// Milliseconds per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Depth in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Nodes per move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Base time on the clock in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Increment per move in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inc: Option<u64>,
}

impl SearchLimits {
    /// Whether anything bounds a search.
    pub fn is_some(&self) -> bool {
        let SearchLimits { movetime, depth, nodes, time, .. } = self;
        movetime.is_some() || depth.is_some() || nodes.is_some() || time.is_some()
    }

    /// The `go` parameters under these limits.
    pub fn go(&self, clocks: [Option<Clock>; 2]) -> GoParams {
        GoParams {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.movetime.map(Duration::from_millis),
            clocks,
            infinite: false,
        }
    }
}

impl MatchSettings {
    /// Bounds the cost of the rating computation.
    const MAX_ENGINES: usize = 256;
    /// Keeps game numbers far from overflow.
    const MAX_GAMES: u64 = 1_000_000_000;

    /// Checks what the types cannot express.
    pub fn check(&self) -> anyhow::Result<()> {
        let (games, engines) = (self.games, self.engines.len());
        let (max_games, max_engines) = (MatchSettings::MAX_GAMES, MatchSettings::MAX_ENGINES);
        ensure!(
            (1..=max_games).contains(&games) && games.is_multiple_of(2),
            "games must be an even number in 2..{max_games} (got {games}): every opening is \
             played with both sides"
        );
        ensure!(
            (2..=max_engines).contains(&engines),
            "a match needs 2..{max_engines} engines (got {engines}); add --engine cmd=PROGRAM"
        );
        let mut names = HashSet::new();
        if let Some(engine) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            bail!("duplicate engine name '{}': set name=NAME", engine.name);
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().context("sprt")?;
            ensure!(engines == 2, "sprt: a test compares two engines (got {engines})");
        }
        Ok(())
    }

    /// [`MatchSettings::margin`] as a duration.
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }

    /// [`MatchSettings::patience`] as a duration.
    pub fn patience(&self) -> Duration {
        Duration::from_millis(self.patience)
    }

    /// The pairs of engines that meet, as indices.
    pub fn engine_pairs(&self) -> Vec<[usize; 2]> {
        let all = 0..self.engines.len();
        match self.format {
            TournamentFormat::Gauntlet => all.skip(1).map(|other| [0, other]).collect(),
            TournamentFormat::RoundRobin => {
                all.clone().flat_map(|a| all.clone().skip(a + 1).map(move |b| [a, b])).collect()
            }
        }
    }

    /// The number of games of all pairs together.
    pub fn total_games(&self) -> u64 {
        self.games * self.engine_pairs().len() as u64
    }

    /// The pairing of the game with this number, from 0. In a round, every pair of engines plays
    /// the same opening as a game pair: two consecutive games with sides swapped.
    pub fn pairing(&self, number: u64) -> Pairing {
        let pairs = self.engine_pairs();
        let game_pair = number / 2;
        let round = game_pair / pairs.len() as u64;
        let [a, b] = pairs[(game_pair % pairs.len() as u64) as usize];
        Pairing { number, round, engines: if number.is_multiple_of(2) { [a, b] } else { [b, a] } }
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

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A match between `engines` engines.
    pub fn settings(engines: usize, format: TournamentFormat) -> MatchSettings {
        let engine = |index: usize| EngineSpec {
            name: format!("e{index}"),
            command: vec!["engine".into()],
            dir: None,
            proto: Proto::Native,
            options: BTreeMap::new(),
            limits: SearchLimits::default(),
        };
        MatchSettings {
            game: "connect4 6 7 4".into(),
            engines: (0..engines).map(engine).collect(),
            format,
            games: 4,
            seed: 1,
            openings: OpeningSource::Random { plies: 2 },
            sprt: None,
            margin: 0,
            patience: 0,
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
