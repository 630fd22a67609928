//! `go solve` and `analyze` with the real program: exact scores, lines that lead to them, and the
//! limits of every other search.

mod support;

use std::time::{Duration, Instant};

use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use ratlla::game::ExactValue;
use ratlla::games::connect4::solver::{self, Position, Solver, SolverLimits};

use support::any_attempt;
use support::engine::{Engine, number_after};

/// An allowance for busy machines.
const SLACK: Duration = Duration::from_millis(500);
/// A board that the solver cannot solve within any test.
const HARD: &str = "newgame 9 10";

/// The score and the moves of the last `info` line with a `pv`.
fn last_line(infos: &[String]) -> (String, Vec<String>) {
    let info = infos.iter().rev().find(|line| line.contains(" pv ")).expect("an info with a pv");
    score_and_line(info)
}

fn score_and_line(info: &str) -> (String, Vec<String>) {
    let (start, line) = info.split_once(" pv ").expect("a pv");
    let score = start.split_once(" score ").expect("a score").1;
    let score = score.split_once(" nodes ").expect("nodes").0;
    (score.to_owned(), line.split(' ').map(str::to_owned).collect())
}

fn text(value: ExactValue) -> String {
    match value {
        ExactValue::Win(plies) => format!("win {plies}"),
        ExactValue::Loss(plies) => format!("loss {plies}"),
        ExactValue::Draw => "draw".to_owned(),
    }
}

/// A position after `count` random moves that is not over, and the moves as the engine reads
/// them.
fn random_position(rows: u32, columns: u32, count: u32, rng: &mut SmallRng) -> (Position, String) {
    let empty = Position::new(rows, columns).expect("the size is allowed");
    random_position_after(empty, count, rng)
}

/// The same on any empty board.
fn random_position_after(empty: Position, count: u32, rng: &mut SmallRng) -> (Position, String) {
    let columns = empty.columns();
    'again: loop {
        let mut position = empty;
        let mut words = String::new();
        for _ in 0..count {
            let column = rng.random_range(0..columns);
            match position.play(column).filter(|next| next.winner().is_none()) {
                Some(next) => position = next,
                None => continue 'again,
            }
            words += &format!(" {}", column + 1);
        }
        return (position, words);
    }
}

/// The solver's exact value of a position.
fn exact_value(solver: &mut Solver, position: &Position) -> ExactValue {
    let proof = solver.bounds(position, &SolverLimits::default(), &mut |_| {});
    solver::exact_value(proof.bounds.score().expect("no limit"), position.empties())
}

/// Checks that `line` ends the game as `score` says, after exactly as many plies.
fn check_line(start: &Position, score: &str, line: &[String]) {
    let plies = match score.split_once(' ') {
        Some((_, plies)) => plies.parse().expect("a number"),
        None => start.empties() as usize,
    };
    assert_eq!(line.len(), plies, "{score}: {line:?}");
    let play = |here: Position, mv: &String| {
        assert_eq!(here.winner(), None, "{line:?}");
        here.play(mv.parse::<u32>().expect("a column") - 1).expect("a legal move")
    };
    let end = line.iter().fold(*start, play);
    // The last mover has the line.
    assert_eq!(end.winner(), (score != "draw").then_some(false), "{score}: {line:?}");
    let winner_moved_first = plies % 2 == 1;
    assert!(score == "draw" || score.starts_with("win") == winner_moved_first, "{score}");
}

#[test]
fn the_score_is_exact_and_the_line_leads_to_it() {
    let mut rng = SmallRng::seed_from_u64(1);
    let mut engine = Engine::start();
    let mut solver = Solver::new(16, 1).expect("enough memory");
    for (rows, columns, line, count) in [
        (6, 7, 4, 16),
        (6, 7, 4, 24),
        (5, 8, 4, 18),
        (7, 6, 4, 22),
        (4, 5, 4, 6),
        (6, 7, 3, 5),
        (9, 9, 3, 10),
        (6, 7, 5, 26),
        (8, 8, 6, 48),
    ] {
        engine.command(&format!("newgame {rows} {columns} {line}"));
        let empty = Position::with_line(rows, columns, line).expect("it is allowed");
        for _ in 0..12 {
            let (position, moves) = random_position_after(empty, count, &mut rng);
            engine.command(&format!("position moves{moves}"));
            let (mv, infos) = engine.go("solve");
            let (score, line) = last_line(&infos);
            assert_eq!(score, text(exact_value(&mut solver, &position)), "{rows}x{columns}{moves}");
            check_line(&position, &score, &line);
            assert_eq!(mv, line[0]);
        }
    }
    engine.quit();
}

#[test]
fn every_multi_pv_line_leads_to_its_score() {
    let mut rng = SmallRng::seed_from_u64(2);
    let mut engine = Engine::start();
    engine.command("setoption name MultiPV value 3");
    for _ in 0..10 {
        let (position, moves) = random_position(6, 7, 20, &mut rng);
        engine.command(&format!("position moves{moves}"));
        let (_, infos) = engine.go("solve");
        let count = position.legal_columns().count().min(3);
        for info in &infos[infos.len() - count..] {
            let (score, line) = score_and_line(info);
            check_line(&position, &score, &line);
        }
    }
    engine.quit();
}

#[test]
fn analysis_gives_the_exact_value_of_every_move() {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut engine = Engine::start();
    let mut solver = Solver::new(16, 1).expect("enough memory");
    for _ in 0..10 {
        let (position, moves) = random_position(6, 7, 22, &mut rng);
        engine.command(&format!("position moves{moves}"));
        engine.send("analyze");
        let lines = engine.wait_for("bestmove");
        let analysis = lines.iter().filter(|line| line.starts_with("analysis "));
        let mut expected = Vec::new();
        for column in position.legal_columns() {
            let next = position.play(column).expect("a legal move");
            let value = match exact_value(&mut solver, &next) {
                ExactValue::Win(plies) => ExactValue::Loss(plies + 1),
                ExactValue::Loss(plies) => ExactValue::Win(plies + 1),
                ExactValue::Draw => ExactValue::Draw,
            };
            expected.push(format!("analysis {} {}", column + 1, text(value)));
        }
        assert!(analysis.eq(&expected), "{lines:?}\n{expected:?}");
    }
    engine.quit();
}

#[test]
fn finished_games_are_answered_without_solving() {
    let mut engine = Engine::start();
    for (setup, score) in [
        ("newgame 6 7\nposition moves 1 2 1 2 1 2 1", "score loss 0"),
        ("newgame 4 4\nposition moves 1 2 1 2 2 1 2 1 3 4 3 4 4 3 4 3", "score draw"),
    ] {
        setup.lines().for_each(|line| engine.command(line));
        for command in ["go solve", "analyze"] {
            engine.send(command);
            let (mv, infos) = engine.wait_for_best_move();
            assert_eq!(mv, "(none)");
            assert!(infos.len() == 1 && infos[0].contains(score), "{infos:?}");
        }
    }
    engine.quit();
}

#[test]
fn an_immediate_win_is_played() {
    let mut engine = Engine::start();
    engine.command("position moves 1 2 1 2 1 2");
    let (mv, infos) = engine.go("solve");
    assert_eq!((mv.as_str(), last_line(&infos)), ("1", ("win 1".to_owned(), vec!["1".to_owned()])));
    engine.quit();
}

#[test]
fn boards_without_a_solver_are_refused() {
    let mut engine = Engine::start();
    for board in ["25 25 4", "12 12 4", "11 11 5", "25 25 3"] {
        engine.command(&format!("newgame {board}"));
        let expected = format!(
            "error go solve: no solver for connect4 {board}: expected (rows + 1) x columns of at most 128"
        );
        assert_eq!(engine.expect_error("go solve"), expected);
    }
    engine.quit();
}

#[test]
fn stop_ends_solving_with_a_legal_move() {
    let mut engine = Engine::start();
    engine.command(HARD);
    for command in ["go solve", "analyze"] {
        let legal = engine.moves();
        let stops_soon = any_attempt(|| {
            engine.send(command);
            std::thread::sleep(Duration::from_millis(100));
            let stopped = Instant::now();
            engine.send("stop");
            let lines = engine.wait_for("bestmove");
            let mv = lines[lines.len() - 1].split(' ').nth(1).expect("a move");
            assert!(legal.iter().any(|known| known == mv), "{mv}");
            stopped.elapsed() < SLACK
        });
        assert!(stops_soon, "{command}");
    }
    engine.quit();
}

/// After the end of the input nobody can send `stop`.
#[test]
fn an_analysis_without_a_limit_ends_soon_after_the_input() {
    // With a solver that would take days, and without one.
    let run = |game: &str| {
        let mut engine = Engine::start();
        engine.send_all(&[&format!("newgame {game}"), "analyze"]);
        let started = Instant::now();
        let lines = engine.finish().rest;
        (lines, started.elapsed())
    };
    std::thread::scope(|scope| {
        let runs = ["8 8", "10 12"].map(|game| (game, scope.spawn(move || run(game))));
        for (game, run) in runs {
            let (lines, time) = run.join().expect("no panic");
            assert!((9..25).contains(&time.as_secs()), "{game}: {time:?}");
            let count = |word: &str| lines.iter().filter(|line| line.starts_with(word)).count();
            let columns = game.split(' ').nth(1).and_then(|columns| columns.parse().ok());
            assert_eq!(Some(count("analysis ")), columns, "{lines:?}");
            assert_eq!(count("bestmove "), 1, "{lines:?}");
            let note = "info string analyze: stopped 10 s after the end of the input; set movetime, \
                        nodes or depth";
            assert!(lines.iter().any(|line| line == note), "{lines:?}");
        }
    });
}

/// What is proved before that is answered as ever, without a note.
#[test]
fn a_quick_analysis_is_completed_after_the_input() {
    let mut engine = Engine::start();
    engine.send_all(&["newgame 4 4", "analyze", "newgame 4 5", "analyze"]);
    let lines = engine.finish().rest;
    let scores: Vec<&String> = lines.iter().filter(|line| line.starts_with("analysis ")).collect();
    assert_eq!(scores.len(), 9, "{lines:?}");
    assert!(scores.iter().all(|line| !line.contains(" cp ")), "{scores:?}");
    assert!(!lines.iter().any(|line| line.contains("stopped")), "{lines:?}");
}

#[test]
fn movetime_is_respected() {
    let mut engine = Engine::start();
    engine.command(HARD);
    for command in ["go solve movetime 200", "analyze movetime 200"] {
        let is_respected = any_attempt(|| {
            let started = Instant::now();
            engine.send(command);
            engine.wait_for("bestmove");
            let time = started.elapsed();
            assert!(time >= Duration::from_millis(100), "{command}: {time:?}");
            time < SLACK
        });
        assert!(is_respected, "{command}");
    }
    engine.quit();
}

/// The node counts of these lines.
fn nodes_of(infos: &[String]) -> Vec<u64> {
    infos.iter().filter_map(|line| number_after("nodes", line)).collect()
}

#[test]
fn a_node_limit_is_respected_and_reproducible() {
    for setup in [HARD, "position moves 4 4 4"] {
        for limit in [1, 1000, 100_000] {
            let runs = [(); 2].map(|()| {
                let mut engine = Engine::start();
                engine.command(setup);
                let (mv, infos) = engine.go(&format!("solve nodes {limit}"));
                engine.quit();
                // Lines without a score are heartbeats.
                let scored: Vec<String> =
                    infos.into_iter().filter(|line| line.contains(" score ")).collect();
                assert!(nodes_of(&scored).iter().all(|&nodes| nodes <= limit), "{scored:?}");
                (mv, nodes_of(&scored), last_line(&scored))
            });
            assert_eq!(runs[0], runs[1], "{setup}, nodes {limit}");
        }
    }
}

/// The last line counts the nodes of search and solver, and says which line it is.
#[test]
fn nodes_never_go_back_when_the_solver_finishes() {
    let mut engine = Engine::start();
    engine.command("setoption name MultiPV value 2");
    for game in ["6 6", "kalah 3 4", "wali 3 5 5", "boom"] {
        engine.command(&format!("newgame {game}"));
        let only = engine.moves().remove(0);
        let (_, infos) = engine.go(&format!("solve searchmoves {only}"));
        assert!(nodes_of(&infos).is_sorted(), "{game}: {infos:?}");
        let last = infos.iter().rev().find(|line| line.contains(" pv ")).expect("a line");
        assert!(last.contains(" multipv 1 score "), "{game}: {last}");
    }
    engine.quit();
}

#[test]
fn infinite_waits_for_stop_even_when_solved() {
    let mut engine = Engine::start();
    engine.command("position moves 4 4 4 4 4 4 3 2 6 5 5 5 5 5 3 2 3 3 3 2 2 6 7 6 2 3 5 2 6 6 6");
    for command in ["go infinite", "go solve infinite", "analyze infinite"] {
        engine.send(command);
        // Longer than solving takes, and than the interval of heartbeats.
        let deadline = Instant::now() + Duration::from_millis(1500);
        let mut output = Vec::new();
        while Instant::now() < deadline {
            engine.send("isready");
            output.extend(engine.wait_for("readyok"));
            std::thread::sleep(Duration::from_millis(50));
        }
        assert!(!output.iter().any(|line| line.starts_with("bestmove")), "{command}: {output:?}");
        assert!(output.iter().any(|line| line.contains("score loss 10")), "{command}: {output:?}");
        engine.send("stop");
        engine.wait_for("bestmove");
    }
    engine.quit();
}

/// Long enough for any machine, and far less than the solver would take.
const SOON: Duration = Duration::from_secs(10);

#[test]
fn a_ponder_hit_starts_the_clock_of_the_solver() {
    let mut engine = Engine::start();
    for game in ["newgame 8 8", "newgame kalah 6 6"] {
        engine.command(game);
        for command in ["go solve ponder movetime 100", "analyze ponder p1time 1000 p2time 1000"] {
            engine.send(command);
            // Wait until the solver is running.
            std::thread::sleep(Duration::from_millis(200));
            let hit = Instant::now();
            engine.send("ponderhit");
            engine.wait_for("bestmove");
            assert!(hit.elapsed() < SOON, "{game}: {command}");
        }
    }
    engine.quit();
}

#[test]
fn a_depth_limit_disables_the_solver() {
    let mut engine = Engine::start();
    for game in ["newgame 8 8", "newgame kalah 6 6"] {
        engine.command(game);
        for command in ["go solve depth 4", "analyze depth 4", "analyze mate 2"] {
            let started = Instant::now();
            engine.send(command);
            let lines = engine.wait_for("bestmove");
            assert!(started.elapsed() < SOON, "{game}: {command}");
            assert!(last_line(&lines).0.starts_with("cp "), "{game}: {command}");
        }
    }
    engine.quit();
}

#[test]
fn the_tighter_of_clock_and_movetime_applies() {
    let mut engine = Engine::start();
    for game in ["newgame 8 8", "newgame kalah 6 6", "newgame boom"] {
        engine.command(game);
        for command in ["go p1time 3600000 movetime 50", "analyze p1time 3600000 movetime 50"] {
            let started = Instant::now();
            engine.send(command);
            engine.wait_for("bestmove");
            assert!(started.elapsed() < SOON, "{game}: {command}");
        }
    }
    engine.quit();
}

#[test]
fn an_interrupted_analysis_still_scores_every_move() {
    let mut engine = Engine::start();
    for game in ["newgame 8 8", "newgame kalah 6 6", "newgame boom"] {
        engine.command(game);
        let moves = engine.moves();
        engine.send("analyze movetime 50");
        let lines = engine.wait_for("bestmove");
        let analysed: Vec<&str> = lines
            .iter()
            .filter_map(|line| line.strip_prefix("analysis ")?.split(' ').next())
            .collect();
        assert_eq!(analysed, moves, "{game}");
    }
    engine.quit();
}

#[test]
fn the_line_continues_where_the_book_ends() {
    let mut engine = Engine::start();
    let moves = [4, 4, 4, 4, 4, 2];
    let start = Position::new(6, 7).expect("the usual board");
    let position = moves.iter().fold(start, |here, column| here.play(column - 1).expect("legal"));
    let words: Vec<String> = moves.iter().map(u32::to_string).collect();
    engine.command(&format!("position moves {}", words.join(" ")));
    let (_, infos) = engine.go("solve");
    let (score, line) = last_line(&infos);
    check_line(&position, &score, &line);
    engine.quit();
}

#[test]
fn an_unsolved_position_is_searched_beyond_the_first_slice() {
    /// Nodes of the playing search before the solver's first turn.
    const FIRST_SLICE: u64 = 1 << 14;
    let mut engine = Engine::start();
    for game in ["newgame 7 8", "newgame 9 10", "newgame kalah 6 6"] {
        engine.command(game);
        for command in ["go solve nodes 2000000", "analyze nodes 2000000"] {
            engine.command("setoption name Clear Hash");
            engine.send(command);
            let lines = engine.wait_for("bestmove");
            let reported = |word| lines.iter().filter_map(move |line| number_after(word, line));
            assert!(reported("nodes").is_sorted(), "{game}, {command}: {lines:#?}");
            assert!(reported("time").is_sorted(), "{game}, {command}: {lines:#?}");
            let early = |line: &&String| number_after("nodes", line) <= Some(FIRST_SLICE);
            let depth_of = |line: &String| number_after("depth", line);
            let first = lines.iter().filter(early).filter_map(depth_of).max();
            assert!(reported("depth").max() > first, "{game}, {command}: {lines:#?}");
        }
    }
    engine.quit();
}
