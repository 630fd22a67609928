//! What is to be played, by whom and how: all that a match depends on, with every default filled
//! in. It is written to the record, so a match can be resumed from its record alone.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use crate::engine::dialect::Proto;
use crate::stats::sprt::Sprt;

/// A match or a tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The game: the words after `newgame`.
    pub game: String,
    /// The participants: at least two, with different names.
    pub engines: Vec<EngineSpec>,
    /// Who plays whom.
    pub format: Format,
    /// How many games each two engines play: an even number, as each opening is played twice.
    pub games: u64,
    /// What all chance depends on.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// When two engines have played enough.
    pub sprt: Option<Sprt>,
    /// Milliseconds that a move may take too long without harm.
    pub margin: u64,
    /// Milliseconds that an answer may be overdue before it is given up.
    pub patience: u64,
}

/// Who plays whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody plays everybody.
    #[default]
    RoundRobin,
    /// The first engine plays all others.
    Gauntlet,
}

/// How games begin.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Openings {
    /// With so many random moves that give no side a clear advantage.
    Random {
        /// How many.
        plies: u32,
    },
    /// With these positions, in turn: the words after `position`.
    List(Vec<String>),
}

/// One participant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// What it is called in tables and records.
    pub name: String,
    /// The program and its arguments.
    pub command: Vec<String>,
    /// The directory in which it is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The dialect that it speaks.
    #[serde(default)]
    pub proto: Proto,
    /// Its options; `{seed}` in a value stands for a number that differs from pair to pair.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// What it may use for a move.
    #[serde(default)]
    pub limits: Limits,
}

/// What an engine may use for a move. All that are given hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Milliseconds for each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds on its clock when a game begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<u64>,
    /// Milliseconds that its clock gains with each move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inc: Option<u64>,
}

impl Limits {
    /// Whether there is any.
    pub fn is_some(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.is_timed()
    }

    /// Whether any of them is a matter of time.
    pub fn is_timed(&self) -> bool {
        self.movetime.is_some() || self.time.is_some()
    }
}

impl Settings {
    /// No match has more participants: their ratings would take too long to work out.
    const MOST_ENGINES: usize = 256;
    /// No two engines play more games: more could not even be counted.
    const MOST_GAMES: u64 = 1_000_000_000;

    /// Whether this is a match that can be played, wherever it comes from.
    pub fn check(&self) -> anyhow::Result<()> {
        let (games, engines) = (self.games, self.engines.len());
        ensure!(
            games > 0 && games.is_multiple_of(2),
            "games: {games} is not an even number above 0, and each opening is played twice"
        );
        ensure!(games <= Settings::MOST_GAMES, "games: no more than {}", Settings::MOST_GAMES);
        ensure!(
            engines >= 2,
            "a match needs two engines or more: --engine cmd=PROGRAM …, once for each"
        );
        let most = Settings::MOST_ENGINES;
        ensure!(engines <= most, "no more than {most} engines can play, not {engines}");
        let mut names = HashSet::new();
        if let Some(twice) = self.engines.iter().find(|engine| !names.insert(&engine.name)) {
            bail!("two engines are called '{}': give them different names", twice.name);
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|reason| anyhow!("sprt: {reason}"))?;
            ensure!(engines == 2, "sprt: it compares two engines, not {engines}");
        }
        Ok(())
    }

    /// See [`Settings::margin`].
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin)
    }

    /// See [`Settings::patience`].
    pub fn patience(&self) -> Duration {
        Duration::from_millis(self.patience)
    }

    /// The pairs of engines that play each other, as indices.
    pub fn pairings(&self) -> Vec<[usize; 2]> {
        let all = 0..self.engines.len();
        match self.format {
            Format::Gauntlet => all.skip(1).map(|other| [0, other]).collect(),
            Format::RoundRobin => {
                all.clone().flat_map(|a| all.clone().skip(a + 1).map(move |b| [a, b])).collect()
            }
        }
    }

    /// How many games there are in all.
    pub fn total_games(&self) -> u64 {
        self.games * self.pairings().len() as u64
    }

    /// The game with this number, from 0. All pairs of engines play an opening before anybody
    /// plays the next one; the two games of a pair with swapped sides have neighbouring numbers.
    pub fn fixture(&self, number: u64) -> Fixture {
        let pairings = self.pairings();
        let pair = number / 2;
        let round = pair / pairings.len() as u64;
        let [a, b] = pairings[(pair % pairings.len() as u64) as usize];
        Fixture { number, round, players: if number.is_multiple_of(2) { [a, b] } else { [b, a] } }
    }
}

/// A game to be played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fixture {
    /// Its number in the match, from 0.
    pub number: u64,
    /// The number of its opening, from 0.
    pub round: u64,
    /// Players 1 and 2, as indices.
    pub players: [usize; 2],
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A match between so many engines.
    pub fn settings(engines: usize, format: Format) -> Settings {
        let engine = |index: usize| EngineSpec {
            name: format!("e{index}"),
            command: vec!["engine".into()],
            dir: None,
            proto: Proto::Native,
            options: BTreeMap::new(),
            limits: Limits::default(),
        };
        Settings {
            game: "connect4 6 7 4".into(),
            engines: (0..engines).map(engine).collect(),
            format,
            games: 4,
            seed: 1,
            openings: Openings::Random { plies: 2 },
            sprt: None,
            margin: 0,
            patience: 0,
        }
    }

    #[test]
    fn everybody_meets_everybody_or_the_first() {
        assert_eq!(settings(3, Format::RoundRobin).pairings(), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(settings(4, Format::Gauntlet).pairings(), [[0, 1], [0, 2], [0, 3]]);
        assert_eq!(settings(3, Format::RoundRobin).total_games(), 12);
    }

    #[test]
    fn every_opening_is_played_twice_by_every_pair() {
        let settings = settings(3, Format::RoundRobin);
        let games: Vec<Fixture> =
            (0..settings.total_games()).map(|n| settings.fixture(n)).collect();
        for round in 0..2 {
            for [a, b] in settings.pairings() {
                for players in [[a, b], [b, a]] {
                    let found =
                        games.iter().filter(|game| game.round == round && game.players == players);
                    assert_eq!(found.count(), 1);
                }
            }
        }
        for pair in games.chunks(2) {
            assert_eq!(pair[0].players, [pair[1].players[1], pair[1].players[0]]);
        }
    }
}
