//! The player and the evaluation of the original program.

use super::board::{Board, House};
use super::row::Word;
use crate::game::{Evaluate, Game};
use crate::search::SearchRequest;
use crate::search::result::SearchResult;
use crate::strategy::{Resources, Strategy, pick};

/// Plays the move that gains its own store the most seeds. Ties are broken at random.
pub struct Simple;

impl<W: Word> Strategy<Board<W>> for Simple {
    fn choose(
        &self,
        request: &SearchRequest<'_, Board<W>>,
        _resources: &mut Resources<'_, Board<W>>,
        _report: &mut dyn FnMut(&SearchResult<House>),
    ) -> SearchResult<House> {
        let board = request.game;
        let gain = |&House(house): &House| store_gain(board, usize::from(house));
        let most = request.moves.iter().map(gain).max();
        let mut choices = request.moves.to_vec();
        choices.retain(|mv| Some(gain(mv)) == most);
        pick(request, &choices)
    }
}

/// What the mover's store gains by a move, including the seeds swept up at the end of the game.
fn store_gain<W: Word>(board: &Board<W>, house: usize) -> u32 {
    let sown = board.sowing().sow(board.rows(), house);
    let swept = if sown.rows.is_over() { sown.rows.own.total() } else { 0 };
    sown.gain + swept
}

/// The difference of the stores: 100 points per seed.
pub struct StoreDifference;

impl<W: Word> Evaluate<Board<W>> for StoreDifference {
    fn evaluate(&self, board: &Board<W>) -> i32 {
        100 * board.store_lead()
    }

    fn terms(&self, board: &Board<W>) -> Vec<(&'static str, i32)> {
        vec![("stores", board.side_to_move().view(self.evaluate(board)))]
    }
}

#[cfg(test)]
mod tests {
    use super::super::sowing::Rules;
    use super::*;
    use crate::game::{Game, Side};

    #[test]
    fn the_gain_counts_seeds_sown_captured_and_swept_up() {
        let start = Board::<u64>::new(Rules::new(3, 2, false).unwrap());
        let gains = |own: [u16; 3], other: [u16; 3], store| {
            let board = start.with([&own, &other], [store, 0], Side::P1);
            (0..3).map(|house| store_gain(&board, house)).collect::<Vec<_>>()
        };
        assert_eq!(gains([2, 2, 2], [2, 2, 2], 0), [0, 1, 1]);
        assert_eq!(gains([1, 0, 4], [1, 3, 1], 2)[0], 4, "a capture");
        assert_eq!(gains([1, 0, 4], [0, 3, 0], 4)[0], 8, "a capture, and the rest swept up");
    }

    #[test]
    fn the_store_difference_is_for_the_side_to_move() {
        let start = Board::<u64>::new(Rules::new(6, 4, false).unwrap());
        let mut board = start.clone();
        assert_eq!(StoreDifference.evaluate(&board), 0);
        board.play(House(2));
        assert_eq!(StoreDifference.evaluate(&board), 100);
        board.play(House(0));
        assert_eq!(StoreDifference.evaluate(&board), -100);
    }
}
