//! What the evaluation looks at, as features that weights can be fitted to: all sizes and line
//! lengths share them, so they count from what a line lacks and from whom zugzwang favours.
//!
//! [`features`] computes them from the board alone. It is slow and plain: the trainer and the tests
//! use it; the search adds up the same terms incrementally.

use crate::game::{Game, Side};

use super::super::board::{Board, Size};
use super::windows::windows_of;
use super::zugzwang::{ThreatColumns, Zugzwang};

/// Boards are small, medium or large, by their cells: the larger, the sooner a game ends by tactics
/// and not by zugzwang.
pub const SIZE_CLASSES: usize = 3;
/// The directions of lines: up, sideways, diagonal.
pub const DIRECTIONS: usize = 3;
/// Lines that lack at least this many stones share a weight.
pub const MANY_MISSING: usize = 4;
/// By missing stones below [`MANY_MISSING`] and how many of them are in good rows, and one for all
/// other lines.
pub const LINE_KINDS: usize = 2 + 3 + 4 + 1;
/// Threats lie in bands of rows: the sixth row and those below are bands of their own.
pub const ROW_BANDS: usize = 9;
/// Numbers of cells between which the weight of zugzwang is interpolated.
pub const ZUGZWANG_KNOTS: [usize; 9] = [0, 6, 12, 20, 32, 50, 80, 160, 640];
/// The same for following up.
pub const FOLLOW_UP_KNOTS: [usize; 7] = [0, 12, 24, 40, 64, 120, 640];
/// Boards whose rows and columns have the same parities share what following up is worth.
pub const BOARD_PARITIES: usize = 4;
/// Weights of lines are quarters of points.
pub const LINE_UNIT: i32 = 4;

/// The first feature of each kind.
pub const LINES: usize = 0;
/// See [`LINES`].
pub const THREATS: usize = LINES + SIZE_CLASSES * DIRECTIONS * LINE_KINDS;
/// See [`LINES`].
pub const ZUGZWANG: usize = THREATS + SIZE_CLASSES * 2 * ROW_BANDS;
/// See [`LINES`].
pub const FOLLOW_UP: usize = ZUGZWANG + ZUGZWANG_KNOTS.len();
/// See [`LINES`].
pub const TEMPO: usize = FOLLOW_UP + BOARD_PARITIES * FOLLOW_UP_KNOTS.len();
/// The number of features.
pub const FEATURES: usize = TEMPO + 1;

/// The class of boards of this size, below [`SIZE_CLASSES`].
pub fn size_class(size: Size) -> usize {
    match size.cells() {
        ..=72 => 0,
        73..=160 => 1,
        _ => 2,
    }
}

/// The feature of a line with this many missing stones, `good` of them in its owner's good rows.
pub fn line_feature(class: usize, direction: usize, missing: usize, good: usize) -> usize {
    let kind = match missing {
        MANY_MISSING.. => LINE_KINDS - 1,
        // 1: 0 and 1, 2: 2 to 4, 3: 5 to 8
        _ => (missing * missing + missing) / 2 - 1 + good,
    };
    LINES + (class * DIRECTIONS + direction) * LINE_KINDS + kind
}

/// The feature of a threat in this row, which is good for its owner or not.
pub fn threat_feature(class: usize, row: usize, good: bool) -> usize {
    let band = match row {
        0..=5 => row,
        6..=7 => 6,
        8..=11 => 7,
        _ => 8,
    };
    THREATS + (class * 2 + usize::from(good)) * ROW_BANDS + band
}

/// The features of following up on a board of this size.
pub fn follow_up_feature(size: Size) -> usize {
    FOLLOW_UP + (size.rows % 2 * 2 + size.columns % 2) * FOLLOW_UP_KNOTS.len()
}

/// The two knots around `cells`, by place, and the share of the second.
pub fn interpolate(knots: &[usize], cells: usize) -> (usize, f32) {
    let above = knots.iter().position(|&knot| cells < knot).unwrap_or(knots.len() - 1).max(1);
    let (low, high) = (knots[above - 1], knots[above]);
    (above, (cells - low) as f32 / (high - low) as f32)
}

/// The parity of the rows, counted from 0, that are *good* for `side`: in which it profits from
/// threats under zugzwang.
///
/// Once all other columns are full, the players fill the last one in turn from the bottom. If the
/// others hold an even number of stones, player 1 starts it and gets the odd rows 1, 3, 5 …, and
/// player 2 the even ones (claim-even).
pub fn good_rows(size: Size, side: Side) -> usize {
    let others = size.rows * (size.columns - 1);
    (others + side.index()) % 2
}

/// The names of all features.
pub fn names() -> Vec<String> {
    let mut names = vec![String::new(); FEATURES];
    for (class, board) in ["small", "medium", "large"].into_iter().enumerate() {
        for (direction, name) in ["up", "sideways", "diagonal"].into_iter().enumerate() {
            for missing in 1..=MANY_MISSING {
                for good in 0..=missing.min(MANY_MISSING - 1) {
                    let kind = match missing {
                        MANY_MISSING => format!("{missing} or more missing"),
                        _ => format!("{missing} missing, {good} of them in good rows"),
                    };
                    names[line_feature(class, direction, missing, good)] =
                        format!("{board}: line {name}, {kind}");
                }
            }
        }
        for good in [false, true] {
            let kind = if good { "a good" } else { "another" };
            for row in [0, 1, 2, 3, 4, 5, 6, 8, 12] {
                names[threat_feature(class, row, good)] =
                    format!("{board}: threat in {kind} row, from row {}", row + 1);
            }
        }
    }
    for (index, knot) in ZUGZWANG_KNOTS.iter().enumerate() {
        names[ZUGZWANG + index] = format!("zugzwang in {knot} plies");
    }
    for (rows, columns) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        for (index, knot) in FOLLOW_UP_KNOTS.iter().enumerate() {
            let kind = |parity| if parity == 0 { "even" } else { "odd" };
            names[FOLLOW_UP + (2 * rows + columns) * FOLLOW_UP_KNOTS.len() + index] = format!(
                "player 1, {} rows, {} columns, {knot} cells left",
                kind(rows),
                kind(columns)
            );
        }
    }
    names[TEMPO] = "tempo".to_owned();
    names
}

/// The features of a position and their values for the side to move; none if a threat can be carried
/// out at once, which a search looks into.
pub fn features(board: &Board) -> Vec<(usize, f32)> {
    let size = board.size();
    let me = board.side_to_move();
    let sign = |side: Side| if side == me { 1.0 } else { -1.0 };
    let mut values = vec![0.0; FEATURES];
    let class = size_class(size);
    let mut threats = ThreatColumns::default();
    for (direction, cells) in windows_of(size) {
        let owners = [Side::P1, Side::P2]
            .map(|side| cells.iter().any(|&(column, row)| board.stone(column, row) == Some(side)));
        let owner = match owners {
            [true, false] => Side::P1,
            [false, true] => Side::P2,
            _ => continue,
        };
        let mut missing = cells;
        missing.retain(|&(column, row)| board.stone(column, row).is_none());
        let good = missing.iter().filter(|&&(_, row)| row % 2 == good_rows(size, owner)).count();
        if let [(column, row)] = missing[..] {
            threats.add(owner, column, row);
        }
        let feature = line_feature(class, direction.min(2), missing.len(), good);
        values[feature] += sign(owner) / LINE_UNIT as f32;
    }
    for column in 0..size.columns {
        for side in [Side::P1, Side::P2] {
            for row in (0..size.rows).filter(|&row| threats.has(side, column, row)) {
                if row == board.height(column) {
                    return Vec::new();
                }
                let good = row % 2 == good_rows(size, side);
                values[threat_feature(class, row, good)] += sign(side);
            }
        }
    }
    let empty = size.cells() - board.stones();
    let zugzwang = Zugzwang::new(&threats, size.rows, (empty + me.index()) % 2);
    if let Some(winner) = zugzwang.winner {
        let (above, share) = interpolate(&ZUGZWANG_KNOTS, zugzwang.free_cells(empty));
        values[ZUGZWANG + above] = sign(winner) * share;
        values[ZUGZWANG + above - 1] = sign(winner) * (1.0 - share);
    }
    let (above, share) = interpolate(&FOLLOW_UP_KNOTS, empty);
    values[follow_up_feature(size) + above] = sign(Side::P1) * share;
    values[follow_up_feature(size) + above - 1] = sign(Side::P1) * (1.0 - share);
    values[TEMPO] = 1.0;
    values.into_iter().enumerate().filter(|&(_, value)| value != 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::game::{Evaluate, Evaluator, WeightSet};
    use crate::games::connect4::evaluator::LineEvaluator;
    use crate::games::connect4::evaluator::fitted::WEIGHTS;
    use rand::rngs::SmallRng;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn the_evaluation_is_the_weighted_sum_of_the_features() {
        let mut rng = SmallRng::seed_from_u64(7);
        let sizes = [(6, 7, 4), (7, 8, 4), (9, 9, 5), (5, 6, 3), (10, 12, 4), (13, 16, 4)];
        let mut quiet = 0;
        for (rows, columns, line) in sizes {
            let size = Size::new(rows, columns, line).unwrap();
            for _ in 0..20 {
                let mut board = Board::new(size);
                let mut evaluator = LineEvaluator::new(size, WeightSet::Fitted);
                while board.outcome().is_none() {
                    let features = features(&board);
                    if !features.is_empty() {
                        quiet += 1;
                        let sum: f32 = features
                            .iter()
                            .map(|&(index, value)| f32::from(WEIGHTS[index]) * value)
                            .sum();
                        let points = evaluator.evaluate(&board) as f32;
                        // Three terms are rounded.
                        assert!((sum - points).abs() < 3.0, "{sum} {points} {board:?}");
                    }
                    let mut moves = Vec::new();
                    board.legal_moves(&mut moves);
                    let mv = moves[rng.random_range(0..moves.len())];
                    evaluator.play(&board, mv);
                    board.play(mv);
                }
            }
        }
        assert!(quiet > 500, "{quiet}");
    }

    #[test]
    fn every_feature_has_a_name_of_its_own() {
        let mut names = names();
        assert_eq!(names.len(), FEATURES);
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), FEATURES);
    }

    #[test]
    fn player_1_has_the_odd_rows_if_the_other_columns_hold_an_even_number() {
        let size = |rows, columns| Size::new(rows, columns, 4).unwrap();
        assert_eq!(good_rows(size(6, 7), Side::P1), 0);
        assert_eq!(good_rows(size(6, 7), Side::P2), 1);
        assert_eq!(good_rows(size(7, 8), Side::P1), 1);
        assert_eq!(good_rows(size(7, 7), Side::P1), 0);
    }
}
