//! The evaluation of the full search: [`features`] times fitted weights.
//!
//! A three that is opened and closed again captures a stone every other turn, so a capture that is
//! available weighs more than a stone. Positions in an endgame table are looked up.

use std::sync::Arc;

use super::bits::{self, MOST_CELLS, Shape, THREE};
use super::board::{Board, Move, Phase};
use super::classic;
use super::endgame::Endgames;
use super::endgame::builtin::BuiltinTable;
use super::features::{self, DROP, MOVE, WaliTerm};
use super::weights::WEIGHTS;
use crate::game::{Candidate, Evaluate, Evaluator, ExactValue, Game, NOISY, Side, WeightSet};

/// The margin of reverse futility pruning.
const FUTILITY_MARGIN: i32 = 50;

/// Steps are indexed by both cells.
const HISTORY_OF_DROP: u16 = (MOST_CELLS * MOST_CELLS) as u16;
const HISTORY_OF_CAPTURE: u16 = HISTORY_OF_DROP + MOST_CELLS as u16;
const HISTORY_OF_PASS: u16 = HISTORY_OF_CAPTURE + MOST_CELLS as u16;

/// Evaluates each position from scratch.
#[derive(Clone, Default)]
pub struct WaliEvaluator {
    loaded: Option<Arc<Endgames>>,
    builtin: Option<Arc<BuiltinTable>>,
    /// No position with more stones is in a table.
    most_stones: u32,
    set: WeightSet,
}

impl WaliEvaluator {
    /// An evaluator with these weights that probes the endgame table from a file, if any.
    pub fn new(loaded: Option<Arc<Endgames>>, set: WeightSet) -> WaliEvaluator {
        let most_stones = loaded.as_ref().map_or(0, |table| 2 * table.index().most() as u32);
        WaliEvaluator { loaded, builtin: None, most_stones, set }
    }

    /// The same evaluator that also probes this table, as soon as it is complete.
    pub fn with_builtin(self, table: Arc<BuiltinTable>) -> WaliEvaluator {
        let most_stones = self.most_stones.max(2 * table.most() as u32);
        WaliEvaluator { builtin: Some(table), most_stones, ..self }
    }

    /// Whether a table has all positions with up to this many stones a side.
    pub fn has_table_of(&self, most: usize) -> bool {
        self.most_stones >= 2 * most as u32
    }

    /// The exact value of the position without its past.
    fn exact_value<S: Shape>(&self, board: &Board<S>) -> Option<ExactValue> {
        let (p1, p2) = (board.stones(Side::P1), board.stones(Side::P2));
        if (p1 | p2).count_ones() > self.most_stones.max(2 * THREE as u32) {
            return None;
        }
        if board.phase() == Phase::Move && is_harmless(p1) && is_harmless(p2) {
            return Some(ExactValue::Draw);
        }
        let loaded = self.loaded.as_ref().and_then(|table| table.look_up_board(board));
        loaded.or_else(|| self.builtin.as_ref()?.get()?.look_up_board(board))
    }
}

/// Whether a side with these stones can never capture again.
fn is_harmless(stones: u32) -> bool {
    // Nothing is left without the lowest two. Counting takes longer.
    let rest = stones & stones.wrapping_sub(1);
    rest & rest.wrapping_sub(1) == 0
}

/// What has to be added to these points for the side to move: a side that can capture does not lose
/// against one that cannot.
fn correction<S: Shape>(board: &Board<S>, points: i32) -> i32 {
    let me = board.side_to_move();
    match [me, !me].map(|side| is_harmless(board.stones(side))) {
        _ if board.phase() == Phase::Drop => 0,
        [false, true] => (-points).max(0),
        [true, false] => (-points).min(0),
        _ => 0,
    }
}

/// Points for a win in this many plies that the past of the position might spoil.
fn unproved_win(plies: usize) -> i32 {
    5000 - plies as i32
}

/// The points of each feature.
fn weighted<const N: usize>(features: [i32; N], weights: &[i16]) -> [i32; N] {
    std::array::from_fn(|index| features[index] * i32::from(weights[index]))
}

fn drop_phase_points<S: Shape>(board: &Board<S>) -> [i32; DROP.len()] {
    weighted(features::of_drop_phase(board), &WEIGHTS[..DROP.len()])
}

fn move_phase_points<S: Shape>(board: &Board<S>) -> [i32; MOVE.len()] {
    weighted(features::of_move_phase(board), &WEIGHTS[DROP.len()..])
}

impl<S: Shape> Evaluate<Board<S>> for WaliEvaluator {
    fn evaluate(&self, board: &Board<S>) -> i32 {
        match self.exact_value(board) {
            Some(ExactValue::Win(plies)) => return unproved_win(plies),
            Some(ExactValue::Loss(plies)) => return -unproved_win(plies),
            Some(ExactValue::Draw) => return 0,
            None => {}
        }
        if self.set == WeightSet::Classic {
            return classic::evaluate(board);
        }
        match board.phase() {
            Phase::Drop => drop_phase_points(board).iter().sum(),
            Phase::Move => {
                let points = move_phase_points(board).iter().sum();
                points + correction(board, points)
            }
        }
    }

    fn terms(&self, board: &Board<S>) -> Vec<(&'static str, i32)> {
        if self.exact_value(board).is_some() {
            let points = board.side_to_move().view(self.evaluate(board));
            return vec![("endgame", points)];
        }
        let points: Vec<(WaliTerm, i32)> = match board.phase() {
            Phase::Drop => {
                DROP.iter().map(|feature| feature.1).zip(drop_phase_points(board)).collect()
            }
            Phase::Move => {
                let points = move_phase_points(board);
                let correction = correction(board, points.iter().sum());
                let terms = MOVE.iter().map(|feature| feature.1).zip(points);
                terms.chain([(WaliTerm::Stones, correction)]).collect()
            }
        };
        let terms = [
            ("stones", WaliTerm::Stones),
            ("room", WaliTerm::Room),
            ("threes", WaliTerm::Threes),
            ("tempo", WaliTerm::Tempo),
        ];
        let sum = |wanted| {
            points.iter().filter(|(term, _)| *term == wanted).map(|(_, points)| points).sum()
        };
        terms.map(|(name, term)| (name, board.side_to_move().view(sum(term)))).to_vec()
    }
}

/// Whether there is only one candidate: the only legal move, or one that wins at once.
fn is_forced<S: Shape>(board: &Board<S>) -> bool {
    let me = board.side_to_move();
    if board.phase() == Phase::Drop {
        return board.drops(me).count_ones() <= 1;
    }
    let (shape, own, empty) = (board.shape(), board.stones(me), board.empty());
    let captures = || bits::count_all(bits::Threes::of(shape, own).arrivals, empty);
    let wins_at_once = board.stones(!me).is_power_of_two();
    match bits::count_all(shape.arrivals(own), empty) {
        0 => true,
        1 => wins_at_once || captures() == 0,
        _ => wins_at_once && captures() > 0,
    }
}

impl<S: Shape> Evaluator<Board<S>> for WaliEvaluator {
    /// All legal moves, unless one captures the last enemy stone.
    fn candidates(&self, board: &Board<S>, list: &mut Vec<Candidate<Move>>) {
        let first = list.len();
        let me = board.side_to_move();
        match board.phase() {
            Phase::Drop => list.extend(
                bits::each(board.drops(me)).map(|cell| drop_candidate(board.shape(), cell)),
            ),
            Phase::Move => {
                if let Some(win) = StepGenerator::new(board).generate(list) {
                    list.truncate(first);
                    list.push(win);
                    return;
                }
            }
        }
        if list.len() == first {
            list.push(Candidate { mv: Move::Pass, score: 0, history_index: HISTORY_OF_PASS });
        }
    }

    /// Scores a drop by the evaluation after it: the order of drops decides how deep the search sees
    /// into the move phase.
    fn score_moves(&self, board: &Board<S>, candidates: &mut [Candidate<Move>]) {
        let me = board.side_to_move();
        for candidate in candidates {
            if let Move::Drop(cell) = candidate.mv {
                let own = board.stones(me) | 1 << cell;
                let features = features::of_dropped(board.shape(), own, board.stones(!me));
                candidate.score = weighted(features, &WEIGHTS).iter().sum::<i32>() / 4;
            }
        }
    }

    fn forced(&self, board: &Board<S>) -> Option<Move> {
        is_forced(board).then(|| {
            let mut only = Vec::with_capacity(16);
            self.candidates(board, &mut only);
            only[0].mv
        })
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(FUTILITY_MARGIN)
    }

    /// The past cannot spoil a draw, and a win or a loss only if it takes too long.
    fn probe_endgame(&self, board: &Board<S>) -> Option<ExactValue> {
        let value = self.exact_value(board)?;
        match value {
            ExactValue::Draw => Some(value),
            ExactValue::Win(plies) | ExactValue::Loss(plies) => {
                (plies <= board.history_free_plies()).then_some(value)
            }
        }
    }

    fn history_len(&self) -> usize {
        usize::from(HISTORY_OF_PASS) + 1
    }
}

fn drop_candidate<S: Shape>(shape: S, cell: u8) -> Candidate<Move> {
    Candidate {
        mv: Move::Drop(cell),
        score: shape.around(1 << cell).count_ones() as i32,
        history_index: HISTORY_OF_DROP + u16::from(cell),
    }
}

/// Generates steps with the scores that order them.
struct StepGenerator<'a, S: Shape> {
    board: &'a Board<S>,
    enemies: u32,
    /// Cells where an enemy step would make three.
    blocks: u32,
    /// Own stones in threes.
    own_threes: u32,
    /// Enemy stones in threes.
    enemy_threes: u32,
}

impl<'a, S: Shape> StepGenerator<'a, S> {
    fn new(board: &'a Board<S>) -> StepGenerator<'a, S> {
        let me = board.side_to_move();
        let (shape, enemies) = (board.shape(), board.stones(!me));
        let threes = bits::Threes::of(shape, enemies).arrivals;
        StepGenerator {
            board,
            enemies,
            blocks: threes.iter().fold(0, |cells, three| cells | three),
            own_threes: shape.in_threes(board.stones(me)),
            enemy_threes: shape.in_threes(enemies),
        }
    }

    /// Appends all steps. Returns one that captures the last enemy stone, if any.
    fn generate(&self, list: &mut Vec<Candidate<Move>>) -> Option<Candidate<Move>> {
        let is_last = self.enemies.is_power_of_two();
        let mut win = None;
        self.board.each_step(|from, to, captures| {
            if !captures {
                list.push(self.quiet(from, to));
                return;
            }
            for cell in bits::each(self.enemies) {
                let capture = self.capture(from, to, cell);
                list.push(capture);
                if is_last {
                    win = Some(capture);
                }
            }
        });
        win
    }

    fn quiet(&self, from: u8, to: u8) -> Candidate<Move> {
        let blocks = self.blocks >> to & 1;
        let opens = self.own_threes >> from & 1;
        Candidate {
            mv: Move::Step { from, to, captured: None },
            score: (40 * blocks + 8 * opens) as i32,
            history_index: u16::from(from) * MOST_CELLS as u16 + u16::from(to),
        }
    }

    fn capture(&self, from: u8, to: u8, cell: u8) -> Candidate<Move> {
        let in_three = self.enemy_threes >> cell & 1;
        let near_block = self.board.shape().around(1 << cell) & self.blocks != 0;
        Candidate {
            mv: Move::Step { from, to, captured: Some(cell) },
            score: NOISY + 20 * in_three as i32 + 30 * i32::from(near_block),
            history_index: HISTORY_OF_CAPTURE + u16::from(cell),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use crate::games::wali::bits::Standard;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_evaluation_is_the_sum_of_weighted_features() {
        let mut rng = SmallRng::seed_from_u64(6);
        let evaluator = WaliEvaluator::default();
        let mut moves = Vec::new();
        for _ in 0..100 {
            let mut board = Board::new();
            while board.outcome().is_none() {
                if evaluator.exact_value(&board).is_none() {
                    let features = features::features(&board).into_iter();
                    let sum: i32 = features.map(|(index, n)| n * i32::from(WEIGHTS[index])).sum();
                    let sum = sum + correction(&board, sum);
                    assert_eq!(evaluator.evaluate(&board), sum, "{}", board.position_text());
                    let terms: i32 = evaluator.terms(&board).iter().map(|term| term.1).sum();
                    assert_eq!(board.side_to_move().view(sum), terms);
                }
                moves.clear();
                board.legal_moves(&mut moves);
                board.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn a_side_that_can_capture_does_not_count_as_lost() {
        let evaluator = WaliEvaluator::default();
        let mut rng = SmallRng::seed_from_u64(8);
        let mut corrected = 0;
        for _ in 0..20_000 {
            let mut cells: Vec<u32> = (0..30).collect();
            let mut take = |count: usize| {
                (0..count).fold(0, |set, _| {
                    set | 1 << cells.swap_remove(rng.random_range(0..cells.len()))
                })
            };
            let stones = [take(3), take(2)];
            for side in [Side::P1, Side::P2] {
                let board = Board::from_stones(Standard, stones, side, Phase::Move, 0);
                let points = side.view(evaluator.evaluate(&board));
                assert!(points >= 0, "{}", board.position_text());
                corrected += i32::from(points == 0);
            }
        }
        assert!(corrected > 0, "the weights alone would not do");
    }

    #[test]
    fn features_are_counted_for_both_sides() {
        let board = |text: &str| {
            let words: Vec<&str> = text.split(' ').collect();
            Board::new().parse_position(&words).unwrap()
        };
        // Player 1 can capture with c3-c4.
        let moving = board("cells ....../.1.1../..1.../22..../...... p1 move");
        let counts = features::of_move_phase(&moving);
        let value = |name: &str| counts[MOVE.iter().position(|feature| feature.0 == name).unwrap()];
        assert_eq!(value("stones"), 1);
        assert_eq!(value("stones, times stones captured"), 19);
        assert_eq!(value("steps to empty cells"), 4 + 4 + 4 - 5);
        assert_eq!(value("a capture now"), 1);
        assert_eq!(value("a capture by the opponent next, negative"), 0);
        assert_eq!(value("pairs of neighbours"), -1);
        assert_eq!(value("pairs with one cell between"), 1);
        let dropping = board("cells ....../....../..1.../2...../...... p2 drop");
        let counts = features::of_drop_phase(&dropping);
        assert_eq!(counts, [3 - 4, 25 - 24, 0, 0, 0, 0, 0, -1, 1]);
        assert_eq!(features::names().len(), features::FEATURES);
    }

    #[test]
    fn drops_are_ordered_by_what_they_lead_to() {
        let board = Board::new();
        let mut list = Vec::new();
        let evaluator = WaliEvaluator::default();
        evaluator.candidates(&board, &mut list);
        evaluator.score_moves(&board, &mut list);
        let score = |text: &str| {
            let mv = board.parse_move(text).unwrap();
            list.iter().find(|candidate| candidate.mv == mv).unwrap().score
        };
        // In a corner a stone has fewer steps, but takes fewer cells from later drops.
        assert_eq!(score("a1"), score("f5"));
        assert_ne!(score("a1"), score("c3"));
    }
}
