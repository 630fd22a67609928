//! What searches, solvers and evaluations find in fixed positions, to the last node. Values are proved
//! elsewhere; here nothing changes unnoticed: not the order of moves, not what is pruned, not an evaluation.
//!
//! A change that is meant to alter this writes `tests/data/signature.txt` anew
//! (`RATLLA_WRITE_SIGNATURE=1 cargo test --test signature`) and says in its message what it gains.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ratlla::engine::Engine;
use ratlla::games::REGISTRY;
use ratlla::limits::SearchControl;
use ratlla::protocol::command::{Go, Goal};
use ratlla::settings::Settings;

/// Games, moves and depths of searches. Small boards, all widths of words, lines of every kind.
const SEARCHES: [(&str, &str, u32); 27] = [
    ("connect4 6 7 4", "", 11),
    ("connect4 6 7 4", "4 4 4 4 4 2", 12),
    ("connect4 6 7 4", "1 2 1 2 7 6 7 6 3 3 5 5 3", 13),
    ("connect4 6 7 4", "4 4 3 5 3 3 5 5 2 2 4 6 6 6 2", 16),
    ("connect4 4 4 3", "2", 9),
    ("connect4 5 6 4", "3 3 3 3 4 4 4", 14),
    ("connect4 8 8 4", "4 4 5 5 3", 10),
    ("connect4 9 9 5", "5 5 4 6", 9),
    ("connect4 12 10 4", "5 6 5 6 4", 8),
    ("connect4 25 25 4", "13 13 12", 6),
    ("connect4 7 7 7", "4 4 4", 8),
    ("boom", "", 14),
    ("boom", "4 2 6", 13),
    ("boom", "4 4 3 3 5 6 2 2 5 5 3 3", 12),
    ("boom", "1 3 7 2 5 4 5 1 6 7 1 6 7 2", 12),
    ("wali", "", 8),
    ("wali", "b2 c2 b4 b3 c3 e2 d4 c4 d2 d3 e3 e4", 9),
    (
        "wali",
        "b2 c2 b4 b3 c3 e2 d4 c4 d2 d3 e3 e4 c1 d1 a1 b1 a3 a2 a5 a4 c5 b5 e5 d5 e5f5 e2f2",
        11,
    ),
    ("wali 4 4 4", "", 9),
    ("wali 3 5 5", "a1 b2", 10),
    ("kalah 6 4", "", 10),
    ("kalah 6 4", "3 6 2 5", 11),
    ("kalah 6 6", "1 4", 9),
    ("kalah 4 3", "2", 14),
    ("kalah 6 4 empty", "3 6", 10),
    ("kalah 8 3", "", 9),
    ("kalah 12 12", "", 5),
];

/// Games and moves of positions to solve.
const SOLVES: [(&str, &str); 12] = [
    ("connect4 6 7 4", "4 4 4 4 4 2 3 3 3 3 2 2"),
    ("connect4 6 7 4", "1 2 1 2 7 6 7 6 3 3 5 5 3 4"),
    ("connect4 5 6 4", "3 3 3 3"),
    ("connect4 6 6 5", "3 3 3 3 4 4 4 4 2 2 2"),
    (
        "connect4 8 8 4",
        "4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 1 1 1 1 1 1 1 1 8 8 8 8 8 8 8 8 3 6 3 6 3 6",
    ),
    ("connect4 4 12 4", "1 1 1 1 12 12 12 12 3 3 3 3 10 10 10 10 6"),
    ("kalah 4 3", ""),
    ("kalah 3 4 empty", ""),
    ("kalah 5 3", "1"),
    ("kalah 8 1", ""),
    ("wali 3 4 4", ""),
    ("wali 4 4 3", "b2"),
];

/// A game of the registry after these moves.
fn engine(title: &str, moves: &str) -> Engine {
    let title: Vec<&str> = title.split_whitespace().collect();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    let mut engine = Engine::new(REGISTRY.open_from_words(&title).unwrap(), 16).unwrap();
    engine.game.set_position(&[], &moves).unwrap_or_else(|reason| panic!("{title:?}: {reason}"));
    engine
}

/// Score, nodes and best line of a search.
fn found(engine: &mut Engine, go: &Go) -> String {
    let settings = Settings { hash: 16, own_book: false, ..Settings::default() };
    let control = SearchControl::new(false, false);
    let result = engine.search(go, &settings, &control, &mut |_| {});
    let line = &result.lines[0];
    let moves: Vec<&str> = line.moves.iter().take(6).map(String::as_str).collect();
    format!("{} nodes, {:?}, {}", control.nodes(), line.score, moves.join(" "))
}

fn signature() -> String {
    let mut text = String::new();
    for (title, moves, depth) in SEARCHES {
        let mut engine = engine(title, moves);
        let (settings, endgames) = (Settings::default(), &engine.endgames);
        let terms = engine.game.eval_terms(Some("full"), &settings, endgames).unwrap();
        for name in engine.game.evaluations() {
            let terms = engine.game.eval_terms(Some(name), &settings, &engine.endgames).unwrap();
            let _ = writeln!(text, "{title}, {moves}: eval {name} {terms:?}");
        }
        let _ = writeln!(text, "{title}, {moves}: eval full {terms:?}");
        let go = Go { depth: Some(depth), ..Go::default() };
        let _ = writeln!(text, "{title}, {moves}: depth {depth}, {}", found(&mut engine, &go));
    }
    for (title, moves) in SOLVES {
        let go = Go { goal: Goal::Solve, ..Go::default() };
        let solved = found(&mut engine(title, moves), &go);
        let _ = writeln!(text, "{title}, {moves}: solve, {solved}");
    }
    text
}

#[test]
fn fixed_positions_are_searched_solved_and_evaluated_as_before() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/signature.txt");
    let now = signature();
    if std::env::var_os("RATLLA_WRITE_SIGNATURE").is_some() {
        fs::write(&path, &now).unwrap();
    }
    let before = fs::read_to_string(&path).unwrap();
    for (now, before) in now.lines().zip(before.lines()) {
        assert_eq!(now, before, "the first line that differs; see the comment of this file");
    }
    assert_eq!(now.lines().count(), before.lines().count());
}
