//! `ratlla explain`: a whole game, move by move, with its mistakes.
//!
//! Knows its command line, the engine and the reasons that games give for their moves; knows nothing
//! of sessions. `protocol.md` defines its output.

mod bounds;
pub mod marks;
mod options;

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::ExitCode;

use serde::Serialize;

use crate::engine::Engine;
use crate::explain::{Reason, rank};
use crate::game::Side;
use crate::games::REGISTRY;
use crate::lines::text_of;
use crate::platform::files::read_to_end_bounded;
use crate::position_text::{PositionText, content};
use crate::protocol::command::{Go, Goal};
use crate::protocol::dialect::Dialect;
use crate::search::result::{ReportedScore, SearchEnd};
use crate::settings::Settings;
use crate::subcommand::Subcommand;
use bounds::SearchedMove;
use marks::mark;
use options::{ReviewOptions, USAGE};

/// The longest text of a game that is read: more than any game needs.
const LONGEST_GAME: u64 = 1 << 20;

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
    let words: Vec<&str> = options.game.split(' ').collect();
    let game = REGISTRY.open_from_words(&words).map_err(io::Error::other)?;
    let engine = Engine::new(game, options.hash);
    let mut engine =
        engine.map_err(|error| io::Error::other(format!("--hash {}: {error}", options.hash)))?;
    let text = match &options.moves {
        Some(words) => content(&words.join(" ")),
        None => content_of_stdin()?,
    };
    let text = PositionText::of_content(&text);
    // All or nothing: a review of half a game would hide what is wrong with the rest.
    text.set_up(&mut *engine.game).map_err(io::Error::other)?;
    // As the engine writes them: games also read others, such as 04 for 4.
    let moves = engine.game.state(&settings_for(options), &engine.endgames).history;
    let moves: Vec<&str> = moves.iter().map(String::as_str).collect();
    let result = engine.game.outcome().map_or("none".to_owned(), |outcome| outcome.to_string());
    let setup = text.setup_words();
    let go = Go { goal: Goal::Explain, nodes: Some(options.nodes), ..Go::default() };
    let mut reviewed = Vec::new();
    // What is proved about a move says more about the ones before it in the same turn.
    let mut turn: Vec<SearchedMove> = Vec::new();
    for index in 0..=moves.len() {
        let searched = match moves.get(index) {
            Some(played) => {
                set_up(&mut engine, &setup, &moves[..index])?;
                Some(search(&mut engine, options, &go, played).map_err(io::Error::other)?)
            }
            None => None,
        };
        let begins_turn = searched
            .as_ref()
            .is_none_or(|searched| turn.last().is_some_and(|last| last.side != searched.side));
        turn.extend(searched);
        bounds::carry(&mut turn);
        let ready = if begins_turn { turn.len() - usize::from(index < moves.len()) } else { 0 };
        for searched in turn.drain(..ready) {
            let number = reviewed.len() + 1;
            set_up(&mut engine, &setup, &moves[..number - 1])?;
            let mv = review_move(&engine, &go, number, &searched).map_err(io::Error::other)?;
            if !options.json {
                writeln!(output, "{}", mv.line())?;
                output.flush()?;
            }
            reviewed.push(mv);
        }
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

fn set_up(engine: &mut Engine, setup: &[&str], moves: &[&str]) -> io::Result<()> {
    engine.game.set_position(setup, moves).map_err(io::Error::other)
}

/// Searches the position that is set up, in which `played` was played.
fn search(
    engine: &mut Engine,
    options: &ReviewOptions,
    go: &Go,
    played: &str,
) -> Result<SearchedMove, String> {
    let settings = settings_for(options);
    let control = engine.game.prepare(go, &settings, &engine.endgames)?;
    let found = engine.search(go, &settings, &control, &mut |_| {});
    Ok(SearchedMove::new(engine.game.side_to_move(), played, found))
}

/// Reviews the move that was played in the position that is set up.
fn review_move(
    engine: &Engine,
    go: &Go,
    number: usize,
    searched: &SearchedMove,
) -> Result<ReviewedMove, String> {
    let SearchedMove { side, played, found, .. } = searched;
    let reasons = engine.game.explain(go, found);
    let (Some(best), Some(chosen)) =
        (reasons.first(), reasons.iter().position(|reason| reason.mv == *played))
    else {
        return Err(format!("move {number}, '{played}': no reason found"));
    };
    let scores: Vec<Option<ReportedScore>> = reasons.iter().map(|reason| reason.score).collect();
    let Reason { score, kind, ref cells, ref sentence, .. } = reasons[chosen];
    // Which move wins may be unknown, but not that this one does not.
    let mark = match searched.gives_away_win(score) {
        true => "?",
        false => mark(&scores, chosen, found.end == SearchEnd::Exact),
    };
    let before =
        best.score.into_iter().chain(searched.known_win()).max_by_key(|&score| rank(score));
    Ok(ReviewedMove {
        number,
        side: *side,
        text: played.clone(),
        mark,
        before: score_text(before),
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

/// What all lines of stdin say together, without comments.
fn content_of_stdin() -> io::Result<String> {
    let read = read_to_end_bounded(io::stdin(), LONGEST_GAME);
    let bytes = read.map_err(|error| io::Error::other(format!("cannot read stdin: {error}")))?;
    let text = text_of(bytes).map_err(io::Error::other)?;
    let lines = text.lines().map(content).filter(|line| !line.is_empty());
    Ok(lines.collect::<Vec<_>>().join(" "))
}
