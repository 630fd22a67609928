//! Wali on boards of all sizes, and the endgame table that the engine builds itself: compared with a
//! plain second implementation of the rules.

mod support;

use std::cmp::Reverse;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::endgames::EndgameStore;
use ratlla::game::{Evaluate, ExactValue, Game, Notation, Side};
use ratlla::games::wali::bits::{AnyShape, Shape, Standard};
use ratlla::games::wali::board::{Board, Move, Phase};
use ratlla::games::wali::endgame::builtin::BuiltinTable;
use ratlla::games::wali::endgame::file::{TableHeader, publish};
use ratlla::games::wali::endgame::{Endgames, load_table};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::SearchRequest;
use ratlla::search::result::{PvLine, ReportedScore, SearchResult};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use ratlla::strategy::{Playable, Resources};
use support::any_attempt;
use support::game_checks::{candidates_include_the_best, perft, position, strategies_agree};
use support::naive_wali::{NaiveWali, solved};
use support::random_play::{late_position, legal_moves, random_position};
use support::search::evaluator;

const SIZES: [(usize, usize, usize); 9] = [
    (2, 3, 3),
    (3, 2, 3),
    (3, 3, 4),
    (2, 9, 5),
    (3, 5, 8),
    (4, 4, 6),
    (4, 8, 16),
    (8, 4, 12),
    (5, 6, 12),
];

fn start((rows, columns, stones): (usize, usize, usize)) -> Board<AnyShape> {
    Board::empty_board(AnyShape::new(rows, columns, stones).unwrap())
}

/// The same position in the plain implementation.
fn naive<S: Shape>(board: &Board<S>) -> NaiveWali {
    let shape = board.shape();
    let stone = |cell: usize| {
        [Side::P1, Side::P2].into_iter().find(|&side| board.stones(side) >> cell & 1 == 1)
    };
    NaiveWali {
        rows: shape.rows(),
        columns: shape.columns(),
        cells: (0..shape.cells())
            .map(|cell| stone(cell).map_or(0, |side| side as u8 + 1))
            .collect(),
        hand: [Side::P1, Side::P2].map(|side| board.in_hand(side) as usize),
        mover: board.side_to_move() as u8 + 1,
        dropping: board.phase() == Phase::Drop,
    }
}

#[test]
fn perft_agrees_with_a_plain_second_implementation() {
    let mut rng = SmallRng::seed_from_u64(11);
    for size in SIZES {
        let start = start(size);
        let (rows, columns, stones) = size;
        assert_eq!(naive(&start), NaiveWali::new(rows, columns, stones));
        let most = if rows * columns > 20 { 3 } else { 4 };
        for depth in 1..=most {
            let expected = NaiveWali::new(rows, columns, stones).perft(depth);
            assert_eq!(perft(&mut start.clone(), depth), expected, "{size:?} {depth}");
        }
        for round in 0..40 {
            let mut board = random_position(&start, 2 * round, &mut rng);
            // Repetition and the count of quiet plies are beyond the plain implementation.
            if board.quiet() < 90 && board.history_free_plies() > 0 {
                let expected = naive(&board).perft(2);
                assert_eq!(perft(&mut board, 2), expected, "{}", board.position_text());
            }
        }
    }
}

#[test]
fn the_usual_board_plays_the_same_with_and_without_code_of_its_own() {
    let mut rng = SmallRng::seed_from_u64(12);
    let any = start((5, 6, 12));
    for round in 0..300 {
        let usual = random_position(&Board::new(), round, &mut rng);
        let other = position(&any, &usual.position_text());
        assert_eq!(legal_moves(&other), legal_moves(&usual));
        assert_eq!((other.key(), other.drawing()), (usual.key(), usual.drawing()));
        assert_eq!(evaluator(&other).evaluate(&other), evaluator(&usual).evaluate(&usual));
    }
}

#[test]
fn strategies_agree_on_other_boards() {
    let mut rng = SmallRng::seed_from_u64(13);
    for size in SIZES {
        for round in 0..6 {
            strategies_agree(&random_position(&start(size), 8 * round, &mut rng), 3);
            candidates_include_the_best(&random_position(&start(size), 8 * round, &mut rng), 2);
        }
    }
}

#[test]
fn evaluations_stay_within_reason_on_other_boards() {
    let mut rng = SmallRng::seed_from_u64(14);
    for size in SIZES {
        for round in 0..100 {
            let board = random_position(&start(size), round, &mut rng);
            let points = evaluator(&board).evaluate(&board);
            assert!(points.abs() < 5000, "{points}: {}", board.position_text());
        }
    }
}

#[test]
fn tables_agree_with_a_plain_second_implementation() {
    for (rows, columns, most) in [(2, 3, 4), (3, 3, 5), (2, 5, 4), (5, 2, 3)] {
        let shape = AnyShape::new(rows, columns, 3).unwrap();
        let table = Endgames::build(shape, most, || true).unwrap().unwrap();
        let cells = shape.cells() as u32;
        let each_position = || {
            (0..3u32.pow(cells)).map(|code| {
                (0..cells).map(|cell| (code / 3u32.pow(cell) % 3) as u8).collect::<Vec<u8>>()
            })
        };
        let within = |position: &NaiveWali| {
            [1, 2].iter().all(|&player| (1..=most).contains(&position.stones(player)))
        };
        let starts = each_position().map(|cells| NaiveWali {
            rows,
            columns,
            cells,
            hand: [0; 2],
            mover: 1,
            dropping: false,
        });
        let mut compared = 0;
        for (position, value) in solved(starts.filter(within).collect()) {
            let set = |player: u8| {
                let cells = position.cells.iter().enumerate();
                cells.fold(0, |set, (cell, &stone)| set | u32::from(stone == player) << cell)
            };
            let [own, enemy] = [position.mover, 3 - position.mover].map(set);
            let [own_count, enemy_count] = [own, enemy].map(u32::count_ones);
            match table.look_up(own, enemy) {
                Some(found) => {
                    assert_eq!(found, value, "{position:?}");
                    compared += 1;
                }
                None if position.is_over() => {}
                None => {
                    assert!(own_count < 3 && enemy_count < 3);
                    assert_eq!(value, ExactValue::Draw, "{position:?}");
                }
            }
            // Whoever can capture does not lose against someone who cannot.
            assert!(own_count < 3 || enemy_count >= 3 || !matches!(value, ExactValue::Loss(_)));
        }
        assert!(compared > 100, "{compared}");
    }
}

/// What the default strategy finds.
fn search(
    board: &Board,
    limits: &Limits,
    level: u8,
    endgames: &mut EndgameStore,
) -> SearchResult<Move> {
    let request = SearchRequest {
        game: board,
        moves: &legal_moves(board),
        limits,
        control: &SearchControl::new(false, false),
        tt: &TranspositionTable::new(1).unwrap(),
        settings: &Settings { level, seed: 1, ..Settings::default() },
    };
    Board::full().choose(&request, &mut Resources { memory: &mut None, endgames }, &mut |_| {})
}

#[test]
fn three_against_three_is_played_perfectly_without_a_file() {
    let table = Endgames::build(Standard.any(), 3, || true).unwrap().unwrap();
    let mut rng = SmallRng::seed_from_u64(15);
    let endgames = &mut EndgameStore::default();
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    for _ in 0..100 {
        let stones = random_stones(&mut rng);
        let board = Board::from_stones(Standard, stones, Side::P1, Phase::Move, 0);
        let found = search(&board, &limits, 10, endgames);
        let expected = match table.look_up(stones[0], stones[1]).unwrap() {
            ExactValue::Win(plies) => ReportedScore::Win(plies),
            ExactValue::Loss(plies) => ReportedScore::Loss(plies),
            ExactValue::Draw => ReportedScore::Draw,
        };
        assert_eq!(found.lines[0].score, Some(expected), "{}", board.position_text());
    }
}

#[test]
fn a_table_from_a_file_makes_the_built_in_one_superfluous() {
    let table = Endgames::build(Standard.any(), 3, || true).unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let header = TableHeader { shape: Standard.any(), most: 3 };
    publish(&path, header, table.values()).unwrap();
    let mut endgames = EndgameStore::default();
    load_table(&mut endgames, path.to_str().unwrap()).unwrap();
    let stones = random_stones(&mut SmallRng::seed_from_u64(19));
    let board = Board::from_stones(Standard, stones, Side::P1, Phase::Move, 0);
    let limits = Limits { nodes: Some(300), ..Limits::default() };
    let [found, expected] = [&mut endgames, &mut EndgameStore::default()]
        .map(|store| search(&board, &limits, 10, store).lines[0].score);
    assert_eq!(found, expected);
    assert!(endgames.get::<Option<Arc<BuiltinTable>>>().is_none(), "it is not built");
}

/// Three stones each on random cells.
fn random_stones(rng: &mut SmallRng) -> [u32; 2] {
    let mut cells: Vec<u32> = (0..30).collect();
    [0; 2].map(|_: u32| {
        let mut take = || cells.swap_remove(rand::RngExt::random_range(rng, 0..cells.len()));
        1 << take() | 1 << take() | 1 << take()
    })
}

#[test]
fn node_limits_repeat_whether_or_not_the_table_is_there_already() {
    let four = "cells 1...1./....1./1...../..2.2./2....2 p1 move";
    let board = position(&Board::new(), four);
    let limits = Limits { nodes: Some(20_000), ..Limits::default() };
    let (mut old, mut new) = (EndgameStore::default(), EndgameStore::default());
    let timed = Limits { movetime: Some(Duration::from_millis(20)), ..Limits::default() };
    search(&board, &timed, 10, &mut old);
    let found = [&mut old, &mut new].map(|store| {
        let found = search(&board, &limits, 10, store);
        (found.lines[0].moves.clone(), found.lines[0].score, found.nodes)
    });
    assert_eq!(found[0], found[1]);
    // Far from the table it is of no account.
    let start = late_position(&Board::new(), 30, &mut SmallRng::seed_from_u64(16));
    let found = [&mut old, &mut EndgameStore::default()].map(|store| {
        let found = search(&start, &limits, 10, store);
        (found.lines[0].moves.clone(), found.lines[0].score, found.nodes)
    });
    assert_eq!(found[0], found[1]);
}

/// Whether a search in this position left the table unfinished: it did not wait for it.
fn is_unfinished(endgames: &EndgameStore) -> bool {
    let table = endgames.get::<Option<Arc<BuiltinTable>>>().and_then(Option::as_ref);
    table.expect("a search here starts to build it").get().is_none()
}

#[test]
fn searches_with_a_time_limit_do_not_wait_for_the_table() {
    let board = position(&Board::new(), "cells 1...1./....1./....../..2.2./2..... p1 move");
    let is_unfinished_after = |limits| {
        let mut endgames = EndgameStore::default();
        search(&board, &limits, 10, &mut endgames);
        is_unfinished(&endgames)
    };
    let timed = Limits { movetime: Some(Duration::from_millis(5)), ..Limits::default() };
    assert!(any_attempt(|| is_unfinished_after(timed.clone())));
    let deep = Limits { depth: Some(1), ..Limits::default() };
    assert!(!is_unfinished_after(deep), "others wait");
}

#[test]
fn a_stop_ends_the_wait_for_the_table() {
    let board = position(&Board::new(), "cells 1...1./....1./....../..2.2./2..... p1 move");
    let control = SearchControl::new(false, false);
    control.stop();
    let request = SearchRequest {
        game: &board,
        moves: &legal_moves(&board),
        limits: &Limits { depth: Some(50), ..Limits::default() },
        control: &control,
        tt: &TranspositionTable::new(1).unwrap(),
        settings: &Settings::default(),
    };
    assert!(any_attempt(|| {
        let mut endgames = EndgameStore::default();
        let mut resources = Resources { memory: &mut None, endgames: &mut endgames };
        Board::full().choose(&request, &mut resources, &mut |_| {});
        is_unfinished(&endgames)
    }));
}

#[test]
fn lower_levels_do_without_the_table() {
    let mut rng = SmallRng::seed_from_u64(17);
    let mut with_table = EndgameStore::default();
    let limits = Limits { depth: Some(4), ..Limits::default() };
    for round in 0..20 {
        let stones = random_stones(&mut rng);
        let board = Board::from_stones(Standard, stones, Side::P1, Phase::Move, 0);
        search(&board, &limits, 10, &mut with_table);
        let found = [&mut with_table, &mut EndgameStore::default()].map(|store| {
            let found = search(&board, &limits, 1 + round % 9, store);
            (found.lines[0].moves.clone(), found.lines[0].score, found.nodes)
        });
        assert_eq!(found[0], found[1]);
    }
}

/// The best moves of this position, at most `count`, with their exact scores, by the solver.
fn scores(
    board: &Board<AnyShape>,
    count: usize,
    endgames: &mut EndgameStore,
) -> Vec<(String, ReportedScore)> {
    let moves = legal_moves(board);
    let request = SearchRequest {
        game: board,
        moves: &moves,
        limits: &Limits::default(),
        control: &SearchControl::new(false, false),
        tt: &TranspositionTable::new(1).unwrap(),
        settings: &Settings { multi_pv: count, ..Settings::default() },
    };
    let solver = board.solver(64, endgames).expect("a small board");
    let found =
        solver.choose(&request, &mut Resources { memory: &mut None, endgames }, &mut |_| {});
    for line in &found.lines {
        // A line leads to its score.
        let mut board = board.clone();
        for &mv in &line.moves {
            board.play(mv);
        }
        match line.score.expect("a score") {
            ReportedScore::Win(plies) | ReportedScore::Loss(plies) => {
                assert!(board.outcome().is_some() && line.moves.len() == plies);
            }
            _ => assert!(board.phase() == Phase::Move),
        }
    }
    let score = |line: &PvLine<Move>| (board.move_text(line.moves[0]), line.score.unwrap());
    found.lines.iter().map(score).collect()
}

#[test]
fn small_boards_are_solved_as_the_plain_second_implementation_does() {
    let mut rng = SmallRng::seed_from_u64(18);
    for size in [(2, 3, 3), (3, 3, 3), (3, 3, 4), (3, 3, 5), (2, 4, 4), (2, 5, 3)] {
        let start = start(size);
        let values = solved(vec![naive(&start)]);
        let endgames = &mut EndgameStore::default();
        for round in 0..60 {
            let board = random_position(&start, round / 2, &mut rng);
            if board.solver(64, endgames).is_err() {
                continue;
            }
            let me = board.side_to_move();
            let all = scores(&board, usize::MAX, endgames);
            for count in [1, 2] {
                let best = scores(&board, count, endgames).into_iter().map(|(_, score)| score);
                assert!(best.eq(all.iter().take(count).map(|&(_, score)| score)));
            }
            for (text, score) in all {
                let mut after = board.clone();
                after.play(board.parse_move(&text).unwrap());
                let is_mine = after.side_to_move() == me;
                let expected = match values[&naive(&after)] {
                    ExactValue::Win(plies) if is_mine => ReportedScore::Win(plies + 1),
                    ExactValue::Win(plies) => ReportedScore::Loss(plies + 1),
                    ExactValue::Loss(plies) if is_mine => ReportedScore::Loss(plies + 1),
                    ExactValue::Loss(plies) => ReportedScore::Win(plies + 1),
                    ExactValue::Draw => ReportedScore::Draw,
                };
                assert_eq!(score, expected, "{text} in {}", board.position_text());
            }
        }
    }
}

/// Above all where one move ends the game: nothing is better than that.
#[test]
fn one_line_has_the_value_of_every_ending() {
    for (rows, columns) in [(3, 3), (2, 5)] {
        let shape = AnyShape::new(rows, columns, 4).unwrap();
        let table = Endgames::build(shape, 4, || true).unwrap().unwrap();
        let endgames = &mut EndgameStore::default();
        let cells = shape.cells() as u32;
        let sets = || (1..1u32 << cells).filter(|set| set.count_ones() <= 4);
        let positions = sets().flat_map(|own| sets().map(move |enemy| [own, enemy]));
        let (mut solved, mut won_at_once) = (0, 0);
        for (number, stones) in positions.filter(|[own, enemy]| own & enemy == 0).enumerate() {
            let Some(value) = table.look_up(stones[0], stones[1]) else { continue };
            let board = Board::from_stones(shape, stones, Side::P1, Phase::Move, 0);
            // Every one of those, and a part of the others.
            if (value != ExactValue::Win(1) && number % 20 != 0) || legal_moves(&board).is_empty() {
                continue;
            }
            let (text, score) = scores(&board, 1, endgames).remove(0);
            assert_eq!(score, value.into(), "{text} in {}", board.position_text());
            solved += 1;
            won_at_once += usize::from(value == ExactValue::Win(1));
        }
        assert!(solved > 500 && won_at_once > 100, "{solved} {won_at_once}");
    }
}

/// A table of this board with up to `most` stones a side, and a store that has it as from a file.
fn with_table(rows: usize, columns: usize, most: usize) -> (Endgames, EndgameStore) {
    let shape = AnyShape::new(rows, columns, 3).unwrap();
    let table = Endgames::build(shape, most, || true).unwrap().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    publish(&path, TableHeader { shape, most }, table.values()).unwrap();
    let mut endgames = EndgameStore::default();
    load_table(&mut endgames, path.to_str().unwrap()).unwrap();
    (table, endgames)
}

/// The value of a position by minimax without pruning over the drop phase.
fn minimax(
    board: &Board<AnyShape>,
    table: &Endgames,
    known: &mut HashMap<u64, ExactValue>,
) -> ExactValue {
    let me = board.side_to_move();
    if board.phase() == Phase::Move {
        return table.look_up(board.stones(me), board.stones(!me)).unwrap_or(ExactValue::Draw);
    }
    if let Some(&value) = known.get(&board.key()) {
        return value;
    }
    let mut best = None;
    for mv in legal_moves(board) {
        let mut after = board.clone();
        after.play(mv);
        let is_mine = after.side_to_move() == me;
        let (plies_won, plies_lost) = match minimax(&after, table, known) {
            ExactValue::Win(plies) if is_mine => (Some(plies + 1), None),
            ExactValue::Loss(plies) if !is_mine => (Some(plies + 1), None),
            ExactValue::Win(plies) | ExactValue::Loss(plies) => (None, Some(plies + 1)),
            ExactValue::Draw => (None, None),
        };
        // A short win, else a draw, else a long loss.
        let rank = (plies_won.is_some(), plies_lost.is_none(), plies_lost, plies_won.map(Reverse));
        best = best.max(Some(rank));
    }
    let value = match best.expect("a legal move") {
        (_, _, _, Some(Reverse(plies))) => ExactValue::Win(plies),
        (_, _, Some(plies), _) => ExactValue::Loss(plies),
        _ => ExactValue::Draw,
    };
    known.insert(board.key(), value);
    value
}

#[test]
fn with_a_table_from_a_file_larger_boards_are_solved_as_by_minimax() {
    let mut rng = SmallRng::seed_from_u64(20);
    let mut decided = 0;
    for (rows, columns, stones) in [(4, 5, 3), (2, 9, 4), (3, 4, 6)] {
        let start = start((rows, columns, stones));
        let (table, mut endgames) = with_table(rows, columns, stones);
        let known = &mut HashMap::new();
        for round in 0..80 {
            let board = random_position(&start, round / 10, &mut rng);
            if board.phase() == Phase::Move {
                continue;
            }
            for (text, score) in scores(&board, usize::MAX, &mut endgames) {
                let mut after = board.clone();
                after.play(board.parse_move(&text).unwrap());
                let is_mine = after.side_to_move() == board.side_to_move();
                let expected = match minimax(&after, &table, known) {
                    ExactValue::Win(plies) if is_mine => ReportedScore::Win(plies + 1),
                    ExactValue::Loss(plies) if !is_mine => ReportedScore::Win(plies + 1),
                    ExactValue::Win(plies) | ExactValue::Loss(plies) => {
                        ReportedScore::Loss(plies + 1)
                    }
                    ExactValue::Draw => ReportedScore::Draw,
                };
                assert_eq!(score, expected, "{text} in {}", board.position_text());
                decided += usize::from(expected != ReportedScore::Draw);
            }
        }
    }
    assert!(decided > 100, "{decided}");
}

#[test]
fn a_table_from_a_file_solves_what_it_covers() {
    let (table, mut endgames) = with_table(5, 6, 3);
    let from_start = |stones| start((5, 6, stones)).solver(64, &endgames).err();
    assert_eq!(from_start(3), None);
    let reason = from_start(4).unwrap();
    assert!(reason.contains("a WaliTable with 4 stones a side, got 30 cells"), "{reason}");
    let three = "cells 1...1./....1./....../..2.2./2..... p1 move";
    let reason = |text: &str, endgames: &EndgameStore| {
        position(&start((5, 6, 12)), text).solver(64, endgames).err()
    };
    assert_eq!(reason(three, &endgames), None);
    assert!(reason(three, &EndgameStore::default()).is_some());
    let late = reason(&format!("{three} quiet 60"), &endgames).unwrap();
    assert!(late.contains("the game may be drawn first"), "{late}");
    // The best of all moves, with a line to the end of the game.
    let board = position(&start((5, 6, 12)), three);
    let stones = [Side::P1, Side::P2].map(|side| board.stones(side));
    let value = table.look_up(stones[0], stones[1]).unwrap();
    assert_ne!(value, ExactValue::Draw);
    assert_eq!(scores(&board, usize::MAX, &mut endgames)[0].1, value.into());
}

#[test]
fn a_table_with_wins_beyond_the_100_ply_rule_solves_nothing() {
    let (table, endgames) = with_table(2, 8, 5);
    assert_eq!((table.longest(4), table.longest(5), table.longest(9)), (78, 102, 102));
    let solver = |stones| start((2, 8, stones)).solver(64, &endgames).err();
    assert_eq!(solver(4), None);
    let reason = solver(5).unwrap();
    assert!(reason.contains("wins take up to 102 plies"), "{reason}");
}

#[test]
fn only_small_boards_without_a_past_have_a_solver() {
    for (size, has_solver) in [
        ((3, 3, 4), true),
        ((3, 5, 8), true),
        ((2, 7, 7), true),
        ((4, 4, 8), true),
        ((2, 8, 8), false),
        ((4, 5, 8), false),
        ((5, 6, 12), false),
    ] {
        assert_eq!(
            start(size).solver(64, &EndgameStore::default()).is_ok(),
            has_solver,
            "{size:?}"
        );
    }
    let moving = "cells 11./.../2.2 p1 move";
    assert!(position(&start((3, 3, 3)), moving).solver(64, &EndgameStore::default()).is_ok());
    assert!(
        position(&start((3, 3, 3)), &format!("{moving} quiet 40"))
            .solver(64, &EndgameStore::default())
            .is_err()
    );
}

#[test]
fn no_win_on_a_board_with_a_solver_is_too_long_for_the_rules() {
    for (rows, columns) in [(4, 4), (3, 5), (3, 4), (3, 3), (2, 7), (2, 6), (2, 5), (2, 4)] {
        let shape = AnyShape::new(rows, columns, 3).unwrap();
        let table = Endgames::build(shape, (rows * columns).div_ceil(2), || true);
        let table = table.unwrap().unwrap();
        assert!(table.values().iter().max() <= Some(&69), "{rows}x{columns}");
    }
}
