//! Limits, lines and results of searches by the real program.

mod support;

use std::time::Duration;

use support::engine::{Engine, assert_contains, number_after};

/// The points of a line with a heuristic score.
fn points(info: &str) -> i32 {
    let words: Vec<&str> = info.split(' ').collect();
    let place = words.iter().position(|&word| word == "cp").expect("a heuristic score");
    words[place + 1].parse().expect("a number")
}

/// Checks that the last `count` lines are sorted best first and start with the best move.
fn assert_best_first(infos: &[String], count: usize, best: &str) {
    let last = &infos[infos.len() - count..];
    assert!(last.iter().map(|line| points(line)).is_sorted_by(|a, b| a >= b), "{last:#?}");
    assert_contains(&last[0], &format!(" pv {best} "));
}

#[test]
fn multi_pv_lines_are_sorted_best_first() {
    let mut engine = Engine::start();
    engine.command("setoption name MultiPV value 7");
    for moves in ["1 7 1 2", "4 4", "2 6 2 6", "3 5 3 3 1"] {
        engine.command(&format!("position moves {moves}"));
        let (best, infos) = engine.go("depth 8");
        assert_best_first(&infos, 7, &best);
    }
    engine.quit();
}

#[test]
fn multi_pv_lines_of_an_interrupted_search_are_sorted_best_first() {
    let mut engine = Engine::start();
    engine.command("newgame 10 12");
    engine.command("setoption name MultiPV value 12");
    for nodes in (1500..9000).step_by(250) {
        engine.command("setoption name Clear Hash");
        let (best, infos) = engine.go(&format!("nodes {nodes}"));
        assert_best_first(&infos, 12, &best);
    }
    engine.quit();
}

#[test]
fn zero_depth_nodes_or_time_still_gives_a_move() {
    let mut engine = Engine::start();
    for strategy in ["full", "minimax", "random"] {
        engine.command(&format!("setoption name Strategy value {strategy}"));
        for limits in
            ["depth 0", "nodes 0", "movetime 0", "p1time 0", "p1time -5", "movestogo 0 p1time 1"]
        {
            let (_, infos) = engine.go(limits);
            assert!(!infos.is_empty(), "{strategy} {limits}");
        }
    }
    engine.quit();
}

#[test]
fn only_searchmoves_are_searched() {
    let mut engine = Engine::start();
    for strategy in ["full", "random", "greedy", "smart", "minimax", "alphabeta"] {
        engine.command(&format!("setoption name Strategy value {strategy}"));
        for _ in 0..5 {
            let (mv, _) = engine.go("depth 3 searchmoves 1 7");
            assert!(mv == "1" || mv == "7", "{strategy}: {mv}");
        }
    }
    engine.command("setoption name Strategy value full");
    engine.command("setoption name MultiPV value 7");
    let (_, infos) = engine.go("depth 4 searchmoves 2 2 3 2");
    assert!(infos.iter().all(|info| number_after("multipv", info) <= Some(2)), "{infos:?}");
    for line in [
        "go searchmoves 8",
        "go searchmoves 1 x depth 2",
        "go searchmoves",
        "go depth 2 searchmoves",
    ] {
        engine.expect_error(line);
    }
    engine.command("position moves 1 1 1 1 1 1");
    assert_contains(&engine.expect_error("go depth 2 searchmoves 1"), "column 1 is full");
    engine.quit();
}

#[test]
fn each_depth_has_all_multi_pv_lines_with_different_first_moves() {
    let mut engine = Engine::start();
    for (size, moves, multi_pv, expected) in [
        ("6 7", "4 4", 3, 3),
        ("6 7", "1 1 1 1 1 1", 500, 6),
        ("25 25", "", 4, 4),
        ("4 4", "", 1, 1),
    ] {
        engine.command(&format!("newgame {size}"));
        engine.command(&format!("position moves {moves}"));
        engine.command(&format!("setoption name MultiPV value {multi_pv}"));
        let (best, infos) = engine.go("depth 5");
        assert_eq!(infos.len() % expected, 0, "{infos:?}");
        for (index, lines) in infos.chunks(expected).enumerate() {
            let mut first_moves = Vec::new();
            for (place, line) in lines.iter().enumerate() {
                assert_eq!(number_after("depth", line), Some(index as u64 + 1), "{infos:?}");
                assert_eq!(number_after("multipv", line), Some(place as u64 + 1), "{infos:?}");
                first_moves.push(number_after("pv", line).expect("a first move"));
            }
            if index + 1 == infos.len() / expected {
                assert_eq!(first_moves[0].to_string(), best);
            }
            first_moves.sort_unstable();
            first_moves.dedup();
            assert_eq!(first_moves.len(), expected, "{infos:?}");
        }
    }
    engine.quit();
}

#[test]
fn a_finished_game_has_no_best_move() {
    let mut engine = Engine::start();
    engine.command("position moves 1 2 1 2 1 2 1");
    for limits in ["depth 3", "movetime 5", "nodes 9", "", "depth 0"] {
        engine.send(&format!("go {limits}"));
        let (mv, infos) = engine.wait_for_best_move();
        assert_eq!(mv, "(none)");
        assert_contains(&infos[0], "score loss 0");
    }
    engine.send("go infinite");
    assert!(engine.is_silent_for(Duration::from_millis(200)), "no best move before stop");
    engine.send("stop");
    assert_eq!(engine.wait_for_best_move().0, "(none)");
    assert_eq!(engine.query("result"), ["result p1win"]);
    assert_eq!(engine.query("moves"), ["moves"]);
    assert_contains(&engine.expect_error("play 3"), "the game is over");
    assert_contains(&engine.expect_error("eval"), "the game is over");
    engine.quit();
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let searches = ["depth 9", "nodes 20000", "depth 12 nodes 5000"];
    let run = || {
        let mut engine = Engine::start();
        let mut last_infos = Vec::new();
        for size in ["6 7", "10 12"] {
            engine.command(&format!("newgame {size}"));
            for limits in searches {
                let (mv, infos) = engine.go(limits);
                let nodes: Vec<_> = infos.iter().map(|info| number_after("nodes", info)).collect();
                last_infos.push((mv, nodes));
            }
        }
        engine.quit();
        last_infos
    };
    assert_eq!(run(), run());
}

#[test]
fn a_new_game_clears_the_table() {
    let mut engine = Engine::start();
    let nodes = |engine: &mut Engine| {
        let infos = engine.go("depth 9").1;
        number_after("nodes", &infos[infos.len() - 1])
    };
    let first = nodes(&mut engine);
    assert_ne!(nodes(&mut engine), first, "the table shortens the second search");
    engine.command("newgame 6 7");
    assert_eq!(nodes(&mut engine), first);
    engine.command("setoption name Clear Hash");
    assert_eq!(nodes(&mut engine), first);
    engine.command("setoption name Hash value 64");
    assert_eq!(nodes(&mut engine), first);
    engine.quit();
}

#[test]
fn a_node_limit_is_never_exceeded() {
    let mut engine = Engine::start();
    for threads in [1, 2] {
        engine.command(&format!("setoption name Threads value {threads}"));
        for strategy in ["full", "minimax", "alphabeta", "smart"] {
            engine.command(&format!("setoption name Strategy value {strategy}"));
            engine.command("setoption name Depth value 8");
            for limit in [1, 2, 77, 256, 257, 1000, 4097] {
                let (_, infos) = engine.go(&format!("nodes {limit}"));
                let most = infos.iter().filter_map(|info| number_after("nodes", info)).max();
                assert!(most <= Some(limit), "{strategy} {threads}: {limit} {infos:?}");
            }
        }
    }
    engine.quit();
}

#[test]
fn a_node_limit_is_used_up_where_nothing_is_proved() {
    let mut engine = Engine::start();
    for threads in [1, 2] {
        engine.command(&format!("setoption name Threads value {threads}"));
        for game in ["8 8", "9 9", "wali"] {
            engine.command(&format!("newgame {game}"));
            let (_, infos) = engine.go("nodes 300000");
            let most = infos.iter().filter_map(|info| number_after("nodes", info)).max();
            // A thread may find less to do than the others.
            assert!(most > Some(100_000), "{game}, {threads} threads: {infos:?}");
        }
    }
    engine.quit();
}

#[test]
fn minimax_counts_its_leaves() {
    let mut engine = Engine::start();
    engine.command("newgame 8 8");
    engine.command("setoption name Strategy value minimax");
    engine.command("setoption name Depth value 4");
    engine.command("setoption name Pruning value false");
    for order in ["left", "right", "centre"] {
        engine.command(&format!("setoption name Order value {order}"));
        let (_, infos) = engine.go("");
        assert_eq!(infos.len(), 1, "{infos:?}");
        assert_eq!(number_after("leaves", &infos[0]), Some(4096), "{infos:?}");
        assert_eq!(number_after("nodes", &infos[0]), Some(8 + 64 + 512 + 4096), "{infos:?}");
    }
    engine.command("setoption name Pruning value true");
    let (_, infos) = engine.go("");
    assert!(number_after("leaves", &infos[0]) < Some(4096 / 2), "{infos:?}");
    engine.quit();
}

#[test]
fn every_strategy_and_level_plays_legal_moves_on_every_board() {
    for size in ["4 4", "6 7", "25 25"] {
        let mut engine = Engine::start();
        engine.command(&format!("newgame {size}"));
        engine.command("setoption name Depth value 2");
        let mut settings: Vec<String> =
            ["random", "greedy", "smart", "minimax", "alphabeta", "full"]
                .map(|name| format!("setoption name Strategy value {name}"))
                .into();
        settings.extend((1..=10).map(|level| format!("setoption name Level value {level}")));
        for line in settings {
            engine.command(&line);
            let (mv, _) = engine.go("nodes 2000");
            engine.command(&format!("play {mv}"));
            if engine.query("result") != ["result none"] {
                engine.command("undo");
            }
        }
        engine.quit();
    }
}

#[test]
fn several_threads_search_and_can_be_stopped() {
    let mut engine = Engine::start();
    for threads in [2, 256, 2] {
        engine.command(&format!("setoption name Threads value {threads}"));
        engine.go("depth 8");
        engine.go("movetime 50");
        engine.send_all(&["go infinite", "stop"]);
        engine.wait_for_best_move();
    }
    engine.quit();
}

#[test]
fn a_seed_makes_random_play_reproducible() {
    let mut engine = Engine::start();
    let play = |engine: &mut Engine| -> Vec<String> {
        engine.command("position startpos");
        let mut moves = Vec::new();
        for _ in 0..6 {
            moves.push(engine.go("").0);
            engine.command(&format!("play {}", moves[moves.len() - 1]));
        }
        moves
    };
    for strategy in ["random", "greedy"] {
        engine.command(&format!("setoption name Strategy value {strategy}"));
        engine.command("setoption name Seed value 42");
        let first = play(&mut engine);
        assert_eq!(play(&mut engine), first);
        let varies = (1..=10).any(|seed| {
            engine.command(&format!("setoption name Seed value {seed}"));
            play(&mut engine) != first
        });
        assert!(varies, "{strategy} always plays {first:?}");
    }
    engine.quit();
}

/// What `eval` prints follows from the position and the value of `Evaluation`, whether it was ever set or
/// not, and never leaves the range of scores.
#[test]
fn eval_shows_the_evaluation_that_the_option_names() {
    let mut engine = Engine::start();
    engine.command("position moves 4 4 3");
    for strategy in ["full", "minimax", "random"] {
        engine.command(&format!("setoption name Strategy value {strategy}"));
        assert_eq!(engine.query("eval"), engine.query("eval lines"), "{strategy}");
    }
    engine.command("setoption name Evaluation value lines");
    assert_eq!(engine.query("eval"), engine.query("eval lines"));
    engine.command("setoption name Evaluation value pairs");
    assert_eq!(engine.query("eval"), engine.query("eval pairs"));
    assert_ne!(engine.query("eval"), engine.query("eval full"));
    // BOOM has `pairs` too, Kalah has not, and its default is not that of Connect Four.
    for (game, evaluation) in [("boom", "pairs"), ("kalah", "stores"), ("connect4", "lines")] {
        engine.command(&format!("newgame {game}"));
        let option = format!("option name Evaluation value {evaluation}");
        assert_eq!(engine.query("getoption name Evaluation"), [option]);
        assert_eq!(engine.query("eval"), engine.query(&format!("eval {evaluation}")));
    }
    // Player 1 has stones everywhere, but no line of 25.
    engine.command("newgame 25 25 25");
    let row = ["X".repeat(24), ".".to_owned()].concat();
    let rows: Vec<String> = (0..25).map(|_| row.clone()).collect();
    let rows = [vec![".".repeat(25)], rows[1..].to_vec()].concat();
    engine.command(&format!("position grid {} p1", rows.join("/")));
    for evaluation in ["lines", "pairs", "full"] {
        let line = engine.query(&format!("eval {evaluation}")).concat();
        let total: i32 = line.split(' ').nth(2).expect("a total").parse().expect("a number");
        assert!(total.abs() <= 28998, "{line}");
    }
    engine.quit();
}
