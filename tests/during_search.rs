//! Commands sent while a search runs or is queued, with the real program.
//!
//! Times are checked only to detect hangs, with generous limits.

mod support;

use std::time::{Duration, Instant};

use support::engine::{Engine, assert_contains, number_after};

#[test]
fn a_second_go_with_limits_is_queued_and_both_are_answered() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 8", "go depth 2 searchmoves 1"]);
    let (first, _) = engine.wait_for_best_move();
    assert!((1..=7).any(|column| column.to_string() == first));
    let (second, infos) = engine.wait_for_best_move();
    assert_eq!(second, "1");
    assert!(infos.iter().all(|info| info.contains(" pv 1")), "{infos:?}");
    engine.quit();
}

#[test]
fn a_second_go_during_an_endless_search_is_refused() {
    for endless in ["go infinite", "go", "go ponder", "go ponder depth 3", "go infinite depth 1"] {
        let mut engine = Engine::start();
        engine.send_all(&[endless, "go depth 1"]);
        let lines = engine.wait_for("error");
        assert_contains(&lines[lines.len() - 1], "search in progress");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{endless}: {lines:?}");
        engine.send("stop");
        engine.wait_for_best_move();
        engine.quit();
    }
}

/// On such a board the solver does not finish, and without the search nothing deep would be known.
#[test]
fn an_analysis_without_a_limit_searches_as_deep_as_a_limited_one() {
    for command in ["analyze", "explain infinite", "why not 1 infinite"] {
        let mut engine = Engine::start();
        engine.send_all(&["newgame 8 8", command]);
        // The short search before the solver's turn gets to a depth of 6.
        loop {
            let line = engine.wait_for("info").pop().expect("a line");
            if number_after("depth", &line).is_some_and(|depth| depth >= 9) {
                break;
            }
        }
        engine.send("stop");
        let lines = engine.wait_for("bestmove");
        let replies = ["analysis ", "reason ", "refutation "];
        let is_scored = |line: &&String| {
            replies.iter().any(|reply| line.starts_with(reply)) && line.contains(" cp ")
        };
        let scored = lines.iter().filter(is_scored).count();
        assert_eq!(scored, if command.starts_with("why") { 1 } else { 8 }, "{lines:#?}");
        engine.quit();
    }
}

/// A person who has waited for the opponent waits three seconds more, not for ever.
#[test]
fn an_explanation_ends_by_itself_after_the_ponder_hit() {
    let mut engine = Engine::start();
    engine.send_all(&["newgame 25 25", "explain ponder", "moves"]);
    assert_contains(&engine.wait_for("error").pop().expect("a line"), "search in progress");
    engine.send_all(&["ponderhit", "moves"]);
    let lines = engine.wait_for("bestmove");
    assert_eq!(lines.iter().filter(|line| line.starts_with("reason ")).count(), 25);
    assert!(engine.read_line().starts_with("moves 1 2"));
    engine.quit();
}

#[test]
fn commands_during_a_limited_search_are_queued_in_order() {
    let mut engine = Engine::start();
    engine.send_all(&[
        "go depth 9",
        "setoption name Hash value 2",
        "newgame 4 5",
        "position moves 1 1 1",
        "moves",
        "nonsense",
        "undo",
        "result",
        "newgame 9 9",
        "moves",
    ]);
    engine.wait_for_best_move();
    assert_eq!(engine.read_line(), "moves 1 2 3 4 5");
    assert_contains(&engine.read_line(), "error unknown command 'nonsense'");
    assert_eq!(engine.read_line(), "result none");
    assert_eq!(engine.read_line(), "moves 1 2 3 4 5 6 7 8 9");
    engine.quit();
}

#[test]
fn commands_during_an_endless_search_are_refused_and_change_nothing() {
    let mut engine = Engine::start();
    engine.command("position moves 4 4");
    let before = engine.query("d");
    engine.send("go infinite");
    for line in ["setoption name Hash value 1", "newgame 4 4", "position moves 1", "undo", "d"] {
        engine.send(line);
        let lines = engine.wait_for("error");
        assert_contains(&lines[lines.len() - 1], "search in progress");
    }
    engine.send("stop");
    engine.wait_for_best_move();
    assert_eq!(engine.query("d"), before);
    engine.quit();
}

/// A script need not wait for `bestmove` after `stop`.
#[test]
fn commands_right_after_stop_are_queued_until_the_best_move() {
    let mut engine = Engine::start();
    for endless in ["go infinite", "go", "go ponder"] {
        for _ in 0..20 {
            engine.send_all(&[endless, "stop", "position moves 4", "moves", "undo"]);
            engine.wait_for_best_move();
            assert_eq!(engine.read_line(), "moves 1 2 3 4 5 6 7");
        }
    }
    engine.quit();
}

/// A line means the same whether it was read before or after the endless search started.
#[test]
fn commands_after_a_queued_endless_search_are_refused_too() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 10", "go infinite", "position moves 1", "moves"]);
    engine.wait_for_best_move();
    for _ in 0..2 {
        let lines = engine.wait_for("error");
        assert_contains(&lines[lines.len() - 1], "search in progress");
    }
    engine.send("stop");
    engine.wait_for_best_move();
    engine.quit();
}

#[test]
fn stop_and_ponderhit_reach_a_queued_search() {
    let mut engine = Engine::start();
    // In one write: when the second `stop` arrives, its search may not have started.
    engine.send_all(&["go infinite", "stop"].repeat(50));
    for _ in 0..50 {
        engine.wait_for_best_move();
    }
    engine.send_all(&["go infinite", "stop", "go ponder movetime 1", "ponderhit"].repeat(20));
    for _ in 0..40 {
        engine.wait_for_best_move();
    }
    engine.quit();
}

#[test]
fn stop_ends_all_searches_requested_before_it() {
    let mut engine = Engine::start();
    let started = Instant::now();
    let long = "go movetime 60000";
    engine.send_all(&[long, long, "position moves 4", "go depth 99", "stop", "go movetime 1"]);
    for _ in 0..4 {
        engine.wait_for_best_move();
    }
    engine.send_all(&["go perft 20", "bench", "stop", "isready"]);
    for expected in ["error go perft: stopped", "error bench: stopped"] {
        let lines = engine.wait_for("error");
        assert_contains(&lines[lines.len() - 1], expected);
    }
    assert!(started.elapsed() < Duration::from_secs(30));
    engine.quit();
}

#[test]
fn stop_right_after_go_gives_exactly_one_legal_move() {
    for size in ["6 7", "25 25"] {
        let mut engine = Engine::start();
        engine.command("setoption name Hash value 1");
        engine.command(&format!("newgame {size}"));
        let legal = engine.moves();
        for round in 0..150 {
            let go = ["go infinite", "go", "go depth 30", "go movetime 20000"][round % 4];
            engine.send_all(&[go, "stop"]);
            let (mv, infos) = engine.wait_for_best_move();
            assert!(legal.contains(&mv), "{mv}");
            assert!(!infos.is_empty(), "an info line precedes each bestmove");
        }
        assert_eq!(engine.query("stop"), Vec::<String>::new(), "a stray stop is ignored");
        engine.quit();
    }
}

#[test]
fn the_end_of_the_input_ends_an_endless_search() {
    for go in ["go infinite", "go", "go ponder", "go ponder infinite"] {
        let mut engine = Engine::start();
        engine.send(go);
        let exit = engine.finish();
        assert!(exit.status.success());
        let best = exit.rest.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(best, 1, "{go}: {:?}", exit.rest);
    }
}

#[test]
fn queued_commands_are_executed_after_the_end_of_the_input() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 9", "position moves 4", "go infinite", "go depth 2", "quit now"]);
    let exit = engine.finish();
    assert!(exit.status.success());
    let best = exit.rest.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert!((2..=3).contains(&best), "{:?}", exit.rest);
    assert!(exit.rest.iter().any(|line| line.contains("quit: expected no more words, got 'now'")));
}

#[test]
fn quit_ends_at_once_and_drops_queued_commands() {
    let mut engine = Engine::start();
    // A board without a book, from which the engine would answer at once.
    engine.command("newgame 8 8");
    engine.send_all(&["go movetime 100000", "moves", "go movetime 100000", "quit"]);
    let exit = engine.finish();
    assert!(exit.status.success());
    let count = |word: &str| exit.rest.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!((count("bestmove "), count("moves")), (1, 0), "{:?}", exit.rest);
}

#[test]
fn isready_is_answered_during_a_search_without_ending_it() {
    let mut engine = Engine::start();
    for size in ["6 7", "25 25"] {
        engine.command(&format!("newgame {size}"));
        engine.send("go infinite");
        for _ in 0..20 {
            let sent = Instant::now();
            engine.send("isready");
            let lines = engine.wait_for("readyok");
            assert!(sent.elapsed() < Duration::from_secs(5));
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
        }
        engine.send("stop");
        engine.wait_for_best_move();
    }
    engine.send_all(&["go perft 30", "isready"]);
    engine.wait_for("readyok");
    engine.send("stop");
    engine.wait_for("error");
    engine.quit();
}

#[test]
fn a_long_search_sends_heartbeats() {
    let mut engine = Engine::start();
    // No other output: the fixed-depth strategy reports only at its end.
    for line in
        ["newgame 8 8", "setoption name Strategy value minimax", "setoption name Depth value 30"]
    {
        engine.command(line);
    }
    engine.send("go infinite");
    let first = engine.read_line();
    let second = engine.read_line();
    for line in [&first, &second] {
        assert!(line.starts_with("info nodes ") && line.contains(" nps "), "{line}");
    }
    assert!(number_after("nodes", &second) > number_after("nodes", &first), "{first} {second}");
    assert!(number_after("time", &first) >= Some(1000), "{first}");
    engine.send("stop");
    engine.wait_for_best_move();
    engine.quit();
}

#[test]
fn pondering_ends_with_ponderhit_or_stop() {
    let mut engine = Engine::start();
    // A board without a book, from which the engine would answer at once.
    engine.command("newgame 8 8");
    // The search ends long before the hit and withholds its best move until then.
    engine.command("position moves 4 4");
    for limit in ["depth 2", "movetime 1", "nodes 100", "p1time 10"] {
        engine.send(&format!("go ponder {limit}"));
        std::thread::sleep(Duration::from_millis(100));
        engine.send("isready");
        let lines = engine.wait_for("readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{limit}: {lines:?}");
        engine.send("ponderhit");
        engine.wait_for_best_move();
    }
    // The clock starts with the hit.
    engine.send("go ponder movetime 300");
    std::thread::sleep(Duration::from_millis(400));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.wait_for_best_move();
    assert!(hit.elapsed() >= Duration::from_millis(250), "{:?}", hit.elapsed());
    // After the hit, commands are queued behind a search with a limit.
    engine.send_all(&["go ponder movetime 50", "ponderhit", "moves"]);
    engine.wait_for_best_move();
    assert_eq!(engine.read_line(), "moves 1 2 3 4 5 6 7 8");
    // Without a limit the search remains endless after the hit.
    engine.send_all(&["go ponder", "ponderhit"]);
    std::thread::sleep(Duration::from_millis(50));
    engine.send_all(&["isready", "stop"]);
    let lines = engine.wait_for("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.wait_for_best_move();
    assert_eq!(engine.query("ponderhit"), Vec::<String>::new(), "a stray hit is ignored");
    engine.quit();
}
