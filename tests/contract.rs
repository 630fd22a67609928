//! The laws that every game obeys: a new game adds one line to [`GAMES`].
//!
//! Half of them look at the game itself (see `support/laws.rs`), half at the table that the
//! session sees, which they find through the registry alone.

mod support;

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::{AnyGame, Request};
use ratlla::games::{self, REGISTRY, boom, connect4, kalah, wali};
use ratlla::limits::{Limits, SearchControl};
use ratlla::search::transposition_table::TranspositionTable;
use ratlla::strategy::Settings;
use support::laws::check_laws;

/// A game's name, parameters to try it with, and the laws applied to it.
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
            let start = connect4::start(parameters).expect("good parameters");
            let games = if start.size().cells() > 200 { 2 } else { 20 };
            check_laws(&start, games);
        },
    },
    Case {
        name: "boom",
        parameters: &[""],
        check: |parameters| check_laws(&boom::start(parameters).expect("good parameters"), 300),
    },
    Case {
        name: "wali",
        parameters: &[""],
        check: |parameters| check_laws(&wali::start(parameters).expect("good parameters"), 40),
    },
    Case {
        name: "kalah",
        parameters: &["", "1 1", "3 2 empty", "6 6", "6 4 empty", "12 12"],
        check: |parameters| {
            let rules = kalah::rules(parameters).expect("good parameters");
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
    games::open(name, &words(parameters)).expect("good parameters")
}

/// A table for every game with every set of parameters.
fn tables() -> impl Iterator<Item = Box<dyn AnyGame>> {
    GAMES.iter().flat_map(|case| case.parameters.iter().map(|&text| open(case.name, text)))
}

#[test]
fn every_registered_game_is_put_to_the_test() {
    let tested: Vec<&str> = GAMES.iter().map(|case| case.name).collect();
    let registered: Vec<&str> = REGISTRY.iter().map(|entry| entry.name).collect();
    assert_eq!(tested, registered);
}

#[test]
fn every_game_obeys_the_laws() {
    for case in GAMES {
        for parameters in case.parameters {
            (case.check)(&words(parameters));
        }
    }
}

#[test]
fn a_title_opens_the_same_game_again() {
    for table in tables() {
        let title = table.title();
        let (name, parameters) = title.split_once(' ').unwrap_or((&title, ""));
        let again = open(name, parameters);
        assert_eq!(again.title(), title);
        assert_eq!(again.position_text(), table.position_text());
    }
}

#[test]
fn bench_positions_can_be_set_up() {
    for entry in REGISTRY {
        assert!(!entry.bench.is_empty(), "{}", entry.name);
        for (parameters, moves, depth) in entry.bench {
            open(entry.name, parameters).set_position(&[], &words(moves)).expect("good moves");
            assert!(*depth > 0);
        }
    }
}

/// All that a session can see of a table.
fn view(table: &dyn AnyGame) -> (String, String, u64, Vec<String>, &'static str) {
    let result = ratlla::any_game::outcome_text(table.outcome());
    (table.position_text(), table.drawing(), table.key(), table.moves(), result)
}

#[test]
fn a_position_reads_back_at_any_table_of_the_game() {
    let mut rng = SmallRng::seed_from_u64(3);
    for mut table in tables() {
        let name = table.title();
        let (name, parameters) = name.split_once(' ').unwrap_or((&name, ""));
        let mut other = open(name, parameters);
        while table.outcome().is_none() {
            play_random_move(&mut *table, &mut rng);
            let text = table.position_text();
            other.set_position(&words(&text), &[]).expect("its own text");
            assert_eq!(view(&*other), view(&*table));
        }
    }
}

#[test]
fn a_whole_game_can_be_taken_back() {
    let mut rng = SmallRng::seed_from_u64(4);
    for mut table in tables() {
        let mut views = vec![view(&*table)];
        while table.outcome().is_none() {
            play_random_move(&mut *table, &mut rng);
            views.push(view(&*table));
        }
        views.pop();
        while let Some(expected) = views.pop() {
            table.undo().expect("a move to take back");
            assert_eq!(view(&*table), expected);
        }
        assert!(table.undo().is_err(), "nothing is left to take back");
    }
}

#[test]
fn a_bad_move_changes_nothing_and_is_named_with_its_number() {
    let mut rng = SmallRng::seed_from_u64(5);
    for mut table in tables() {
        let mut moves = Vec::new();
        while table.outcome().is_none() {
            moves.push(play_random_move(&mut *table, &mut rng));
        }
        table.undo().expect("a move to take back");
        moves.pop();
        let before = view(&*table);
        for nonsense in ["", "nonsense", "-1", "0", "99999999999999999999", "\0", "é"] {
            let mut line: Vec<&str> = moves.iter().map(String::as_str).collect();
            line.push(nonsense);
            let error = table.set_position(&[], &line).expect_err("nonsense");
            assert!(error.contains(&format!("move {},", line.len())), "{error}");
            assert!(table.play(nonsense).is_err());
            assert!(table.check_moves(&[nonsense.to_owned()]).is_err());
            assert!(table.set_position(&["nonsense"], &[]).is_err());
            assert_eq!(view(&*table), before);
        }
    }
}

#[test]
fn a_finished_game_takes_no_moves() {
    let mut rng = SmallRng::seed_from_u64(6);
    for mut table in tables() {
        let any_move = table.moves()[0].clone();
        while table.outcome().is_none() {
            play_random_move(&mut *table, &mut rng);
        }
        assert!(table.play(&any_move).expect_err("over").contains("over"));
        assert!(table.check_moves(&[any_move]).is_err());
        assert_eq!(table.evaluation(), None);
        assert_eq!(think(&*table, &Settings::default()), None);
    }
}

#[test]
fn every_strategy_with_every_evaluation_gives_a_legal_move() {
    let mut rng = SmallRng::seed_from_u64(8);
    for mut table in tables() {
        for _ in 0..rng.random_range(0..12) {
            if table.outcome().is_none() {
                play_random_move(&mut *table, &mut rng);
            }
        }
        if table.outcome().is_some() {
            table.undo().expect("a move to take back");
        }
        let legal = table.moves();
        for strategy in table.strategies() {
            for evaluation in table.evaluations() {
                let settings = Settings {
                    strategy: strategy.to_owned(),
                    evaluation: evaluation.to_owned(),
                    depth: 2,
                    ..Settings::default()
                };
                let mv = think(&*table, &settings).expect("the game is not over");
                assert!(legal.contains(&mv), "{strategy}: {mv} in {}", table.position_text());
            }
        }
    }
}

/// The move that `settings` choose with a little time.
fn think(table: &dyn AnyGame, settings: &Settings) -> Option<String> {
    let limits =
        Limits { nodes: Some(3000), movetime: Some(Duration::from_secs(10)), ..Limits::default() };
    let request = Request {
        limits: &limits,
        search_moves: &[],
        settings,
        solve: false,
        control: &SearchControl::new(false, false),
        tt: &TranspositionTable::new(1).expect("a little memory"),
    };
    let mut infos = 0;
    let choice = table.think(&request, &mut |_| infos += 1);
    assert!(infos > 0, "a search tells at least once what it found");
    choice.best
}

fn play_random_move(table: &mut dyn AnyGame, rng: &mut SmallRng) -> String {
    let moves = table.moves();
    let mv = moves[rng.random_range(0..moves.len())].clone();
    table.play(&mv).expect("a legal move");
    mv
}
