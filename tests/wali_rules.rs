//! The rules of Wali: test vectors, perft counts and random games.

mod support;

use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::wali::board::{Board, Move, Phase};
use support::game_checks::{perft, played, position, position_error, random_games};
use support::random_play::legal_moves;

const BUSY: &str = "11.11./2.122./12..2./...1.2/.2..12";

/// A position of the move phase, player 1 to move.
fn moving(cells: &str) -> Board {
    position(&Board::new(), &format!("cells {cells} p1 move"))
}

/// The legal moves that make this step.
fn moves_with(board: &Board, step: &str) -> Vec<String> {
    let texts = legal_moves(board).into_iter().map(|mv| board.move_text(mv));
    texts.filter(|text| text.starts_with(step)).collect()
}

#[test]
fn stones_are_not_dropped_next_to_own_stones() {
    let board = played(&Board::new(), "c3 c4");
    for (text, part) in [
        ("c3", "c3 is occupied"),
        ("d3", "d3 is next to a stone of p1"),
        ("a1b1", "expected a drop in the drop phase"),
        ("pass", "p1 cannot pass"),
    ] {
        let error = board.parse_move(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
    assert!(board.parse_move("d4").is_ok(), "diagonal neighbours and enemies are allowed");
}

#[test]
fn a_player_who_cannot_drop_passes_while_the_other_can() {
    let board = position(&Board::new(), "cells ..1.1./.1.1.1/..1.1./.1.1.1/..1.1. p1 drop");
    assert_eq!((board.in_hand(Side::P1), board.in_hand(Side::P2)), (0, 12));
    assert_eq!(legal_moves(&board), [Move::Pass]);
    let error = board.parse_move("a5").unwrap_err();
    assert!(error.contains("p1 can only pass"), "{error}");
    let board = played(&board, "pass a1 pass");
    assert_eq!((board.phase(), board.side_to_move()), (Phase::Drop, Side::P2));
}

#[test]
fn player_1_starts_the_move_phase_regardless_of_the_last_drop() {
    let mut last_droppers = [0; 2];
    random_games(&Board::new(), 300, 2000, |board| {
        if board.phase() == Phase::Drop {
            for mv in legal_moves(board) {
                let mut after = board.clone();
                after.play(mv);
                if after.phase() == Phase::Move {
                    assert_eq!(after.side_to_move(), Side::P1);
                    last_droppers[board.side_to_move().index()] += 1;
                }
            }
        }
    });
    assert!(last_droppers.iter().all(|&count| count > 0));
}

#[test]
fn perft_of_the_drop_phase_agrees_with_independent_counts() {
    let counts = [30, 870, 21_616, 518_008, 10_495_488];
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(perft(&mut Board::new(), depth), count);
    }
}

#[test]
fn perft_of_the_move_phase_agrees_with_independent_counts() {
    for (depth, count) in [(1, 28), (2, 674), (3, 11_676)] {
        assert_eq!(perft(&mut moving(BUSY), depth), count);
    }
}

/// [`perft`] with the removal of a captured stone as a ply of its own.
fn perft_with_removals(board: &mut Board, depth: u32) -> u64 {
    let mut moves = legal_moves(board);
    let mut total = 0;
    while let Some(mv) = moves.pop() {
        let Move::Step { from, to, captured: Some(_) } = mv else {
            total += match depth {
                1 => 1,
                _ => child(board, mv, depth - 1),
            };
            continue;
        };
        // The step is one ply, and each choice of a stone to remove another.
        let is_same = |other: &Move| matches!(*other, Move::Step { from: f, to: t, .. } if (f, t) == (from, to));
        let mut removals: Vec<Move> = moves.iter().copied().filter(is_same).collect();
        removals.push(mv);
        moves.retain(|other| !is_same(other));
        total += match depth {
            1 => 1,
            2 => removals.len() as u64,
            _ => removals.into_iter().map(|mv| child(board, mv, depth - 2)).sum(),
        };
    }
    total
}

fn child(board: &mut Board, mv: Move, depth: u32) -> u64 {
    let undo = board.play(mv);
    let count = perft_with_removals(board, depth);
    board.undo(mv, undo);
    count
}

#[test]
fn perft_with_removals_as_plies_agrees_with_independent_counts() {
    for (cells, counts) in [
        ("2.121./1.21.2/2.1.21/.12.12/1212.1", [14, 161, 2142]),
        (BUSY, [14, 181, 2210]),
        ("12..../2...../....../....../....22", [1, 7, 7]),
    ] {
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(perft_with_removals(&mut moving(cells), depth), count, "{cells} {depth}");
        }
    }
}

#[test]
fn only_a_run_of_exactly_three_captures_one_stone() {
    for (cells, step, count) in [
        (BUSY, "c4c5", 0),
        (BUSY, "b5c5", 8),
        ("....../.1..../1.11../.1..../2...22", "a3b3", 3),
        ("....../....../1.111./....../2...22", "a3b3", 0),
        ("....../.1..../1.111./.1..../2...22", "a3b3", 3),
        ("....../....../1111../....../2...22", "d3e3", 0),
        ("....../.1..../..1.../....1./2...22", "e2d2", 0),
    ] {
        let board = moving(cells);
        let moves = moves_with(&board, step);
        if count == 0 {
            assert_eq!(moves, [step], "{cells}");
            let wrong = board.parse_move(&format!("{step}xf1")).unwrap_err();
            assert!(wrong.contains("does not make exactly three"), "{wrong}");
        } else {
            assert_eq!(moves.len(), count, "{cells}");
            assert!(moves.iter().all(|text| text.contains('x')));
            let wrong = board.parse_move(step).unwrap_err();
            assert!(wrong.contains("must capture"), "{wrong}");
            let wrong = board.parse_move(&format!("{step}xc1")).unwrap_err();
            assert!(wrong.contains("p2 has no stone on c1"), "{wrong}");
        }
    }
}

#[test]
fn a_three_that_is_remade_captures_again() {
    let board = moving("111.../....../....../....../2.2.22");
    let board = played(&board, "c5c4 a1a2 c4c5xa2 c1c2 c5c4 c2c3 c4c5xf1");
    assert_eq!(board.stones(Side::P2).count_ones(), 2);
    assert_eq!(board.quiet(), 0);
}

#[test]
fn capturing_the_last_stone_wins() {
    let board = moving("11..../..1.../....../....../2.....");
    let won = played(&board, "c4c5xa1");
    assert_eq!(won.outcome(), Some(Outcome::Win(Side::P1)));
    assert!(legal_moves(&won).is_empty());
    assert_eq!(position(&won, &won.position_text()), won);
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let start = moving("1...../....../....../....../.....2");
    let round = "a5b5 f1e1 b5a5 e1f1";
    let twice = played(&start, round);
    assert_eq!((twice.outcome(), twice.last_seen()), (None, Some(4)));
    assert_eq!(twice.history_free_plies(), 0);
    let almost = played(&twice, "a5b5 f1e1 b5a5");
    assert_eq!(almost.outcome(), None);
    let thrice = played(&almost, "e1f1");
    assert_eq!(thrice.outcome(), Some(Outcome::Draw));
    assert!(thrice.depends_on_history());
    assert_eq!(position(&start, &thrice.position_text()), thrice);
}

#[test]
fn a_hundred_plies_without_a_capture_are_a_draw() {
    let start =
        position(&Board::new(), "cells 11..../..1.../....../....../2...2. p1 move quiet 99");
    assert_eq!(start.history_free_plies(), 1);
    assert_eq!(played(&start, "c4c3").outcome(), Some(Outcome::Draw));
    let taken = played(&start, "c4c5xa1");
    assert_eq!((taken.outcome(), taken.quiet()), (None, 0));
}

#[test]
fn ten_thousand_random_games_end() {
    let ends = random_games(&Board::new(), 10_000, 3000, |board| {
        assert_eq!(board.key(), board.key_from_scratch());
        let (p1, p2) = (board.stones(Side::P1), board.stones(Side::P2));
        assert!(p1 & p2 == 0 && (p1 | p2) >> 30 == 0);
        assert!(p1.count_ones() <= 12 && p2.count_ones() <= 12);
        assert!(board.quiet() <= 100);
    });
    assert_eq!(ends.iter().sum::<usize>(), 10_000);
}

#[test]
fn the_key_covers_the_side_to_move_and_the_phase() {
    let cells = "1.1.../.2..../....../....../......";
    let keys = ["p1 drop", "p2 drop", "p1 move", "p2 move"]
        .map(|rest| position(&Board::new(), &format!("cells {cells} {rest}")).key());
    let unique: std::collections::HashSet<u64> = keys.into_iter().collect();
    assert_eq!(unique.len(), 4);
}

#[test]
fn boards_are_equal_only_if_all_of_them_is() {
    let start = Board::new();
    assert_eq!(start, Board::new());
    let [first, second] = ["a1", "b1"].map(|drop| played(&start, drop));
    assert_ne!(first, start);
    assert_ne!(first, second);
    // The same stones after as many quiet plies, but by other positions, which count as repetitions.
    let start = moving("1...../....../....../....../.....2");
    let [row, column] =
        ["a5b5 f1e1 b5a5 e1f1", "a5a4 f1e1 a4a5 e1f1"].map(|moves| played(&start, moves));
    assert_eq!((row.key(), row.quiet()), (column.key(), column.quiet()));
    assert_ne!(row, column);
    assert_eq!(row, played(&start, "a5b5 f1e1 b5a5 e1f1"));
}

#[test]
fn position_texts_hold_what_repetition_needs() {
    let text = "cells .1..../....../....../....../....2. p1 move quiet 12 after a5b5 f1e1";
    let board = position(&Board::new(), text);
    assert_eq!(board.position_text(), text);
    let drawn = played(&board, "b5a5 e1f1 a5b5 f1e1 b5a5 e1f1");
    assert_eq!(drawn.outcome(), Some(Outcome::Draw), "the start of `after` counts");
}

#[test]
fn bad_positions_are_refused_with_the_reason() {
    let few = "1...../....../....../....../.....2";
    for (text, part) in [
        ("cells".to_owned(), "expected cells ROWS SIDE drop"),
        (format!("cells {few}"), "expected cells ROWS SIDE drop"),
        (format!("cells {few} p3 drop"), "expected a side to move (p1 or p2), got 'p3'"),
        (format!("cells {few} p1"), "expected a phase after the side to move"),
        (format!("cells {few} p1 dorp"), "expected a phase (drop or move), got 'dorp'"),
        (format!("cells {few} p1 drop x"), "unexpected 'x'"),
        (format!("cells {few} p1 move quiet 101"), "quiet must be 0..100"),
        (format!("cells {few} p1 move quiet -1"), "quiet must be 0..100"),
        (format!("cells {few} p1 move quiet"), "expected a number after 'quiet'"),
        (format!("cells {few} p1 move loud 3"), "unexpected 'loud'"),
        (
            format!("cells {few} p1 move quiet 1 after a5b5 pass"),
            "too many moves after 'after' (got 2, at most 1)",
        ),
        (
            format!("cells {few} p1 move after e1f1 a5b5"),
            "'a5b5' after 'after' does not lead here: expected p2 on b5 and a5 empty",
        ),
        (
            format!("cells {few} p1 move after c3"),
            "expected steps without captures after 'after', got 'c3'",
        ),
        (format!("cells {few} p1 move after pass"), "move 1 after 'after', 'pass': p2 cannot pass"),
        (format!("cells {few} p1 move after z9"), "'z9': expected c3 (drop)"),
        (
            "cells 11..../....../....../....../.....2 p1 drop".to_owned(),
            "on a5 is next to another one",
        ),
        (
            "cells 3...../....../....../....../.....2 p1 drop".to_owned(),
            "row 1, column 1: expected '.', 1 or 2, got '3'",
        ),
        (
            "cells ....../....../....../....../...... p1 move".to_owned(),
            "expected at least one stone",
        ),
        (
            "cells 111111/111111/1...../....../.....2 p1 move".to_owned(),
            "p1 has 13 stones (at most 12)",
        ),
        ("cells 121212/212121/121212/212121/...... p1 drop".to_owned(), "neither side can drop"),
        ("fen x".to_owned(), "expected a position (startpos, cells) or 'moves', got 'fen'"),
    ] {
        let error = position_error(&Board::new(), &text);
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn bad_moves_are_refused_with_the_reason() {
    let board = moving("12..../2...../..1.../....../....22");
    for (text, part) in [
        ("a5b5", "b5 is occupied"),
        ("a5c5", "c5 is not next to a5"),
        ("b5c5", "p1 has no stone on b5"),
        ("c4", "expected a step in the move phase"),
        ("pass", "p1 cannot pass"),
        ("g1a1", "expected c3 (drop)"),
        ("a0a1", "expected c3 (drop)"),
        ("a5b5c5", "expected c3 (drop)"),
        ("é1a1", "expected c3 (drop)"),
    ] {
        let error = board.parse_move(text).unwrap_err();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn the_drawing_labels_rows_and_columns() {
    let expected = [
        "5  1 2 - - - -",
        "4  2 - - - - -",
        "3  - - - - - -",
        "2  - - - - - -",
        "1  - - - - 2 2",
        "   a b c d e f",
        "p1 moves; plies without a capture: 0",
    ];
    let board = moving("12..../2...../....../....../....22");
    assert_eq!(board.drawing(), expected.join("\n"));
    let drawing = played(&Board::new(), "a1").drawing();
    assert!(drawing.ends_with("p2 drops; in hand: p1 11, p2 12"));
}
