//! The evaluation of the full search: [`features`] times fitted weights.
//!
//! A three that is opened and closed again captures a stone every other turn, so a capture that is
//! available weighs more than a stone. Positions in an endgame table are not evaluated but looked
//! up.

use std::sync::Arc;

use super::bits::{self, CELLS};
use super::board::{Board, Move, Phase};
use super::classic;
use super::endgame::Endgames;
use super::endgame::index::MOST;
use super::features::{self, DROP, MOVE, WaliTerm};
use super::weights::WEIGHTS;
use crate::game::{Candidate, Evaluate, Evaluator, ExactValue, Game, NOISY, Side, WeightSet};

/// The margin of reverse futility pruning.
const FUTILITY_MARGIN: i32 = 50;

/// Steps are indexed by both cells.
const HISTORY_OF_DROP: u16 = (CELLS * CELLS) as u16;
const HISTORY_OF_CAPTURE: u16 = HISTORY_OF_DROP + CELLS as u16;
const HISTORY_OF_PASS: u16 = HISTORY_OF_CAPTURE + CELLS as u16;

/// Fewer stones than this cannot capture.
const LEAST_TO_WIN: usize = 3;

/// Evaluates each position from scratch.
#[derive(Clone, Debug, Default)]
pub struct WaliEvaluator {
    endgames: Option<Arc<Endgames>>,
    set: WeightSet,
}

impl WaliEvaluator {
    /// An evaluator with these weights that probes this endgame table, if any.
    pub fn new(endgames: Option<Arc<Endgames>>, set: WeightSet) -> WaliEvaluator {
        WaliEvaluator { endgames, set }
    }

    /// The exact value of the position without its past.
    fn exact_value(&self, board: &Board) -> Option<ExactValue> {
        let (p1, p2) = (board.stones(Side::P1), board.stones(Side::P2));
        if (p1 | p2).count_ones() > 2 * MOST as u32 {
            return None;
        }
        let few = |stones: u32| (stones.count_ones() as usize) < LEAST_TO_WIN;
        if board.phase() == Phase::Move && few(p1) && few(p2) {
            return Some(ExactValue::Draw);
        }
        self.endgames.as_ref()?.look_up_board(board)
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

fn drop_phase_points(board: &Board) -> [i32; DROP.len()] {
    weighted(features::of_drop_phase(board), &WEIGHTS[..DROP.len()])
}

fn move_phase_points(board: &Board) -> [i32; MOVE.len()] {
    weighted(features::of_move_phase(board), &WEIGHTS[DROP.len()..])
}

impl Evaluate<Board> for WaliEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
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
            Phase::Move => move_phase_points(board).iter().sum(),
        }
    }
}

/// Whether there is only one candidate: the only legal move, or one that wins at once.
fn is_forced(board: &Board) -> bool {
    let me = board.side_to_move();
    if board.phase() == Phase::Drop {
        return board.drops(me).count_ones() <= 1;
    }
    let (own, empty) = (board.stones(me), board.empty());
    let captures = || bits::count_all(bits::Threes::of(own).arrivals, empty);
    let wins_at_once = board.stones(!me).is_power_of_two();
    match bits::count_all(bits::arrivals(own), empty) {
        0 => true,
        1 => wins_at_once || captures() == 0,
        _ => wins_at_once && captures() > 0,
    }
}

impl Evaluator<Board> for WaliEvaluator {
    /// All legal moves, unless one captures the last enemy stone.
    fn candidates(&self, board: &Board, list: &mut Vec<Candidate<Move>>) {
        let first = list.len();
        let me = board.side_to_move();
        match board.phase() {
            Phase::Drop => list.extend(bits::each(board.drops(me)).map(drop_candidate)),
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
    fn score_moves(&self, board: &Board, candidates: &mut [Candidate<Move>]) {
        let me = board.side_to_move();
        for candidate in candidates {
            if let Move::Drop(cell) = candidate.mv {
                let own = board.stones(me) | 1 << cell;
                let features = features::of_dropped(own, board.stones(!me));
                candidate.score = weighted(features, &WEIGHTS).iter().sum::<i32>() / 4;
            }
        }
    }

    fn forced(&self, board: &Board) -> Option<Move> {
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
    fn probe_endgame(&self, board: &Board) -> Option<ExactValue> {
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

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        if self.exact_value(board).is_some() {
            let points = board.side_to_move().view(self.evaluate(board));
            return vec![("endgame", points)];
        }
        let points: Vec<(WaliTerm, i32)> = match board.phase() {
            Phase::Drop => {
                DROP.iter().map(|feature| feature.1).zip(drop_phase_points(board)).collect()
            }
            Phase::Move => {
                MOVE.iter().map(|feature| feature.1).zip(move_phase_points(board)).collect()
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

fn drop_candidate(cell: u8) -> Candidate<Move> {
    Candidate {
        mv: Move::Drop(cell),
        score: bits::around(1 << cell).count_ones() as i32,
        history_index: HISTORY_OF_DROP + u16::from(cell),
    }
}

/// Generates steps with the scores that order them.
struct StepGenerator<'a> {
    board: &'a Board,
    enemies: u32,
    /// Cells where an enemy step would make three.
    blocks: u32,
    /// Own stones in threes.
    own_threes: u32,
    /// Enemy stones in threes.
    enemy_threes: u32,
}

impl<'a> StepGenerator<'a> {
    fn new(board: &'a Board) -> StepGenerator<'a> {
        let me = board.side_to_move();
        let enemies = board.stones(!me);
        let threes = bits::Threes::of(enemies).arrivals;
        StepGenerator {
            board,
            enemies,
            blocks: threes.iter().fold(0, |cells, three| cells | three),
            own_threes: bits::in_threes(board.stones(me)),
            enemy_threes: bits::in_threes(enemies),
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
            history_index: u16::from(from) * CELLS as u16 + u16::from(to),
        }
    }

    fn capture(&self, from: u8, to: u8, cell: u8) -> Candidate<Move> {
        let in_three = self.enemy_threes >> cell & 1;
        let near_block = bits::around(1 << cell) & self.blocks != 0;
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
