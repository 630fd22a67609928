//! The evaluations of two older programs, for the plain strategies: unchanged, for comparison.

use super::bits::{self, DIRECTIONS, SIZE};
use super::board::Board;
use crate::game::{Evaluate, Game, Side};

/// The side to move scores the weight of the column for each of its pieces except the bomb; the
/// opponent scores nothing.
///
/// The original scores for the player who searches. That is the same at depths divisible by four,
/// such as its default of eight.
pub struct WeightsEvaluation;

impl Evaluate<Board> for WeightsEvaluation {
    fn evaluate(&self, board: &Board) -> i32 {
        const WEIGHTS: [i32; SIZE] = [0, 1, 2, 3, 2, 1, 0];
        let me = board.side_to_move();
        let pieces = board.stones(me) & !board.bomb(me);
        let columns = WEIGHTS.iter().enumerate();
        columns
            .map(|(column, weight)| weight * (pieces & bits::column(column)).count_ones() as i32)
            .sum()
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        vec![("columns", board.side_to_move().view(self.evaluate(board)))]
    }
}

/// Twos, threes and fours: the run that starts at each piece in each of the four directions scores 1
/// for two pieces, 10 for three and 100 for four or more.
pub struct PairsEvaluation;

impl Evaluate<Board> for PairsEvaluation {
    fn evaluate(&self, board: &Board) -> i32 {
        let me = board.side_to_move();
        let points = |side| runs(board.stones(side)).iter().sum::<i32>();
        points(me) - points(!me)
    }

    fn terms(&self, board: &Board) -> Vec<(&'static str, i32)> {
        let [p1, p2] = [Side::P1, Side::P2].map(|side| runs(board.stones(side)));
        let names = ["twos", "threes", "fours"].into_iter().enumerate();
        names.map(|(index, name)| (name, p1[index] - p2[index])).collect()
    }
}

/// The points for runs of two, of three and of four or more.
fn runs(stones: u64) -> [i32; 3] {
    let count = |cells: u64| cells.count_ones() as i32;
    DIRECTIONS.iter().fold([0; 3], |points, step| {
        let twos = stones & stones >> step;
        let threes = twos & stones >> (2 * step);
        let fours = threes & stones >> (3 * step);
        [
            points[0] + count(twos & !threes),
            points[1] + 10 * count(threes & !fours),
            points[2] + 100 * count(fours),
        ]
    })
}

#[cfg(test)]
mod tests {
    use super::super::bits::cell;
    use super::*;
    use crate::game::Notation;

    fn board(cells: &str, number: &str) -> Board {
        let board = Board::new().parse_position(&["cells", cells, "move", number]);
        board.unwrap()
    }

    const ROWS: &str = "......./......./......./......./....2../...11../2.11124";

    #[test]
    fn weights_scores_own_pieces_without_the_bomb() {
        // Player 1: columns 3, 4, 4, 5 and 5, without the bomb.
        assert_eq!(WeightsEvaluation.evaluate(&board(ROWS, "16")), 2 + 3 + 3 + 2 + 2);
        // Player 2: columns 1 (weight 0), 5 and 6.
        assert_eq!(WeightsEvaluation.evaluate(&board(ROWS, "15")), 2 + 1);
    }

    #[test]
    fn a_run_of_four_counts_as_that_and_what_is_beside_it() {
        // Five in the bottom row: two fours, and at the end a three and a two.
        let row: u64 = (0..5).map(|column| cell(column, 0)).sum();
        assert_eq!(runs(row), [1, 10, 200]);
        assert_eq!(runs(row & !cell(4, 0)), [1, 10, 100]);
        assert_eq!(runs(0), [0, 0, 0]);
    }

    #[test]
    fn pairs_scores_the_runs_of_both_sides() {
        // Player 1: the row 3-4-5 scores 10 + 1, the pair above it 1, two columns 1 each, the
        // diagonals two pairs upwards and one downwards. Player 2: nothing.
        let points = 11 + 1 + 2 + 2 + 1;
        assert_eq!(PairsEvaluation.evaluate(&board(ROWS, "16")), points);
        assert_eq!(PairsEvaluation.evaluate(&board(ROWS, "15")), -points);
    }
}
