//! The exact solver and the endgame tables against known values, plain minimax and each other.

mod support;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::endgames::EndgameStore;
use ratlla::game::{Game, Side};
use ratlla::games::kalah::board::{Board, House};
use ratlla::games::kalah::endgame::build::build;
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::kalah::endgame::{Variant, file};
use ratlla::games::kalah::load_table;
use ratlla::games::kalah::row::Word;
use ratlla::games::kalah::sowing::Rules;
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::SearchRequest;
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use ratlla::strategy::{Playable, Resources};
use support::any_attempt;

fn board<W: Word>(houses: usize, seeds: usize, empty_capture: bool) -> Board<W> {
    Board::new(Rules::new(houses, seeds, empty_capture).unwrap())
}

fn legal_moves<W: Word>(board: &Board<W>) -> Vec<House> {
    let mut moves = Vec::new();
    board.legal_moves(&mut moves);
    moves
}

fn solve_with<W: Word>(
    board: &Board<W>,
    moves: &[House],
    limits: &Limits,
    control: &SearchControl,
    multi_pv: usize,
    endgames: &mut EndgameStore,
) -> SearchResult<House> {
    let request = SearchRequest {
        game: board,
        moves,
        limits,
        control,
        tt: &TranspositionTable::new(16).unwrap(),
        settings: &Settings { multi_pv, ..Settings::default() },
    };
    let mut resources = Resources { memory: &mut Default::default(), endgames };
    board.solver(64, resources.endgames).unwrap().choose(&request, &mut resources, &mut |result| {
        assert!(!result.lines.is_empty());
    })
}

fn solve<W: Word>(board: &Board<W>, multi_pv: usize) -> SearchResult<House> {
    let control = SearchControl::new(false, false);
    let endgames = &mut EndgameStore::default();
    solve_with(board, &legal_moves(board), &Limits::default(), &control, multi_pv, endgames)
}

/// The margin of the first line, whose moves must lead to exactly that.
fn margin<W: Word>(board: &Board<W>) -> i32 {
    let result = solve(board, 1);
    check_line(board, &result, 0)
}

fn check_line<W: Word>(board: &Board<W>, result: &SearchResult<House>, index: usize) -> i32 {
    let line = &result.lines[index];
    let Some(ReportedScore::Margin(margin)) = line.score else {
        panic!("not solved: {:?}", line.score);
    };
    let mut end = board.clone();
    for &mv in &line.moves {
        assert!(legal_moves(&end).contains(&mv));
        end.play(mv);
    }
    assert!(end.outcome().is_some(), "the line ends before the game");
    let difference = end.store(Side::P1) as i32 - end.store(Side::P2) as i32;
    assert_eq!(board.side_to_move().view(difference), margin, "the line leads elsewhere");
    margin
}

/// The exact margin for the side to move, by exhaustive search.
fn minimax<W: Word>(board: &mut Board<W>) -> i32 {
    let mover = board.side_to_move();
    if board.outcome().is_some() {
        return board.store_lead();
    }
    let values = legal_moves(board).into_iter().map(|mv| {
        let before = board.play(mv);
        let value = minimax(board);
        let value = if board.side_to_move() == mover { value } else { -value };
        board.undo(mv, before);
        value
    });
    values.max().unwrap()
}

/// A random position after `board`, not over, with at most `seeds` seeds in play; if none is found,
/// one before the last move of a game.
fn random_position<W: Word>(board: &Board<W>, seeds: u32, rng: &mut SmallRng) -> Board<W> {
    let mut last = board.clone();
    for _ in 0..100 {
        let mut position = board.clone();
        while position.outcome().is_none() && position.rows().in_play() > seeds {
            last = position.clone();
            let moves = legal_moves(&position);
            position.play(moves[rng.random_range(0..moves.len())]);
        }
        if position.outcome().is_none() {
            return position;
        }
    }
    last
}

#[test]
fn start_positions_have_the_known_values() {
    for line in include_str!("data/kalah_values.txt").lines() {
        let Some((size, values)) = line.split_once(':').filter(|_| !line.starts_with('#')) else {
            continue;
        };
        let number = |word: &str| word.trim().parse::<i32>().unwrap();
        let size: Vec<usize> = size.split_whitespace().map(|word| word.parse().unwrap()).collect();
        let (standard, variant) = values.split_once('/').unwrap_or((values, values));
        for (empty_capture, value) in [(false, number(standard)), (true, number(variant))] {
            let start = board::<u64>(size[0], size[1], empty_capture);
            assert_eq!(margin(&start), value, "{line} {empty_capture}");
        }
    }
}

#[test]
fn the_solver_agrees_with_plain_minimax() {
    let mut rng = SmallRng::seed_from_u64(4);
    for round in 0..3000 {
        let (houses, seeds) = (rng.random_range(1..=4), rng.random_range(1..=4));
        let start = board::<u64>(houses, seeds, round % 2 == 0);
        let most = rng.random_range(2..=7);
        let mut position = random_position(&start, most, &mut rng);
        assert_eq!(margin(&position), minimax(&mut position), "{position:?}");
    }
}

#[test]
fn wide_rows_are_solved_as_well() {
    let mut rng = SmallRng::seed_from_u64(5);
    for houses in [7, 8, 12] {
        for _ in 0..100 {
            let mut position = random_position(&board::<u128>(houses, 2, false), 4, &mut rng);
            assert_eq!(margin(&position), minimax(&mut position), "{position:?}");
        }
    }
}

#[test]
fn every_multi_pv_line_has_its_exact_margin() {
    let mut rng = SmallRng::seed_from_u64(6);
    for round in 0..300 {
        let start = board::<u64>(4, 3, round % 2 == 0);
        let position = random_position(&start, 8, &mut rng);
        let moves = legal_moves(&position);
        let result = solve(&position, moves.len());
        assert_eq!(result.lines.len(), moves.len());
        let mut margins = Vec::new();
        for index in 0..moves.len() {
            let mover = position.side_to_move();
            let mut after = position.clone();
            after.play(result.lines[index].moves[0]);
            let value = minimax(&mut after);
            let value = if after.side_to_move() == mover { value } else { -value };
            assert_eq!(check_line(&position, &result, index), value);
            margins.push(value);
        }
        assert!(margins.is_sorted_by(|a, b| a >= b));
    }
}

#[test]
fn only_searchmoves_are_considered() {
    let start = board::<u64>(4, 3, false);
    let all = solve(&start, 4);
    let worst = all.lines.last().unwrap();
    let control = SearchControl::new(false, false);
    let only = solve_with(
        &start,
        &worst.moves[..1],
        &Limits::default(),
        &control,
        4,
        &mut EndgameStore::default(),
    );
    assert_eq!(only.lines.len(), 1);
    assert_eq!(only.lines[0].score, worst.score);
}

#[test]
fn limits_and_stop_are_respected() {
    let start = board::<u64>(6, 6, false);
    let moves = legal_moves(&start);
    let check = |result: SearchResult<House>| {
        assert!(moves.contains(&result.lines[0].moves[0]));
        assert!(!matches!(result.lines[0].score, Some(ReportedScore::Margin(_))));
    };
    let stopped = SearchControl::new(false, false);
    stopped.stop();
    check(solve_with(
        &start,
        &moves,
        &Limits::default(),
        &stopped,
        1,
        &mut EndgameStore::default(),
    ));
    let nodes = Limits { nodes: Some(5000), ..Limits::default() };
    let result = solve_with(
        &start,
        &moves,
        &nodes,
        &SearchControl::new(false, false),
        3,
        &mut EndgameStore::default(),
    );
    assert_eq!(result.nodes, 5000);
    check(result);
    let time = Limits { movetime: Some(Duration::from_millis(50)), ..Limits::default() };
    assert!(any_attempt(|| {
        let started = Instant::now();
        let control = SearchControl::new(false, false);
        check(solve_with(&start, &moves, &time, &control, 1, &mut EndgameStore::default()));
        started.elapsed() < Duration::from_secs(2)
    }));
}

#[test]
fn games_with_too_many_positions_have_no_solver() {
    let reason = board::<u128>(12, 12, false).solver(64, &EndgameStore::default()).err().unwrap();
    assert!(reason.contains("too many positions with 288 seeds"), "{reason}");
    let (wide, hash) = (board::<u128>(8, 5, false), 400);
    assert!(wide.solver(hash, &EndgameStore::default()).is_ok());
    let reason = wide.solver(1, &EndgameStore::default()).err().unwrap();
    assert!(reason.starts_with("expected a Hash of at least"), "{reason}");
    assert!(board::<u64>(6, 6, false).solver(1, &EndgameStore::default()).is_ok());
}

#[test]
fn endgame_tables_agree_with_plain_minimax() {
    let mut rng = SmallRng::seed_from_u64(7);
    for (houses, seeds) in [(1, 12), (2, 10), (3, 8), (6, 6)] {
        for empty_capture in [false, true] {
            let variant = Variant { houses, empty_capture };
            let table = build(variant, seeds, None, &mut |_| true).unwrap();
            let index = Index::new(houses, seeds).unwrap();
            for _ in 0..300 {
                let start = board::<u64>(houses, 12, empty_capture);
                let mut position = random_position(&start, seeds as u32, &mut rng);
                let share = table.share(index.of(position.rows())) as i32;
                let rest = minimax(&mut position) - position.store_lead();
                assert_eq!(2 * share - position.rows().in_play() as i32, rest);
            }
        }
    }
}

#[test]
fn a_table_from_disk_is_used_and_a_bad_one_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let variant = Variant { houses: 7, empty_capture: true };
    let table = build(variant, 8, None, &mut |_| true).unwrap();
    file::publish(&path, variant, 8, table.shares()).unwrap();
    let mut endgames = EndgameStore::default();
    load_table(&mut endgames, path.to_str().unwrap()).unwrap();
    let start = board::<u128>(7, 1, true);
    let limits = Limits { nodes: Some(1_000_000), ..Limits::default() };
    let solved = |endgames: &mut EndgameStore| {
        let control = SearchControl::new(false, false);
        let result = solve_with(&start, &legal_moves(&start), &limits, &control, 1, endgames);
        (check_line(&start, &result, 0), result.nodes)
    };
    let (with, nodes_with) = solved(&mut endgames);
    std::fs::write(&path, b"not a table").unwrap();
    assert!(
        load_table(&mut endgames, path.to_str().unwrap())
            .unwrap_err()
            .contains("at least 64 bytes")
    );
    assert!(load_table(&mut endgames, path.join("nowhere").to_str().unwrap()).is_err());
    load_table(&mut endgames, "").unwrap();
    let (without, nodes_without) = solved(&mut EndgameStore::default());
    assert_eq!(with, without);
    assert!(nodes_with < nodes_without);
}
