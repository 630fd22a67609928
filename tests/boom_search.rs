//! Conecta-4 BOOM under the strategies: all agree, and the candidates include the best move.

mod support;

use proptest::prelude::*;
use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::game::{Game, Notation};
use ratlla::games::boom::board::Board;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::SearchRequest;
use ratlla::search::result::ReportedScore;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use ratlla::strategy::Playable;
use support::game_checks::{candidates_include_the_best, full_score, position, strategies_agree};
use support::hash_evaluator::HashEvaluator;
use support::minimax::move_values;
use support::random_play::{late_position, legal_moves};
use support::search::{choose, value_of};

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
    // Two drops win, but move 300 is the last. It has the turn order of move 44, but not its key.
    let cells = "......./......./......./......./......./......./11..22.";
    let tt = TranspositionTable::new(1).unwrap();
    let at = |number: u32| position(&Board::new(), &format!("cells {cells} move {number}"));
    assert_ne!(at(44).key(), at(300).key());
    let score = |number: u32| full_score(&at(number), 6, &tt);
    assert_eq!(score(44), Some(ReportedScore::Win(2)));
    assert_eq!(score(300), Some(ReportedScore::Draw));
    assert_eq!(score(44), Some(ReportedScore::Win(2)));
    assert_eq!(score(42), score(298), "player 2 wins first in both");
}

/// What plain minimax can check in reasonable time: the end within so many plies.
const CHECKED_PLIES: usize = 5;

/// The solver's claims about every move of a position, if it finishes, against plain minimax of the
/// same depth: the distance is right, not only the winner. Returns how many were checked.
fn check_solver(game: &Board) -> usize {
    const NODES: u64 = 10_000;
    let control = &SearchControl::new(false, false);
    let request = SearchRequest {
        game,
        moves: &legal_moves(game),
        limits: &Limits { nodes: Some(NODES), ..Limits::default() },
        control,
        tt: &TranspositionTable::new(1).unwrap(),
        settings: &Settings { multi_pv: usize::MAX, ..Settings::default() },
    };
    let found = choose(&*game.solver(64).unwrap(), &request, &mut |_| {});
    if control.nodes() == NODES {
        // Interrupted: a distance may be too long.
        return 0;
    }
    let mut checked = 0;
    for line in &found.lines {
        let Some(ReportedScore::Win(plies) | ReportedScore::Loss(plies)) = line.score else {
            continue;
        };
        if plies > CHECKED_PLIES {
            continue;
        }
        let values = move_values(&mut game.clone(), &HashEvaluator::new(1, 100), plies as u32, 0);
        let claimed = (line.moves[0], value_of(line).score);
        assert!(values.contains(&claimed), "{}: {claimed:?}", game.position_text());
        checked += 1;
    }
    checked
}

#[test]
fn the_solver_agrees_with_plain_minimax() {
    let mut rng = SmallRng::seed_from_u64(3);
    let positions = (0..2000).map(|round| late_position(&Board::new(), 12 + round % 28, &mut rng));
    let checked: usize = positions.map(|game| check_solver(&game)).sum();
    assert!(checked > 5000, "only {checked} claims");
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
