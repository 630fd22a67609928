//! The evaluation of the full search: [`features`] times fitted weights.
//!
//! Knows nothing of searches, and of explosions no more than the bomb and its targets.

use super::bits::{self, BOARD, SIZE};
use super::board::{Board, MOST_MOVES, Move};
use super::classic;
use super::features::{self, BoomTerm, COUNTED, PLACES};
use super::threats;
use super::weights::WEIGHTS;
use crate::game::{Candidate, Evaluate, Evaluator, Game, Side, WeightSet};

/// The margin of reverse futility pruning.
const FUTILITY_MARGIN: i32 = 120;

/// Drops are indexed by cell.
const HISTORY_OF_BOOM: u16 = 64;

/// Evaluates each position from scratch.
#[derive(Clone, Copy, Debug, Default)]
pub struct BoomEvaluator {
    set: WeightSet,
}

impl BoomEvaluator {
    /// An evaluator with these weights.
    pub fn new(set: WeightSet) -> BoomEvaluator {
        BoomEvaluator { set }
    }
}

/// The points of a column's pieces by its distance from the edge and the rows they are in.
const BY_COLUMN: [[i16; 1 << SIZE]; SIZE.div_ceil(2)] = {
    let mut points = [[0; 1 << SIZE]; SIZE.div_ceil(2)];
    let mut entry = 0;
    while entry < points.len() << SIZE {
        let (column, rows) = (entry >> SIZE, entry & ((1 << SIZE) - 1));
        let mut row = 0;
        while row < SIZE {
            if rows >> row & 1 == 1 {
                points[column][rows] += WEIGHTS[COUNTED.len() + column * SIZE + row];
            }
            row += 1;
        }
        entry += 1;
    }
    points
};

/// The points for the places of a side's pieces.
fn places(stones: u64) -> i32 {
    let columns = stones.to_le_bytes();
    let points =
        |column: usize| BY_COLUMN[column.min(SIZE - 1 - column)][usize::from(columns[column])];
    (0..SIZE).map(|column| i32::from(points(column))).sum()
}

/// The points of each counted feature.
fn counted_points(board: &Board) -> [i32; COUNTED.len()] {
    let counted = features::counted(board);
    std::array::from_fn(|index| i32::from(WEIGHTS[index]) * counted[index])
}

fn tempo(board: &Board) -> i32 {
    WEIGHTS[COUNTED.len() + PLACES + features::phase(board)].into()
}

impl Evaluate<Board> for BoomEvaluator {
    fn evaluate(&self, board: &Board) -> i32 {
        if self.set == WeightSet::Classic {
            return classic::evaluate(board);
        }
        let me = board.side_to_move();
        counted_points(board).iter().sum::<i32>() + places(board.stones(me))
            - places(board.stones(!me))
            + tempo(board)
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let points = counted_points(board);
        let to_move = board.side_to_move();
        let sum = |wanted| {
            let of_term = points.iter().zip(&COUNTED).filter(|(_, (_, term))| *term == wanted);
            to_move.view(of_term.map(|(points, _)| points).sum())
        };
        let [p1, p2] = [Side::P1, Side::P2].map(|side| places(board.stones(side)));
        vec![
            ("places", p1 - p2),
            ("lines", sum(BoomTerm::Lines)),
            ("threats", sum(BoomTerm::Threats)),
            ("bombs", sum(BoomTerm::Bombs)),
            ("tempo", to_move.view(tempo(board))),
        ]
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

    fn futility_margin(&self) -> Option<i32> {
        (self.set == WeightSet::Fitted).then_some(FUTILITY_MARGIN)
    }

    fn history_len(&self) -> usize {
        usize::from(HISTORY_OF_BOOM) + 1
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_evaluation_is_the_sum_of_weighted_features() {
        let mut rng = SmallRng::seed_from_u64(6);
        let mut moves = Vec::new();
        for _ in 0..1000 {
            let mut board = Board::new();
            while board.outcome().is_none() {
                let features = features::features(&board).into_iter();
                let sum: i32 = features.map(|(index, n)| n * i32::from(WEIGHTS[index])).sum();
                assert_eq!(
                    BoomEvaluator::default().evaluate(&board),
                    sum,
                    "{}",
                    board.position_text()
                );
                let terms: i32 =
                    BoomEvaluator::default().terms(&board).iter().map(|term| term.1).sum();
                assert_eq!(board.side_to_move().view(sum), terms);
                moves.clear();
                board.legal_moves(&mut moves);
                board.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }

    #[test]
    fn features_are_counted_for_both_sides() {
        let cells = "......./......./......./......./4....../12...../12.2.12";
        let words = ["cells", cells, "move", "16"];
        let board = Board::new().parse_position(&words).unwrap();
        assert_eq!(board.side_to_move(), Side::P1);
        let counts = features::counted(&board);
        let value =
            |name: &str| counts[COUNTED.iter().position(|feature| feature.0 == name).unwrap()];
        assert_eq!(value("landing cells that complete a line"), 1);
        assert_eq!(value("cells above a landing cell that complete a line"), 0);
        // Columns 2 to 5 of the lowest row.
        assert_eq!(value("horizontal lines of two pieces and landing cells"), -1);
        // Column 2, and rows 2 to 5 of column 1.
        assert_eq!(value("vertical lines of two pieces and cells in reach"), 0);
        assert_eq!(value("a bomb on the board"), 1);
        assert_eq!(value("enemy pieces in the row of the bomb"), 0);
        // The explosion takes the column apart.
        assert_eq!(value("cells in reach that complete a line, gained by an explosion"), -1);
        assert_eq!(features::names().len(), features::FEATURES);
    }
}
