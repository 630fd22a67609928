//! Conecta-4 BOOM under the strategies: all agree, and the judge prunes nothing that matters.

mod support;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::game::{Game, Notation};
use ratlla::games::boom::board::Board;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::ReportedScore;
use support::game_checks::{candidates_lose_nothing, full_standing, position, strategies_agree};
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
fn they_agree_near_the_last_move_too() {
    let cells = "......./......./......./..1..../.12..../.2124../12211.5";
    for number in 290..=300 {
        let game = position(&Board::new(), &format!("cells {cells} move {number}"));
        strategies_agree(&game, 5);
    }
}

#[test]
fn a_win_that_was_remembered_is_not_believed_after_the_last_move() {
    // Two drops win, but move 300, of the same phase as move 44, is the last one.
    let cells = "......./......./......./......./......./......./11..22.";
    let memory = TranspositionTable::new(1).unwrap();
    let at = |number: u32| position(&Board::new(), &format!("cells {cells} move {number}"));
    assert_eq!(at(44).key(), at(300).key());
    let standing = |number: u32| full_standing(&at(number), 6, &memory);
    assert_eq!(standing(44), Some(ReportedScore::Win(2)));
    assert_eq!(standing(300), Some(ReportedScore::Points(0)));
    assert_eq!(standing(44), Some(ReportedScore::Win(2)));
    assert_eq!(at(42).key(), at(298).key());
    assert_eq!(standing(42), standing(298), "player 2 wins first in both");
}

#[test]
fn the_candidates_lose_nothing() {
    let mut rng = SmallRng::seed_from_u64(2);
    for round in 0..3000 {
        let game = late_position(&Board::new(), 4 + round % 36, &mut rng);
        candidates_lose_nothing(&game, 4);
    }
}

proptest! {
    #[test]
    fn any_words_are_read_without_panic(words in prop::collection::vec("\\PC{0,60}", 0..6)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Ok(board) = Board::new().parse_position(&words) {
            prop_assert_eq!(board.key(), board.key_from_scratch());
        }
    }

    #[test]
    fn nearly_right_positions_are_read_back_or_refused(
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
    fn any_text_for_a_move_is_read_without_panic(text in "\\PC{0,12}") {
        if let Ok(mv) = Board::new().parse_move(&text) {
            let mut board = Board::new();
            board.play(mv);
        }
    }
}
