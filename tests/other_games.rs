//! No answer depends on what the engine has played before, nor on tables of other games: each is used
//! for its own rules and its own size alone.
//!
//! The negative half is tested with tables of false values. Where such a table belongs, the answers
//! change, so it is looked at; in every game that differs in a single parameter they stay as they are.

mod support;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::LazyLock;

use ratlla::engine::Engine;
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::kalah::endgame::{Variant, file as kalah_file};
use ratlla::games::wali::endgame::file::{self as wali_file, TableHeader};
use ratlla::games::{REGISTRY, kalah, wali};
use ratlla::protocol::command::{Go, Goal};
use ratlla::search::result::{PvLine, ReportedScore};
use ratlla::settings::Settings;
use support::search::go;

/// The game that takes too long to solve.
const UNSOLVED: &str = "boom";

/// Games, each of which differs from another one in a single parameter, and the depth of a search.
const GAMES: &[(&str, u32)] = &[
    ("connect4 4 4 4", 9),
    ("connect4 4 4 3", 9),
    ("connect4 4 5 3", 8),
    ("connect4 5 4 3", 8),
    (UNSOLVED, 8),
    ("wali 3 3 3", 9),
    ("wali 3 4 3", 9),
    ("wali 3 4 4", 10),
    ("wali 4 3 3", 9),
    ("kalah 3 3", 9),
    ("kalah 3 3 empty", 9),
    ("kalah 3 4", 9),
    ("kalah 4 3", 9),
    ("kalah 4 3 empty", 9),
    ("kalah 6 1", 9),
    ("kalah 7 1", 9),
    ("kalah 7 1 empty", 9),
];

const HASH: usize = 4;

/// What an engine says of a game at its start.
#[derive(Debug, PartialEq)]
struct Answers {
    /// Of a search to a depth with empty tables.
    lines: Vec<PvLine<String>>,
    nodes: u64,
    /// The exact score of every move. Nodes and lines may differ with the endgame tables at hand.
    scores: BTreeMap<String, ReportedScore>,
}

fn game_of(title: &str) -> Box<dyn ratlla::any_game::AnyGame> {
    let words: Vec<&str> = title.split(' ').collect();
    REGISTRY.open_from_words(&words).expect("a game")
}

fn fresh_engine() -> Engine {
    Engine::new(game_of(UNSOLVED), HASH).expect("memory")
}

/// The exact score of every move.
fn exact_scores(engine: &mut Engine) -> BTreeMap<String, ReportedScore> {
    let settings = Settings { hash: HASH, multi_pv: usize::MAX, ..Settings::default() };
    let solved = go(engine, &Go { goal: Goal::Solve, ..Go::default() }, &settings);
    let exact = |line: PvLine<String>| {
        let score = line.score.filter(|score| score.is_proved());
        (line.moves[0].clone(), score.expect("an exact score"))
    };
    let lines = solved.into_iter().next_back().expect("a result").lines;
    let scores: BTreeMap<_, _> = lines.into_iter().map(exact).collect();
    let moves: BTreeSet<String> = engine.game.moves().into_iter().collect();
    assert!(scores.keys().eq(&moves), "{}: {scores:?}", engine.game.title());
    scores
}

/// Begins a game and asks about it.
fn answers(engine: &mut Engine, (title, depth): (&str, u32)) -> Answers {
    engine.new_game(game_of(title), HASH).expect("memory");
    let settings = Settings { hash: HASH, ..Settings::default() };
    let searched = go(engine, &Go { depth: Some(depth), ..Go::default() }, &settings);
    let searched = searched.into_iter().next_back().expect("a result");
    let scores = if title == UNSOLVED { BTreeMap::new() } else { exact_scores(engine) };
    Answers { lines: searched.lines, nodes: searched.nodes, scores }
}

/// The answers of engines that have played nothing else.
static ALONE: LazyLock<Vec<Answers>> =
    LazyLock::new(|| GAMES.iter().map(|&game| answers(&mut fresh_engine(), game)).collect());

/// All numbers below `count`, so that each comes once right after each, itself included: a sequence
/// of de Bruijn, closed.
fn every_pair(count: usize) -> Vec<usize> {
    let mut sequence = Vec::new();
    for first in 0..count {
        sequence.push(first);
        (first + 1..count).for_each(|second| sequence.extend([first, second]));
    }
    sequence.push(0);
    sequence
}

#[test]
fn no_game_changes_the_answers_of_the_next() {
    let mut engine = fresh_engine();
    let mut before = UNSOLVED;
    for place in every_pair(GAMES.len()) {
        let game = GAMES[place];
        assert_eq!(answers(&mut engine, game), ALONE[place], "{} after {before}", game.0);
        before = game.0;
    }
}

/// What a solver keeps from a late position does not do for an earlier one. Wali is left out: its exact
/// values there depend on the history.
#[test]
fn no_position_changes_the_answers_of_another() {
    for (&(title, _), alone) in GAMES.iter().zip(&*ALONE) {
        if title == UNSOLVED || title.starts_with("wali") {
            continue;
        }
        let mut engine = Engine::new(game_of(title), HASH).expect("memory");
        let mut moves = Vec::new();
        while engine.game.outcome().is_none() {
            moves.push(engine.game.moves()[0].clone());
            engine.game.play(&moves[moves.len() - 1]).expect("a legal move");
        }
        for played in [moves.len() - 1, 0, moves.len() / 2, 0] {
            let moves: Vec<&str> = moves[..played].iter().map(String::as_str).collect();
            engine.game.set_position(&[], &moves).expect("legal moves");
            let scores = exact_scores(&mut engine);
            assert!(played > 0 || scores == alone.scores, "{title}: {scores:?}");
        }
    }
}

/// What one search has learnt shortens the next, unless the tables are emptied.
#[test]
fn emptied_tables_are_as_good_as_new() {
    let settings = Settings { hash: HASH, ..Settings::default() };
    let mut engine = Engine::new(game_of("connect4 4 5 4"), HASH).expect("memory");
    let limits = Go { nodes: Some(200_000), ..Go::default() };
    // The first uses the transposition table, the second the solver's as well.
    for limits in [Go { depth: Some(9), ..limits.clone() }, Go { goal: Goal::Solve, ..limits }] {
        engine.clear_hash();
        let nodes =
            |engine: &mut Engine| go(engine, &limits, &settings).last().expect("a result").nodes;
        let fresh = nodes(&mut engine);
        assert!(nodes(&mut engine) < fresh);
        engine.clear_hash();
        assert_eq!(nodes(&mut engine), fresh);
        engine.resize_hash(HASH).expect("memory");
        assert_eq!(nodes(&mut engine), fresh);
        engine.new_game(game_of("connect4 4 5 4"), HASH).expect("memory");
        assert_eq!(nodes(&mut engine), fresh);
    }
}

/// Checks that a false table of the game with this title changes the answers of the games `of_the_same`
/// table alone, and of these all; that without it they are what they were; and that a refused file
/// changes nothing.
fn check_false_table(path: &Path, option: &str, of_the_same: &[&str]) {
    let load = |engine: &mut Engine, path: &str| {
        let mut files = REGISTRY.0.iter().filter_map(|entry| entry.endgame_file.as_ref());
        let file = files.find(|file| file.option == option).expect("an option");
        (file.load)(&mut engine.endgames, path)
    };
    let path = path.to_str().expect("a name in UTF-8");
    let mut engine = fresh_engine();
    load(&mut engine, path).expect("a table");
    load(&mut engine, "nowhere").expect_err("no file");
    for (&game, alone) in GAMES.iter().zip(&*ALONE) {
        if !of_the_same.contains(&game.0) {
            assert_eq!(answers(&mut engine, game), *alone, "{} with {path}", game.0);
        }
    }
    for &title in of_the_same {
        let place = GAMES.iter().position(|game| game.0 == title).expect("one of the games");
        let mut engine = fresh_engine();
        load(&mut engine, path).expect("a table");
        assert_ne!(answers(&mut engine, GAMES[place]).scores, ALONE[place].scores, "{title}");
        let mut engine = fresh_engine();
        load(&mut engine, path).expect("a table");
        load(&mut engine, "").expect("nothing to load");
        assert_eq!(answers(&mut engine, GAMES[place]), ALONE[place], "{title}");
    }
}

#[test]
fn a_kalah_table_is_used_for_its_own_houses_and_captures_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kalah");
    for (rules, of_the_same) in [
        (&["3", "3"][..], &["kalah 3 3", "kalah 3 4"][..]),
        (&["4", "3"], &["kalah 4 3"]),
        (&["4", "3", "empty"], &["kalah 4 3 empty"]),
        (&["7", "1", "empty"], &["kalah 7 1 empty"]),
    ] {
        let variant = Variant::from(kalah::rules(rules).unwrap());
        let seeds = 9;
        // Whoever is to move gets nothing.
        let shares = vec![0; Index::new(variant.houses, seeds).unwrap().size(seeds) as usize];
        kalah_file::publish(&path, variant, seeds, &shares).unwrap();
        check_false_table(&path, "KalahTable", of_the_same);
    }
}

#[test]
fn a_wali_table_is_used_for_its_own_board_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wali");
    for (board, of_the_same) in [
        (["3", "4", "3"], &["wali 3 4 3", "wali 3 4 4"][..]),
        (["4", "3", "3"], &["wali 4 3 3"]),
        (["3", "3", "3"], &["wali 3 3 3"]),
    ] {
        let shape = wali::shape(&board).unwrap();
        let header = TableHeader { shape, most: 4 };
        // Whoever is to move wins at once.
        wali_file::publish(&path, header, &vec![1; header.payload_length() as usize]).unwrap();
        check_false_table(&path, "WaliTable", of_the_same);
    }
}
