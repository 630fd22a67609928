//! Counts results: who won how often against whom, and why games were lost.

use std::collections::BTreeMap;

use crate::record::GameRecord;
use crate::settings::Settings;
use crate::stats::Pentanomial;
use crate::stats::elo::{Strength, strength};
use crate::stats::ratings::{Encounter, Rating, ratings};
use crate::stats::sprt::{ExactValue, Sprt};

/// Wins, draws and losses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Games won.
    pub won: u64,
    /// Games drawn.
    pub drawn: u64,
    /// Games lost.
    pub lost: u64,
}

impl Score {
    fn add(&mut self, half_points: u64) {
        match half_points {
            2 => self.won += 1,
            1 => self.drawn += 1,
            _ => self.lost += 1,
        }
    }

    /// How many games it is made of.
    pub fn games(&self) -> u64 {
        self.won + self.drawn + self.lost
    }

    /// Points: a draw is half a win.
    pub fn points(&self) -> f64 {
        self.won as f64 + self.drawn as f64 / 2.0
    }

    /// The share of the points, if there were any games.
    pub fn share(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }
}

/// What two engines have done against each other, seen by the first.
#[derive(Clone, Debug)]
pub struct PairTally {
    /// Both, as indices.
    pub players: [usize; 2],
    /// All games.
    pub score: Score,
    /// The games in which the first was player 1, and player 2.
    pub by_side: [Score; 2],
    /// Pairs of games with the same opening and swapped sides.
    pub pairs: Pentanomial,
}

impl PairTally {
    /// What the pairs say about the strength of the first.
    pub fn strength(&self) -> Option<Strength> {
        strength(&self.pairs)
    }
}

/// The reasons for which an engine lost.
#[derive(Clone, Debug, Default)]
pub struct Losses {
    /// How often for which reason.
    pub reasons: BTreeMap<String, u64>,
    /// The longest time by which it was late, in milliseconds.
    pub worst_overshoot: Option<u64>,
}

/// All that a record says.
#[derive(Clone, Debug)]
pub struct Tally {
    /// What each two engines have done.
    pub pairings: Vec<PairTally>,
    /// All games of each engine.
    pub scores: Vec<Score>,
    /// Why each engine lost.
    pub losses: Vec<Losses>,
    /// The state of the test, if there is one.
    pub sprt: Option<SprtState>,
}

impl Tally {
    /// Counts `games`, which are in order. Games after the decision of a test do not count.
    pub fn new(settings: &Settings, games: &[GameRecord]) -> Tally {
        let pairings = settings.pairings().into_iter().map(|players| PairTally {
            players,
            score: Score::default(),
            by_side: [Score::default(); 2],
            pairs: [0; 5],
        });
        let count = settings.engines.len();
        let mut tally = Tally {
            pairings: pairings.collect(),
            scores: vec![Score::default(); count],
            losses: vec![Losses::default(); count],
            sprt: None,
        };
        let sprt = settings.sprt.map(|sprt| SprtState::of_games(sprt, games));
        let end = sprt.as_ref().and_then(SprtState::decided_after).unwrap_or(u64::MAX);
        let counted: Vec<&GameRecord> = games.iter().filter(|game| game.number < end).collect();
        for game in &counted {
            tally.add(settings, game);
        }
        for pair in counted.windows(2).filter(|pair| is_pair(pair[0], pair[1])) {
            let index = (pair[0].number / 2) as usize % tally.pairings.len();
            tally.pairings[index].pairs[pair_points(pair[0], pair[1])] += 1;
        }
        tally.sprt = sprt;
        tally
    }

    fn add(&mut self, settings: &Settings, game: &GameRecord) {
        let fixture = settings.fixture(game.number);
        let points = game.result.half_points();
        for (&player, points) in fixture.players.iter().zip(points) {
            self.scores[player].add(points);
            if points == 0 {
                let losses = &mut self.losses[player];
                *losses.reasons.entry(game.reason.clone()).or_default() += 1;
                let overshoot = game.fault.as_ref().and_then(|fault| fault.overshoot);
                losses.worst_overshoot = losses.worst_overshoot.max(overshoot);
            }
        }
        let index = (game.number / 2) as usize % self.pairings.len();
        let pairing = &mut self.pairings[index];
        let side = usize::from(fixture.players[0] != pairing.players[0]);
        pairing.score.add(points[side]);
        pairing.by_side[side].add(points[side]);
    }

    /// How many games count.
    pub fn games(&self) -> u64 {
        self.pairings.iter().map(|pairing| pairing.score.games()).sum()
    }

    /// Ratings of all engines.
    pub fn ratings(&self) -> Vec<Rating> {
        let encounter = |pairing: &PairTally| Encounter {
            players: pairing.players,
            points: pairing.score.points(),
            games: pairing.score.games() as f64,
        };
        let encounters: Vec<Encounter> = self.pairings.iter().map(encounter).collect();
        ratings(self.scores.len(), &encounters)
    }
}

/// Whether two games are the two halves of a pair.
fn is_pair(first: &GameRecord, second: &GameRecord) -> bool {
    first.number.is_multiple_of(2) && second.number == first.number + 1
}

/// Twice the points of the engine that was player 1 first.
fn pair_points(first: &GameRecord, second: &GameRecord) -> usize {
    (first.result.half_points()[0] + second.result.half_points()[1]) as usize
}

/// A test that looks at pairs in the order of their numbers, and at none after one that is still
/// missing. So its decision does not depend on which games end first, which would favour those who
/// win quickly.
#[derive(Clone, Debug)]
pub struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// The pairs it has seen.
    pub pairs: Pentanomial,
    /// The logarithm of the likelihood ratio after them.
    pub ratio: f64,
    /// What that means.
    pub exact_value: ExactValue,
}

impl SprtState {
    /// A test that has seen nothing.
    pub fn new(sprt: Sprt) -> SprtState {
        SprtState { sprt, pairs: [0; 5], ratio: 0.0, exact_value: ExactValue::Open }
    }

    /// A test that has seen all it can of `games`, which are in order.
    pub fn of_games(sprt: Sprt, games: &[GameRecord]) -> SprtState {
        let mut state = SprtState::new(sprt);
        for pair in games.chunks_exact(2) {
            if !state.see(&pair[0], &pair[1]) {
                break;
            }
        }
        state
    }

    /// How many pairs it has seen.
    pub fn seen(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Looks at a pair if it is the next one and nothing is decided yet.
    pub fn see(&mut self, first: &GameRecord, second: &GameRecord) -> bool {
        let is_next = is_pair(first, second) && first.number == 2 * self.seen();
        if !is_next || self.exact_value != ExactValue::Open {
            return false;
        }
        self.pairs[pair_points(first, second)] += 1;
        self.ratio = self.sprt.log_likelihood_ratio(&self.pairs);
        self.exact_value = self.sprt.exact_value(self.ratio);
        true
    }

    /// How many games it took to decide, if it is decided.
    pub fn decided_after(&self) -> Option<u64> {
        (self.exact_value != ExactValue::Open).then(|| 2 * self.seen())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::settings::Format;
    use crate::settings::tests::settings;
    use crate::stats::sprt::Model;

    fn game(number: u64, result: GameResult) -> GameRecord {
        GameRecord {
            number,
            round: number / 2,
            p1: String::new(),
            p2: String::new(),
            setup: String::new(),
            opening: Vec::new(),
            moves: Vec::new(),
            times: Vec::new(),
            scores: Vec::new(),
            depths: Vec::new(),
            nodes: Vec::new(),
            result,
            reason: "line".to_owned(),
            fault: None,
        }
    }

    /// Pairs of games in which the first engine makes these half points.
    fn pairs(points: &[usize]) -> Vec<GameRecord> {
        use GameResult::{Draw, P1Win, P2Win};
        let results =
            [[P2Win, P1Win], [P2Win, Draw], [P1Win, P1Win], [P1Win, Draw], [P1Win, P2Win]];
        let all = points.iter().flat_map(|&points| results[points]);
        all.zip(0..).map(|(result, number)| game(number, result)).collect()
    }

    #[test]
    fn results_are_counted_for_the_right_engine() {
        let tally = Tally::new(&settings(2, Format::RoundRobin), &pairs(&[4, 1]));
        let [pairing] = &tally.pairings[..] else { panic!("one pair of engines") };
        assert_eq!(pairing.score, Score { won: 2, drawn: 1, lost: 1 });
        assert_eq!(pairing.by_side[0], Score { won: 1, drawn: 0, lost: 1 });
        assert_eq!(pairing.by_side[1], Score { won: 1, drawn: 1, lost: 0 });
        assert_eq!(pairing.pairs, [0, 1, 0, 0, 1]);
        assert_eq!(tally.scores[1], Score { won: 1, drawn: 1, lost: 2 });
        assert_eq!(tally.losses[0].reasons["line"], 1);
    }

    #[test]
    fn half_a_pair_counts_as_a_game_only() {
        let mut games = pairs(&[4, 4]);
        games.remove(1);
        let tally = Tally::new(&settings(2, Format::RoundRobin), &games);
        assert_eq!((tally.games(), tally.pairings[0].pairs), (3, [0, 0, 0, 0, 1]));
    }

    fn test() -> Sprt {
        Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: Model::Normalized }
    }

    #[test]
    fn a_test_waits_for_a_pair_that_is_missing() {
        let mut games = pairs(&[4; 30]);
        let all = SprtState::of_games(test(), &games);
        assert_eq!(all.exact_value, ExactValue::Stronger);
        games.remove(5);
        let waiting = SprtState::of_games(test(), &games);
        assert_eq!((waiting.seen(), waiting.exact_value), (2, ExactValue::Open));
    }

    #[test]
    fn games_after_the_decision_do_not_count() {
        let mut settings = settings(2, Format::RoundRobin);
        settings.sprt = Some(test());
        let (some, more) = (pairs(&[4; 30]), pairs(&[&[4; 30][..], &[0; 9]].concat()));
        let tallies = [some, more].map(|games| Tally::new(&settings, &games));
        assert_eq!(tallies[0].games(), tallies[1].games());
        assert_eq!(tallies[1].scores[0].lost, 0);
        assert!(tallies[0].games() < 60);
    }
}
