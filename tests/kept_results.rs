//! What a search has reported as a win, a loss, a draw or a margin is never worsened by its answer,
//! in any game, under any limit and interruption.

mod support;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{ReportedScore, SearchResult};
use ratlla::settings::Settings;
use support::search::go;

/// The games, and the random moves before the searches.
const GAMES: &[(&str, usize)] = &[
    ("connect4 6 7", 34),
    ("connect4 8 8", 44),
    ("connect4 9 9 5", 50),
    ("connect4 4 4 3", 8),
    ("connect4 25 25", 120),
    ("boom", 26),
    ("wali", 60),
    ("kalah 6 4", 60),
    ("kalah 6 6", 60),
    ("kalah 4 3", 12),
];

/// Whether `later` keeps what `earlier` has proved. A distance may become shorter: a search knows
/// at first that the end comes no later.
fn keeps(earlier: ReportedScore, later: ReportedScore) -> bool {
    use ReportedScore::{Draw, Loss, Margin, Points, Win};
    match (earlier, later) {
        (Points(_), _) => true,
        (Win(before), Win(after)) => after <= before,
        (Loss(before), Loss(after)) => after <= before,
        (Draw, Draw) => true,
        (Win(_) | Draw | Loss(_), Margin(margin)) => {
            let sign = match earlier {
                Win(_) => 1,
                Loss(_) => -1,
                _ => 0,
            };
            margin.signum() == sign
        }
        (Margin(before), Margin(after)) => before == after,
        _ => false,
    }
}

/// The first broken promise among the results of one search, if any.
fn broken(results: &[SearchResult<String>]) -> Option<(ReportedScore, ReportedScore)> {
    let scores: Vec<_> = results.iter().filter_map(|result| result.lines[0].score).collect();
    let mut pairs = scores.windows(2).map(|pair| (pair[0], pair[1]));
    pairs.find(|&(earlier, later)| !keeps(earlier, later))
}

#[test]
fn what_is_reported_as_proved_is_kept() {
    let proved: usize = std::thread::scope(|scope| {
        let checks = [1, 2, 3, 4].map(|seed| scope.spawn(move || check(seed)));
        checks.map(|check| check.join().unwrap()).into_iter().sum()
    });
    assert!(proved > 400, "only {proved} searches proved something");
}

/// A game in which a later slice of the search knew less than one before: a small table had lost it.
#[test]
fn what_one_slice_has_proved_is_kept_by_the_next() {
    const MOVES: &str = "2 6 5 2 6 1 4 4 6 6 5 2 1 4 2 6 3 5 6 3 5 4";
    const NODES: [u64; 8] = [5000, 5000, 150_000, 60_000, 60_000, 60_000, 150_000, 150_000];
    let game = REGISTRY.open_from_words(&["kalah"]).unwrap();
    let mut engine = Engine::new(game, 1).unwrap();
    let settings = Settings { hash: 1, ..Settings::default() };
    let moves: Vec<&str> = MOVES.split(' ').collect();
    let first = moves.len() - NODES.len();
    for (played, mv) in moves.iter().enumerate() {
        engine.game.play(mv).unwrap();
        let Some(&nodes) = played.checked_sub(first).map(|search| &NODES[search]) else { continue };
        let limits = Go { nodes: Some(nodes), ..Go::default() };
        let results = go(&mut engine, &limits, &settings);
        assert_eq!(broken(&results), None, "after {played} moves");
    }
}

/// Searches random positions, and returns how many searches ended with a proof.
fn check(seed: u64) -> usize {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut proved = 0;
    for &(title, moves) in GAMES {
        let words: Vec<&str> = title.split(' ').collect();
        for _ in 0..24 {
            let mut game = REGISTRY.open_from_words(&words).unwrap();
            for _ in 0..rng.random_range(0..=moves) {
                let legal = game.moves();
                game.play(&legal[rng.random_range(0..legal.len())]).unwrap();
                if game.outcome().is_some() {
                    game.undo().unwrap();
                    break;
                }
            }
            let text = format!("{title}: {}", game.position_text());
            let mut engine = Engine::new(game, 4).unwrap();
            for _ in 0..6 {
                let settings = Settings {
                    multi_pv: if rng.random_bool(0.2) { 3 } else { 1 },
                    threads: if rng.random_bool(0.2) { 2 } else { 1 },
                    hash: 4,
                    own_book: false,
                    ..Settings::default()
                };
                let solve = engine.game.has_solver(4, &engine.endgames) && rng.random_bool(0.3);
                // Search and solver alternate from the fifteenth power on.
                let power = if rng.random_bool(0.1) { 17 } else { rng.random_range(4..15) };
                let limits = Go {
                    goal: if solve { Goal::Solve } else { Goal::Move },
                    nodes: Some(1 << power),
                    ..Go::default()
                };
                if rng.random_bool(0.5) {
                    engine.clear_hash();
                }
                let results = go(&mut engine, &limits, &settings);
                let last = results[results.len() - 1].lines[0].score;
                proved += usize::from(last.is_some_and(ReportedScore::is_proved));
                let broken = broken(&results);
                assert_eq!(broken, None, "{text}, {limits:?}, {settings:?}");
            }
        }
    }
    proved
}
