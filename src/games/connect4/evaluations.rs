//! The evaluations of two older programs, for the plain strategies: unchanged, blind spots included,
//! for comparison.

use super::board::{Board, Size};
use crate::game::{Evaluate, Game, Side};

/// Runs on top of columns and windows in rows; no diagonals.
///
/// - A column topped by a run of `r` stones scores `r^r` if there is room to complete the line.
/// - A window in a row with `n` stones, all of one side, scores `n^n` plus twice its longest run, if
///   each of its empty cells is a landing cell.
pub struct LinesEvaluation;

impl LinesEvaluation {
    /// Player 1's points for the columns and for the rows.
    fn parts(board: &Board) -> [i64; 2] {
        let Size { rows, columns, line } = board.size();
        let column_points = (0..columns).map(|column| column_top(board, column));
        let starts = (0..rows)
            .flat_map(|row| (0..=columns.saturating_sub(line)).map(move |column| (column, row)));
        let row_points =
            starts.filter(|_| line <= columns).map(|(column, row)| row_window(board, column, row));
        let add = i64::saturating_add;
        [column_points.fold(0, add), row_points.fold(0, add)]
    }
}

impl Evaluate<Board> for LinesEvaluation {
    fn evaluate(&self, board: &Board) -> i32 {
        let [columns, rows] = Self::parts(board);
        board.side_to_move().view(bounded(columns.saturating_add(rows)))
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let [columns, rows] = Self::parts(board).map(bounded);
        vec![("columns", columns), ("rows", rows)]
    }
}

/// Twos, threes and fours: the run that starts at each stone in each of the four directions scores 1
/// for two stones, 10 for three and 100 for four or more.
pub struct PairsEvaluation;

impl PairsEvaluation {
    /// Player 1's points for the runs of two, of three and of four or more.
    fn parts(board: &Board) -> [i64; 3] {
        let Size { rows, columns, .. } = board.size();
        let cells = (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row)));
        let mut parts = [0; 3];
        for (column, row) in cells {
            let Some(side) = board.stone(column, row) else {
                continue;
            };
            for run in board.runs_from(board.size().cell(column, row), side) {
                match run {
                    0 | 1 => {}
                    2 => parts[0] += signed(side, 1),
                    3 => parts[1] += signed(side, 10),
                    _ => parts[2] += signed(side, 100),
                }
            }
        }
        parts
    }
}

impl Evaluate<Board> for PairsEvaluation {
    fn evaluate(&self, board: &Board) -> i32 {
        board.side_to_move().view(bounded(Self::parts(board).iter().sum()))
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let [twos, threes, fours] = Self::parts(board).map(bounded);
        vec![("twos", twos), ("threes", threes), ("fours", fours)]
    }
}

/// Player 1's points for the run on top of a column.
fn column_top(board: &Board, column: usize) -> i64 {
    let Size { rows, line, .. } = board.size();
    let height = board.height(column);
    let Some(side) = height.checked_sub(1).and_then(|top| board.stone(column, top)) else {
        return 0;
    };
    let run = (0..height).rev().take_while(|&row| board.stone(column, row) == Some(side)).count();
    if run + (rows - height) >= line { signed(side, self_power(run)) } else { 0 }
}

/// Player 1's points for the window of `line` cells in `row` that starts in `start`.
fn row_window(board: &Board, start: usize, row: usize) -> i64 {
    let window = start..start + board.size().line;
    let mut owner = None;
    let (mut stones, mut run, mut longest) = (0, 0, 0);
    for column in window {
        match board.stone(column, row) {
            None if board.height(column) < row => return 0,
            None => run = 0,
            Some(side) if owner.is_some_and(|owner| owner != side) => return 0,
            Some(side) => {
                owner = Some(side);
                stones += 1;
                run += 1;
                longest = longest.max(run);
            }
        }
    }
    owner.map_or(0, |side| signed(side, self_power(stones).saturating_add(2 * longest)))
}

fn self_power(n: usize) -> i64 {
    (n as i64).saturating_pow(n as u32)
}

fn signed(side: Side, points: i64) -> i64 {
    match side {
        Side::P1 => points,
        Side::P2 => -points,
    }
}

fn bounded(points: i64) -> i32 {
    const LIMIT: i64 = 1_000_000;
    points.clamp(-LIMIT, LIMIT) as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Notation;

    fn board(rows: usize, columns: usize, grid: &str) -> Board {
        let start = Board::new(Size::new(rows, columns, 4).unwrap());
        start.parse_position(&["grid", grid, "p1"]).unwrap()
    }

    #[test]
    fn lines_scores_open_columns_and_fillable_rows() {
        let lines = |grid| LinesEvaluation.evaluate(&board(4, 5, grid));
        assert_eq!(lines("...../...../...../....."), 0);
        // Column: 1^1. Rows: both windows of the bottom row, 1^1 + 2 each.
        assert_eq!(lines("...../...../...../.X..."), 1 + 3 + 3);
        // Column: 2^2. Bottom row: 3 + 3. Second row: the cells beside it cannot be filled.
        assert_eq!(lines("...../...../.X.../.X..."), 4 + 3 + 3);
        // The column of O cannot grow to four; X and O share no fillable window.
        assert_eq!(lines("...../..O../..O../..X.."), 3 + 3);
        // Columns: 1 + 1. Rows: 2^2 + 2*2 in one window (2..=5), the other (1..=4) as well.
        assert_eq!(lines("...../...../...../.XX.."), 2 + 8 + 8);
        // A gap breaks the run: 2^2 + 2*1.
        assert_eq!(lines("...../...../...../X.X.."), 2 + 6 + 3);
    }

    #[test]
    fn pairs_scores_the_runs_from_each_stone() {
        let pairs = |grid| PairsEvaluation.evaluate(&board(4, 5, grid));
        assert_eq!(pairs("...../...../...../XX..."), 1);
        // A three holds a three and a two.
        assert_eq!(pairs("...../...../...../XXX.."), 11);
        assert_eq!(pairs("...../...../...../OOO.."), -11);
        // A square of four: two twos across, two up, one on each diagonal.
        assert_eq!(pairs("...../...../XX.../XX..."), 6);
    }

    #[test]
    fn the_terms_are_parts_of_the_score_for_player_1() {
        let parts = |evaluation: &dyn Evaluate<Board>, grid| {
            let board = board(4, 5, grid);
            let terms = evaluation.terms(&board);
            let sum: i32 = terms.iter().map(|&(_, points)| points).sum();
            assert_eq!(sum, evaluation.evaluate(&board));
            let theirs = board.parse_position(&["grid", grid, "p2"]).unwrap();
            assert_eq!(evaluation.terms(&theirs), terms, "whoever is to move");
            terms
        };
        assert_eq!(
            parts(&LinesEvaluation, "...../...../.X.../.X..."),
            [("columns", 4), ("rows", 6)]
        );
        let terms = parts(&PairsEvaluation, "...../...../...../XXX..");
        assert_eq!(terms.iter().map(|&(_, points)| points).collect::<Vec<_>>(), [1, 10, 0]);
    }

    #[test]
    fn both_score_for_the_side_to_move() {
        let mut p1 = board(4, 5, "...../...../...../.XX..");
        let (lines, pairs) = (LinesEvaluation.evaluate(&p1), PairsEvaluation.evaluate(&p1));
        p1 = p1.parse_position(&["grid", "...../...../...../.XX..", "p2"]).unwrap();
        assert_eq!(LinesEvaluation.evaluate(&p1), -lines);
        assert_eq!(PairsEvaluation.evaluate(&p1), -pairs);
    }

    #[test]
    fn the_longest_lines_on_the_largest_board_do_not_overflow() {
        let mut board = Board::new(Size::new(25, 25, 25).unwrap());
        for round in 0..24u8 {
            board.play(super::super::board::Column(3));
            board.play(super::super::board::Column(5 + round % 2 * 9));
        }
        assert!(LinesEvaluation.evaluate(&board).abs() <= 1_000_000);
    }
}
