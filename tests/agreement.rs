//! All searches agree with plain minimax to the same depth, and their proved scores are true.

mod support;

use std::collections::HashMap;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::{Evaluator, ExactValue, Game, Notation};
use ratlla::games::connect4::board::Board;
use ratlla::games::connect4::solver::{self, Solver};
use ratlla::games::connect4::{solver_position, start};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::search::score::{Score, Value};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, SearchRequest};
use ratlla::settings::{MoveOrder, Settings};
use ratlla::strategy::{Minimax, Playable};
use support::hash_evaluator::HashEvaluator;
use support::minimax::{minimax, move_values};
use support::random_play::{late_position, legal_moves, random_move, random_position};
use support::search::{choose, evaluator, results, value_of};
use support::truth::{exact_value, value_of_move};

fn board(parameters: &str) -> Board {
    start(&parameters.split(' ').collect::<Vec<_>>()).expect("a valid size")
}

/// How a search is run.
#[derive(Clone, Copy)]
struct Mode {
    multi_pv: usize,
    threads: usize,
    pruning: Pruning,
}

const PLAIN: Mode = Mode { multi_pv: 1, threads: 1, pruning: Pruning::NONE };
const FULL: Mode = Mode { multi_pv: 1, threads: 1, pruning: Pruning::FULL };

/// Searches and returns every result, the final one last.
fn search<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    limits: Limits,
    tt: &TranspositionTable,
    mode: Mode,
) -> Vec<SearchResult<G::Move>> {
    let Mode { multi_pv, threads, pruning } = mode;
    let settings = Settings { multi_pv, threads, ..Settings::default() };
    results(game, evaluator, pruning, &limits, &settings, tt)
}

/// The depth of the iteration that a result is from.
fn depth_of<M>(result: &SearchResult<M>) -> u32 {
    result.depth.expect("a depth").0
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn table() -> TranspositionTable {
    TranspositionTable::new(1).expect("a little memory")
}

/// Boards, the most random moves to play on them, and the search depth.
const BOARDS: &[(&str, usize, u32)] = &[
    ("4 4", 12, 6),
    ("4 4 3", 8, 6),
    ("5 4 2", 4, 6),
    ("4 5", 16, 6),
    ("6 7", 35, 5),
    ("6 7 3", 12, 5),
    ("6 7 5", 38, 5),
    ("8 8", 40, 4),
    ("10 12 5", 80, 3),
    ("25 25", 200, 2),
];

/// Random positions on every board, each with a random evaluation and a search depth.
fn random_positions(
    seed: u64,
    positions: usize,
) -> impl Iterator<Item = (Board, HashEvaluator<Board>, u32)> {
    let mut rng = SmallRng::seed_from_u64(seed);
    BOARDS.iter().flat_map(move |&(parameters, moves, depth)| {
        let start = board(parameters);
        let position = |_| {
            let moves = rng.random_range(0..=moves);
            let spread = [1, 10, 300, 1_000_000][rng.random_range(0..4)];
            (
                random_position(&start, moves, &mut rng),
                HashEvaluator::new(rng.random(), spread),
                depth,
            )
        };
        (0..positions).map(position).collect::<Vec<_>>()
    })
}

#[test]
fn alpha_beta_with_a_table_agrees_with_minimax() {
    for (mut game, evaluator, deepest) in random_positions(1, 12) {
        let table = table();
        let results = search(&game, &evaluator, depth(deepest), &table, PLAIN);
        for result in &results {
            let expected = minimax(&mut game, &evaluator, depth_of(result), 0);
            let found = value_of(&result.lines[0]).score;
            assert_eq!(found, expected, "depth {} of {}", depth_of(result), game.position_text());
        }
        // A search that ended early had a proved value.
        let last = value_of(&results[results.len() - 1].lines[0]).score;
        assert_eq!(last, minimax(&mut game, &evaluator, deepest, 0), "{}", game.position_text());
        // Entries of an earlier search, even deeper ones, change nothing.
        for result in search(&game, &evaluator, depth(deepest), &table, PLAIN) {
            let expected = minimax(&mut game, &evaluator, depth_of(&result), 0);
            assert_eq!(value_of(&result.lines[0]).score, expected, "{}", game.position_text());
        }
    }
}

#[test]
fn the_principal_variation_leads_to_its_score() {
    use ratlla::game::Evaluate;
    for (game, evaluator, deepest) in random_positions(2, 12) {
        for result in search(&game, &evaluator, depth(deepest), &table(), PLAIN) {
            let line = &result.lines[0];
            let mut end = game.clone();
            let mut turns = 0;
            for &mv in &line.moves {
                assert!(legal_moves(&end).contains(&mv));
                let mover = end.side_to_move();
                end.play(mv);
                turns += usize::from(end.side_to_move() != mover);
            }
            let plies = line.moves.len();
            let value = match end.outcome() {
                Some(_) => minimax(&mut end, &evaluator, 0, plies),
                None => {
                    assert_eq!(plies, depth_of(&result) as usize, "{:?}", line);
                    Score::heuristic(evaluator.evaluate(&end))
                }
            };
            let value = if turns % 2 == 0 { value } else { -value };
            assert_eq!(value, value_of(line).score, "{:?} from {}", line, game.position_text());
        }
    }
}

#[test]
fn multi_pv_lists_the_best_moves_of_minimax_in_order() {
    for (mut game, evaluator, deepest) in random_positions(3, 6) {
        let multi_pv = 1 + legal_moves(&game).len() / 2;
        let mode = Mode { multi_pv, ..PLAIN };
        for result in search(&game, &evaluator, depth(deepest), &table(), mode) {
            let values = move_values(&mut game, &evaluator, depth_of(&result), 0);
            assert_eq!(result.lines.len(), multi_pv);
            for (index, line) in result.lines.iter().enumerate() {
                let mv = line.moves[0];
                assert!(result.lines[..index].iter().all(|earlier| earlier.moves[0] != mv));
                let (_, value) = values.iter().find(|(legal, _)| *legal == mv).expect("legal");
                assert_eq!(value_of(line).score, *value, "{mv:?} in {}", game.position_text());
            }
            let mut sorted: Vec<Score> = values.iter().map(|&(_, value)| value).collect();
            sorted.sort_by(|a, b| b.cmp(a));
            let found: Vec<Score> = result.lines.iter().map(|line| value_of(line).score).collect();
            assert_eq!(found, sorted[..multi_pv], "{}", game.position_text());
        }
    }
}

#[test]
fn two_threads_agree_with_minimax() {
    for (mut game, evaluator, deepest) in random_positions(4, 5) {
        let mode = Mode { threads: 2, ..PLAIN };
        let results = search(&game, &evaluator, depth(deepest), &table(), mode);
        let expected = minimax(&mut game, &evaluator, deepest, 0);
        let found = value_of(&results[results.len() - 1].lines[0]).score;
        assert_eq!(found, expected, "{}", game.position_text());
    }
}

#[test]
fn the_fixed_depth_strategy_agrees_with_minimax_with_and_without_pruning_in_any_order() {
    let mut rng = SmallRng::seed_from_u64(5);
    for &(parameters, moves, depth) in BOARDS {
        let start = board(parameters);
        let mut game = random_position(&start, moves / 2, &mut rng);
        let legal = legal_moves(&game);
        for evaluation in Board::evaluations() {
            let evaluator = (evaluation.make)();
            let expected = minimax(&mut game, &*evaluator, depth, 0);
            for (pruning, order) in [
                (false, MoveOrder::Left),
                (true, MoveOrder::Left),
                (true, MoveOrder::Right),
                (true, MoveOrder::Centre),
            ] {
                let settings = Settings {
                    evaluation: Some(evaluation.name.to_owned()),
                    order,
                    depth,
                    ..Settings::default()
                };
                let request = SearchRequest {
                    game: &game,
                    moves: &legal,
                    limits: &Limits::default(),
                    control: &SearchControl::new(false, false),
                    tt: &table(),
                    settings: &settings,
                };
                let result = choose(&Minimax::new(&settings, pruning), &request, &mut |_| {});
                let score = result.lines[0].score.expect("a score");
                let expected = match expected.plies_to_end() {
                    Some(plies) if expected.is_win() => ReportedScore::Win(plies),
                    Some(plies) => ReportedScore::Loss(plies),
                    None => ReportedScore::Points(expected.points()),
                };
                assert_eq!(score, expected, "{order:?} {pruning} {}", game.position_text());
            }
        }
    }
}

/// Boards, and random moves after which exhaustive search is feasible.
const ENDGAMES: &[(&str, usize)] = &[
    ("4 4", 5),
    ("4 4 3", 4),
    ("4 5", 9),
    ("5 4", 9),
    ("5 5", 14),
    ("6 5", 18),
    ("6 7", 30),
    ("6 7 5", 30),
    ("5 5 3", 6),
];

/// Calls `visit` with random endgames and a cache of exact values for each board.
fn endgames(seed: u64, positions: usize, mut visit: impl FnMut(Board, &mut HashMap<u64, Score>)) {
    let mut rng = SmallRng::seed_from_u64(seed);
    for &(parameters, moves) in ENDGAMES {
        let start = board(parameters);
        let mut seen = HashMap::new();
        for _ in 0..positions {
            visit(late_position(&start, moves, &mut rng), &mut seen);
        }
    }
}

/// Whether a value is true as far as it is proved: the winner, and if `exactly` the distance too.
fn is_true(found: Value, truth: Score, exactly: bool) -> bool {
    let score = found.score;
    if score.plies_to_end().is_some() {
        let same_end = score.is_win() == truth.is_win() && score.is_loss() == truth.is_loss();
        same_end && (!exactly || score == truth)
    } else {
        !found.holds_here() || score == truth
    }
}

#[test]
fn proved_scores_of_the_full_search_are_true() {
    endgames(10, 40, |mut game, seen| {
        let truth = exact_value(&mut game, seen);
        let evaluator = evaluator(&game);
        let results = search(&game, &evaluator, Limits::default(), &table(), FULL);
        for result in &results {
            let value = value_of(&result.lines[0]);
            assert!(is_true(value, truth, false), "{value:?} {truth:?} {}", game.position_text());
        }
        let value = value_of(&results[results.len() - 1].lines[0]);
        assert_eq!(value.score, truth, "{}", game.position_text());
        let settled = value.holds_here() || value.score.plies_to_end().is_some();
        assert!(settled, "a search without limits ends with a proof: {}", game.position_text());
    });
}

/// The solver's score, or `None` if it does not support the board.
fn solved(solver: &mut Solver, game: &Board) -> Option<Score> {
    let position = solver_position(game)?;
    let proof = solver.bounds(&position, &solver::SolverLimits::default(), &mut |_| {});
    let score = proof.bounds.score().expect("no limit");
    Some(match solver::exact_value(score, position.empties()) {
        ExactValue::Win(plies) => Score::win_in(plies),
        ExactValue::Loss(plies) => Score::loss_in(plies),
        ExactValue::Draw => Score::DRAW,
    })
}

#[test]
fn the_solver_agrees_with_exhaustive_search() {
    let mut solver = Solver::new(16, 1).expect("a little memory");
    let mut count = 0;
    endgames(16, 100, |mut game, seen| {
        if let Some(found) = solved(&mut solver, &game) {
            count += 1;
            assert_eq!(found, exact_value(&mut game, seen), "{}", game.position_text());
        }
    });
    assert!(count >= 500, "{count}");
}

/// Boards, and random moves after which exhaustive search is not feasible but alpha-beta is.
const MIDDLE_GAMES: &[(&str, usize)] =
    &[("6 7", 24), ("5 8", 22), ("7 6", 24), ("5 6", 10), ("8 8", 46), ("4 10", 22), ("9 9", 64)];

#[test]
fn solver_and_search_agree_beyond_exhaustive_search() {
    let mut rng = SmallRng::seed_from_u64(17);
    let mut solver = Solver::new(16, 1).expect("a little memory");
    for &(parameters, moves) in MIDDLE_GAMES {
        let start = board(parameters);
        for _ in 0..20 {
            let game = late_position(&start, moves, &mut rng);
            let results = search(&game, &evaluator(&game), Limits::default(), &table(), FULL);
            let found = value_of(&results[results.len() - 1].lines[0]).score;
            assert_eq!(Some(found), solved(&mut solver, &game), "{}", game.position_text());
        }
    }
}

/// A random evaluation misleads the search wherever possible: a proof must not depend on it.
#[test]
fn proved_scores_do_not_depend_on_the_evaluation() {
    let mut rng = SmallRng::seed_from_u64(15);
    endgames(15, 30, |mut game, seen| {
        let truth = exact_value(&mut game, seen);
        for spread in [1, 50, 1000] {
            let evaluator = HashEvaluator::new(rng.random(), spread);
            let results = search(&game, &evaluator, Limits::default(), &table(), FULL);
            for result in &results {
                let value = value_of(&result.lines[0]);
                assert!(
                    is_true(value, truth, false),
                    "{value:?} {truth:?} {}",
                    game.position_text()
                );
            }
            let last = value_of(&results[results.len() - 1].lines[0]);
            assert!(is_true(last, truth, true), "{last:?} {truth:?} {}", game.position_text());
        }
    });
}

/// Here the proof of the draw needs wins that earlier iterations stored in the table.
#[test]
fn a_draw_beside_known_wins_is_proved() {
    let game = board("4 5");
    let game = game.parse_position(&["grid", ".X.../.X.../.O..X/OOOXX", "p2"]).expect("a grid");
    let results = search(&game, &evaluator(&game), Limits::default(), &table(), FULL);
    let last = &results[results.len() - 1];
    assert_eq!(value_of(&last.lines[0]), Value::proved(Score::DRAW));
    assert!(depth_of(last) < 20, "{last:?}");
}

#[test]
fn proved_scores_of_an_interrupted_search_are_true() {
    let mut rng = SmallRng::seed_from_u64(11);
    endgames(11, 40, |mut game, seen| {
        let truth = exact_value(&mut game, seen);
        let evaluator = evaluator(&game);
        for _ in 0..8 {
            let nodes = 1 << rng.random_range(0..14);
            let limits = Limits { nodes: Some(rng.random_range(0..=nodes)), ..Limits::default() };
            let mode = Mode { multi_pv: rng.random_range(1..3), ..FULL };
            for result in search(&game, &evaluator, limits, &table(), mode) {
                let value = value_of(&result.lines[0]);
                assert!(
                    is_true(value, truth, false),
                    "{result:?} {truth:?} {}",
                    game.position_text()
                );
            }
        }
    });
}

#[test]
fn proved_scores_of_all_multi_pv_lines_are_true() {
    endgames(12, 10, |mut game, seen| {
        let evaluator = evaluator(&game);
        let moves = legal_moves(&game);
        let mode = Mode { multi_pv: moves.len(), ..FULL };
        let results = search(&game, &evaluator, Limits::default(), &table(), mode);
        for line in &results[results.len() - 1].lines {
            let truth = value_of_move(&mut game, line.moves[0], seen);
            assert_eq!(value_of(line).score, truth, "{line:?} {}", game.position_text());
        }
    });
}

#[test]
fn proved_scores_of_two_threads_are_true() {
    endgames(13, 10, |mut game, seen| {
        let truth = exact_value(&mut game, seen);
        let evaluator = evaluator(&game);
        let mode = Mode { threads: 2, ..FULL };
        let results = search(&game, &evaluator, Limits::default(), &table(), mode);
        for result in &results {
            let value = value_of(&result.lines[0]);
            assert!(is_true(value, truth, false), "{value:?} {truth:?} {}", game.position_text());
        }
    });
}

#[test]
fn the_candidates_include_the_best_move() {
    let mut rng = SmallRng::seed_from_u64(14);
    endgames(14, 40, |endgame, seen| {
        // Once the endgame is solved, all its positions are in the cache.
        for _ in 0..20 {
            let mut game = endgame.clone();
            while game.outcome().is_none() {
                let mut evaluator = evaluator(&game);
                evaluator.reset(&game);
                let mut candidates = Vec::new();
                evaluator.candidates(&game, &mut candidates);
                let values = candidates.iter();
                let best =
                    values.map(|candidate| value_of_move(&mut game, candidate.mv, seen)).max();
                assert_eq!(best, Some(exact_value(&mut game, seen)), "{}", game.position_text());
                let mv = random_move(&game, &mut rng).expect("the game is not over");
                game.play(mv);
            }
        }
    });
}
