//! The evaluation of the full search: open lines, threats, bombs and tempo.
//!
//! A line is open to a side if the other side has no piece in it. As a turn is two moves, a line
//! with two pieces missing may be completed at once, and one with three missing within two turns,
//! so even sparse lines score. Lines are counted from scratch on the bitboards, all of one direction
//! at a time: explosions, which move half the board, cost nothing extra.
//!
//! Knows nothing of searches, and of explosions no more than the bomb and its targets.

use super::bits::{self, BOARD, DIRECTIONS, SIZE};
use super::board::{Board, MOST_MOVES, Move};
use super::threats;
use crate::game::{Candidate, Evaluate, Evaluator, Game, Side};

/// Points for an open line with one, two or three pieces.
const OPEN_LINE: [i32; 3] = [3, 7, 12];
/// Points for each empty cell that completes a line.
const THREAT: i32 = 12;
/// Points for a bomb on the board, and for each enemy piece in its row.
const BOMB: i32 = 20;
const BOMB_TARGET: i32 = 8;
/// Points for the side to move if it has two moves left in its turn.
const TEMPO: i32 = 20;

/// Drops are indexed by cell.
const HISTORY_OF_BOOM: u16 = 64;

/// Evaluates each position from scratch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoomEvaluator;

/// The terms of the evaluation, for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SideTerms {
    lines: i32,
    threats: i32,
    bomb: i32,
}

impl SideTerms {
    fn of(board: &Board, side: Side) -> SideTerms {
        let (own, enemy) = (board.stones(side), board.stones(!side));
        let empty = BOARD & !(own | enemy);
        let bomb = board.bomb(side);
        let targets =
            if bomb == 0 { 0 } else { (enemy & bits::row(bits::row_of(bomb))).count_ones() as i32 };
        SideTerms {
            lines: open_lines(own, enemy),
            threats: THREAT * (bits::completing(own) & empty).count_ones() as i32,
            bomb: BOMB * i32::from(bomb != 0) + BOMB_TARGET * targets,
        }
    }

    fn sum(self) -> i32 {
        self.lines + self.threats + self.bomb
    }
}

/// The points for all lines without a piece of `enemy`.
fn open_lines(own: u64, enemy: u64) -> i32 {
    let free = BOARD & !enemy;
    let mut points = 0;
    for step in DIRECTIONS {
        let pairs = free & free >> step;
        let open = pairs & pairs >> (2 * step);
        let (low_one, low_two) = (own ^ own >> step, own & own >> step);
        let (high_one, high_two) = (low_one >> (2 * step), low_two >> (2 * step));
        let one = (low_one ^ high_one) & !(low_two | high_two);
        let two = (low_one & high_one)
            | (low_two & !(high_one | high_two))
            | (high_two & !(low_one | low_two));
        let three = (low_one & high_two) | (low_two & high_one);
        for (lines, weight) in [one, two, three].into_iter().zip(OPEN_LINE) {
            points += weight * (lines & open).count_ones() as i32;
        }
    }
    points
}

fn tempo(board: &Board) -> i32 {
    if board.moves_again() { TEMPO } else { 0 }
}

impl Evaluate<Board> for BoomEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
        let me = board.side_to_move();
        SideTerms::of(board, me).sum() - SideTerms::of(board, !me).sum() + tempo(board)
    }
}

impl Evaluator<Board> for BoomEvaluator {
    /// - A drop that wins at once is the only candidate.
    /// - Else, with two moves left in the turn, the first of two drops that win together is the only
    ///   drop.
    /// - Else, with one move left, the drops after which the opponent wins with neither one nor two
    ///   drops; all others lose in two or three plies. If every drop loses, one of those that lose
    ///   latest suffices.
    /// - An explosion is a candidate unless a drop wins at once: its effect cannot be foreseen.
    fn candidates(&self, board: &Board, list: &mut Vec<Candidate<Move>>) {
        let candidates = Candidates::of(board);
        list.extend(bits::each(candidates.drops).map(drop_candidate));
        if candidates.boom {
            list.push(boom_candidate(board));
        }
    }

    fn forced(&self, board: &Board) -> Option<Move> {
        let candidates = Candidates::of(board);
        match candidates.drops.count_ones() + u32::from(candidates.boom) {
            1 if candidates.boom => Some(Move::Boom),
            1 => Some(drop_candidate(candidates.drops).mv),
            _ => None,
        }
    }

    fn history_len(&self) -> usize {
        usize::from(HISTORY_OF_BOOM) + 1
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let (p1, p2) = (SideTerms::of(board, Side::P1), SideTerms::of(board, Side::P2));
        vec![
            ("lines", p1.lines - p2.lines),
            ("threats", p1.threats - p2.threats),
            ("bombs", p1.bomb - p2.bomb),
            ("tempo", board.side_to_move().view(tempo(board))),
        ]
    }
}

/// The candidates of a position: see [`BoomEvaluator::candidates`].
struct Candidates {
    /// The landing cells of the drops.
    drops: u64,
    /// Whether to explode the bomb.
    boom: bool,
}

impl Candidates {
    fn of(board: &Board) -> Candidates {
        let me = board.side_to_move();
        let (own, landing) = (board.stones(me), board.landing());
        let wins = threats::wins(own, landing);
        if wins != 0 {
            return Candidates { drops: lowest(wins), boom: false };
        }
        let drops = if board.moves_again() {
            let mut starts = 0;
            threats::doubles(own, landing, |double| starts |= double.starts);
            if starts == 0 { landing } else { lowest(starts) }
        } else {
            defences(board, landing)
        };
        Candidates { drops, boom: board.bomb(me) != 0 }
    }
}

/// The candidate drops with one move left in the turn: see [`BoomEvaluator::candidates`].
fn defences(board: &Board, landing: u64) -> u64 {
    let enemy = board.stones(!board.side_to_move());
    let completing = bits::completing(enemy);
    let urgent = completing & landing;
    let props = (completing & BOARD) >> 1 & landing;
    let lasting = if urgent == 0 {
        landing & !props
    } else if urgent.is_power_of_two() {
        urgent & !props
    } else {
        0
    };
    if lasting == 0 {
        return lowest(landing);
    }
    // The opponent has no second move before the move limit.
    if board.number() + 2 > MOST_MOVES {
        return lasting;
    }
    let mut safe = lasting;
    threats::doubles(enemy, landing, |double| safe &= double.stops);
    if safe == 0 { lowest(lasting) } else { safe }
}

fn lowest(cells: u64) -> u64 {
    cells & cells.wrapping_neg()
}

fn drop_candidate(cell: u64) -> Candidate<Move> {
    /// The number of lines through each cell of the lower left quarter; the others mirror it.
    const LINES: [[u8; 4]; 4] = [[3, 4, 5, 7], [4, 6, 8, 10], [5, 8, 11, 13], [7, 10, 13, 16]];
    let fold = |place: usize| place.min(SIZE - 1 - place);
    let (column, row) = (bits::column_of(cell), bits::row_of(cell));
    Candidate {
        mv: Move::Drop(column as u8),
        score: LINES[fold(column)][fold(row)].into(),
        history_index: cell.trailing_zeros() as u16,
    }
}

fn boom_candidate(board: &Board) -> Candidate<Move> {
    let me = board.side_to_move();
    let row = bits::row(bits::row_of(board.bomb(me)));
    let targets = (board.stones(!me) & row).count_ones() as i32;
    Candidate { mv: Move::Boom, score: 4 * targets - 4, history_index: HISTORY_OF_BOOM }
}
