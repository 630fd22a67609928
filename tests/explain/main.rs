//! `explain` with the real program: the claims it prints about random positions of every game are
//! replayed with naive rules that share nothing with the engine's.

mod boom;
mod claims;
mod connect4;
mod kalah;
mod kinds;
mod review;
#[path = "../support/mod.rs"]
mod support;
mod wali;

use claims::{Checker, NaiveGame, Report, check_refutation};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use support::engine::Engine;

/// A random position that is not over, and the moves that lead to it.
fn random_position<N: NaiveGame>(start: &N, rng: &mut SmallRng) -> (N, Vec<String>) {
    loop {
        let length = rng.random_range(0..=start.longest());
        let (mut position, mut moves) = (start.clone(), Vec::new());
        while moves.len() < length && position.result().is_none() {
            let legal = position.moves();
            moves.push(legal[rng.random_range(0..legal.len())].clone());
            position = position.after(&moves[moves.len() - 1]);
        }
        if position.result().is_none() {
            return (position, moves);
        }
    }
}

/// Asks for the reasons of every move in `count` random positions and checks all claims. Returns
/// how often each kind occurred.
fn check<N: NaiveGame>(start: &N, words: &str, count: usize, seed: u64) -> Report {
    let mut engine = Engine::start();
    engine.command(&format!("newgame {words}"));
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut report = Report::default();
    for _ in 0..count {
        let (position, moves) = random_position(start, &mut rng);
        match &moves[..] {
            [] => engine.command("position startpos"),
            moves => engine.command(&format!("position moves {}", moves.join(" "))),
        }
        let nodes = [0u64, 200, 2000, 2000, 20_000][rng.random_range(0..5)];
        engine.send(&format!("explain nodes {nodes}"));
        let lines = engine.wait_for("bestmove");
        let context = format!("{words} moves {}: {lines:#?}", moves.join(" "));
        let reasons: Vec<&str> =
            lines.iter().filter_map(|line| line.strip_prefix("reason ")).collect();
        let checker = Checker::new(&position, &reasons, &context);
        checker.check(&mut report);
        let wins = checker.wins_by_rules();
        let best = lines[lines.len() - 1].split(' ').nth(1);
        assert_eq!(best, reasons[0].split(' ').next(), "{context}");
        let legal = position.moves();
        let asked = &legal[rng.random_range(0..legal.len())];
        engine.send(&format!("why not {asked} nodes {nodes}"));
        let lines = engine.wait_for("bestmove");
        let context = format!("{words} moves {}: {lines:#?}", moves.join(" "));
        let refutation = lines.iter().find_map(|line| line.strip_prefix("refutation "));
        let best = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
        let refutation = refutation.expect(&context);
        check_refutation(&position, asked, best, nodes, wins, refutation, &context);
    }
    engine.quit();
    report
}

/// Checks some hundreds of positions in the usual run, 10,000 in the long one, and that all kinds
/// occurred.
fn check_all<N: NaiveGame>(games: &[(N, &str)], count: usize, kinds: &[&str]) {
    let mut report = Report::default();
    for (seed, (start, words)) in games.iter().enumerate() {
        report.add(check(start, words, count / games.len(), seed as u64 + 1));
    }
    println!("{report:?}");
    for kind in kinds {
        assert!(report.kinds.contains_key(*kind), "no '{kind}' in {report:?}");
    }
}

const SOME: usize = 240;
const MANY: usize = 10_000;

const CONNECT4: [&str; 12] = [
    "line", "above", "allows", "block", "fork", "forces", "only", "spoils", "lines", "wins",
    "draws", "loses",
];

fn connect4_games() -> Vec<(connect4::Naive, &'static str)> {
    vec![
        (connect4::Naive::new(6, 7, 4), "connect4 6 7"),
        (connect4::Naive::new(4, 5, 4), "connect4 4 5"),
        (connect4::Naive::new(5, 6, 3), "connect4 5 6 3"),
        (connect4::Naive::new(6, 8, 4), "connect4 6 8"),
    ]
}

#[test]
fn connect_four_claims_are_true() {
    check_all(&connect4_games(), SOME, &CONNECT4);
}

#[test]
#[ignore = "takes minutes"]
fn connect_four_claims_are_true_in_many_positions() {
    check_all(&connect4_games(), MANY, &[&CONNECT4[..], &["ends", "zugzwang", "threat"]].concat());
}

const KALAH: [&str; 8] =
    ["again", "captures", "saves", "leaves", "spoils", "ends", "loses", "wins"];

fn kalah_games() -> Vec<(kalah::Naive, &'static str)> {
    vec![
        (kalah::Naive::new(6, 4, false), "kalah 6 4"),
        (kalah::Naive::new(4, 2, false), "kalah 4 2"),
        (kalah::Naive::new(4, 3, true), "kalah 4 3 empty"),
    ]
}

#[test]
fn kalah_claims_are_true() {
    check_all(&kalah_games(), SOME, &KALAH);
}

#[test]
#[ignore = "takes minutes"]
fn kalah_claims_are_true_in_many_positions() {
    check_all(&kalah_games(), MANY, &KALAH);
}

const WALI: [&str; 6] = ["three", "blocks", "opens", "leaves", "prepares", "room"];

fn wali_games() -> Vec<(wali::Naive, &'static str)> {
    vec![(wali::Naive::new(5, 6, 12), "wali"), (wali::Naive::new(4, 4, 4), "wali 4 4 4")]
}

#[test]
fn wali_claims_are_true() {
    check_all(&wali_games(), SOME / 2, &WALI);
}

#[test]
#[ignore = "takes minutes"]
fn wali_claims_are_true_in_many_positions() {
    check_all(&wali_games(), MANY, &[&WALI[..], &["ends", "allows", "phase"]].concat());
}

const BOOM: [&str; 6] = ["line", "allows", "bomb", "block", "fork", "lines"];

#[test]
fn boom_claims_are_true() {
    check_all(&[(boom::Naive::new(), "boom")], SOME, &BOOM);
}

#[test]
#[ignore = "takes minutes"]
fn boom_claims_are_true_in_many_positions() {
    check_all(&[(boom::Naive::new(), "boom")], MANY, &BOOM);
}
