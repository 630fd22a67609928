//! The laws that every game obeys. A new game adds one entry to [`GAMES`].
//!
//! Some are about the game itself (see `support/laws.rs`), the others about what the session sees: an
//! [`AnyGame`] opened through the registry.

mod support;

use std::collections::HashSet;
use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::Outcome;
use ratlla::games::{REGISTRY, boom, connect4, kalah, wali};
use ratlla::protocol::command::Go;
use ratlla::registry::BenchPosition;
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::settings::Settings;
use support::laws::check_laws;

/// A game's name, sets of parameters to test, and the laws applied to it.
struct Case {
    name: &'static str,
    parameters: &'static [&'static str],
    check: fn(&[&str]),
}

const GAMES: &[Case] = &[
    Case {
        name: "connect4",
        parameters: &[
            "", "4 4", "4 4 2", "4 4 3", "6 7 3", "6 7 5", "5 4 5", "8 8", "10 12", "25 25",
            "25 25 25", "4 25 3", "25 4 6",
        ],
        check: |parameters| {
            let start = connect4::start(parameters).expect("valid parameters");
            let games = if start.size().cells() > 200 { 2 } else { 20 };
            check_laws(&start, games);
        },
    },
    Case {
        name: "boom",
        parameters: &[""],
        check: |parameters| check_laws(&boom::start(parameters).expect("valid parameters"), 300),
    },
    Case {
        name: "wali",
        parameters: &["", "2 3 3", "3 3 3", "3 4 6", "4 4 5", "4 8 16", "9 3 9", "5 6 10"],
        check: |parameters| {
            let shape = wali::shape(parameters).expect("valid parameters");
            if parameters.is_empty() {
                check_laws(&wali::board::Board::new(), 40);
            }
            check_laws(&wali::board::Board::empty_board(shape), 20);
        },
    },
    Case {
        name: "kalah",
        parameters: &["", "1 1", "3 2 empty", "6 6", "6 4 empty", "12 12"],
        check: |parameters| {
            let rules = kalah::rules(parameters).expect("valid parameters");
            if rules.houses() <= 6 {
                check_laws(&kalah::board::Board::<u64>::new(rules), 20);
            } else {
                check_laws(&kalah::board::Board::<u128>::new(rules), 5);
            }
        },
    },
];

fn words(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn open(name: &str, parameters: &str) -> Box<dyn AnyGame> {
    REGISTRY.open(name, &words(parameters)).expect("valid parameters")
}

/// The same game at its start.
fn open_again(game: &dyn AnyGame) -> Box<dyn AnyGame> {
    let title = game.title();
    let (name, parameters) = title.split_once(' ').unwrap_or((&title, ""));
    open(name, parameters)
}

/// Every game with every set of parameters.
fn all_games() -> impl Iterator<Item = Box<dyn AnyGame>> {
    GAMES.iter().flat_map(|case| case.parameters.iter().map(|&text| open(case.name, text)))
}

#[test]
fn every_registered_game_is_tested() {
    let tested: Vec<&str> = GAMES.iter().map(|case| case.name).collect();
    let registered: Vec<&str> = REGISTRY.0.iter().map(|entry| entry.name).collect();
    assert_eq!(tested, registered);
}

#[test]
fn every_game_obeys_the_laws() {
    std::thread::scope(|scope| {
        for case in GAMES {
            for parameters in case.parameters {
                scope.spawn(|| (case.check)(&words(parameters)));
            }
        }
    });
}

#[test]
fn a_title_opens_the_same_game_again_and_no_other() {
    let mut titles = HashSet::new();
    for game in all_games() {
        let title = game.title();
        let again = open_again(&*game);
        assert_eq!(again.title(), title);
        assert_eq!(again.position_text(), game.position_text());
        assert!(titles.insert(title), "two games have the same title");
    }
}

#[test]
fn bench_positions_can_be_set_up() {
    for entry in REGISTRY.0 {
        assert!(!entry.bench.is_empty(), "{}", entry.name);
        for &BenchPosition { parameters, moves, depth } in entry.bench {
            open(entry.name, parameters).set_position(&[], &words(moves)).expect("valid moves");
            assert!(depth > 0);
        }
    }
}

/// Everything that a session can see of a game.
fn view(game: &dyn AnyGame) -> (String, String, u64, Vec<String>, Option<Outcome>) {
    (game.position_text(), game.drawing(), game.key(), game.moves(), game.outcome())
}

#[test]
fn a_position_text_reads_back_in_another_instance_of_the_game() {
    let mut rng = SmallRng::seed_from_u64(3);
    for mut game in all_games() {
        let mut other = open_again(&*game);
        while game.outcome().is_none() {
            play_random_move(&mut *game, &mut rng);
            let text = game.position_text();
            other.set_position(&words(&text), &[]).expect("its own text");
            assert_eq!(view(&*other), view(&*game));
        }
    }
}

#[test]
fn a_whole_game_can_be_undone() {
    let mut rng = SmallRng::seed_from_u64(4);
    for mut game in all_games() {
        let mut views = vec![view(&*game)];
        while game.outcome().is_none() {
            play_random_move(&mut *game, &mut rng);
            views.push(view(&*game));
        }
        views.pop();
        while let Some(expected) = views.pop() {
            game.undo().expect("a move to undo");
            assert_eq!(view(&*game), expected);
        }
        let before = view(&*game);
        assert!(game.undo().is_err(), "nothing is left to undo");
        assert_eq!(view(&*game), before);
    }
}

#[test]
fn a_bad_move_changes_nothing_and_is_reported_with_its_number() {
    let mut rng = SmallRng::seed_from_u64(5);
    for mut game in all_games() {
        let mut moves = Vec::new();
        while game.outcome().is_none() {
            moves.push(play_random_move(&mut *game, &mut rng));
        }
        game.undo().expect("a move to undo");
        moves.pop();
        let before = view(&*game);
        for nonsense in ["", "nonsense", "-1", "0", "99999999999999999999", "\0", "é"] {
            let mut line: Vec<&str> = moves.iter().map(String::as_str).collect();
            line.push(nonsense);
            let error = game.set_position(&[], &line).expect_err("nonsense");
            assert!(error.contains(&format!("move {},", line.len())), "{error}");
            assert!(game.play(nonsense).is_err());
            let go = Go { search_moves: vec![nonsense.to_owned()], ..Go::default() };
            assert!(game.prepare(&go, &Settings::default(), &EndgameStore::default()).is_err());
            assert!(game.set_position(&["nonsense"], &[]).is_err());
            assert_eq!(view(&*game), before);
        }
        // Nor is the game forgotten that led here: all its moves are taken back, and no more.
        let start = open_again(&*game);
        for mv in moves.iter().rev() {
            game.undo().expect("a move to undo");
            assert!(game.moves().contains(mv));
        }
        assert!(game.undo().is_err(), "nothing is left to undo");
        assert_eq!(view(&*game), view(&*start));
    }
}

#[test]
fn a_finished_game_accepts_no_moves() {
    let mut rng = SmallRng::seed_from_u64(6);
    for mut game in all_games() {
        let any_move = game.moves()[0].clone();
        while game.outcome().is_none() {
            play_random_move(&mut *game, &mut rng);
        }
        assert!(game.play(&any_move).expect_err("over").contains("over"));
        let go = Go { search_moves: vec![any_move], ..Go::default() };
        assert!(game.prepare(&go, &Settings::default(), &EndgameStore::default()).is_err());
        for name in [None, Some("full"), Some(game.evaluations()[0])] {
            let terms = game.eval_terms(name, &Settings::default(), &EndgameStore::default());
            assert!(terms.expect_err("over").contains("over"));
        }
        assert_eq!(chosen_move(&mut *game, &Settings::default()), None);
    }
}

#[test]
fn every_strategy_with_every_evaluation_gives_a_legal_move() {
    let mut rng = SmallRng::seed_from_u64(8);
    for mut game in all_games() {
        for _ in 0..rng.random_range(0..12) {
            if game.outcome().is_none() {
                play_random_move(&mut *game, &mut rng);
            }
        }
        if game.outcome().is_some() {
            game.undo().expect("a move to undo");
        }
        let legal = game.moves();
        for strategy in game.strategies() {
            for evaluation in game.evaluations() {
                let settings = Settings {
                    strategy: strategy.to_owned(),
                    evaluation: Some(evaluation.to_owned()),
                    depth: 2,
                    ..Settings::default()
                };
                let mv = chosen_move(&mut *game, &settings).expect("the game is not over");
                assert!(legal.contains(&mv), "{strategy}: {mv} in {}", game.position_text());
            }
        }
    }
}

/// The move chosen with these settings in a short search.
fn chosen_move(game: &mut dyn AnyGame, settings: &Settings) -> Option<String> {
    let go = Go { nodes: Some(3000), movetime: Some(Duration::from_secs(10)), ..Go::default() };
    let control = game.prepare(&go, settings, &EndgameStore::default()).expect("a valid command");
    let tt = TranspositionTable::new(1).expect("a little memory");
    let mut reports = 0;
    let endgames = &mut EndgameStore::default();
    let result = game.search(&go, settings, &control, &tt, endgames, &mut |_| reports += 1);
    assert!(reports > 0, "a search reports at least once");
    result.best_move().cloned()
}

fn play_random_move(game: &mut dyn AnyGame, rng: &mut SmallRng) -> String {
    let moves = game.moves();
    let mv = moves[rng.random_range(0..moves.len())].clone();
    game.play(&mv).expect("a legal move");
    mv
}
