//! `ratlla explain`: a whole game, move by move, with its mistakes.
//!
//! Knows its command line, the engine and the reasons that games give for their moves; knows nothing
//! of sessions. `protocol.md` defines its output.

mod marks;
mod options;

use std::ffi::OsString;
use std::io::{self, ErrorKind, Read, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::engine::Engine;
use crate::explain::Reason;
use crate::game::Side;
use crate::games::REGISTRY;
use crate::protocol::command::{Go, Goal};
use crate::protocol::dialect::Dialect;
use crate::search::result::ReportedScore;
use crate::settings::Settings;
use marks::mark;
use options::{Request, ReviewOptions, USAGE};

/// The exit status for a bad command line.
const MISUSE: u8 = 2;

/// Runs the command with these arguments, the word `explain` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let options = match options::parse(arguments) {
        Ok(Request::Review(options)) => options,
        Ok(Request::Help) => {
            // A reader that has gone away does not matter.
            drop(io::stdout().write_all(USAGE.as_bytes()));
            return ExitCode::SUCCESS;
        }
        Err(reason) => {
            print_error(&format!("{reason}\n{USAGE}"));
            return ExitCode::from(MISUSE);
        }
    };
    match review(&options, io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Output(error)) => {
            print_error(&error.to_string());
            ExitCode::FAILURE
        }
        Err(Failure::Input(reason)) => {
            print_error(&reason);
            ExitCode::FAILURE
        }
    }
}

/// Writes a message to stderr, if it is still there.
fn print_error(text: &str) {
    drop(writeln!(io::stderr(), "ratlla explain: {text}"));
}

/// Why a review ended early.
enum Failure {
    /// The game or its moves are wrong.
    Input(String),
    /// Nothing more can be written.
    Output(io::Error),
}

impl From<String> for Failure {
    fn from(reason: String) -> Failure {
        Failure::Input(reason)
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}

/// A reviewed game, as JSON.
#[derive(Serialize)]
struct ReviewedGame {
    game: String,
    moves: Vec<ReviewedMove>,
    result: String,
}

/// A move and what it was worth.
#[derive(Serialize)]
struct ReviewedMove {
    number: usize,
    side: Side,
    #[serde(rename = "move")]
    text: String,
    mark: &'static str,
    before: String,
    after: String,
    best: String,
    kind: &'static str,
    cells: Vec<String>,
    reason: String,
}

impl ReviewedMove {
    fn line(&self) -> String {
        let ReviewedMove { number, side, text, mark, before, after, best, reason, .. } = self;
        format!("{number}. {side} {text}{mark}  {before} -> {after} (best {best})  {reason}")
    }
}

fn review(options: &ReviewOptions, mut output: impl Write) -> Result<(), Failure> {
    let words: Vec<&str> = options.game.iter().map(String::as_str).collect();
    let game = REGISTRY.open_from_words(&words)?;
    let mut engine = Engine::new(game, options.hash)?;
    let moves = match &options.moves {
        Some(moves) => moves.clone(),
        None => moves_of_stdin()?,
    };
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    // All or nothing: a review of half a game would hide what is wrong with the rest.
    engine.game.set_position(&[], &moves)?;
    // As the engine writes them: games also read others, such as 04 for 4.
    let moves = engine.game.state(&settings_for(options), &engine.endgames).history;
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let result = engine.game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
    let mut reviewed = Vec::new();
    for index in 0..moves.len() {
        engine.game.set_position(&[], &moves[..index])?;
        let mv = review_move(&mut engine, options, index + 1, moves[index])?;
        if !options.json {
            writeln!(output, "{}", mv.line())?;
            output.flush()?;
        }
        reviewed.push(mv);
    }
    if options.json {
        let game = ReviewedGame { game: engine.game.title(), moves: reviewed, result };
        writeln!(output, "{}", serde_json::to_string(&game).map_err(io::Error::from)?)?;
    } else {
        writeln!(output, "result {result}")?;
    }
    output.flush()?;
    Ok(())
}

/// Reviews the move that was played in the position that is set up.
fn review_move(
    engine: &mut Engine,
    options: &ReviewOptions,
    number: usize,
    played: &str,
) -> Result<ReviewedMove, String> {
    let go = Go { goal: Goal::Explain, nodes: Some(options.nodes), ..Go::default() };
    let settings = settings_for(options);
    let control = engine.game.prepare(&go, &settings, &engine.endgames)?;
    let found = engine.search(&go, &settings, &control, &mut |_| {});
    let reasons = engine.game.explain(&go, &found);
    // The solvers' distances are exact once they have finished.
    let is_solved =
        engine.game.has_solver(settings.hash, &engine.endgames) && found.nodes < options.nodes;
    let side = engine.game.side_to_move();
    let (Some(best), Some(chosen)) =
        (reasons.first(), reasons.iter().position(|reason| reason.mv == played))
    else {
        return Err(format!("move {number}, '{played}': no reason found"));
    };
    let scores: Vec<Option<ReportedScore>> = reasons.iter().map(|reason| reason.score).collect();
    let Reason { score, kind, ref cells, ref sentence, .. } = reasons[chosen];
    Ok(ReviewedMove {
        number,
        side,
        text: played.to_owned(),
        mark: mark(&scores, chosen, is_solved),
        before: score_text(best.score),
        after: score_text(score),
        best: best.mv.clone(),
        kind,
        cells: cells.clone(),
        reason: sentence.clone(),
    })
}

fn settings_for(&ReviewOptions { threads, hash, .. }: &ReviewOptions) -> Settings {
    Settings { threads, hash, ..Settings::default() }
}

fn score_text(score: Option<ReportedScore>) -> String {
    score.map_or("none".to_owned(), |score| Dialect::Native.score(score))
}

/// The words of stdin, without comments.
fn moves_of_stdin() -> Result<Vec<String>, Failure> {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).map_err(|error| format!("cannot read stdin: {error}"))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to() + 1)
    })?;
    let lines = text.trim_start_matches('\u{feff}').lines();
    let moves = lines.filter(|line| !line.trim_start().starts_with('#'));
    Ok(moves.flat_map(str::split_whitespace).map(str::to_owned).collect())
}
