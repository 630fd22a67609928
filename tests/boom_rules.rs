//! The rules of Conecta-4 BOOM: every vector, every count, and random games.

mod support;

use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::boom::board::{Board, MOST_MOVES, Move, mover_of};
use support::game_checks::{perft, played, position, random_games, refusal};
use support::random_play::legal_moves;

/// Moves written as digits: columns, and 8 for an explosion.
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

fn won_by(digits: &str) -> Option<Outcome> {
    after(digits).outcome()
}

#[test]
fn one_move_then_two_each() {
    let order: Vec<Side> = (1..=9).map(mover_of).collect();
    let expected = [0, 1, 1, 0, 0, 1, 1, 0, 0].map(|index| [Side::P1, Side::P2][index]);
    assert_eq!(order, expected);
    assert_eq!(after("4").side_to_move(), Side::P2);
    assert_eq!(after("44").side_to_move(), Side::P2);
    assert_eq!(after("444").side_to_move(), Side::P1);
}

#[test]
fn an_explosion_wins_for_the_mover_by_what_falls() {
    assert_eq!(won_by("6364442447368"), Some(Outcome::Win(Side::P1)));
}

#[test]
fn an_explosion_can_give_the_line_to_the_opponent() {
    assert_eq!(won_by("534172475144746"), None);
    assert_eq!(mover_of(16), Side::P1);
    assert_eq!(won_by("5341724751447468"), Some(Outcome::Win(Side::P2)));
}

#[test]
fn when_both_get_lines_the_mover_wins() {
    assert_eq!(mover_of(15), Side::P2);
    assert_eq!(won_by("546647444455738"), Some(Outcome::Win(Side::P2)));
}

#[test]
fn an_enemy_bomb_vanishes_without_exploding() {
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
fn a_new_bomb_may_follow_an_explosion_in_the_same_turn() {
    let before = after("465126264262677576311376281");
    let board = after("4651262642626775763113762818");
    assert_eq!(board.side_to_move(), before.side_to_move());
    assert!(board.drops_bomb());
}

#[test]
fn a_bomb_may_be_dropped_and_exploded_in_one_turn() {
    let before = after("234726157224");
    assert_ne!(before.bomb(Side::P1), 0);
    let board = after("2347261572248");
    assert_eq!((board.bomb(Side::P1), board.outcome()), (0, None));
    assert_eq!(board.side_to_move(), Side::P2);
}

#[test]
fn without_a_move_in_the_middle_of_a_turn_the_mover_loses() {
    let almost = "317721114211624233361322366342677555455544456677847";
    assert_eq!(won_by(almost), None);
    assert_eq!(after(almost).side_to_move(), Side::P1);
    let full = after(&format!("{almost}1"));
    assert_eq!(full.outcome(), Some(Outcome::Win(Side::P2)));
    assert_eq!(full.side_to_move(), Side::P1);
}

#[test]
fn the_first_bombs_come_with_moves_12_and_14() {
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
fn move_sequences_are_counted_as_in_the_original() {
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
fn the_game_is_drawn_after_300_moves() {
    let cells = "......./......./......./......./......./......./12.....";
    let last = position(&Board::new(), &format!("cells {cells} move 300"));
    assert_eq!((last.outcome(), last.moves_again()), (None, false));
    assert_eq!(last.history_free_plies(), 1);
    let drawn = played(&last, "4");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw));
    assert!(drawn.depends_on_history());
    assert_eq!(position(&last, &drawn.position_text()), drawn);
    // A line made with the last move still wins.
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
fn equal_cells_differ_by_the_move_number_up_to_16() {
    let cells = "......./......./......./......./......./......./12.....";
    let key = |number: u16| position(&Board::new(), &format!("cells {cells} move {number}")).key();
    let keys: std::collections::HashSet<u64> = (20..36).map(key).collect();
    assert_eq!(keys.len(), 16);
    assert_eq!(key(20), key(36));
}

#[test]
fn what_is_wrong_with_a_position_is_said() {
    let empty = "......./......./......./......./......./.......";
    for (text, part) in [
        ("cells", "wants its rows"),
        (&format!("cells {empty}/......."), "'move' and the number"),
        (&format!("cells {empty}/....... move"), "'move' and the number"),
        (&format!("cells {empty}/....... turn 3"), "must be 'move'"),
        (&format!("cells {empty}/....... move 0"), "from 1 to 301"),
        (&format!("cells {empty}/....... move 302"), "from 1 to 301"),
        (&format!("cells {empty}/....... move +3"), "from 1 to 301"),
        (&format!("cells {empty}/....... move 3 x"), "unexpected 'x'"),
        (&format!("cells {empty} move 3"), "has 6 rows, the board 7"),
        (&format!("cells {empty}/........ move 3"), "row 7 of the grid has 8"),
        (&format!("cells {empty}/..3.... move 3"), "'3' in row 7, column 3 is no cell"),
        (&format!("cells {empty}/1.1.... move 3"), "p1 has 2 pieces but made only 1"),
        (&format!("cells {empty}/4...... move 12"), "first comes with move 12"),
        (&format!("cells {empty}/4.4.... move 30"), "p1 has two bombs"),
        (
            "cells ......./......./......./......./......./..1..../....... move 9",
            "column 3, row 2 floats",
        ),
        ("grid x", "'grid' begins no position"),
    ] {
        let error = refusal(&Board::new(), text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn what_is_wrong_with_a_move_is_said() {
    let board = played(&Board::new(), "4 4 4 4 4 4 4");
    for (text, part) in [
        ("4", "column 4 is full"),
        ("0", "from 1 to 7"),
        ("8", "from 1 to 7"),
        ("99999999999999999999999", "from 1 to 7"),
        ("boom", "p1 has no bomb"),
        ("BOOM", "not a move"),
        ("", "not a move"),
        ("+1", "not a move"),
    ] {
        let error = board.parse_move(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn the_drawing_tells_whose_move_it_is() {
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
