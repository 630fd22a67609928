//! The evaluation of the full search: material, mobility and threes.
//!
//! A three that is opened and closed again captures a stone every other turn, so captures available
//! now and threes that can be remade weigh nearly as much as stones. All terms are counted from
//! scratch on the bitboards. Positions in an endgame table are not evaluated but looked up.

use std::sync::Arc;

use super::bits::{self, CELLS};
use super::board::{Board, Move, Phase, STONES};
use super::endgame::Endgames;
use super::endgame::index::MOST;
use crate::game::{Candidate, Evaluate, Evaluator, ExactValue, Game, NOISY, Side};

/// Points for a stone, and the bonus for each stone that has been captured.
const STONE: i32 = 100;
const STONE_WHEN_FEW: i32 = 6;
/// Mobility: points for each step.
const STEP: i32 = 3;
/// Points for a capture by the side to move, by the opponent, who may lose the chance, and for each
/// further capture.
const CAPTURE_NOW: i32 = 70;
const CAPTURE_NEXT: i32 = 35;
const CAPTURE_MORE: i32 = 12;
/// Points for each stone that can step out of a three, to remake it later.
const REMAKE: i32 = 10;
/// Points for each cell where a stone from elsewhere would complete a three.
const GAP: i32 = 4;

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
}

impl WaliEvaluator {
    /// An evaluator that probes this endgame table, if any.
    pub fn new(endgames: Option<Arc<Endgames>>) -> WaliEvaluator {
        WaliEvaluator { endgames }
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

/// What the evaluation counts for one side.
struct Features {
    stones: i32,
    steps: i32,
    captures: i32,
    remakes: i32,
    gaps: i32,
}

impl Features {
    fn of(board: &Board, side: Side) -> Features {
        let own = board.stones(side);
        let empty = board.empty();
        let threes = bits::Threes::of(own);
        let count = |cells: u32| cells.count_ones() as i32;
        Features {
            stones: count(own) + board.in_hand(side) as i32,
            steps: bits::count_all(bits::arrivals(own), empty) as i32,
            captures: bits::count_all(threes.arrivals, empty) as i32,
            remakes: count(bits::in_threes(own) & bits::around(empty)),
            gaps: count(threes.gaps & empty),
        }
    }

    fn mobility(&self) -> i32 {
        STEP * self.steps
    }

    /// The points for threes that can be made.
    fn threes(&self, to_move: bool) -> i32 {
        let first = if to_move { CAPTURE_NOW } else { CAPTURE_NEXT };
        let captures = match self.captures {
            0 => 0,
            count => first + CAPTURE_MORE * (count - 1).min(3),
        };
        captures + REMAKE * self.remakes + GAP * self.gaps
    }
}

/// The points for the stones of `own` against `enemy`.
fn material(own: &Features, enemy: &Features) -> i32 {
    let captured = 2 * STONES as i32 - own.stones - enemy.stones;
    (STONE + STONE_WHEN_FEW * captured) * (own.stones - enemy.stones)
}

impl Evaluate<Board> for WaliEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
        match self.exact_value(board) {
            Some(ExactValue::Win(plies)) => return unproved_win(plies),
            Some(ExactValue::Loss(plies)) => return -unproved_win(plies),
            Some(ExactValue::Draw) => return 0,
            None => {}
        }
        let me = board.side_to_move();
        let (own, enemy) = (Features::of(board, me), Features::of(board, !me));
        material(&own, &enemy) + own.mobility() - enemy.mobility() + own.threes(true)
            - enemy.threes(false)
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

    fn forced(&self, board: &Board) -> Option<Move> {
        is_forced(board).then(|| {
            let mut only = Vec::with_capacity(16);
            self.candidates(board, &mut only);
            only[0].mv
        })
    }

    fn futility_margin(&self) -> Option<i32> {
        Some(STONE / 2)
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
        let (p1, p2) = (Features::of(board, Side::P1), Features::of(board, Side::P2));
        let p1_to_move = board.side_to_move() == Side::P1;
        vec![
            ("stones", material(&p1, &p2)),
            ("room", p1.mobility() - p2.mobility()),
            ("threes", p1.threes(p1_to_move) - p2.threes(!p1_to_move)),
        ]
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
