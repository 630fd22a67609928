//! `ratlla explain`: a whole game, move by move, with its mistakes.
//!
//! Knows its command line, the engine and the reasons that games give for their moves; knows nothing
//! of sessions. `protocol.md` defines its output.

pub mod marks;
mod options;

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::engine::Engine;
use crate::explain::Reason;
use crate::game::Side;
use crate::games::REGISTRY;
use crate::lines::text_of;
use crate::protocol::command::{Go, Goal};
use crate::protocol::dialect::Dialect;
use crate::search::result::ReportedScore;
use crate::settings::Settings;
use crate::subcommand::Subcommand;
use marks::mark;
use options::{ReviewOptions, USAGE};

const EXPLAIN: Subcommand = Subcommand { name: "explain", usage: USAGE };

/// Runs the command with these arguments, the word `explain` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    EXPLAIN.run(options::parse(arguments), |options| {
        review(&options, io::stdout()).map(|()| ExitCode::SUCCESS)
    })
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

fn review(options: &ReviewOptions, mut output: impl Write) -> io::Result<()> {
    let words: Vec<&str> = options.game.iter().map(String::as_str).collect();
    let game = REGISTRY.open_from_words(&words).map_err(io::Error::other)?;
    let mut engine = Engine::new(game, options.hash).map_err(io::Error::other)?;
    let moves = match &options.moves {
        Some(moves) => moves.clone(),
        None => moves_of_stdin()?,
    };
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    // All or nothing: a review of half a game would hide what is wrong with the rest.
    engine.game.set_position(&[], &moves).map_err(io::Error::other)?;
    // As the engine writes them: games also read others, such as 04 for 4.
    let moves = engine.game.state(&settings_for(options), &engine.endgames).history;
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let result = engine.game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
    let mut reviewed = Vec::new();
    for index in 0..moves.len() {
        engine.game.set_position(&[], &moves[..index]).map_err(io::Error::other)?;
        let mv =
            review_move(&mut engine, options, index + 1, moves[index]).map_err(io::Error::other)?;
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
fn moves_of_stdin() -> io::Result<Vec<String>> {
    let mut bytes = Vec::new();
    let read = io::stdin().read_to_end(&mut bytes);
    read.map_err(|error| io::Error::other(format!("cannot read stdin: {error}")))?;
    let text = text_of(bytes).map_err(io::Error::other)?;
    let moves = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    Ok(moves.flat_map(str::split_whitespace).map(str::to_owned).collect())
}
