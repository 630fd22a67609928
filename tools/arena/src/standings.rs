//! Aggregates finished games: scores, head-to-head results, reasons for losses and the state of the
//! SPRT. Knows no engines or files.

use std::collections::BTreeMap;

use crate::record::GameRecord;
use crate::repeats::SeenGames;
use crate::settings::MatchSettings;
use crate::stats::elo::{EloEstimate, estimate};
use crate::stats::ratings::{PairScore, Rating, ratings};
use crate::stats::sprt::{Sprt, SprtDecision};
use crate::stats::{Pentanomial, Wdl};

/// The games between two engines, from the first one's point of view.
#[derive(Clone, Debug)]
pub struct HeadToHead {
    /// Both engines, as indices.
    pub engines: [usize; 2],
    /// All games.
    pub wdl: Wdl,
    /// The games with the first engine as player 1, and as player 2.
    pub by_side: [Wdl; 2],
    /// Complete game pairs.
    pub pairs: Pentanomial,
    /// Games that either engine forfeited.
    pub forfeits: u64,
}

impl HeadToHead {
    /// The Elo difference from the game pairs; `None` without any.
    pub fn elo(&self) -> Option<EloEstimate> {
        estimate(&self.pairs)
    }
}

/// Why an engine lost.
#[derive(Clone, Debug, Default)]
pub struct LossReasons {
    /// Losses by reason.
    pub counts: BTreeMap<String, u64>,
    /// How many of the losses were forfeits.
    pub forfeits: u64,
    /// The largest time overrun, in milliseconds.
    pub worst_overshoot: Option<u64>,
}

/// The results of a match.
#[derive(Clone, Debug)]
pub struct Standings {
    /// One entry for each pair of engines that meet.
    pub head_to_head: Vec<HeadToHead>,
    /// The results of each engine against all others.
    pub wdl: Vec<Wdl>,
    /// Why each engine lost.
    pub losses: Vec<LossReasons>,
    /// The SPRT, if the match has one.
    pub sprt: Option<SprtState>,
    /// How many games repeat an earlier one.
    pub repeated: u64,
}

impl Standings {
    /// The results of `games`, which must be in order. Games after the decision of the SPRT are
    /// ignored.
    pub fn new<'a>(
        settings: &MatchSettings,
        games: impl Iterator<Item = &'a GameRecord> + Clone,
    ) -> Standings {
        let head_to_head = settings.engine_pairs().into_iter().map(|engines| HeadToHead {
            engines,
            wdl: Wdl::default(),
            by_side: [Wdl::default(); 2],
            pairs: [0; 5],
            forfeits: 0,
        });
        let count = settings.engines.len();
        let mut sprt = settings.sprt.map(SprtState::new);
        if let Some(sprt) = &mut sprt {
            sprt.extend(games.clone());
        }
        let end = sprt.as_ref().and_then(SprtState::decided_after).unwrap_or(u64::MAX);
        let mut standings = Standings {
            head_to_head: head_to_head.collect(),
            wdl: vec![Wdl::default(); count],
            losses: vec![LossReasons::default(); count],
            sprt,
            repeated: 0,
        };
        let mut seen = SeenGames::default();
        let mut previous: Option<&GameRecord> = None;
        for game in games.filter(|game| game.number < end) {
            standings.add(settings, game);
            standings.repeated += u64::from(seen.add(settings, game).is_some());
            if let Some(first) = previous.replace(game).filter(|first| is_pair(first, game)) {
                standings.head_to_head_of(game).pairs[pair_points(first, game)] += 1;
            }
        }
        standings
    }

    fn add(&mut self, settings: &MatchSettings, game: &GameRecord) {
        let engines = settings.pairing(game.number).engines;
        let half_points = game.result.half_points();
        for (engine, half_points) in engines.into_iter().zip(half_points) {
            self.wdl[engine].add(half_points);
            if half_points == 0 {
                let losses = &mut self.losses[engine];
                *losses.counts.entry(game.reason.clone()).or_default() += 1;
                losses.forfeits += u64::from(game.forfeit.is_some());
                let overshoot = game.forfeit.as_ref().and_then(|forfeit| forfeit.overshoot);
                losses.worst_overshoot = losses.worst_overshoot.max(overshoot);
            }
        }
        let result = self.head_to_head_of(game);
        let side = usize::from(engines[0] != result.engines[0]);
        result.wdl.add(half_points[side]);
        result.by_side[side].add(half_points[side]);
        result.forfeits += u64::from(game.forfeit.is_some());
    }

    fn head_to_head_of(&mut self, game: &GameRecord) -> &mut HeadToHead {
        let index = (game.number / 2) as usize % self.head_to_head.len();
        &mut self.head_to_head[index]
    }

    /// The number of games that count.
    pub fn games(&self) -> u64 {
        self.head_to_head.iter().map(|result| result.wdl.games()).sum()
    }

    /// How many of them were forfeits.
    pub fn forfeits(&self) -> u64 {
        self.head_to_head.iter().map(|result| result.forfeits).sum()
    }

    /// The ratings of all engines.
    pub fn ratings(&self) -> Vec<Rating> {
        let score = |result: &HeadToHead| PairScore {
            engines: result.engines,
            points: result.wdl.points(),
            games: result.wdl.games() as f64,
        };
        let scores: Vec<PairScore> = self.head_to_head.iter().map(score).collect();
        ratings(self.wdl.len(), &scores)
    }

    /// All engines with their ratings, best first.
    pub fn ranking(&self) -> Vec<(usize, Rating)> {
        let mut ranking: Vec<(usize, Rating)> = self.ratings().into_iter().enumerate().collect();
        ranking.sort_by(|(_, a), (_, b)| b.elo.total_cmp(&a.elo));
        ranking
    }
}

/// Whether two games form a game pair.
fn is_pair(first: &GameRecord, second: &GameRecord) -> bool {
    first.number.is_multiple_of(2) && second.number == first.number + 1
}

/// The half points that the first engine of a pairing made in a game pair.
fn pair_points(first: &GameRecord, second: &GameRecord) -> usize {
    (first.result.half_points()[0] + second.result.half_points()[1]) as usize
}

/// A running SPRT. It takes game pairs strictly in order and stops at the first gap: if the decision
/// depended on which games end first, it would favour engines that win quickly.
#[derive(Clone, Debug)]
pub struct SprtState {
    /// The test.
    pub sprt: Sprt,
    /// The game pairs so far.
    pub pairs: Pentanomial,
    /// The games of these pairs.
    pub wdl: Wdl,
    /// Their log-likelihood ratio.
    pub llr: f64,
    /// The decision it implies.
    pub decision: SprtDecision,
}

impl SprtState {
    /// A test without any games.
    pub fn new(sprt: Sprt) -> SprtState {
        SprtState {
            sprt,
            pairs: [0; 5],
            wdl: Wdl::default(),
            llr: 0.0,
            decision: SprtDecision::Continue,
        }
    }

    /// Adds game pairs from `games`, which must be in order and start with the next pair, up to the
    /// first gap or the decision.
    pub fn extend<'a>(&mut self, mut games: impl Iterator<Item = &'a GameRecord>) {
        while let (Some(first), Some(second)) = (games.next(), games.next()) {
            let is_next = is_pair(first, second) && first.number == 2 * self.pair_count();
            if !is_next || self.decision != SprtDecision::Continue {
                return;
            }
            self.pairs[pair_points(first, second)] += 1;
            self.wdl.add(first.result.half_points()[0]);
            self.wdl.add(second.result.half_points()[1]);
            self.llr = self.sprt.llr(&self.pairs, &self.wdl);
            self.decision = self.sprt.decide(self.llr);
        }
    }

    /// The number of game pairs so far.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// The number of games it took to reach a decision; `None` if the test is still running.
    pub fn decided_after(&self) -> Option<u64> {
        (self.decision != SprtDecision::Continue).then(|| 2 * self.pair_count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::GameResult;
    use crate::settings::TournamentFormat;
    use crate::settings::tests::settings;
    use crate::stats::sprt::EloModel;

    fn game(number: u64, result: GameResult) -> GameRecord {
        GameRecord {
            number,
            round: number / 2,
            result,
            reason: "line".to_owned(),
            ..GameRecord::default()
        }
    }

    /// Game pairs in which the first engine makes these half points.
    fn pairs(points: &[usize]) -> Vec<GameRecord> {
        use GameResult::{Draw, P1Win, P2Win};
        let results =
            [[P2Win, P1Win], [P2Win, Draw], [P1Win, P1Win], [P1Win, Draw], [P1Win, P2Win]];
        let all = points.iter().flat_map(|&points| results[points]);
        all.zip(0..).map(|(result, number)| game(number, result)).collect()
    }

    #[test]
    fn results_are_credited_to_the_right_engine() {
        let games = pairs(&[4, 1]);
        let standings = Standings::new(&settings(2, TournamentFormat::RoundRobin), games.iter());
        let [result] = &standings.head_to_head[..] else { panic!("one pair of engines") };
        assert_eq!(result.wdl, Wdl { wins: 2, draws: 1, losses: 1 });
        assert_eq!(result.by_side[0], Wdl { wins: 1, draws: 0, losses: 1 });
        assert_eq!(result.by_side[1], Wdl { wins: 1, draws: 1, losses: 0 });
        assert_eq!(result.pairs, [0, 1, 0, 0, 1]);
        assert_eq!(standings.wdl[1], Wdl { wins: 1, draws: 1, losses: 2 });
        assert_eq!(standings.losses[0].counts["line"], 1);
    }

    #[test]
    fn an_incomplete_pair_counts_only_as_a_game() {
        let mut games = pairs(&[4, 4]);
        games.remove(1);
        let standings = Standings::new(&settings(2, TournamentFormat::RoundRobin), games.iter());
        assert_eq!(standings.games(), 3);
        assert_eq!(standings.head_to_head[0].pairs, [0, 0, 0, 0, 1]);
    }

    fn sprt() -> Sprt {
        Sprt { elo0: 0.0, elo1: 100.0, alpha: 0.05, beta: 0.05, model: EloModel::Normalized }
    }

    fn after(games: &[GameRecord]) -> SprtState {
        let mut state = SprtState::new(sprt());
        state.extend(games.iter());
        state
    }

    #[test]
    fn the_sprt_waits_for_a_missing_game() {
        let mut games = pairs(&[4; 30]);
        assert_eq!(after(&games).decision, SprtDecision::AcceptElo1);
        games.remove(5);
        let waiting = after(&games);
        assert_eq!((waiting.pair_count(), waiting.decision), (2, SprtDecision::Continue));
    }

    #[test]
    fn games_after_the_decision_do_not_count() {
        let mut settings = settings(2, TournamentFormat::RoundRobin);
        settings.sprt = Some(sprt());
        let (some, more) = (pairs(&[4; 30]), pairs(&[&[4; 30][..], &[0; 9]].concat()));
        let [some, more] = [some, more].map(|games| Standings::new(&settings, games.iter()));
        assert_eq!(some.games(), more.games());
        assert_eq!(more.wdl[0].losses, 0);
        assert!(some.games() < 60);
    }

    /// A counted game is one before the decision: the same list with one more game changes nothing.
    #[test]
    fn the_game_after_the_decision_is_the_first_that_does_not_count() {
        let mut settings = settings(2, TournamentFormat::RoundRobin);
        settings.sprt = Some(sprt());
        let all = pairs(&[4; 30]);
        let end = after(&all).decided_after().unwrap();
        assert!(end.is_multiple_of(2) && end < 60, "{end}");
        for count in 0..60 {
            let state = after(&all[..count]);
            let is_decided = count as u64 >= end;
            assert_eq!(state.decided_after(), is_decided.then_some(end), "{count}");
            // Only whole pairs are evidence, and none after the decision.
            assert_eq!(state.pair_count(), (count as u64).min(end) / 2);
            assert_eq!(state.wdl.games(), 2 * state.pair_count());
            let standings = Standings::new(&settings, all[..count].iter());
            assert_eq!(standings.games(), (count as u64).min(end));
        }
    }

    #[test]
    fn the_games_of_the_sprt_are_those_of_the_first_engine() {
        for (points, wdl) in [
            (4, Wdl { wins: 2, draws: 0, losses: 0 }),
            (3, Wdl { wins: 1, draws: 1, losses: 0 }),
            (2, Wdl { wins: 1, draws: 0, losses: 1 }),
            (1, Wdl { wins: 0, draws: 1, losses: 1 }),
            (0, Wdl { wins: 0, draws: 0, losses: 2 }),
        ] {
            let state = after(&pairs(&[points]));
            assert_eq!((state.wdl, state.pairs[points]), (wdl, 1));
        }
    }

    /// The second game of one pair and the first of the next are no pair, though they follow.
    #[test]
    fn a_pair_is_two_games_with_one_opening() {
        let settings = settings(2, TournamentFormat::RoundRobin);
        let games = pairs(&[4, 4, 4]);
        let standings = Standings::new(&settings, games[1..5].iter());
        assert_eq!(standings.head_to_head[0].pairs, [0, 0, 0, 0, 1]);
        assert_eq!(standings.games(), 4);
    }

    #[test]
    fn losses_are_counted_by_reason_with_the_worst_overshoot() {
        use crate::engine::forfeit::ForfeitKind;
        use crate::record::ForfeitRecord;
        let mut games = pairs(&[4, 4, 4]);
        for (game, overshoot) in
            games.iter_mut().zip([None, Some(20), Some(90), Some(30), None, None])
        {
            let Some(overshoot) = overshoot else { continue };
            game.reason = "time forfeit".to_owned();
            game.forfeit = Some(ForfeitRecord {
                engine: "e1".to_owned(),
                kind: ForfeitKind::TimeForfeit,
                detail: String::new(),
                overshoot: Some(overshoot),
            });
        }
        let standings = Standings::new(&settings(2, TournamentFormat::RoundRobin), games.iter());
        let [winner, loser] = &standings.losses[..] else { panic!("two engines") };
        assert!(winner.counts.is_empty() && winner.forfeits == 0, "{winner:?}");
        assert_eq!((loser.counts["line"], loser.counts["time forfeit"]), (3, 3));
        assert_eq!((loser.forfeits, loser.worst_overshoot), (3, Some(90)));
        assert_eq!((standings.forfeits(), standings.head_to_head[0].forfeits), (3, 3));
    }

    #[test]
    fn the_best_engine_is_ranked_first_and_repeats_are_counted() {
        let settings = settings(3, TournamentFormat::RoundRobin);
        // The engine with the higher index wins, whatever its side.
        let result = |number: u64| {
            let [p1, p2] = settings.pairing(number).engines;
            if p1 > p2 { GameResult::P1Win } else { GameResult::P2Win }
        };
        let games: Vec<GameRecord> = (0..12).map(|number| game(number, result(number))).collect();
        let standings = Standings::new(&settings, games.iter());
        let order: Vec<usize> = standings.ranking().into_iter().map(|(engine, _)| engine).collect();
        assert_eq!(order, [2, 1, 0]);
        // All games are alike but for their engines, so the second round repeats the first.
        assert_eq!(standings.repeated, 6);
    }
}
