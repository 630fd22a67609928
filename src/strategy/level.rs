//! The levels below full strength, which err as people do.
//!
//! People overlook things: a threat far ahead before a near one, a diagonal before a row. So a level looks
//! a random number of plies ahead, for each threat anew, and misses what is farther away or harder to see.
//! Among the moves that then seem equally good it chooses by a judgement with a random error.

use rand::RngExt;
use rand::rngs::Xoshiro256PlusPlus;

use super::{Playable, rng};
use crate::game::explain::winning_turn;
use crate::game::{Evaluate, Evaluator, Game};
use crate::limits::Limits;
use crate::search::result::{PvLine, ReportedScore, SearchEnd, SearchResult};
use crate::search::score::Score;
use crate::search::transposition_table::TranspositionTable;
use crate::search::{Pruning, SearchRequest, search};
use crate::settings::Settings;

/// The size of the transposition table, in MiB. A level has one of its own for each move: it must not
/// remember what an earlier search saw.
const TABLE_SIZE: usize = 4;

/// How a level errs.
pub struct StrengthLevel {
    /// Nothing is overlooked within this many plies. Two are one's own lines and the opponent's.
    sure: u32,
    /// How probably it sees one ply farther, again and again, in percent.
    chance: u32,
    /// The most plies that it looks ahead.
    depth: u32,
    /// The greatest error of its judgement, in points.
    error: i32,
}

impl StrengthLevel {
    const ALL: [StrengthLevel; Settings::FULL_LEVEL as usize - 1] = [
        StrengthLevel { sure: 0, chance: 85, depth: 2, error: 120 },
        StrengthLevel { sure: 1, chance: 90, depth: 2, error: 80 },
        StrengthLevel { sure: 2, chance: 40, depth: 4, error: 60 },
        StrengthLevel { sure: 2, chance: 60, depth: 5, error: 45 },
        StrengthLevel { sure: 2, chance: 75, depth: 6, error: 35 },
        StrengthLevel { sure: 3, chance: 80, depth: 8, error: 25 },
        StrengthLevel { sure: 4, chance: 85, depth: 9, error: 18 },
        StrengthLevel { sure: 5, chance: 90, depth: 11, error: 12 },
        StrengthLevel { sure: 6, chance: 95, depth: 13, error: 6 },
    ];

    /// The level of this number; `None` at full strength.
    pub fn numbered(level: u8) -> Option<&'static StrengthLevel> {
        StrengthLevel::ALL.get(usize::from(level.max(1)) - 1)
    }

    /// Searches all moves, forgets what the level overlooks, and sorts the moves by what it thinks of them.
    pub fn choose<G: Playable>(
        &self,
        request: &SearchRequest<'_, G>,
        evaluator: &G::Evaluator,
    ) -> SearchResult<G::Move> {
        let depth = request.limits.depth.map_or(self.depth, |depth| depth.min(self.depth));
        let limits = Limits { depth: Some(depth), ..request.limits.clone() };
        let settings =
            Settings { multi_pv: request.moves.len(), threads: 1, ..request.settings.clone() };
        let own_table = TranspositionTable::new(TABLE_SIZE);
        let tt = own_table.as_ref().unwrap_or(request.tt);
        let every_move = SearchRequest { limits: &limits, settings: &settings, tt, ..*request };
        let mut iterations = Vec::new();
        let mut keep = |found: &SearchResult<G::Move>| iterations.push(Iteration::of(found));
        let mut found = search(&every_move, evaluator, Pruning::FULL, &mut keep);
        iterations.push(Iteration::of(&found));
        let mut sight = Sight { level: self, rng: rng(request), drawn: Vec::new() };
        let mut judged: Vec<(i32, PvLine<G::Move>)> = request
            .moves
            .iter()
            .map(|&mv| {
                let line = sight.seen(request.game, mv, &iterations);
                let line = line.unwrap_or_else(|| at_first_sight(request.game, mv, evaluator));
                let error = sight.rng.random_range(-self.error..=self.error);
                (points(line.score) + error, line)
            })
            .collect();
        judged.sort_by_cached_key(|(points, _)| -points);
        found.lines = judged.into_iter().map(|(_, line)| line).collect();
        found.lines.truncate(request.settings.multi_pv.max(1));
        found.end = SearchEnd::DeepEnough;
        found
    }
}

/// What a search found at one depth.
struct Iteration<M> {
    depth: u32,
    lines: Vec<PvLine<M>>,
}

impl<M: Clone> Iteration<M> {
    fn of(found: &SearchResult<M>) -> Iteration<M> {
        let depth = found.depth.map_or(0, |(depth, _)| depth);
        Iteration { depth, lines: found.lines.clone() }
    }
}

/// How far a level sees this time.
struct Sight<'a, M> {
    level: &'a StrengthLevel,
    rng: Xoshiro256PlusPlus,
    /// The plies that it looks ahead for each threat, by the move that carries it out.
    drawn: Vec<(M, u32)>,
}

impl<M: Copy + Eq> Sight<'_, M> {
    /// What is seen of a move: its line of the deepest iteration whose point is not overlooked.
    fn seen<G: Game<Move = M> + Playable>(
        &mut self,
        game: &G,
        mv: M,
        iterations: &[Iteration<M>],
    ) -> Option<PvLine<M>> {
        let mut own = iterations.iter().rev().filter_map(|Iteration { depth, lines }| {
            let line = lines.iter().find(|line| line.moves.first() == Some(&mv))?;
            Some((*depth, line))
        });
        own.find(|&(depth, line)| match line.score {
            Some(ReportedScore::Win(plies) | ReportedScore::Loss(plies)) => {
                let (threat, concealment) = ending(game, &line.moves);
                let plies = plies as u32;
                plies <= self.level.sure || plies + concealment <= self.plies(threat.unwrap_or(mv))
            }
            _ => depth <= self.plies(mv),
        })
        .map(|(_, line)| line.clone())
    }

    /// The plies that the level looks ahead for a threat: the same for all moves that meet it or not.
    fn plies(&mut self, threat: M) -> u32 {
        if let Some(&(_, plies)) = self.drawn.iter().find(|(drawn, _)| *drawn == threat) {
            return plies;
        }
        let StrengthLevel { sure, chance, depth, .. } = *self.level;
        let mut plies = sure;
        while plies < depth && self.rng.random_range(0..100) < chance {
            plies += 1;
        }
        self.drawn.push((threat, plies));
        plies
    }
}

/// The last move of a line that ends the game, and how hard it is to see. Where the line breaks off before
/// it, a move that wins at once is the last one.
fn ending<G: Playable>(game: &G, line: &[G::Move]) -> (Option<G::Move>, u32) {
    let mut last = game.clone();
    for &mv in line {
        last.play(mv);
    }
    if last.outcome().is_some() {
        return (line.last().copied(), last.concealment());
    }
    let winning = winning_turn(&last, 1).and_then(|turn| turn.first().copied());
    if let Some(mv) = winning {
        last.play(mv);
    }
    (winning, last.concealment())
}

/// A move whose consequences are overlooked: only the position after it is judged.
fn at_first_sight<G: Playable>(game: &G, mv: G::Move, evaluator: &G::Evaluator) -> PvLine<G::Move> {
    let mut after = game.clone();
    after.play(mv);
    let mut evaluator = evaluator.clone();
    evaluator.reset(&after);
    let points = match after.outcome() {
        Some(_) => 0,
        None if after.side_to_move() == game.side_to_move() => evaluator.evaluate(&after),
        None => -evaluator.evaluate(&after),
    };
    PvLine::new(Some(ReportedScore::Points(points)), vec![mv])
}

/// The score of a line as one number.
fn points(score: Option<ReportedScore>) -> i32 {
    match score {
        Some(ReportedScore::Points(points)) => points,
        Some(ReportedScore::Win(plies)) => Score::win_in(plies).points(),
        Some(ReportedScore::Loss(plies)) => Score::loss_in(plies).points(),
        Some(ReportedScore::Draw | ReportedScore::Margin(_)) | None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::super::DIAGONAL_CONCEALMENT;
    use super::*;
    use crate::endgames::EndgameStore;
    use crate::games::connect4;
    use crate::games::connect4::board::{Board, Column};
    use crate::limits::SearchControl;

    /// Connect Four after these columns, counted from 1.
    fn position(moves: &str) -> Board {
        let mut game = connect4::start(&[]).unwrap();
        for column in moves.split_whitespace() {
            game.play(Column(column.parse::<u8>().unwrap() - 1));
        }
        game
    }

    /// The share of seeds with which a level plays this column.
    fn share(level: u8, moves: &str, column: u8) -> f64 {
        const SEEDS: u64 = 100;
        let game = position(moves);
        let evaluator = game.classic_evaluator(&EndgameStore::default());
        let legal = crate::game::explain::legal_moves(&game);
        let tt = TranspositionTable::new(1).unwrap();
        let chosen = |seed: u64| {
            let limits = Limits::default();
            let request = SearchRequest {
                game: &game,
                moves: &legal,
                limits: &limits,
                control: &SearchControl::new(false, false),
                tt: &tt,
                settings: &Settings { seed, ..Settings::default() },
            };
            let level = StrengthLevel::numbered(level).unwrap();
            let [one, two] =
                [(), ()].map(|()| level.choose(&request, &evaluator).best_move().copied());
            assert_eq!(one, two, "a seed always gives the same choice");
            one
        };
        let hits = (1..=SEEDS).filter(|&seed| chosen(seed) == Some(Column(column - 1))).count();
        hits as f64 / SEEDS as f64
    }

    #[test]
    fn nobody_but_beginners_overlooks_a_line_that_is_one_move_away() {
        // Three in a column for the side to move; three in a row of the opponent.
        let (win, block) = ("1 2 1 2 1 2", "1 7 2 7 3");
        for level in 3..8 {
            assert_eq!(share(level, win, 1), 1.0, "level {level}");
            assert_eq!(share(level, block, 4), 1.0, "level {level}");
        }
        for level in [1, 2] {
            assert!(share(level, win, 1) > 0.7, "level {level}");
            assert!((0.5..1.0).contains(&share(level, block, 4)), "level {level}");
        }
    }

    #[test]
    fn diagonals_are_hard_to_see() {
        assert_eq!(position("1 2 2 3 3 4 3 4 4 6 4").concealment(), DIAGONAL_CONCEALMENT);
        for other in ["1 2 1 2 1 2 1", "1 1 2 2 3 3 4"] {
            let won = position(other);
            assert!(won.outcome().is_some());
            assert_eq!(won.concealment(), 0);
        }
    }
}
