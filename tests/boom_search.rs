//! Conecta-4 BOOM under the strategies: all agree, and the candidates include the best move.

mod support;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::game::{Game, Notation};
use ratlla::games::boom::board::Board;
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::TranspositionTable;
use support::game_checks::{candidates_include_the_best, full_score, position, strategies_agree};
use support::random_play::late_position;

#[test]
fn minimax_alphabeta_and_the_table_agree() {
    let mut rng = SmallRng::seed_from_u64(1);
    for round in 0..120 {
        let game = late_position(&Board::new(), round % 30, &mut rng);
        strategies_agree(&game, 1 + round as u32 % 5);
    }
}

#[test]
fn they_agree_near_the_move_limit() {
    let cells = "......./......./......./..1..../.12..../.2124../12211.5";
    for number in 290..=300 {
        let game = position(&Board::new(), &format!("cells {cells} move {number}"));
        strategies_agree(&game, 5);
    }
}

#[test]
fn a_win_in_the_table_is_not_trusted_beyond_the_move_limit() {
    // Two drops win, but move 300, with the same key as move 44, is the last.
    let cells = "......./......./......./......./......./......./11..22.";
    let tt = TranspositionTable::new(1).unwrap();
    let at = |number: u32| position(&Board::new(), &format!("cells {cells} move {number}"));
    assert_eq!(at(44).key(), at(300).key());
    let score = |number: u32| full_score(&at(number), 6, &tt);
    assert_eq!(score(44), Some(ReportedScore::Win(2)));
    assert_eq!(score(300), Some(ReportedScore::Points(0)));
    assert_eq!(score(44), Some(ReportedScore::Win(2)));
    assert_eq!(at(42).key(), at(298).key());
    assert_eq!(score(42), score(298), "player 2 wins first in both");
}

#[test]
fn the_candidates_include_the_best_move() {
    let mut rng = SmallRng::seed_from_u64(2);
    for round in 0..3000 {
        let game = late_position(&Board::new(), 4 + round % 36, &mut rng);
        candidates_include_the_best(&game, 4);
    }
}

proptest! {
    #[test]
    fn any_words_are_a_valid_position_or_refused(words in prop::collection::vec("\\PC{0,60}", 0..6)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Ok(board) = Board::new().parse_position(&words) {
            prop_assert_eq!(board.key(), board.key_from_scratch());
        }
    }

    #[test]
    fn nearly_valid_positions_read_back_or_are_refused(
        rows in prop::collection::vec("[.124545]{7}", 7),
        number in 0u32..400,
    ) {
        let (rows, number) = (rows.join("/"), number.to_string());
        if let Ok(board) = Board::new().parse_position(&["cells", &rows, "move", &number]) {
            let expected = format!("cells {rows} move {number}");
            prop_assert_eq!(board.position_text(), expected);
        }
    }

    #[test]
    fn any_word_is_a_legal_move_or_refused(text in "\\PC{0,12}") {
        if let Ok(mv) = Board::new().parse_move(&text) {
            let mut board = Board::new();
            board.play(mv);
        }
    }
}
