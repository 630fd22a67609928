//! The reply to `state` agrees with `moves`, `result` and the rules, in random positions of every
//! game: what it says that a move does, done to the board it shows, gives the board after the move.

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::any_game::AnyGame;
use ratlla::endgames::EndgameStore;
use ratlla::game::ParameterValue;
use ratlla::games::REGISTRY;
use ratlla::settings::Settings;
use serde_json::{Value, json};

/// Games to play at random, and how many.
const GAMES: [(&str, usize); 12] = [
    ("connect4 6 7 4", 60),
    ("connect4 4 4 3", 60),
    ("connect4 5 4 2", 20),
    ("connect4 25 25 6", 1),
    ("boom", 40),
    ("wali 5 6 12", 8),
    ("wali 3 3 3", 30),
    ("wali 9 3 9", 5),
    ("kalah 6 4", 40),
    ("kalah 3 2 empty", 60),
    ("kalah 1 3", 10),
    ("kalah 12 12", 2),
];

fn open(title: &str) -> Box<dyn AnyGame> {
    REGISTRY.open_from_words(&title.split(' ').collect::<Vec<_>>()).unwrap()
}

fn state(game: &dyn AnyGame) -> Value {
    serde_json::to_value(game.state(&Settings::default(), &EndgameStore::default())).unwrap()
}

/// Plays random games and calls `visit` with each position and its state.
fn random_positions(seed: u64, mut visit: impl FnMut(&mut dyn AnyGame, &Value, &[String])) {
    let mut rng = SmallRng::seed_from_u64(seed);
    for (title, games) in GAMES {
        for _ in 0..games {
            let mut game = open(title);
            let mut played = Vec::new();
            loop {
                let here = state(&*game);
                visit(&mut *game, &here, &played);
                let moves = game.moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[rng.random_range(0..moves.len())].clone();
                game.play(&mv).unwrap();
                played.push(mv);
            }
        }
    }
}

fn texts(moves: &Value) -> Vec<String> {
    moves.as_array().unwrap().iter().map(|mv| mv["move"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_state_agrees_with_the_other_commands() {
    random_positions(1, |game, here, played| {
        assert_eq!(texts(&here["moves"]), game.moves());
        assert_eq!(here["history"], json!(played));
        assert_eq!(here["position"], json!(game.position_text()));
        assert_eq!(here["side"], json!(game.side_to_move().to_string()));
        let result = game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
        assert_eq!(here["result"], json!(result));
        assert_eq!(here["ending"].is_null(), game.outcome().is_none());
        let drawing: Vec<&str> =
            here["drawing"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert_eq!(drawing.join("\n"), game.drawing());
        let solves = game.outcome().is_none()
            && game.has_solver(Settings::default().hash, &EndgameStore::default());
        assert_eq!(here["solver"], json!(solves));
        assert_eq!(cells_of_text(game), cells_of_state(here), "{}", game.position_text());
    });
}

/// The cells in the position text, with the seeds of Kalah row by row as the state has them.
fn cells_of_text(game: &dyn AnyGame) -> Vec<String> {
    let text = game.position_text();
    let words: Vec<&str> = text.split(' ').collect();
    if words[0] != "pits" {
        return words[1].split('/').map(str::to_owned).collect();
    }
    let slash = words.iter().position(|&word| word == "/").unwrap();
    let lower = words[1..slash - 1].join(" ");
    let mut upper = words[slash + 1..words.len() - 2].to_vec();
    upper.reverse();
    vec![upper.join(" "), lower, format!("{} {}", words[slash - 1], words[words.len() - 2])]
}

/// The same from the state.
fn cells_of_state(here: &Value) -> Vec<String> {
    let board = &here["board"];
    let rows = board["rows"].as_array().unwrap().iter();
    if let Some(stores) = board.get("stores") {
        let numbers = |row: &Value| {
            row.as_array().unwrap().iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
        };
        let stores = format!("{} {}", stores["p1"], stores["p2"]);
        return rows.map(numbers).chain([stores]).collect();
    }
    let is_grid = here["position"].as_str().unwrap().starts_with("grid");
    let symbol = |row: usize, column: usize, content: &Value| {
        let side = match content.as_str() {
            None => return '.',
            Some(side) => side,
        };
        let is_bomb = board["bombs"][side]["cell"] == json!([row, column]);
        match (is_grid, side, is_bomb) {
            (true, "p1", _) => 'X',
            (true, _, _) => 'O',
            (false, "p1", false) => '1',
            (false, "p1", true) => '4',
            (false, _, false) => '2',
            (false, _, true) => '5',
        }
    };
    let line = |(row, cells): (usize, &Value)| {
        let cells = cells.as_array().unwrap().iter().enumerate();
        cells.map(|(column, content)| symbol(row, column, content)).collect()
    };
    rows.enumerate().map(line).collect()
}

fn cell(value: &Value) -> (usize, usize) {
    let number = |index: usize| value[index].as_u64().unwrap() as usize;
    (number(0), number(1))
}

fn list(value: &Value) -> Vec<Value> {
    value.as_array().cloned().unwrap_or_default()
}

/// The rows and the stores after what the state says of a move has been done to them.
fn after_effect(before: &Value, mv: &Value) -> (Value, Value) {
    let (mut rows, mut stores) =
        (before["board"]["rows"].clone(), before["board"]["stores"].clone());
    let sows = !stores.is_null();
    let mover = mv["side"].as_str().unwrap();
    let mut set = |place: &Value, content: Value| {
        let (row, column) = cell(place);
        std::mem::replace(&mut rows[row][column], content)
    };
    let empty = if sows { json!(0) } else { Value::Null };
    if mv.get("from").is_some() {
        set(&mv["from"], empty.clone());
    }
    if mv.get("to").is_some() {
        assert!(set(&mv["to"], json!(mover)).is_null(), "a piece lands on an empty cell");
    }
    let mut gain = 0;
    for place in list(&mv["path"]) {
        if place.is_string() {
            assert_eq!(place, json!(mover));
            gain += 1;
        } else {
            let (row, column) = cell(&place);
            rows[row][column] = json!(rows[row][column].as_u64().unwrap() + 1);
        }
    }
    for place in list(&mv["removed"]) {
        let (row, column) = cell(&place);
        let gone = std::mem::replace(&mut rows[row][column], empty.clone());
        gain += gone.as_u64().unwrap_or_default();
    }
    assert_eq!(mv.get("falls").is_some(), mv["move"] == "boom", "also if nothing falls: {mv}");
    let mut falls = list(&mv["falls"]);
    // The lowest first: each makes room for the one above.
    falls.sort_by_key(|fall| std::cmp::Reverse(cell(&fall[0])));
    for fall in falls {
        let ((row, column), (below, same)) = (cell(&fall[0]), cell(&fall[1]));
        assert_eq!((row + 1, column), (below, same));
        let piece = rows[row][column].take();
        assert!(std::mem::replace(&mut rows[below][same], piece).is_null());
    }
    if sows {
        assert_eq!(mv["gain"], json!(gain));
        stores[mover] = json!(stores[mover].as_u64().unwrap() + gain);
        let total =
            |row: &Value| list(row).iter().map(|seeds| seeds.as_u64().unwrap()).sum::<u64>();
        // When one side's houses are empty, the rest goes to its owner.
        if total(&rows[0]) == 0 || total(&rows[1]) == 0 {
            for (side, row) in [("p2", 0), ("p1", 1)] {
                stores[side] = json!(stores[side].as_u64().unwrap() + total(&rows[row]));
                list(&rows[row]).iter().enumerate().for_each(|(column, _)| {
                    rows[row][column] = json!(0);
                });
            }
        }
    }
    (rows, stores)
}

#[test]
fn every_move_does_what_the_state_says() {
    let mut captures = BTreeMap::new();
    random_positions(2, |game, here, _| {
        for mv in list(&here["moves"]) {
            assert_eq!(mv["side"], here["side"]);
            game.play(mv["move"].as_str().unwrap()).unwrap();
            let next = state(game);
            let (rows, stores) = after_effect(here, &mv);
            assert_eq!(next["board"]["rows"], rows, "{mv} in {}", here["position"]);
            assert_eq!(next["board"]["stores"], stores, "{mv} in {}", here["position"]);
            assert_eq!(next["last"], mv);
            let again = next["side"] == here["side"] && next["result"] == "none";
            assert_eq!(mv["again"], json!(again));
            let removed = mv["removed"].as_array().map_or(0, Vec::len);
            *captures.entry(game.title()).or_insert(0) += removed;
            game.undo().unwrap();
        }
    });
    for title in ["boom", "wali 5 6 12", "kalah 6 4", "kalah 3 2 empty"] {
        assert!(captures[title] > 10, "{captures:?}");
    }
}

/// The cells of all runs of at least `length` pieces of `side`, cell by cell.
fn line_cells(rows: &Value, side: &str, length: usize) -> BTreeSet<(usize, usize)> {
    let (height, width) = (list(rows).len() as isize, list(&rows[0]).len() as isize);
    let holds = |row: isize, column: isize| {
        (0..height).contains(&row)
            && (0..width).contains(&column)
            && rows[row as usize][column as usize] == side
    };
    let mut cells = BTreeSet::new();
    for start in 0..height * width {
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let place = |at: isize| (start / width + at * down, start % width + at * right);
            let run = (0..length as isize).map(place);
            if run.clone().all(|(row, column)| holds(row, column)) {
                cells.extend(run.map(|(row, column)| (row as usize, column as usize)));
            }
        }
    }
    cells
}

#[test]
fn an_ending_has_its_reason_and_the_winning_cells() {
    let mut reasons = BTreeSet::new();
    random_positions(3, |game, here, _| {
        let title = game.title();
        let name = title.split(' ').next().unwrap();
        let line = match name {
            "connect4" => title.rsplit(' ').next().unwrap().parse().unwrap(),
            _ => 4,
        };
        let ending = &here["ending"];
        if ending.is_null() {
            return;
        }
        let (reason, result) =
            (ending["reason"].as_str().unwrap(), here["result"].as_str().unwrap());
        reasons.insert(format!("{name}: {reason}"));
        let cells: BTreeSet<_> = list(&ending["cells"]).iter().map(cell).collect();
        assert_eq!(reason == "line", !cells.is_empty());
        match (name, reason) {
            ("connect4" | "boom", "line") => {
                let winner = result.strip_suffix("win").unwrap();
                assert_eq!(cells, line_cells(&here["board"]["rows"], winner, line));
            }
            ("connect4", "board full") | ("boom", "move limit") => assert_eq!(result, "draw"),
            ("wali", "repetition") => assert_eq!(result, "draw"),
            ("wali", "no capture") => {
                assert_eq!((result, &here["board"]["quiet"]), ("draw", &json!(100)));
            }
            ("wali", "stones gone") => {
                let loser = if result == "p1win" { "p2" } else { "p1" };
                let rows = list(&here["board"]["rows"]);
                assert!(rows.iter().all(|row| !list(row).contains(&json!(loser))));
            }
            ("kalah", "houses empty") => {
                let [first, second] =
                    ["p1", "p2"].map(|side| here["board"]["stores"][side].as_u64().unwrap());
                let expected = match first.cmp(&second) {
                    std::cmp::Ordering::Greater => "p1win",
                    std::cmp::Ordering::Less => "p2win",
                    std::cmp::Ordering::Equal => "draw",
                };
                assert_eq!(result, expected);
            }
            other => panic!("{other:?} in {}", here["position"]),
        }
    });
    let expected = [
        "boom: line",
        "connect4: board full",
        "connect4: line",
        "kalah: houses empty",
        "wali: repetition",
    ];
    for reason in expected {
        assert!(reasons.contains(reason), "{reasons:?}");
    }
}

/// The state of a position text.
fn at(title: &str, position: &str, moves: &[&str]) -> Value {
    let mut game = open(title);
    game.set_position(&position.split(' ').collect::<Vec<_>>(), moves).unwrap();
    state(&*game)
}

#[test]
fn rare_endings_have_their_reasons() {
    let boom = at(
        "boom",
        "cells ......./......./......./......./......./......./12..... move 300",
        &["4"],
    );
    assert_eq!(boom["ending"], json!({"reason": "move limit", "cells": []}));
    let full = "cells 1122112/2211221/1122112/2211221/1122112/2211221/1122112 move 60";
    let stuck = at("boom", full, &[]);
    assert_eq!(
        (&stuck["ending"]["reason"], &stuck["result"]),
        (&json!("no move"), &json!("p2win"))
    );
    let quiet = "cells ....../....../1...../....../2...22 p1 move quiet 99";
    let drawn = at("wali 5 6 12", quiet, &["a3a4"]);
    assert_eq!(drawn["ending"]["reason"], "no capture");
    let last = "cells ....../.1..../1.11../.1..../2..... p1 move";
    let won = at("wali 5 6 12", last, &["a3b3xa1"]);
    assert_eq!(won["ending"]["reason"], "stones gone");
    assert_eq!(won["last"]["removed"], json!([[4, 0]]));
}

#[test]
fn a_position_text_is_not_history() {
    let grid = "grid ......./......./......./......./..X..../..XO... p2";
    let fresh = at("connect4 6 7 4", grid, &[]);
    assert_eq!((&fresh["history"], &fresh["last"]), (&json!([]), &Value::Null));
    let played = at("connect4 6 7 4", grid, &["4", "5"]);
    assert_eq!(played["history"], json!(["4", "5"]));
    assert_eq!(played["last"], json!({"move": "5", "side": "p1", "again": false, "to": [5, 4]}));
    assert_eq!(
        played["moves"][3],
        json!({"move": "4", "side": "p2", "again": false, "to": [3, 3]})
    );
}

#[test]
fn the_book_counts_if_it_is_used() {
    let game = open("connect4 6 7 4");
    let with = |own_book| {
        let settings = Settings { own_book, ..Settings::default() };
        game.state(&settings, &EndgameStore::default()).book
    };
    assert!(with(true) && !with(false));
    assert!(!open("connect4 8 8 4").state(&Settings::default(), &EndgameStore::default()).book);
    assert!(open("kalah 6 4").state(&Settings::default(), &EndgameStore::default()).book);
}

#[test]
fn parameters_have_their_names() {
    use ParameterValue::{Number, Word};
    for (title, expected) in [
        ("connect4 6 7 4", vec![("rows", Number(6)), ("columns", Number(7)), ("line", Number(4))]),
        ("boom", vec![]),
        (
            "kalah 6 4 empty",
            vec![("houses", Number(6)), ("seeds", Number(4)), ("empty", Word(true))],
        ),
        ("kalah 6 4", vec![("houses", Number(6)), ("seeds", Number(4)), ("empty", Word(false))]),
    ] {
        let (entry, parameters) = REGISTRY.parameters_of(title).unwrap();
        assert!(title.starts_with(entry.name));
        assert_eq!(parameters, expected);
    }
    assert!(REGISTRY.parameters_of("chess").is_none());
    for entry in REGISTRY.0 {
        let title = REGISTRY.open(entry.name, &[]).unwrap().title();
        assert_eq!(REGISTRY.parameters_of(&title).unwrap().1.len(), entry.parameters.len());
    }
}
