//! Checks and helpers shared by the tests of several games.

use std::fmt::Debug;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::game::{Evaluator, Game, Notation, Outcome};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::result::ReportedScore;
use ratlla::search::score::Score;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::search::{Pruning, SearchRequest};
use ratlla::settings::Settings;
use ratlla::strategy::{Playable, by_name};

use super::hash_evaluator::HashEvaluator;
use super::minimax::{minimax, move_values};
use super::random_play::{legal_moves, random_move};
use super::search::{choose, results, value_of};

/// `start` after these moves. Panics if one is illegal.
pub fn played<G: Notation>(start: &G, moves: &str) -> G {
    let mut game = start.clone();
    for text in moves.split_whitespace() {
        assert_eq!(game.outcome(), None, "over before {text} of {moves}");
        let mv = game.parse_move(text).unwrap();
        game.play(mv);
    }
    game
}

/// The position of a text. Panics if it is invalid.
pub fn position<G: Notation>(start: &G, text: &str) -> G {
    let words: Vec<&str> = text.split(' ').collect();
    start.parse_position(&words).unwrap_or_else(|reason| panic!("{text}: {reason}"))
}

/// The error for the text of an invalid position.
pub fn position_error<G: Notation + Debug>(start: &G, text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    start.parse_position(&words).unwrap_err()
}

/// The number of sequences of exactly `depth` legal moves.
pub fn perft<G: Game>(game: &mut G, depth: u32) -> u64 {
    let moves = legal_moves(game);
    match depth {
        0 => return 1,
        1 => return moves.len() as u64,
        _ => {}
    }
    let mut total = 0;
    for mv in moves {
        let undo = game.play(mv);
        total += perft(game, depth - 1);
        game.undo(mv, undo);
    }
    total
}

/// Plays random games to the end with `check` on every position. Returns the numbers of wins of
/// player 1, wins of player 2 and draws.
pub fn random_games<G: Game>(
    start: &G,
    count: usize,
    longest: usize,
    mut check: impl FnMut(&G),
) -> [usize; 3] {
    let mut ends = [0; 3];
    for seed in 0..count {
        let mut rng = SmallRng::seed_from_u64(seed as u64);
        let mut game = start.clone();
        for ply in 0.. {
            check(&game);
            if let Some(outcome) = game.outcome() {
                ends[match outcome {
                    Outcome::Win(side) => side.index(),
                    Outcome::Draw => 2,
                }] += 1;
                break;
            }
            assert!(ply < longest, "a game of more than {longest} moves");
            game.play(random_move(&game, &mut rng).expect("a game that is not over has moves"));
        }
    }
    ends
}

/// The score of a search to `depth` without lossy pruning.
pub fn searched<G: Game, E: Evaluator<G>>(
    game: &G,
    evaluator: &E,
    depth: u32,
    table: &TranspositionTable,
) -> Score {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let found = results(game, evaluator, Pruning::NONE, &limits, &Settings::default(), table);
    value_of(&found[found.len() - 1].lines[0]).score
}

/// Minimax, alpha-beta and alpha-beta with a transposition table agree under a random evaluation.
pub fn strategies_agree<G: Playable>(game: &G, depth: u32) {
    let evaluator = HashEvaluator::new(1, 100);
    let truth = minimax(&mut game.clone(), &evaluator, depth, 0);
    let (tiny, roomy) = (TranspositionTable::new(0).unwrap(), TranspositionTable::new(1).unwrap());
    // Iterative deepening may stop early at a proved score, which deeper minimax confirms.
    assert_eq!(searched(game, &evaluator, depth, &tiny), truth);
    assert_eq!(searched(game, &evaluator, depth, &roomy), truth);
    assert_eq!(searched(game, &evaluator, depth, &roomy), truth, "again");
    let plain = |strategy: &str| plain_score(game, strategy, depth);
    assert_eq!(plain("minimax"), plain("alphabeta"));
}

fn plain_score<G: Playable>(game: &G, strategy: &str, depth: u32) -> Option<ReportedScore> {
    let settings = Settings { strategy: strategy.to_owned(), ..Settings::default() };
    chosen(game, &settings, depth, &TranspositionTable::new(0).unwrap()).1
}

/// The score of the full search with this transposition table.
pub fn full_score<G: Playable>(
    game: &G,
    depth: u32,
    tt: &TranspositionTable,
) -> Option<ReportedScore> {
    chosen(game, &Settings::default(), depth, tt).1
}

/// The move that a strategy chooses, and its score.
pub fn chosen<G: Playable>(
    game: &G,
    settings: &Settings,
    depth: u32,
    tt: &TranspositionTable,
) -> (G::Move, Option<ReportedScore>) {
    let request = SearchRequest {
        game,
        moves: &legal_moves(game),
        limits: &Limits { depth: Some(depth), ..Limits::default() },
        control: &SearchControl::new(false, false),
        tt,
        settings,
    };
    let result = choose(&*by_name::<G>(settings), &request, &mut |_| {});
    let line = &result.lines[0];
    (line.moves[0], line.score)
}

/// The evaluator's candidates include a best move: minimax to `depth` finds the same win, loss or
/// neither among them as among all moves.
pub fn candidates_include_the_best<G: Playable>(game: &G, depth: u32) {
    let mut evaluator = super::search::evaluator(game);
    evaluator.reset(game);
    let mut list = Vec::new();
    evaluator.candidates(game, &mut list);
    let all = legal_moves(game);
    let chosen: Vec<G::Move> = list.iter().map(|candidate| candidate.mv).collect();
    assert!(!chosen.is_empty() && chosen.iter().all(|mv| all.contains(mv)));
    assert!(
        list.iter().all(|candidate| usize::from(candidate.history_index) < evaluator.history_len())
    );
    assert_eq!(evaluator.forced(game), (chosen.len() == 1).then(|| chosen[0]));
    if chosen.len() < all.len() {
        // With a spread of 0, all undecided positions have the same value.
        let values = move_values(&mut game.clone(), &HashEvaluator::new(0, 0), depth, 0);
        let with_all = values.iter().map(|(_, value)| value).max();
        let among_chosen = values.iter().filter(|(mv, _)| chosen.contains(mv));
        assert_eq!(among_chosen.map(|(_, value)| value).max(), with_all);
    }
}
