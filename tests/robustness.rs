//! What must hold whatever happens, each as a conversation with the real program.
//!
//! Times are checked only where the lack of an answer would be a hang, and generously.

mod support;

use std::time::{Duration, Instant};

use support::engine::{Engine, number_after};

/// Thirty nines: more than any machine number holds.
const HUGE: &str = "999999999999999999999999999999";

fn assert_contains(text: &str, part: &str) {
    assert!(text.contains(part), "'{part}' is not in '{text}'");
}

#[test]
fn a_megabyte_of_moves_is_answered_with_the_index_of_the_bad_one() {
    let mut engine = Engine::start();
    engine.tell("newgame 25 25 25");
    let moves = "1 ".repeat(1 << 19);
    let error = engine.ask_wrong(&format!("position moves {moves}"));
    assert_contains(&error, "move 26, '1': column 1 is full");
    assert!(error.len() < 200);
    // One word of a megabyte is not repeated in full.
    for line in ["position moves ", "position ", "position grid ", "newgame ", "play ", "go ", ""] {
        let error = engine.ask_wrong(&format!("{line}{}", "x".repeat(1 << 20)));
        assert!(error.len() < 500, "{line}: {} bytes", error.len());
    }
    assert_eq!(engine.moves().len(), 25);
    engine.quit();
}

#[test]
fn a_bad_position_leaves_the_old_one() {
    let mut engine = Engine::start();
    engine.tell("position moves 4 4 4");
    let before = engine.ask("d");
    for (line, part) in [
        ("position moves 1 2 8", "move 3, '8': no such column"),
        ("position moves 1 1 1 1 1 1 1", "move 7, '1': column 1 is full"),
        ("position moves 1 2 1 2 1 2 1 2", "move 8, '2': the game is over: p1win"),
        ("position moves x", "move 1, 'x': not a column"),
        ("position grid ../..", "the grid has 2 rows, the board 6"),
        ("newgame 3 3", "from 4 to 25"),
        ("newgame chess", "there is connect4"),
        ("play 9", "no such column"),
    ] {
        assert_contains(&engine.ask_wrong(line), part);
        assert_eq!(engine.ask("d"), before, "{line}");
    }
    engine.quit();
}

#[test]
fn a_second_limited_go_waits_and_both_are_answered() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 8", "go depth 2 searchmoves 1"]);
    let (first, _) = engine.best_move();
    assert!((1..=7).any(|column| column.to_string() == first));
    let (second, infos) = engine.best_move();
    assert_eq!(second, "1");
    assert!(infos.iter().all(|info| info.contains(" pv 1")), "{infos:?}");
    engine.quit();
}

#[test]
fn a_second_go_during_an_endless_search_is_refused() {
    for endless in ["go infinite", "go", "go ponder", "go ponder depth 3", "go infinite depth 1"] {
        let mut engine = Engine::start();
        engine.send_all(&[endless, "go depth 1"]);
        let lines = engine.until("error");
        assert_contains(&lines[lines.len() - 1], "until 'stop'");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{endless}: {lines:?}");
        engine.send("stop");
        engine.best_move();
        engine.quit();
    }
}

#[test]
fn commands_wait_for_the_end_of_a_limited_search_in_their_order() {
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
    engine.best_move();
    assert_eq!(engine.line(), "moves 1 2 3 4 5");
    assert_contains(&engine.line(), "error unknown command 'nonsense'");
    assert_eq!(engine.line(), "result none");
    assert_eq!(engine.line(), "moves 1 2 3 4 5 6 7 8 9");
    engine.quit();
}

#[test]
fn commands_during_an_endless_search_are_refused_and_change_nothing() {
    let mut engine = Engine::start();
    engine.tell("position moves 4 4");
    let before = engine.ask("d");
    engine.send("go infinite");
    for line in ["setoption name Hash value 1", "newgame 4 4", "position moves 1", "undo", "d"] {
        engine.send(line);
        let lines = engine.until("error");
        assert_contains(&lines[lines.len() - 1], "a search is running");
    }
    engine.send("stop");
    engine.best_move();
    assert_eq!(engine.ask("d"), before);
    engine.quit();
}

/// A script that does not wait for answers may go on right after `stop`.
#[test]
fn commands_right_after_stop_wait_for_the_best_move() {
    let mut engine = Engine::start();
    for endless in ["go infinite", "go", "go ponder"] {
        for _ in 0..20 {
            engine.send_all(&[endless, "stop", "position moves 4", "moves", "undo"]);
            engine.best_move();
            assert_eq!(engine.line(), "moves 1 2 3 4 5 6 7");
        }
    }
    engine.quit();
}

/// A line means the same whether it was read before or after the endless search began.
#[test]
fn commands_behind_a_waiting_endless_search_are_refused_too() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 10", "go infinite", "position moves 1", "moves"]);
    engine.best_move();
    for _ in 0..2 {
        let lines = engine.until("error");
        assert_contains(&lines[lines.len() - 1], "a search is running");
    }
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn a_signal_reaches_a_search_that_is_still_waiting() {
    let mut engine = Engine::start();
    // All at once: when the second `stop` arrives, its search may not have begun.
    engine.send_all(&["go infinite", "stop"].repeat(50));
    for _ in 0..50 {
        engine.best_move();
    }
    engine.send_all(&["go infinite", "stop", "go ponder movetime 1", "ponderhit"].repeat(20));
    for _ in 0..40 {
        engine.best_move();
    }
    engine.quit();
}

#[test]
fn a_stop_ends_all_searches_that_were_asked_for_before_it() {
    let mut engine = Engine::start();
    let started = Instant::now();
    let long = "go movetime 60000";
    engine.send_all(&[long, long, "position moves 4", "go depth 99", "stop", "go movetime 1"]);
    for _ in 0..4 {
        engine.best_move();
    }
    engine.send_all(&["go perft 20", "bench", "stop", "isready"]);
    for said in ["error go perft: stopped", "error bench: stopped"] {
        let lines = engine.until("error");
        assert_contains(&lines[lines.len() - 1], said);
    }
    assert!(started.elapsed() < Duration::from_secs(30));
    engine.quit();
}

#[test]
fn several_lines_come_best_first() {
    let mut engine = Engine::start();
    engine.tell("setoption name MultiPV value 7");
    for moves in ["1 7 1 2", "4 4", "2 6 2 6", "3 5 3 3 1"] {
        engine.tell(&format!("position moves {moves}"));
        let (best, infos) = engine.go("depth 8");
        let last = &infos[infos.len() - 7..];
        let points = |line: &String| -> i32 {
            let words: Vec<&str> = line.split(' ').collect();
            let place = words.iter().position(|&word| word == "cp").expect("judged");
            words[place + 1].parse().expect("a number")
        };
        assert!(last.iter().map(points).is_sorted_by(|a, b| a >= b), "{last:#?}");
        assert_contains(&last[0], &format!(" pv {best} "));
    }
    engine.quit();
}

#[test]
fn stop_straight_after_go_gives_exactly_one_legal_move() {
    for size in ["6 7", "25 25"] {
        let mut engine = Engine::start();
        engine.tell("setoption name Hash value 1");
        engine.tell(&format!("newgame {size}"));
        let legal = engine.moves();
        for round in 0..150 {
            let go = ["go infinite", "go", "go depth 30", "go movetime 20000"][round % 4];
            engine.send_all(&[go, "stop"]);
            let (mv, infos) = engine.best_move();
            assert!(legal.contains(&mv), "{mv}");
            assert!(!infos.is_empty(), "a last info comes before each bestmove");
        }
        assert_eq!(engine.ask("stop"), Vec::<String>::new(), "a stray stop is ignored");
        engine.quit();
    }
}

#[test]
fn no_depth_no_nodes_and_no_time_still_give_a_move() {
    let mut engine = Engine::start();
    for strategy in ["full", "minimax", "random"] {
        engine.tell(&format!("setoption name Strategy value {strategy}"));
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
fn numbers_of_thirty_digits_are_understood_or_refused() {
    let mut engine = Engine::start();
    for limits in [
        format!("depth {HUGE} nodes 500"),
        format!("nodes {HUGE} depth 2"),
        format!("movetime {HUGE} depth 2"),
        format!("p1time {HUGE} p2time {HUGE} p1inc {HUGE} movestogo {HUGE} depth 2"),
        format!("wtime -{HUGE}"),
        format!("p1time 50 p1inc {HUGE}"),
    ] {
        engine.go(&limits);
    }
    for line in [
        format!("newgame {HUGE} {HUGE}"),
        format!("newgame 6 7 {HUGE}"),
        format!("newgame -{HUGE} 7"),
        format!("newgame connect4 {HUGE}"),
        format!("play {HUGE}"),
        format!("position moves {HUGE}"),
        format!("position moves -{HUGE}"),
        format!("go depth -{HUGE}"),
        format!("go depth 1 searchmoves {HUGE}"),
        format!("go perft -{HUGE}"),
        format!("setoption name Hash value {HUGE}"),
        format!("setoption name Threads value {HUGE}"),
        format!("setoption name MultiPV value {HUGE}"),
        format!("setoption name Seed value {HUGE}"),
        format!("setoption name Level value {HUGE}"),
        format!("setoption name Depth value {HUGE}"),
        format!("setoption name Move Overhead value {HUGE}"),
    ] {
        engine.ask_wrong(&line);
    }
    // As deep as can be counted: not to be waited for, but it can be stopped.
    engine.send_all(&[&format!("go perft {HUGE}"), "stop"]);
    let lines = engine.until("error");
    assert_contains(&lines[lines.len() - 1], "stopped");
    engine.quit();
}

#[test]
fn unprintable_bytes_get_one_printable_error() {
    let mut engine = Engine::start();
    for bytes in [
        &b"\0\n"[..],
        b"\0\0\0go\n",
        b"go\0depth 3\n",
        b"play \0\n",
        b"position moves 1 \0 2\n",
        b"position grid \0/\x01/\x02\n",
        b"position grid ......./......./......./......./......./....... \x07\x1b[2J\n",
        b"position \x1b[31m\n",
        b"\xff\xfe\n",
        b"go depth \xc3\x28\n",
        b"\xf0\x9f\x98\n",
        b"setoption name \x01 value \x02\n",
        b"newgame \x01\n",
        "newgame ６ ７\n".as_bytes(),
        "go depth ３\n".as_bytes(),
    ] {
        engine.send_bytes(bytes);
        engine.send("isready");
        let lines = engine.until("readyok");
        assert!(lines.len() == 2 && lines[0].starts_with("error "), "{bytes:?}: {lines:?}");
        assert!(!lines[0].contains(|c: char| c.is_control()), "{bytes:?}: {lines:?}");
    }
    engine.quit();
}

#[test]
fn line_ends_and_blanks_are_free_and_comments_are_skipped() {
    let mut engine = Engine::start();
    engine
        .send_bytes(b"\r\n\n   \t \r\n# go infinite\r\n  #moves\n\t position \t moves\t4  4 \r\n");
    engine.send_bytes(b"moves\r\n\tresult\t\r\n isready \r\n");
    let lines = engine.until("readyok");
    assert_eq!(lines, ["moves 1 2 3 4 5 6 7", "result none", "readyok"]);
    // The last line needs no end.
    engine.send_bytes(b"result");
    let farewell = engine.finish();
    assert_eq!(farewell.rest, ["result none"]);
}

#[test]
fn very_long_lines_are_answered_in_a_short_one() {
    let mut engine = Engine::start();
    let long = 8 << 20;
    for line in ["x".repeat(long), "x ".repeat(long / 2), format!("go {}", "y ".repeat(long / 2))] {
        let error = engine.ask_wrong(&line);
        assert!(error.len() < 1000, "{} bytes", error.len());
    }
    engine.tell(&" ".repeat(long));
    engine.tell(&format!("#{}", "x".repeat(long)));
    engine.quit();
}

#[test]
fn the_end_of_the_input_ends_an_endless_search() {
    for go in ["go infinite", "go", "go ponder", "go ponder infinite"] {
        let mut engine = Engine::start();
        engine.send(go);
        let farewell = engine.finish();
        assert!(farewell.status.success());
        let best = farewell.rest.iter().filter(|line| line.starts_with("bestmove ")).count();
        assert_eq!(best, 1, "{go}: {:?}", farewell.rest);
    }
}

#[test]
fn the_end_of_the_input_lets_the_rest_be_done() {
    let mut engine = Engine::start();
    engine.send_all(&["go depth 9", "position moves 4", "go infinite", "go depth 2", "quit now"]);
    let farewell = engine.finish();
    assert!(farewell.status.success());
    let best = farewell.rest.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert!((2..=3).contains(&best), "{:?}", farewell.rest);
    assert!(farewell.rest.iter().any(|line| line.contains("quit: unexpected 'now'")));
}

#[test]
fn quit_ends_at_once_and_drops_what_waits() {
    let mut engine = Engine::start();
    // A board without a book, which would answer at once.
    engine.tell("newgame 8 8");
    engine.send_all(&["go movetime 100000", "moves", "go movetime 100000", "quit"]);
    let farewell = engine.finish();
    assert!(farewell.status.success());
    let said = |word: &str| farewell.rest.iter().filter(|line| line.starts_with(word)).count();
    assert_eq!((said("bestmove "), said("moves")), (1, 0), "{:?}", farewell.rest);
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    for go in ["go infinite", "go movetime 100000", "go perft 30"] {
        let mut engine = Engine::start();
        // A board without a book, which would answer at once.
        engine.tell("newgame 8 8");
        engine.send(go);
        engine.stop_listening();
        assert!(engine.wait().success(), "{go}");
    }
}

#[test]
fn ready_is_answered_during_a_search_without_ending_it() {
    let mut engine = Engine::start();
    for size in ["6 7", "25 25"] {
        engine.tell(&format!("newgame {size}"));
        engine.send("go infinite");
        for _ in 0..20 {
            let asked = Instant::now();
            engine.send("isready");
            let lines = engine.until("readyok");
            assert!(asked.elapsed() < Duration::from_secs(5));
            assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
        }
        engine.send("stop");
        engine.best_move();
    }
    engine.send_all(&["go perft 30", "isready"]);
    engine.until("readyok");
    engine.send("stop");
    engine.until("error");
    engine.quit();
}

#[test]
fn a_long_search_gives_signs_of_life() {
    let mut engine = Engine::start();
    // Nothing else is said here: the plain strategy reports at its end only.
    for line in
        ["newgame 8 8", "setoption name Strategy value minimax", "setoption name Depth value 30"]
    {
        engine.tell(line);
    }
    engine.send("go infinite");
    let first = engine.line();
    let second = engine.line();
    for line in [&first, &second] {
        assert!(line.starts_with("info nodes ") && line.contains(" nps "), "{line}");
    }
    assert!(number_after("nodes", &second) > number_after("nodes", &first), "{first} {second}");
    assert!(number_after("time", &first) >= Some(1000), "{first}");
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn pondering_ends_with_the_hit_or_with_stop() {
    let mut engine = Engine::start();
    // A board without a book, which would answer at once.
    engine.tell("newgame 8 8");
    // The search is over long before the hit, and says nothing more until then.
    engine.tell("position moves 4 4");
    for limit in ["depth 2", "movetime 1", "nodes 100", "p1time 10"] {
        engine.send(&format!("go ponder {limit}"));
        std::thread::sleep(Duration::from_millis(100));
        engine.send("isready");
        let lines = engine.until("readyok");
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{limit}: {lines:?}");
        engine.send("ponderhit");
        engine.best_move();
    }
    // The clock runs from the hit on.
    engine.send("go ponder movetime 300");
    std::thread::sleep(Duration::from_millis(400));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    assert!(hit.elapsed() >= Duration::from_millis(250), "{:?}", hit.elapsed());
    // After the hit, a search with a limit is one that others wait for.
    engine.send_all(&["go ponder movetime 50", "ponderhit", "moves"]);
    engine.best_move();
    assert_eq!(engine.line(), "moves 1 2 3 4 5 6 7 8");
    // Without a limit the search is endless after the hit, too.
    engine.send_all(&["go ponder", "ponderhit"]);
    std::thread::sleep(Duration::from_millis(50));
    engine.send_all(&["isready", "stop"]);
    let lines = engine.until("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    engine.best_move();
    assert_eq!(engine.ask("ponderhit"), Vec::<String>::new(), "a stray hit is ignored");
    engine.quit();
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let mut engine = Engine::start();
    for strategy in ["full", "random", "greedy", "smart", "minimax", "alphabeta"] {
        engine.tell(&format!("setoption name Strategy value {strategy}"));
        for _ in 0..5 {
            let (mv, _) = engine.go("depth 3 searchmoves 1 7");
            assert!(mv == "1" || mv == "7", "{strategy}: {mv}");
        }
    }
    engine.tell("setoption name Strategy value full");
    engine.tell("setoption name MultiPV value 7");
    let (_, infos) = engine.go("depth 4 searchmoves 2 2 3 2");
    assert!(infos.iter().all(|info| number_after("multipv", info) <= Some(2)), "{infos:?}");
    for line in [
        "go searchmoves 8",
        "go searchmoves 1 x depth 2",
        "go searchmoves",
        "go depth 2 searchmoves",
    ] {
        engine.ask_wrong(line);
    }
    engine.tell("position moves 1 1 1 1 1 1");
    assert_contains(&engine.ask_wrong("go depth 2 searchmoves 1"), "column 1 is full");
    engine.quit();
}

#[test]
fn each_depth_has_all_lines_with_different_first_moves() {
    let mut engine = Engine::start();
    for (size, moves, asked, expected) in [
        ("6 7", "4 4", 3, 3),
        ("6 7", "1 1 1 1 1 1", 500, 6),
        ("25 25", "", 4, 4),
        ("4 4", "", 1, 1),
    ] {
        engine.tell(&format!("newgame {size}"));
        engine.tell(&format!("position moves {moves}"));
        engine.tell(&format!("setoption name MultiPV value {asked}"));
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
    engine.tell("position moves 1 2 1 2 1 2 1");
    for limits in ["depth 3", "movetime 5", "nodes 9", "", "depth 0"] {
        engine.send(&format!("go {limits}"));
        let (mv, infos) = engine.best_move();
        assert_eq!(mv, "(none)");
        assert_contains(&infos[0], "score loss 0");
    }
    engine.send("go infinite");
    assert!(engine.is_silent_for(Duration::from_millis(200)), "until it is stopped");
    engine.send("stop");
    assert_eq!(engine.best_move().0, "(none)");
    assert_eq!(engine.ask("result"), ["result p1win"]);
    assert_eq!(engine.ask("moves"), ["moves"]);
    assert_contains(&engine.ask_wrong("play 3"), "the game is over");
    assert_contains(&engine.ask_wrong("eval"), "the game is over");
    engine.quit();
}

#[test]
fn the_same_search_visits_the_same_nodes() {
    let searches = ["depth 9", "nodes 20000", "depth 12 nodes 5000"];
    let run = || {
        let mut engine = Engine::start();
        let mut last_infos = Vec::new();
        for size in ["6 7", "10 12"] {
            engine.tell(&format!("newgame {size}"));
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
fn a_new_game_forgets_the_last_one() {
    let mut engine = Engine::start();
    let nodes = |engine: &mut Engine| {
        let infos = engine.go("depth 9").1;
        number_after("nodes", &infos[infos.len() - 1])
    };
    let first = nodes(&mut engine);
    assert_ne!(nodes(&mut engine), first, "the table helps the second time");
    engine.tell("newgame 6 7");
    assert_eq!(nodes(&mut engine), first);
    engine.tell("setoption name Clear Hash");
    assert_eq!(nodes(&mut engine), first);
    engine.tell("setoption name Hash value 64");
    assert_eq!(nodes(&mut engine), first);
    engine.quit();
}

#[test]
fn a_node_limit_is_never_exceeded() {
    let mut engine = Engine::start();
    for threads in [1, 2] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        for strategy in ["full", "minimax", "alphabeta", "smart"] {
            engine.tell(&format!("setoption name Strategy value {strategy}"));
            engine.tell("setoption name Depth value 8");
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
fn minimax_counts_its_leaves() {
    let mut engine = Engine::start();
    engine.tell("newgame 8 8");
    engine.tell("setoption name Strategy value minimax");
    engine.tell("setoption name Depth value 4");
    engine.tell("setoption name Pruning value false");
    for order in ["left", "right", "centre"] {
        engine.tell(&format!("setoption name Order value {order}"));
        let (_, infos) = engine.go("");
        assert_eq!(infos.len(), 1, "{infos:?}");
        assert_eq!(number_after("leaves", &infos[0]), Some(4096), "{infos:?}");
        assert_eq!(number_after("nodes", &infos[0]), Some(8 + 64 + 512 + 4096), "{infos:?}");
    }
    engine.tell("setoption name Pruning value true");
    let (_, infos) = engine.go("");
    assert!(number_after("leaves", &infos[0]) < Some(4096 / 2), "{infos:?}");
    engine.quit();
}

#[test]
fn every_strategy_and_level_plays_legal_moves_on_every_board() {
    for size in ["4 4", "6 7", "25 25"] {
        let mut engine = Engine::start();
        engine.tell(&format!("newgame {size}"));
        engine.tell("setoption name Depth value 2");
        let mut settings: Vec<String> =
            ["random", "greedy", "smart", "minimax", "alphabeta", "full"]
                .map(|name| format!("setoption name Strategy value {name}"))
                .into();
        settings.extend((1..=10).map(|level| format!("setoption name Level value {level}")));
        for line in settings {
            engine.tell(&line);
            let (mv, _) = engine.go("nodes 2000");
            engine.tell(&format!("play {mv}"));
            if engine.ask("result") != ["result none"] {
                engine.tell("undo");
            }
        }
        engine.quit();
    }
}

#[test]
fn several_threads_search_and_stop() {
    let mut engine = Engine::start();
    for threads in [2, 256, 2] {
        engine.tell(&format!("setoption name Threads value {threads}"));
        engine.go("depth 8");
        engine.go("movetime 50");
        engine.send_all(&["go infinite", "stop"]);
        engine.best_move();
    }
    engine.quit();
}

#[test]
fn a_seed_makes_chance_repeatable() {
    let mut engine = Engine::start();
    let play = |engine: &mut Engine| -> Vec<String> {
        engine.tell("position");
        let mut moves = Vec::new();
        for _ in 0..6 {
            moves.push(engine.go("").0);
            engine.tell(&format!("play {}", moves[moves.len() - 1]));
        }
        moves
    };
    for strategy in ["random", "greedy"] {
        engine.tell(&format!("setoption name Strategy value {strategy}"));
        engine.tell("setoption name Seed value 42");
        let first = play(&mut engine);
        assert_eq!(play(&mut engine), first);
        let others = (1..=10).any(|seed| {
            engine.tell(&format!("setoption name Seed value {seed}"));
            play(&mut engine) != first
        });
        assert!(others, "{strategy} always plays {first:?}");
    }
    engine.quit();
}

#[test]
fn arguments_are_one_command_and_its_success_the_exit_code() {
    for (arguments, code, first) in [
        (&["isready"][..], 0, "readyok"),
        (&["moves"], 0, "moves 1 2 3 4 5 6 7"),
        (&["go", "perft", "1"], 0, "perft 1 1"),
        (&["go depth 3"], 0, "info depth 1"),
        (&["--version"], 0, "ratlla "),
        (&["--help"], 0, "newgame"),
        (&["newgame", "3", "3"], 1, "error newgame"),
        (&["position", "moves", "9"], 1, "error position"),
        (&["nonsense"], 1, "error unknown command"),
        (&["go", "searchmoves", "8"], 1, "error go searchmoves"),
    ] {
        // Its input stays open: it must not wait for more.
        let mut engine = Engine::with_arguments(arguments);
        let line = engine.line();
        assert!(line.starts_with(first), "{arguments:?}: {line}");
        assert_eq!(engine.wait().code(), Some(code), "{arguments:?}");
        engine.finish();
    }
    let mut silent = Engine::with_arguments(&["newgame", "4", "4"]);
    assert_eq!(silent.wait().code(), Some(0));
    assert_eq!(silent.finish().rest, Vec::<String>::new());
    let mut endless = Engine::with_arguments(&["go", "infinite"]);
    endless.send("stop");
    endless.best_move();
    assert_eq!(endless.wait().code(), Some(0));
}

#[test]
fn the_log_file_holds_the_conversation() {
    let name = format!("ratlla log {}.txt", std::process::id());
    let path = std::env::temp_dir().join(name);
    let mut engine = Engine::start();
    engine.tell(&format!("setoption name Debug Log File value {}", path.display()));
    engine.ask("moves");
    engine.ask_wrong("nonsense");
    engine.tell("setoption name Debug Log File value <empty>");
    engine.ask("result");
    let missing = path.join("no such folder");
    let error =
        engine.ask_wrong(&format!("setoption name Debug Log File value {}", missing.display()));
    assert_contains(&error, "cannot open");
    engine.quit();
    let log = std::fs::read_to_string(&path).expect("the log");
    std::fs::remove_file(&path).expect("the log can be removed");
    let lines: Vec<&str> = log.lines().collect();
    let expected = ["> isready", "< readyok", "> moves", "< moves 1 2 3 4 5 6 7"];
    assert_eq!(lines[..4], expected, "{log}");
    assert!(log.contains("> nonsense\n< error unknown command"), "{log}");
    assert!(!log.contains("result"), "{log}");
}
