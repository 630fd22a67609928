//! Ends games that are decided before the rules of the game end them: by the engines' scores, by
//! their length or by the solver. Knows nothing of engines and clocks.

use ratlla::any_game::AnyGame;
use ratlla::game::{Outcome, Side};
use ratlla::search::result::ReportedScore;

use crate::record::AdjudicationKind;
use crate::rules::ExactSolver;
use crate::settings::{AdjudicationRules, DrawRule, ResignRule};

/// A game that the arena has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Adjudication {
    /// The rule that applied.
    pub kind: AdjudicationKind,
    /// The result.
    pub outcome: Outcome,
    /// How it applied, for people.
    pub detail: String,
}

/// Follows the scores of one game.
pub struct Adjudicator<'a> {
    rules: &'a AdjudicationRules,
    solver: Option<&'a mut ExactSolver>,
    /// The consecutive latest moves of player 1 and player 2 with such a score.
    streaks: [Streaks; 2],
}

#[derive(Clone, Copy, Debug, Default)]
struct Streaks {
    even: u32,
    winning: u32,
    losing: u32,
}

impl<'a> Adjudicator<'a> {
    /// Follows a new game. Without a solver no game is ended by its result with best play.
    pub fn new(
        rules: &'a AdjudicationRules,
        mut solver: Option<&'a mut ExactSolver>,
    ) -> Adjudicator<'a> {
        if let Some(solver) = &mut solver {
            solver.forget();
        }
        Adjudicator { rules, solver, streaks: [Streaks::default(); 2] }
    }

    /// Adds a move by `mover`, whose engine reported `score`, after `plies` plies of `game`. Returns how
    /// the game ends, if it does and has not ended by its own rules.
    pub fn add(
        &mut self,
        mover: Side,
        score: Option<&str>,
        plies: usize,
        game: &mut dyn AnyGame,
    ) -> Option<Adjudication> {
        if game.outcome().is_some() {
            return None;
        }
        self.count(mover, score.and_then(centipoints));
        let moves = u32::try_from(plies / 2).unwrap_or(u32::MAX);
        self.exact(game)
            .or_else(|| self.resignation(mover).or_else(|| self.resignation(!mover)))
            .or_else(|| self.draw(moves))
            .or_else(|| self.move_limit(moves))
    }

    fn count(&mut self, mover: Side, score: Option<i32>) {
        let AdjudicationRules { draw, resign, .. } = self.rules;
        let extend = |streak: &mut u32, holds: bool| *streak = if holds { *streak + 1 } else { 0 };
        let streaks = &mut self.streaks[mover.index()];
        let score = score.map(i64::from);
        let within = |limit: u32| score.is_some_and(|score| score.abs() <= i64::from(limit));
        extend(&mut streaks.even, draw.is_some_and(|rule| within(rule.score)));
        let is_beyond = |sign: i64| {
            let beyond = |rule: ResignRule| score.is_some_and(|it| sign * it >= rule.score.into());
            resign.is_some_and(beyond)
        };
        extend(&mut streaks.winning, is_beyond(1));
        extend(&mut streaks.losing, is_beyond(-1));
    }

    fn exact(&mut self, game: &mut dyn AnyGame) -> Option<Adjudication> {
        let score = self.solver.as_mut()?.solve(game)?;
        let mover = game.side_to_move();
        let outcome = match score.proved_sign()? {
            1 => Outcome::Win(mover),
            -1 => Outcome::Win(!mover),
            _ => Outcome::Draw,
        };
        let detail = match (outcome, score) {
            (Outcome::Draw, _) => "a draw with best play".to_owned(),
            (Outcome::Win(side), ReportedScore::Win(plies) | ReportedScore::Loss(plies)) => {
                format!("{} wins in at most {plies} plies with best play", player(side))
            }
            (Outcome::Win(side), ReportedScore::Margin(margin)) => {
                format!("{} wins by {} with best play", player(side), margin.abs())
            }
            (Outcome::Win(side), _) => format!("{} wins with best play", player(side)),
        };
        Some(Adjudication { kind: AdjudicationKind::Exact, outcome, detail })
    }

    fn resignation(&self, side: Side) -> Option<Adjudication> {
        let ResignRule { movecount, score, twosided } = self.rules.resign?;
        let other_agrees = self.streaks[(!side).index()].winning >= movecount;
        if self.streaks[side.index()].losing < movecount || (twosided && !other_agrees) {
            return None;
        }
        let (loser, agreed) =
            (player(side), if twosided { ", and the opponent agreed" } else { "" });
        Some(Adjudication {
            kind: AdjudicationKind::Resign,
            outcome: Outcome::Win(!side),
            detail: format!("{loser} saw -{score} or less for {movecount} moves{agreed}"),
        })
    }

    fn draw(&self, moves: u32) -> Option<Adjudication> {
        let DrawRule { movenumber, movecount, score } = self.rules.draw?;
        let is_even = self.streaks.iter().all(|streaks| streaks.even >= movecount);
        (is_even && moves >= movenumber).then(|| Adjudication {
            kind: AdjudicationKind::Draw,
            outcome: Outcome::Draw,
            detail: format!("scores within {score} of 0 for {movecount} moves"),
        })
    }

    fn move_limit(&self, moves: u32) -> Option<Adjudication> {
        let limit = self.rules.max_moves?;
        (moves >= limit).then(|| Adjudication {
            kind: AdjudicationKind::MaxMoves,
            outcome: Outcome::Draw,
            detail: format!("no result after {limit} moves"),
        })
    }
}

fn player(side: Side) -> &'static str {
    match side {
        Side::P1 => "player 1",
        Side::P2 => "player 2",
    }
}

/// A score as engines write it, in centipoints; a proved win or loss is beyond all limits.
fn centipoints(score: &str) -> Option<i32> {
    let (kind, number) = score.split_once(' ').unwrap_or((score, "0"));
    let number: i32 = number.parse().ok()?;
    let decided = |sign: i32| match sign {
        1 => i32::MAX,
        -1 => -i32::MAX,
        _ => 0,
    };
    match kind {
        "cp" => Some(number),
        "win" => Some(decided(1)),
        "loss" => Some(decided(-1)),
        "draw" => Some(0),
        "margin" => Some(decided(number.signum())),
        // `mate 0` is the score of a side that has been mated.
        "mate" => Some(decided(if number > 0 { 1 } else { -1 })),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules;
    use crate::settings::ExactRule;

    /// The first adjudication in a game whose moves have these scores, and after how many plies.
    fn adjudicated(rules: &AdjudicationRules, scores: &[&str]) -> Option<(usize, Adjudication)> {
        let mut game = rules::open("").unwrap();
        let mut adjudicator = Adjudicator::new(rules, None);
        let mut sides = [Side::P1, Side::P2].into_iter().cycle();
        (1..).zip(scores).find_map(|(plies, score)| {
            let mover = sides.next()?;
            Some((plies, adjudicator.add(mover, Some(score), plies, &mut *game)?))
        })
    }

    #[test]
    fn a_draw_needs_both_engines_for_long_enough() {
        let draw = DrawRule { movenumber: 0, movecount: 2, score: 10 };
        let rules = AdjudicationRules { draw: Some(draw), ..AdjudicationRules::default() };
        let (plies, end) = adjudicated(&rules, &["cp 10", "cp -10", "draw", "cp 0"]).unwrap();
        assert_eq!((plies, end.outcome, end.kind), (4, Outcome::Draw, AdjudicationKind::Draw));
        assert_eq!(adjudicated(&rules, &["cp 0", "cp 0", "cp 11", "cp 0", "cp 0"]), None);
        assert_eq!(adjudicated(&rules, &["cp 0", "?", "cp 0", "cp 0"]), None);
        let later = Some(DrawRule { movenumber: 3, ..draw });
        let rules = AdjudicationRules { draw: later, ..rules };
        assert_eq!(adjudicated(&rules, &["cp 0"; 9]).unwrap().0, 6);
    }

    #[test]
    fn a_resignation_may_need_the_opponent_to_agree() {
        let resign = ResignRule { movecount: 2, score: 300, twosided: false };
        let rules = AdjudicationRules { resign: Some(resign), ..AdjudicationRules::default() };
        let scores = ["cp 0", "cp -300", "cp 0", "loss 9", "cp 400", "cp -900", "win 7"];
        let (plies, end) = adjudicated(&rules, &scores).unwrap();
        assert_eq!((plies, end.outcome), (4, Outcome::Win(Side::P1)));
        assert_eq!(adjudicated(&rules, &["cp -300", "cp 0", "cp -299", "cp 0", "cp -300"]), None);
        let twosided = Some(ResignRule { twosided: true, ..resign });
        let rules = AdjudicationRules { resign: twosided, ..rules };
        assert_eq!(adjudicated(&rules, &scores).unwrap().0, 7);
    }

    #[test]
    fn a_long_game_is_a_draw() {
        let rules = AdjudicationRules { max_moves: Some(2), ..AdjudicationRules::default() };
        let (plies, end) = adjudicated(&rules, &["cp 900"; 9]).unwrap();
        assert_eq!((plies, end.outcome, end.kind), (4, Outcome::Draw, AdjudicationKind::MaxMoves));
    }

    /// The rule ends a game after exactly so many moves of both, and after so many plies in a row.
    #[test]
    fn limits_hold_to_the_ply() {
        let first = |rules: &AdjudicationRules, scores: &[&str]| {
            adjudicated(rules, scores).map(|(plies, _)| plies)
        };
        for count in 1..5 {
            let last = 2 * count as usize;
            let rules = AdjudicationRules { max_moves: Some(count), ..Default::default() };
            assert_eq!(first(&rules, &["cp 0"; 20]), Some(last));
            let draw = Some(DrawRule { movenumber: 0, movecount: count, score: 0 });
            let rules = AdjudicationRules { draw, ..Default::default() };
            assert_eq!(first(&rules, &["cp 0"; 20]), Some(last));
            assert_eq!(first(&rules, &["cp 0", "cp 1"].repeat(10)), None);
            let draw = Some(DrawRule { movenumber: count, movecount: 1, score: 0 });
            let rules = AdjudicationRules { draw, ..Default::default() };
            assert_eq!(first(&rules, &["cp 0"; 20]), Some(last.max(2)));
            let resign = Some(ResignRule { movecount: count, score: 1, twosided: false });
            let rules = AdjudicationRules { resign, ..Default::default() };
            assert_eq!(first(&rules, &["cp 0", "cp -1"].repeat(10)), Some(last));
            assert_eq!(first(&rules, &["cp 0", "cp 0"].repeat(10)), None);
            // One better score in between, and the count begins again.
            let relieved =
                [&["cp -1", "cp 0"].repeat(count as usize - 1)[..], &["cp 0"; 2]].concat();
            let again = [&relieved[..], &["cp -1", "cp 0"].repeat(9)].concat();
            assert_eq!(first(&rules, &again), Some(relieved.len() + last - 1));
        }
    }

    /// An engine may be the one that moves when it resigns, or the one that agrees.
    #[test]
    fn a_resignation_takes_effect_when_the_last_of_both_has_agreed() {
        let resign = Some(ResignRule { movecount: 1, score: 100, twosided: true });
        let rules = AdjudicationRules { resign, ..AdjudicationRules::default() };
        for (scores, winner) in
            [(["cp -100", "cp 100"], Side::P2), (["cp 100", "cp -100"], Side::P1)]
        {
            let (plies, end) = adjudicated(&rules, &scores).unwrap();
            assert_eq!((plies, end.outcome), (2, Outcome::Win(winner)));
        }
        assert_eq!(adjudicated(&rules, &["cp -100", "cp 99"]), None);
        assert_eq!(adjudicated(&rules, &["cp 99", "cp -100"]), None);
    }

    #[test]
    fn a_finished_game_is_not_adjudicated() {
        let exact = Some(ExactRule::default());
        let rules = AdjudicationRules { max_moves: Some(1), exact, ..Default::default() };
        let mut solver = ExactSolver::new("", &ExactRule::default()).unwrap();
        for (moves, is_over) in [("moves 1 2 1 2 1 2", false), ("moves 1 2 1 2 1 2 1", true)] {
            let mut game = rules::open("6 7").unwrap();
            rules::set_up(&mut *game, &rules::parse_position(moves)).unwrap();
            let mut adjudicator = Adjudicator::new(&rules, Some(&mut solver));
            let end = adjudicator.add(Side::P1, None, 7, &mut *game);
            assert_eq!(end.is_none(), is_over, "{moves}");
        }
    }

    #[test]
    fn scores_of_all_kinds_have_a_size_and_a_sign() {
        const MOST: i32 = i32::MAX;
        for (score, expected) in [
            ("cp 12", Some(12)),
            ("cp -12", Some(-12)),
            ("draw", Some(0)),
            ("win 7", Some(MOST)),
            ("win 0", Some(MOST)),
            ("loss 7", Some(-MOST)),
            ("loss 0", Some(-MOST)),
            ("margin 4", Some(MOST)),
            ("margin 0", Some(0)),
            ("margin -4", Some(-MOST)),
            ("mate 3", Some(MOST)),
            ("mate 0", Some(-MOST)),
            ("mate -3", Some(-MOST)),
            ("cp x", None),
            ("cp 9999999999", None),
            ("eval 3", None),
            ("", None),
        ] {
            assert_eq!(centipoints(score), expected, "{score}");
        }
    }

    #[test]
    fn the_solver_knows_the_result_with_best_play() {
        let rules = AdjudicationRules { exact: Some(ExactRule::default()), ..Default::default() };
        let mut solver = ExactSolver::new("", &ExactRule::default()).unwrap();
        let mut after = |title: &str, position: &str| {
            let mut game = rules::open(title).unwrap();
            rules::set_up(&mut *game, &rules::parse_position(position)).unwrap();
            Adjudicator::new(&rules, Some(&mut solver)).add(Side::P1, None, 5, &mut *game)
        };
        let lost = after("6 7", "moves 3 3 4 4 5").unwrap();
        assert_eq!((lost.outcome, lost.kind), (Outcome::Win(Side::P1), AdjudicationKind::Exact));
        assert_eq!(lost.detail, "player 1 wins in at most 2 plies with best play");
        assert_eq!(after("4 4", "startpos").unwrap().outcome, Outcome::Draw);
        let kalah = after("kalah 3 2", "startpos").unwrap();
        assert_eq!(kalah.detail, "player 1 wins by 4 with best play");
        // Too hard for so few nodes, and without a solver.
        assert_eq!(after("8 8", "startpos"), None);
        assert_eq!(after("25 25", "startpos"), None);
    }
}
