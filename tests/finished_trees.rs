//! A search that has seen everything that can still happen ends, and what it then claims is true for
//! the game's own history.

mod support;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Game, Notation, Outcome, Side};
use ratlla::games::boom::board::Board as Boom;
use ratlla::games::wali::board::{Board as Wali, MOST_QUIET, Phase};
use ratlla::limits::Limits;
use ratlla::search::Pruning;
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use ratlla::strategy::Playable;
use support::engine::Engine;
use support::game_checks::position;
use support::random_play::{late_position, legal_moves};
use support::search::{evaluator, results};

/// -1, 0 or 1 for the side to move: at least and at most this, as far as `depth` plies tell.
fn bounds<G: Game>(game: &mut G, depth: usize) -> [i32; 2] {
    match game.outcome() {
        Some(Outcome::Draw) => return [0, 0],
        Some(Outcome::Win(winner)) => {
            return if winner == game.side_to_move() { [1, 1] } else { [-1, -1] };
        }
        None if depth == 0 => return [-1, 1],
        None => {}
    }
    let side = game.side_to_move();
    let mut best = [-1, -1];
    for mv in legal_moves(game) {
        let undo = game.play(mv);
        let [low, high] = bounds(game, depth - 1);
        let found = if game.side_to_move() == side { [low, high] } else { [-high, -low] };
        game.undo(mv, undo);
        best = [best[0].max(found[0]), best[1].max(found[1])];
    }
    best
}

/// What a search without limits, but for so many nodes, reports with `table`.
fn searched<G: Playable>(
    game: &G,
    nodes: u64,
    table: &TranspositionTable,
) -> Vec<SearchResult<G::Move>> {
    table.new_search();
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    results(game, &evaluator(game), Pruning::FULL, &limits, &Settings::default(), table)
}

/// Checks that every score is within the bounds; returns the last one.
fn check<G: Playable + Notation>(
    game: &G,
    [low, high]: [i32; 2],
    results: &[SearchResult<G::Move>],
) -> ReportedScore {
    let mut last = ReportedScore::Draw;
    for result in results {
        last = result.lines[0].score.unwrap();
        let claimed = match last {
            ReportedScore::Win(_) => 1,
            ReportedScore::Loss(_) => -1,
            ReportedScore::Draw => 0,
            _ => continue,
        };
        assert!(
            (low..=high).contains(&claimed),
            "{last:?}, not {low}..{high}: {}",
            game.position_text()
        );
    }
    last
}

/// A random position of BOOM with this number of the next move.
fn late_boom(number: u32, rng: &mut SmallRng) -> Boom {
    loop {
        let text = late_position(&Boom::new(), rng.random_range(20..50), rng).position_text();
        let (cells, _) = text.rsplit_once(' ').unwrap();
        let game = position(&Boom::new(), &format!("{cells} {number}"));
        if game.outcome().is_none() {
            return game;
        }
    }
}

#[test]
fn boom_ends_at_the_move_limit_with_the_exact_score() {
    let mut rng = SmallRng::seed_from_u64(1);
    let table = TranspositionTable::new(1).unwrap();
    let mut draws = 0;
    for round in 0..200 {
        let plies = 1 + round % 4;
        let mut game = late_boom(301 - plies, &mut rng);
        let [low, high] = bounds(&mut game, plies as usize);
        assert_eq!(low, high);
        let results = searched(&game, 1_000_000, &table);
        let last = check(&game, [low, high], &results);
        assert!(last.is_proved(), "{last:?} in {}", game.position_text());
        assert!(results.len() <= 20, "{} results", results.len());
        draws += usize::from(last == ReportedScore::Draw);
    }
    assert!(draws > 20, "{draws} draws");
}

/// A random position of Wali's move phase with this number of quiet plies.
fn quiet_wali(quiet: u16, rng: &mut SmallRng) -> Wali {
    loop {
        let game = late_position(&Wali::new(), rng.random_range(24..80), rng);
        if game.phase() == Phase::Move {
            let stones = [Side::P1, Side::P2].map(|side| game.stones(side));
            return Wali::from_stones(
                game.shape(),
                stones,
                game.side_to_move(),
                Phase::Move,
                quiet,
            );
        }
    }
}

#[test]
fn wali_ends_when_no_capture_is_left_and_claims_nothing_false() {
    let mut rng = SmallRng::seed_from_u64(2);
    // One table for all: what one history has left there must not mislead another.
    let table = TranspositionTable::new(1).unwrap();
    let (mut draws, mut open) = (0, 0);
    for round in 0..150 {
        let plies = 1 + round % 3;
        let mut game = quiet_wali(MOST_QUIET - plies, &mut rng);
        let exact = bounds(&mut game, plies.into());
        let results = searched(&game, 3_000, &table);
        let last = check(&game, exact, &results);
        if plies == 1 && exact == [0, 0] {
            assert_eq!(last, ReportedScore::Draw, "{}", game.position_text());
            assert!(results.len() <= 4, "{} results", results.len());
        }
        draws += usize::from(last == ReportedScore::Draw);
        // The same stones with all plies before them: nothing is known to be drawn.
        let stones = [Side::P1, Side::P2].map(|side| game.stones(side));
        let fresh = Wali::from_stones(game.shape(), stones, game.side_to_move(), Phase::Move, 0);
        let results = searched(&fresh, 3_000, &table);
        let last = results[results.len() - 1].lines[0].score.unwrap();
        open += usize::from(!last.is_proved());
        assert_ne!(last, ReportedScore::Draw, "{}", fresh.position_text());
        let depth = results[results.len() - 1].depth.unwrap().0;
        assert!(last.is_proved() || depth > 2, "ended at depth {depth}: {}", fresh.position_text());
    }
    assert!(draws > 20 && open > 20, "{draws} draws, {open} open");
}

#[test]
fn repetitions_before_the_root_count() {
    let mut rng = SmallRng::seed_from_u64(3);
    let table = TranspositionTable::new(1).unwrap();
    let mut draws = 0;
    for round in 0..200 {
        // Few stones in a corner repeat positions often.
        let quiet = 84 + round % 5;
        let corner = "cells 12..../2...../....../....../......";
        let start = position(&Wali::new(), &format!("{corner} p1 move quiet {quiet}"));
        let mut game = late_position(&start, 11, &mut rng);
        let exact = bounds(&mut game, 5);
        let results = searched(&game, 100_000, &table);
        draws += usize::from(check(&game, exact, &results) == ReportedScore::Draw);
    }
    assert!(draws > 10, "{draws}");
}

#[test]
fn repetitions_end_a_search_that_sees_nothing_else() {
    // Two stones that can only walk: neither ever makes three.
    let game = position(&Wali::new(), "cells 1...../....../....../....../.....2 p1 move quiet 90");
    let table = TranspositionTable::new(4).unwrap();
    let results = searched(&game, 20_000_000, &table);
    let depth = results[results.len() - 1].depth.unwrap().0;
    assert!(depth < 30, "{depth}");
}

#[test]
fn the_program_says_draw_and_stops() {
    let mut engine = Engine::start();
    for (game, position) in [
        ("boom", "cells ......./......./......./......./......./......./12..... move 299"),
        ("wali", "cells 1...../....../....../....../.....2 p1 move quiet 99"),
    ] {
        engine.command(&format!("newgame {game}"));
        engine.command(&format!("position {position}"));
        engine.send("go movetime 20000");
        let (_, lines) = engine.wait_for_best_move();
        let infos: Vec<&String> = lines.iter().filter(|line| line.contains(" pv ")).collect();
        assert!(infos.len() <= 5, "{infos:?}");
        assert!(infos.last().unwrap().contains(" score draw "), "{infos:?}");
    }
    engine.quit();
}
