//! Recorded sessions of real clients (`tests/data/clients`), replayed.
//!
//! ```text
//! # the client
//! > a line that it sent
//! < a line that it waited for before it continued
//! ```
//!
//! Output in between differs from run to run and was not recorded. Best moves may differ but must
//! be legal; everything else must be as recorded, without new errors.

mod support;

use std::path::{Path, PathBuf};

use ratlla::any_game::AnyGame;
use ratlla::games::REGISTRY;
use ratlla::protocol::command::Command;
use ratlla::protocol::dialect::Dialect;
use ratlla::protocol::parse::parse_line;
use support::engine::Engine;

/// The game as the engine should have it.
struct Mirror {
    dialect: Dialect,
    game: Box<dyn AnyGame>,
}

impl Mirror {
    fn new() -> Mirror {
        Mirror { dialect: Dialect::default(), game: open("connect4 6 7 4") }
    }

    /// Executes a line of the client.
    fn follow(&mut self, line: &str) {
        match parse_line(line.as_bytes(), self.dialect).expect("clients send known commands") {
            Some(Command::SetDialect(dialect)) => self.dialect = dialect,
            Some(Command::SetOption { name, value: Some(value) }) if name == "Game" => {
                self.game = open(&value);
            }
            Some(Command::Position { setup, moves }) => {
                let words = |list: &[String]| list.join(" ");
                let (setup, moves) = (words(&setup), words(&moves));
                // A refused position changes nothing here either.
                let _ = self.game.set_position(&split(&setup), &split(&moves));
            }
            _ => {}
        }
        self.game.set_notation(self.dialect.notation());
    }
}

fn split(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn open(title: &str) -> Box<dyn AnyGame> {
    let words = split(title);
    REGISTRY.open(words[0], &words[1..]).expect("clients open known games")
}

/// Replays a recording. Returns the number of best moves, or the first mismatch with its line.
fn replay(recording: &str) -> Result<usize, String> {
    let mut engine = Engine::start();
    let mut mirror = Mirror::new();
    let mut best_moves = 0;
    for (index, step) in recording.lines().enumerate() {
        let fail = |text: String| Err(format!("line {}, '{step}': {text}", index + 1));
        if let Some(line) = step.strip_prefix("> ") {
            mirror.follow(line);
            engine.send(line);
        } else if let Some(expected) = step.strip_prefix("< ") {
            let kind = expected.split(' ').next().unwrap_or_default();
            let got = loop {
                let line = engine.read_line();
                let is_comment = line.starts_with("info ") && !line.contains("error");
                if !is_comment && !line.starts_with("option ") && !line.starts_with("id ") {
                    break line;
                }
            };
            if kind != "bestmove" && got != expected {
                return fail(format!("got '{got}'"));
            }
            if kind == "bestmove" {
                best_moves += 1;
                let mv = got.strip_prefix("bestmove ").and_then(|rest| rest.split(' ').next());
                let legal = mirror.game.moves();
                if !mv.is_some_and(|mv| legal.iter().any(|word| word == mv)) {
                    return fail(format!("got '{got}' (legal: {legal:?})"));
                }
            }
        } else if !step.starts_with('#') {
            return fail("expected '>', '<' or '#'".to_owned());
        }
    }
    let exit = engine.finish();
    if !exit.status.success() {
        return Err(format!("exit with {}", exit.status));
    }
    Ok(best_moves)
}

fn recordings(prefix: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/clients");
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("the recordings")
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix))
        })
        .collect();
    files.sort();
    files
}

/// Replays all `count` recordings of one client, each with at least `least_moves` best moves.
fn replay_client(prefix: &str, count: usize, least_moves: usize) {
    let files = recordings(prefix);
    assert_eq!(files.len(), count, "recordings of {prefix}");
    for file in files {
        let recording = std::fs::read_to_string(&file).expect("a readable recording");
        match replay(&recording) {
            Ok(moves) => assert!(moves >= least_moves, "{}: {moves} moves", file.display()),
            Err(failure) => panic!("{}: {failure}", file.display()),
        }
    }
}

#[test]
fn cutechess_plays_whole_games() {
    replay_client("cutechess_", 4, 8);
}

#[test]
fn cutegames_plays_whole_games_of_every_kind() {
    replay_client("cutegames_", 4, 16);
}

#[test]
fn fastchess_finds_the_engine_compliant() {
    replay_client("fastchess_", 1, 6);
}

#[test]
fn mismatches_are_detected() {
    for (recording, part) in [
        ("> isready\n< uciok", "line 2, '< uciok': got 'readyok'"),
        ("> uci\n< uciok\n> position startpos moves e4\n> isready\n< readyok", "error position"),
        ("> query p1turn\n< response false", "got 'response true'"),
        ("quit", "expected '>', '<' or '#'"),
    ] {
        let failure = replay(recording).expect_err(recording);
        assert!(failure.contains(part), "{failure}");
    }
}
