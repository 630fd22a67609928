//! The bot of `docs/learn.md` and the solutions of its exercises play like the engine's strategies, and
//! the numbers that the page gives are right. Its sessions are run by `protocol_examples.rs`.

mod support;

use std::collections::HashSet;
use std::io::Write;
use std::process::{Command, Stdio};

use rand::SeedableRng;
use rand::rngs::SmallRng;
use ratlla::game::{Game, Notation};
use ratlla::games::connect4::board::Board;
use ratlla::games::connect4::start;
use support::engine::{Engine, number_after, spawn_piped};
use support::random_play::{legal_moves, random_move};

const PAGE: &str = include_str!("../docs/learn.md");
/// The last part of the bot, above which the solutions are put.
const LOOP: &str = "for line in sys.stdin:";

/// The fenced blocks of the page whose mark starts with `mark`, each with the rest of the mark.
fn blocks(mark: &str) -> Vec<(&'static str, String)> {
    let mut found = Vec::new();
    let mut lines = PAGE.lines();
    while let Some(line) = lines.next() {
        let Some(kind) = line.strip_prefix("```").filter(|kind| !kind.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|&line| line != "```").collect();
        if let Some(rest) = kind.strip_prefix(mark) {
            found.push((rest.trim(), block.join("\n") + "\n"));
        }
    }
    found
}

/// The bot with this many solutions and this depth.
fn bot(solutions: usize, depth: u32) -> String {
    let (_, bot) = blocks("python bot").pop().expect("a bot");
    let (functions, main) = bot.split_once(LOOP).expect("a loop");
    let solutions: Vec<String> =
        blocks("python solution").into_iter().take(solutions).map(|(_, code)| code).collect();
    let code = format!("{functions}{}\n{LOOP}{main}", solutions.join("\n"));
    assert!(code.contains("DEPTH, WIN = 8, 8, 4, "), "the depth is where it was");
    code.replace("DEPTH, WIN = 8, 8, 4, ", &format!("DEPTH, WIN = 8, 8, {depth}, "))
}

fn python(code: &str) -> Command {
    let mut command = Command::new("python3");
    command.args(["-c", code]).env_remove("PYTHONPATH");
    command
}

fn has_python() -> bool {
    support::requirements::python().is_some()
}

/// The lines that a bot prints on stdout and on stderr for these lines.
fn answers(code: &str, lines: &[String]) -> [Vec<String>; 2] {
    let mut child = spawn_piped(&mut python(code));
    let mut input = child.stdin.take().expect("a pipe");
    let text = lines.join("\n") + "\n";
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the bot ends");
    writer.join().expect("no panic").expect("the bot reads");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let [stdout, stderr] = [output.stdout, output.stderr].map(text);
    assert!(output.status.success(), "{stderr}");
    [stdout, stderr].map(|text| text.lines().map(str::to_owned).collect())
}

/// Games in progress on 8x8, as lines of moves.
fn histories(seed: u64, count: usize) -> Vec<String> {
    let mut rng = SmallRng::seed_from_u64(seed);
    let mut histories = Vec::new();
    while histories.len() < count {
        let mut game = start(&["8", "8"]).expect("a size");
        let mut moves = Vec::new();
        // From the empty board to nearly full ones.
        for _ in 0..histories.len() * 4 {
            let Some(mv) = random_move(&game, &mut rng) else { break };
            moves.push(game.move_text(mv));
            game.play(mv);
        }
        if game.outcome().is_none() {
            histories.push(moves.join(" "));
        }
    }
    histories
}

/// What the engine answers in a position: its move, and its last `info` line.
fn engine_answer(engine: &mut Engine, history: &str, depth: u32) -> (String, String) {
    engine.command(&format!("position moves {history}"));
    let (mv, infos) = engine.go(&format!("depth {depth}"));
    (mv, infos[infos.len() - 1].clone())
}

/// A value of the bot in the words of the engine.
fn score_text(value: i32, depth: i32) -> String {
    match value {
        30_000.. => format!("score win {}", depth - (value - 30_000)),
        ..=-30_000 => format!("score loss {}", depth - (-value - 30_000)),
        _ => format!("score cp {value}"),
    }
}

fn value_of(line: &str) -> i32 {
    line.split(' ').nth(1).and_then(|word| word.parse().ok()).expect("a value")
}

#[test]
fn the_bot_and_the_first_two_solutions_search_the_trees_of_the_engine() {
    if !has_python() {
        return;
    }
    let mut engine = Engine::start();
    for command in ["newgame 8 8", "setoption name Evaluation value pairs"] {
        engine.command(command);
    }
    for (solutions, strategy, order) in
        [(0, "minimax", "left"), (1, "alphabeta", "left"), (2, "alphabeta", "centre")]
    {
        engine.command(&format!("setoption name Strategy value {strategy}"));
        engine.command(&format!("setoption name Order value {order}"));
        let histories = histories(solutions as u64, 13);
        let [moves, reports] = answers(&bot(solutions, 4), &histories);
        assert_eq!((moves.len(), reports.len()), (histories.len(), histories.len()));
        for ((history, mv), report) in histories.iter().zip(&moves).zip(&reports) {
            let (expected, info) = engine_answer(&mut engine, history, 4);
            assert_eq!(*mv, expected, "{strategy} {history}: {report}, {info}");
            assert_eq!(number_after("nodes", report), number_after("nodes", &info), "{history}");
            let score = score_text(value_of(report), 4);
            assert!(info.contains(&format!(" {score} ")), "{history}: {report}, {info}");
        }
    }
    engine.quit();
}

#[test]
fn the_third_solution_finds_the_same_values_with_fewer_nodes() {
    if !has_python() {
        return;
    }
    let histories = &histories(7, 10);
    let [without, with] = [2, 3].map(|solutions| answers(&bot(solutions, 4), histories));
    let mut saved = 0;
    for (without, with) in without[1].iter().zip(&with[1]) {
        assert_eq!(value_of(with), value_of(without));
        let [without, with] = [without, with].map(|line| number_after("nodes", line));
        assert!(with <= without);
        saved += without.expect("nodes") - with.expect("nodes");
    }
    assert_eq!(without[0], with[0]);
    assert!(saved > 0);
}

#[test]
fn the_exercises_have_the_numbers_of_the_page() {
    if !has_python() {
        return;
    }
    for (solutions, depth, expected) in [
        (0, 4, ["4", "value -6 nodes 4680"]),
        (1, 4, ["4", "value -6 nodes 1230"]),
        (2, 4, ["4", "value -6 nodes 310"]),
        (2, 6, ["6", "value -13 nodes 4665"]),
        (3, 6, ["6", "value -13 nodes 3549"]),
    ] {
        let found = answers(&bot(solutions, depth), &["4 5 4".to_owned()]);
        assert_eq!(found, expected.map(|line| vec![line.to_owned()]));
        let nodes = expected[1].rsplit(' ').next().expect("a number");
        let is_on_page = PAGE.split(|c: char| !c.is_numeric()).any(|number| number == nodes);
        assert!(is_on_page, "the page does not say {nodes}");
    }
    let shown = blocks("text bot");
    assert_eq!(shown, [("4 5 4", "4\nvalue -6 nodes 4680\n".to_owned())]);
}

#[test]
fn the_bot_is_short_and_there_are_three_exercises() {
    let lines = |code: &str| code.lines().filter(|line| !line.is_empty()).count();
    assert!(lines(&blocks("python bot")[0].1) <= 35);
    let solutions = blocks("python solution");
    assert_eq!(solutions.len(), 3);
    assert!(solutions.iter().all(|(_, code)| lines(code) <= 20));
}

/// The bot plays a game to its end against the easiest opponent of the exam.
#[test]
fn the_bot_plays_a_whole_game() {
    if !has_python() {
        return;
    }
    let mut engine = Engine::start();
    for command in ["newgame 8 8", "setoption name Level value 2", "setoption name Seed value 5"] {
        engine.command(command);
    }
    let mut child = python(&bot(2, 4))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the bot starts");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut history: Vec<String> = Vec::new();
    while engine.query("result") == ["result none"] {
        let mv = if history.len().is_multiple_of(2) {
            writeln!(input, "{}", history.join(" ")).expect("the bot reads");
            let mut line = String::new();
            std::io::BufRead::read_line(&mut output, &mut line).expect("the bot answers");
            line.trim().to_owned()
        } else {
            engine.go("nodes 200000").0
        };
        engine.command(&format!("play {mv}"));
        history.push(mv);
    }
    assert!(history.len() >= 7);
    drop(input);
    assert!(child.wait().expect("the bot ends").success());
    engine.quit();
}

#[test]
fn sequences_and_positions_are_counted_as_the_page_says() {
    let mut positions: Vec<Board> = vec![start(&["8", "8"]).expect("a size")];
    for _ in 0..6 {
        let mut keys = HashSet::new();
        let children = positions.iter().flat_map(|game| {
            legal_moves(game).into_iter().map(|mv| {
                let mut after = game.clone();
                after.play(mv);
                after
            })
        });
        positions = children.filter(|after| keys.insert(after.key())).collect();
    }
    assert_eq!((8u32.pow(6), positions.len()), (262_144, 31_368));
    assert!(PAGE.contains("The 262,144 ways to play six moves on 8x8 lead to 31,368 positions"));
}
