//! The opinion: stones, the room they have, and the threes they make or can make again.
//!
//! A three that can be left and made again takes a stone every other turn, so the number of
//! moves that would take a stone right now, and of threes that could soon be remade, is worth
//! nearly as much as stones. A board is a pair of words, so all of it is counted anew for each
//! position.

use std::sync::Arc;

use super::bits::{self, CELLS};
use super::board::{Board, Move, Phase, STONES};
use super::endgame::Endgames;
use super::endgame::index::MOST;
use crate::game::{Candidate, Evaluate, Evaluator, ExactValue, Game, Side};

/// Points for a stone, and how much more it is worth for each stone that is gone.
const STONE: i32 = 100;
const STONE_WHEN_FEW: i32 = 6;
/// Points for each step that can be made.
const STEP: i32 = 3;
/// Points for being able to take a stone, for the side to move and for the other one, which has
/// yet to keep that chance; and for each further way.
const CAPTURE_NOW: i32 = 70;
const CAPTURE_NEXT: i32 = 35;
const CAPTURE_MORE: i32 = 12;
/// Points for each stone that can step out of a three, to step back and take.
const REMAKE: i32 = 10;
/// Points for each place where a stone from elsewhere would complete a three.
const GAP: i32 = 4;

const HISTORY_OF_DROP: u16 = (CELLS * CELLS) as u16;
const HISTORY_OF_CAPTURE: u16 = HISTORY_OF_DROP + CELLS as u16;
const HISTORY_OF_PASS: u16 = HISTORY_OF_CAPTURE + CELLS as u16;

/// Fewer stones than this never make three.
const LEAST_TO_WIN: usize = 3;

/// The judge of positions. It has nothing to remember between moves.
#[derive(Clone, Debug, Default)]
pub struct WaliEvaluator {
    endgames: Option<Arc<Endgames>>,
}

impl WaliEvaluator {
    /// A judge that looks positions up in this table, if there is one.
    pub fn new(endgames: Option<Arc<Endgames>>) -> WaliEvaluator {
        WaliEvaluator { endgames }
    }

    /// The truth about the position if its past is left out.
    fn truth(&self, board: &Board) -> Option<ExactValue> {
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

/// Points for a position that would be won in so many plies if its past did not matter.
fn nearly_won(plies: usize) -> i32 {
    5000 - plies as i32
}

/// What one side has.
struct Shape {
    stones: i32,
    steps: i32,
    captures: i32,
    remakes: i32,
    gaps: i32,
}

impl Shape {
    fn of(board: &Board, side: Side) -> Shape {
        let own = board.stones(side);
        let empty = board.empty();
        let threes = bits::Threes::of(own);
        let count = |cells: u32| cells.count_ones() as i32;
        Shape {
            stones: count(own) + board.in_hand(side) as i32,
            steps: bits::count_all(bits::arrivals(own), empty) as i32,
            captures: bits::count_all(threes.arrivals, empty) as i32,
            remakes: count(bits::in_threes(own) & bits::around(empty)),
            gaps: count(threes.gaps & empty),
        }
    }

    fn room(&self) -> i32 {
        STEP * self.steps
    }

    /// The points for threes to come, for the side to move or the other one.
    fn threes(&self, moves_now: bool) -> i32 {
        let first = if moves_now { CAPTURE_NOW } else { CAPTURE_NEXT };
        let captures = match self.captures {
            0 => 0,
            more => first + CAPTURE_MORE * (more - 1).min(3),
        };
        captures + REMAKE * self.remakes + GAP * self.gaps
    }
}

/// The points for the stones of `own` against `enemy`.
fn stones(own: &Shape, enemy: &Shape) -> i32 {
    let gone = 2 * STONES as i32 - own.stones - enemy.stones;
    (STONE + STONE_WHEN_FEW * gone) * (own.stones - enemy.stones)
}

impl Evaluate<Board> for WaliEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
        match self.truth(board) {
            Some(ExactValue::Win(plies)) => return nearly_won(plies),
            Some(ExactValue::Loss(plies)) => return -nearly_won(plies),
            Some(ExactValue::Draw) => return 0,
            None => {}
        }
        let me = board.side_to_move();
        let (own, enemy) = (Shape::of(board, me), Shape::of(board, !me));
        stones(&own, &enemy) + own.room() - enemy.room() + own.threes(true) - enemy.threes(false)
    }
}

/// Whether there is just one move, or one of those that are there wins at once.
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
    fn reset(&mut self, _board: &Board) {}

    fn play(&mut self, _before: &Board, _mv: Move) {}

    fn undo(&mut self, _before: &Board, _mv: Move) {}

    /// All legal moves, unless one takes the last enemy stone.
    fn candidates(&self, board: &Board, list: &mut Vec<Candidate<Move>>) {
        let first = list.len();
        let me = board.side_to_move();
        match board.phase() {
            Phase::Drop => list.extend(bits::each(board.drops(me)).map(drop_candidate)),
            Phase::Move => {
                if let Some(win) = Steps::of(board).generate(list) {
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

    /// A draw is one whatever the past; a win or a loss only if it comes before the past can
    /// interfere.
    fn probe_endgame(&self, board: &Board) -> Option<ExactValue> {
        let truth = self.truth(board)?;
        match truth {
            ExactValue::Draw => Some(truth),
            ExactValue::Win(plies) | ExactValue::Loss(plies) => {
                (plies <= board.history_free_plies()).then_some(truth)
            }
        }
    }

    fn history_len(&self) -> usize {
        usize::from(HISTORY_OF_PASS) + 1
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        if self.truth(board).is_some() {
            let points = board.side_to_move().view(self.evaluate(board));
            return vec![("endgame", points)];
        }
        let (p1, p2) = (Shape::of(board, Side::P1), Shape::of(board, Side::P2));
        let first = board.side_to_move() == Side::P1;
        vec![
            ("stones", stones(&p1, &p2)),
            ("room", p1.room() - p2.room()),
            ("threes", p1.threes(first) - p2.threes(!first)),
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

/// What the steps of a position are ranked by.
struct Steps<'a> {
    board: &'a Board,
    enemies: u32,
    /// Cells where an enemy would take a stone.
    blocks: u32,
    /// Own stones in threes.
    standing: u32,
    /// Enemy stones in threes.
    enemy_standing: u32,
}

impl<'a> Steps<'a> {
    fn of(board: &'a Board) -> Steps<'a> {
        let me = board.side_to_move();
        let enemies = board.stones(!me);
        let threes = bits::Threes::of(enemies).arrivals;
        Steps {
            board,
            enemies,
            blocks: threes.iter().fold(0, |cells, three| cells | three),
            standing: bits::in_threes(board.stones(me)),
            enemy_standing: bits::in_threes(enemies),
        }
    }

    /// Appends all steps. Returns one that takes the last enemy stone, if there is one.
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
        let opens = self.standing >> from & 1;
        Candidate {
            mv: Move::Step { from, to, captured: None },
            score: (40 * blocks + 8 * opens) as i32,
            history_index: u16::from(from) * CELLS as u16 + u16::from(to),
        }
    }

    fn capture(&self, from: u8, to: u8, cell: u8) -> Candidate<Move> {
        let stands = self.enemy_standing >> cell & 1;
        let near_block = bits::around(1 << cell) & self.blocks != 0;
        Candidate {
            mv: Move::Step { from, to, captured: Some(cell) },
            score: 100 + 20 * stands as i32 + 30 * i32::from(near_block),
            history_index: HISTORY_OF_CAPTURE + u16::from(cell),
        }
    }
}
