//! Wali under the strategies: all agree, the candidates include the best move, and the agents play as
//! documented.

mod support;

use proptest::prelude::*;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Evaluator, ExactValue, Game, Notation, Side};
use ratlla::games::wali::bits::Standard;
use ratlla::games::wali::board::{Board, Phase};
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use support::game_checks::{
    candidates_include_the_best, chosen, played, position, strategies_agree,
};
use support::random_play::late_position;
use support::search::evaluator;

/// A position of the move phase with these numbers of stones on random cells.
fn random_stones(p1: u32, p2: u32, rng: &mut SmallRng) -> Board {
    let mut stones = [0u32; 2];
    for (side, count) in [p1, p2].into_iter().enumerate() {
        while stones[side].count_ones() < count {
            let cell = 1 << rng.random_range(0..30);
            if (stones[0] | stones[1]) & cell == 0 {
                stones[side] |= cell;
            }
        }
    }
    let side = [Side::P1, Side::P2][rng.random_range(0..2)];
    Board::from_stones(Standard, stones, side, Phase::Move, 0)
}

#[test]
fn minimax_alphabeta_and_the_table_agree() {
    let mut rng = SmallRng::seed_from_u64(1);
    for round in 0..40 {
        let game = late_position(&Board::new(), 12 + 2 * round, &mut rng);
        strategies_agree(&game, 1 + round as u32 % 3);
    }
    for round in 0..60 {
        let few = 1 + round % 4;
        let game = random_stones(few, 1 + round / 4 % 4, &mut rng);
        strategies_agree(&game, 4);
    }
}

#[test]
fn they_agree_on_draws_by_repetition_and_by_quiet_plies() {
    let mut rng = SmallRng::seed_from_u64(5);
    let start = "cells 1...../2...../....../....../.1..2. p1 move quiet";
    for quiet in 92..100 {
        let game = position(&Board::new(), &format!("{start} {quiet}"));
        strategies_agree(&game, 6);
    }
    for _ in 0..40 {
        let corner = position(&Board::new(), "cells 12..../2...../....../....../...... p1 move");
        let game = late_position(&corner, 14, &mut rng);
        strategies_agree(&game, 6);
    }
}

#[test]
fn the_candidates_include_the_best_move() {
    let mut rng = SmallRng::seed_from_u64(2);
    for round in 0..400 {
        let game = late_position(&Board::new(), round % 120, &mut rng);
        candidates_include_the_best(&game, 2);
        let (p1, p2) = (1 + round as u32 % 4, 1 + round as u32 / 4 % 4);
        candidates_include_the_best(&random_stones(p1, p2, &mut rng), 3);
    }
}

#[test]
fn neither_side_wins_without_three_stones() {
    let board = position(&Board::new(), "cells 11..../....../....../....../2...2. p1 move");
    assert_eq!(evaluator(&board).probe_endgame(&board), Some(ExactValue::Draw));
    let (mv, score) = choice(&board, "full", 3);
    assert_eq!(score, Some(ReportedScore::Draw), "{mv}");
}

fn choice(board: &Board, strategy: &str, depth: u32) -> (String, Option<ReportedScore>) {
    choice_with(board, strategy, depth, &TranspositionTable::new(1).unwrap())
}

fn choice_with(
    board: &Board,
    strategy: &str,
    depth: u32,
    tt: &TranspositionTable,
) -> (String, Option<ReportedScore>) {
    let settings = Settings { strategy: strategy.to_owned(), ..Settings::default() };
    let (mv, score) = chosen(board, &settings, depth, tt);
    (board.move_text(mv), score)
}

#[test]
fn the_losing_side_draws_by_the_third_occurrence() {
    let start = position(&Board::new(), "cells 1...../....../....../....../2.2.22 p2 move");
    let almost = played(&start, "a1a2 a5b5 a2a1 b5a5 a1a2 a5b5 a2a1");
    for depth in 1..4 {
        let (mv, score) = choice(&almost, "full", depth);
        // The built-in endgame table shows that no other move wins.
        assert_eq!((mv.as_str(), score), ("b5a5", Some(ReportedScore::Draw)));
    }
}

#[test]
fn the_losing_side_draws_by_quiet_plies() {
    let start = "cells 1...../....../....../2..2../.2..2. p1 move quiet 98";
    let (_, score) = choice(&position(&Board::new(), start), "full", 4);
    assert_eq!(score, Some(ReportedScore::Points(0)));
}

#[test]
fn a_win_in_the_table_is_not_trusted_if_a_draw_comes_first() {
    // The stone on c3 needs two steps to make three on c5: a win in three plies.
    let cells = "cells 11..../....../..1.../....../2..... p1 move";
    let tt = TranspositionTable::new(1).unwrap();
    let score = |board: &Board| choice_with(board, "full", 6, &tt).1;
    let fresh = position(&Board::new(), cells);
    assert_eq!(score(&fresh), Some(ReportedScore::Win(3)));
    let in_time = position(&fresh, &format!("{cells} quiet 97"));
    assert_eq!(score(&in_time), Some(ReportedScore::Win(3)));
    let too_late = position(&fresh, &format!("{cells} quiet 98"));
    assert_eq!(score(&too_late), Some(ReportedScore::Draw));
    assert_eq!(score(&fresh), Some(ReportedScore::Win(3)), "the win is still in the table");
}

#[test]
fn hard_keeps_together_captures_and_heads_for_the_corner() {
    assert_eq!(choice(&Board::new(), "hard", 1).0, "a1");
    let dropped = choice(&played(&Board::new(), "a1 f5"), "hard", 1).0;
    assert!(["b2", "a3", "c1"].contains(&dropped.as_str()), "{dropped}");
    let capturing = position(&Board::new(), "cells 11..../..1.../....../..22../2....2 p1 move");
    for _ in 0..20 {
        let (mv, _) = choice(&capturing, "hard", 1);
        assert!(mv.starts_with("c4c5x"), "{mv}");
    }
    let walking = position(&Board::new(), "cells ....../.....1/....../1...../2..... p1 move");
    let (mv, _) = choice(&walking, "hard", 1);
    assert!(["f4f3", "f4e4"].contains(&mv.as_str()), "{mv}");
    let stuck = position(&Board::new(), "cells 12..../2...../....../....../...... p1 move");
    assert_eq!(choice(&stuck, "hard", 1).0, "pass");
}

#[test]
fn hard_prefers_to_capture_a_stone_that_could_make_three() {
    // b1 could step to b2 and make three with c2 and d2; a5 is harmless.
    let board = position(&Board::new(), "cells 2..11./.....1/....../..22../.2.... p1 move");
    for _ in 0..20 {
        let (mv, _) = choice(&board, "hard", 1);
        assert_eq!(mv, "f4f5xb1");
    }
}

proptest! {
    #[test]
    fn any_words_are_a_valid_position_or_refused(words in prop::collection::vec("\\PC{0,40}", 0..8)) {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if let Ok(board) = Board::new().parse_position(&words) {
            prop_assert_eq!(board.key(), board.key_from_scratch());
        }
    }

    #[test]
    fn nearly_valid_positions_read_back_or_are_refused(
        rows in prop::collection::vec("[..12]{6}", 5),
        side in "p[12]",
        rest in "(drop|move|move quiet [0-9]{1,3}|move after( [a-f][1-5][a-f][1-5]){0,3})",
    ) {
        let text = format!("cells {} {side} {rest}", rows.join("/"));
        let words: Vec<&str> = text.split(' ').collect();
        if let Ok(board) = Board::new().parse_position(&words) {
            let again = board.position_text();
            let words: Vec<&str> = again.split(' ').collect();
            prop_assert_eq!(Board::new().parse_position(&words), Ok(board));
        }
    }

    #[test]
    fn any_word_is_a_legal_move_or_refused(text in "(\\PC{0,9}|[a-f][1-5]([a-f][1-5](x[a-f][1-5])?)?)") {
        let start = Board::new();
        let moving = position(&start, "cells 11..../..1.../....../....../2...2. p1 move");
        for board in [start, moving] {
            if let Ok(mv) = board.parse_move(&text) {
                prop_assert_eq!(board.move_text(mv), text.clone());
            }
        }
    }
}
