//! `ratlla solve`: exact scores of many positions, one per line.
//!
//! Reading order: `options`, `prover` (the solver and the engine), `solved` (the answer), `json`,
//! `parallel`. Knows nothing of sessions. `protocol.md` defines its
//! input and output.

mod json;
mod options;
mod parallel;
mod progress;
mod prover;
mod solved;

use std::ffi::OsString;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use crate::lines::{Input, text_of};
use crate::platform::threads::{spawn_named, useful_threads};
use crate::position_text::{PositionText, content};
use crate::subcommand::Subcommand;
pub use options::SolveOptions;
use options::USAGE;
use parallel::Answers;
use progress::BatchProgress;
use prover::Prover;
pub use solved::{Extras, Known, Scores, Solved};

const SOLVE: Subcommand = Subcommand { name: "solve", usage: USAGE };

/// Runs the command with these arguments, the word `solve` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let asked = options::parse(arguments);
    SOLVE.run(asked, |options| on_deep_stack(move || solve_all(&options)))
}

/// Answers all of stdin on stdout.
fn solve_all(options: &SolveOptions) -> io::Result<ExitCode> {
    let provers = (0..useful_threads(options.jobs)).map(|_| Prover::new(options));
    let provers: Vec<Prover> = provers.collect::<Result<_, _>>().map_err(io::Error::other)?;
    let job = |mut prover: Prover| {
        let options = options.clone();
        move |input| answer(input, &options, &mut |question| prover.solve(question))
    };
    let input = BufReader::new(io::stdin());
    let answers = parallel::answers(input, provers.into_iter().map(job).collect())?;
    let all_valid = write_all(answers, !options.json, io::stdout())?;
    Ok(if all_valid { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Does `work` on a thread with a stack that is deep enough for any search.
fn on_deep_stack<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    let thread = spawn_named("solver", work)?;
    thread.join().unwrap_or_else(|_| Err(io::Error::other("internal error: the solver failed")))
}

/// What a line asks about: a position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The [title](crate::any_game::AnyGame::title) of the game.
    pub game: String,
    /// The position.
    pub position: PositionText,
}

/// The answer to a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredLine {
    /// What is written, without the end of the line.
    pub text: String,
    /// What is wrong with the line, if anything.
    pub error: Option<String>,
    /// The length of the line.
    pub bytes: usize,
}

/// How an answer is found: the question, and what was found out or what is wrong with it.
pub type Solve<'a> = dyn FnMut(&Question) -> Result<Solved, String> + 'a;

/// The answer to a line of the input; `None` at its end, and an error if that was not reached.
pub fn answer(
    input: Input,
    options: &SolveOptions,
    solve: &mut Solve<'_>,
) -> io::Result<Option<AnsweredLine>> {
    let (line, bytes) = match input {
        Input::End => return Ok(None),
        Input::Unreadable(reason) => {
            return Err(io::Error::other(format!("cannot read the input: {reason}")));
        }
        Input::Line(line) => {
            let bytes = line.len();
            (text_of(line), bytes)
        }
        Input::TooLong(length) => (Err(format!("line too long: {length} bytes")), length),
    };
    let (text, error) = match options.json {
        true => json::answer(line, options, solve),
        false => match plain_answer(line, options, solve) {
            Ok(text) => (text, None),
            Err(reason) => (String::new(), Some(reason)),
        },
    };
    Ok(Some(AnsweredLine { text, error, bytes }))
}

/// The answer to a line, or what is wrong with it.
fn plain_answer(
    line: Result<String, String>,
    options: &SolveOptions,
    solve: &mut Solve<'_>,
) -> Result<String, String> {
    let line = line?;
    let content = content(&line);
    if content.is_empty() {
        return Ok(String::new());
    }
    if content.starts_with('{') {
        return Err("expected a position, got JSON: add the option --json".to_owned());
    }
    let position = PositionText::of_content(&content);
    let solved = solve(&Question { game: options.game.clone(), position })?;
    Ok(format!("{content} {}", solved.plain(options.extras)))
}

/// Writes each answer as soon as it and all before it are there, and flushes it, so that a program can
/// wait for it. Returns whether all lines were valid; if `reports_errors`, says on stderr which were not.
fn write_all(
    answers: Answers<io::Result<Option<AnsweredLine>>>,
    reports_errors: bool,
    mut output: impl Write,
) -> io::Result<bool> {
    let mut progress = BatchProgress::of_standard_files();
    let mut all_valid = true;
    for (number, answer) in (1u64..).zip(answers) {
        let Some(AnsweredLine { mut text, error, bytes }) = answer?? else {
            break;
        };
        if let Some(reason) = error {
            all_valid = false;
            if reports_errors {
                progress.pause(|| SOLVE.print_error(&format!("line {number}: {reason}")));
            }
        }
        text.push('\n');
        output.write_all(text.as_bytes())?;
        output.flush()?;
        progress.advance(bytes + 1);
    }
    Ok(all_valid)
}
