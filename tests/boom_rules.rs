//! The rules of Conecta-4 BOOM: test vectors, perft counts and random games.

mod support;

use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::boom::board::{Board, MOST_MOVES, Move, mover_of};
use support::game_checks::{perft, played, position, position_error, random_games};
use support::random_play::legal_moves;

/// The position after these moves, written as digits: columns, and 8 for an explosion.
fn after(digits: &str) -> Board {
    let words: Vec<String> = digits
        .chars()
        .map(|digit| match digit {
            '8' => "boom".to_owned(),
            column => column.to_string(),
        })
        .collect();
    played(&Board::new(), &words.join(" "))
}

fn outcome_of(digits: &str) -> Option<Outcome> {
    after(digits).outcome()
}

#[test]
fn player_1_starts_with_one_move_then_each_turn_is_two() {
    let order: Vec<Side> = (1..=9).map(mover_of).collect();
    let expected = [0, 1, 1, 0, 0, 1, 1, 0, 0].map(|index| [Side::P1, Side::P2][index]);
    assert_eq!(order, expected);
    assert_eq!(after("4").side_to_move(), Side::P2);
    assert_eq!(after("44").side_to_move(), Side::P2);
    assert_eq!(after("444").side_to_move(), Side::P1);
}

#[test]
fn falling_pieces_can_complete_a_line_of_the_mover() {
    assert_eq!(outcome_of("6364442447368"), Some(Outcome::Win(Side::P1)));
}

#[test]
fn falling_pieces_can_complete_a_line_of_the_opponent() {
    assert_eq!(outcome_of("534172475144746"), None);
    assert_eq!(mover_of(16), Side::P1);
    assert_eq!(outcome_of("5341724751447468"), Some(Outcome::Win(Side::P2)));
}

#[test]
fn the_mover_wins_if_an_explosion_completes_lines_of_both() {
    assert_eq!(mover_of(15), Side::P2);
    let board = after("546647444455738");
    assert_eq!(board.outcome(), Some(Outcome::Win(Side::P2)));
    // Its text says who moved last.
    assert_eq!(position(&Board::new(), &board.position_text()), board);
}

#[test]
fn a_bomb_hit_by_an_explosion_does_not_explode() {
    let before = after("13725451671672");
    assert!(before.bomb(Side::P1) != 0 && before.bomb(Side::P2) != 0);
    let board = after("137254516716728");
    assert_eq!(board.outcome(), None);
    assert_eq!((board.number(), board.side_to_move()), (16, Side::P1));
    assert_eq!((board.bomb(Side::P1), board.bomb(Side::P2)), (0, 0));
    let columns: Vec<Move> = (0..7).map(Move::Drop).collect();
    assert_eq!(legal_moves(&board), columns);
}

#[test]
fn a_bomb_may_be_dropped_after_an_explosion_in_the_same_turn() {
    let before = after("465126264262677576311376281");
    let board = after("4651262642626775763113762818");
    assert_eq!(board.side_to_move(), before.side_to_move());
    assert!(board.drops_bomb());
}

#[test]
fn a_bomb_may_be_dropped_and_exploded_in_the_same_turn() {
    let before = after("234726157224");
    assert_ne!(before.bomb(Side::P1), 0);
    let board = after("2347261572248");
    assert_eq!((board.bomb(Side::P1), board.outcome()), (0, None));
    assert_eq!(board.side_to_move(), Side::P2);
}

#[test]
fn a_side_without_a_move_within_its_turn_loses() {
    let almost = "317721114211624233361322366342677555455544456677847";
    assert_eq!(outcome_of(almost), None);
    assert_eq!(after(almost).side_to_move(), Side::P1);
    let full = after(&format!("{almost}1"));
    assert_eq!(full.outcome(), Some(Outcome::Win(Side::P2)));
    assert_eq!(full.side_to_move(), Side::P1);
}

#[test]
fn the_first_bombs_are_dropped_by_moves_12_and_14() {
    let mut board = Board::new();
    let mut bombs = Vec::new();
    for column in "44553322661162".chars() {
        if board.drops_bomb() {
            bombs.push(board.number());
        }
        board = played(&board, &column.to_string());
    }
    assert_eq!(bombs, [12, 14]);
    assert!(!board.drops_bomb(), "player 2 has a bomb");
}

#[test]
fn perft_counts_agree_with_the_original_game() {
    let counts: [(&str, &[u64]); 4] = [
        ("", &[7, 49, 343, 2401, 16807, 117_649, 823_543, 5_702_046]),
        ("13725451671672", &[8, 63, 490, 3725, 27296]),
        ("465126264262677576311376281", &[7, 41, 210, 1470, 9716]),
        ("44553322661", &[7, 56, 385, 3080, 23535]),
    ];
    for (moves, counts) in counts {
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(perft(&mut after(moves), depth), count, "{moves} {depth}");
        }
    }
}

#[test]
fn the_game_is_a_draw_after_300_moves() {
    let cells = "......./......./......./......./......./......./12.....";
    let last = position(&Board::new(), &format!("cells {cells} move 300"));
    assert_eq!((last.outcome(), last.moves_again()), (None, false));
    let drawn = played(&last, "4");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw));
    // The key covers the move number: the draw depends on nothing else.
    assert!(!drawn.depends_on_history());
    assert_eq!(position(&last, &drawn.position_text()), drawn);
    // A line completed by the last move still wins.
    let winning = "......./......./......./......./......./......./111.222";
    let winning = position(&Board::new(), &format!("cells {winning} move 300"));
    let winner = Some(Outcome::Win(mover_of(MOST_MOVES)));
    assert_eq!(played(&winning, "4").outcome(), winner);
}

#[test]
fn ten_thousand_random_games_end() {
    let start = Board::new();
    let ends = random_games(&start, 10_000, 300, |board| {
        assert_eq!(board.key(), board.key_from_scratch());
        let (p1, p2) = (board.stones(Side::P1), board.stones(Side::P2));
        assert_eq!(p1 & p2, 0);
        let occupied = p1 | p2;
        assert_eq!(occupied & (occupied + 0x0001_0101_0101_0101), 0, "a gap");
        for side in [Side::P1, Side::P2] {
            let bomb = board.bomb(side);
            assert!(bomb.count_ones() <= 1 && bomb & !board.stones(side) == 0);
        }
    });
    assert_eq!(ends.iter().sum::<usize>(), 10_000);
    assert!(ends[0] > 3000 && ends[1] > 3000, "{ends:?}");
}

#[test]
fn the_key_covers_the_move_number() {
    let cells = "......./......./......./......./......./......./12.....";
    let key = |number: u16| position(&Board::new(), &format!("cells {cells} move {number}")).key();
    let keys: std::collections::HashSet<u64> = (4..=301).map(key).collect();
    assert_eq!(keys.len(), 298);
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let empty = "......./......./......./......./......./.......";
    for (text, part) in [
        ("cells", "expected rows separated by '/' after 'cells'"),
        (&format!("cells {empty}/......."), "expected 'move' and the number"),
        (&format!("cells {empty}/....... move"), "expected 'move' and the number"),
        (&format!("cells {empty}/....... turn 3"), "expected 'move' after the cells, got 'turn'"),
        (&format!("cells {empty}/....... move 0"), "the move number must be 1..301"),
        (&format!("cells {empty}/....... move 302"), "the move number must be 1..301"),
        (&format!("cells {empty}/....... move +3"), "the move number must be 1..301"),
        (&format!("cells {empty}/....... move 3 x"), "unexpected 'x'"),
        (&format!("cells {empty} move 3"), "expected 7 rows, got 6"),
        (&format!("cells {empty}/........ move 3"), "row 7: expected 7 cells, got 8"),
        (
            &format!("cells {empty}/..3.... move 3"),
            "row 7, column 3: expected '.', a piece (1 or 2) or a bomb (4 or 5), got '3'",
        ),
        (&format!("cells {empty}/1.1.... move 3"), "pieces of p1: 2 (at most 1 before move 3)"),
        (&format!("cells {empty}/4...... move 12"), "its first is dropped by move 12"),
        (&format!("cells {empty}/4.4.... move 30"), "p1 has two bombs (at most one is allowed)"),
        (
            "cells ......./......./......./......./......./..1..../....... move 9",
            "row 6, column 3: the cell below the stone is empty",
        ),
        ("grid x", "expected a position (startpos, cells) or 'moves', got 'grid'"),
    ] {
        let error = position_error(&Board::new(), text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn bad_moves_are_refused_with_the_reason() {
    let board = played(&Board::new(), "4 4 4 4 4 4 4");
    for (text, part) in [
        ("4", "column 4 is full"),
        ("0", "column 0 does not exist (columns are 1..7)"),
        ("8", "column 8 does not exist"),
        ("99999999999999999999999", "does not exist"),
        ("boom", "p1 has no bomb"),
        ("BOOM", "expected a column (1..7) or 'boom'"),
        ("", "expected a column"),
        ("+1", "expected a column"),
    ] {
        let error = board.parse_move(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn the_drawing_shows_the_side_to_move() {
    let board = after("13725451671672");
    let expected = [
        " . . . . . . .",
        " . . . . . . .",
        " . . . . . . .",
        " . . . . . . .",
        " 2 . . . . . 1",
        " 1 5 . . 2 4 2",
        " 1 1 2 2 1 1 2",
        " 1 2 3 4 5 6 7",
        " move 15: p2, one move",
    ];
    let expected = expected.join("\n");
    assert_eq!(board.drawing(), expected);
}
