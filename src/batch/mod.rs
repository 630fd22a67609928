//! `ratlla solve`: exact scores of many Connect Four positions, one per line.
//!
//! Knows its command line, the text of positions and the solver; knows nothing of sessions,
//! commands or the playing search. `protocol.md` defines its input and output.

mod json;
mod notation;
mod options;
mod progress;

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::games::connect4::solver::{Position, Solver, SolverLimits, SolverScore};
use crate::lines::{Input, LONGEST_LINE, next_line};
use crate::platform::threads::useful_threads;
use options::{Invocation, SolveOptions, USAGE};
use progress::BatchProgress;

/// The exit status for a bad command line.
const MISUSE: u8 = 2;

/// Runs the command with these arguments, the word `solve` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let options = match options::parse(arguments) {
        Ok(Invocation::Solve(options)) => options,
        Ok(Invocation::Help) => {
            // A reader that has gone away does not matter.
            drop(io::stdout().write_all(USAGE.as_bytes()));
            return ExitCode::SUCCESS;
        }
        Err(reason) => {
            print_error(&format!("{reason}\n{USAGE}"));
            return ExitCode::from(MISUSE);
        }
    };
    let batch = Solver::new(options.hash, useful_threads(options.threads)).map(|solver| Batch {
        options,
        solver,
        progress: BatchProgress::of_standard_files(),
    });
    let result = match batch {
        Ok(mut batch) => batch.answer_all(BufReader::new(io::stdin()), io::stdout()),
        Err(error) => Err(io::Error::other(format!("--hash {}: {error}", options.hash))),
    };
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            print_error(&error.to_string());
            ExitCode::FAILURE
        }
        // A reader that has gone away ends the work.
        _ => ExitCode::SUCCESS,
    }
}

/// Writes a message to stderr, if it is still there.
fn print_error(text: &str) {
    drop(writeln!(io::stderr(), "ratlla solve: {text}"));
}

/// Positions solved one after the other. Without JSON the table is kept from line to line, so node
/// counts and times depend on earlier lines; scores never do.
struct Batch {
    options: SolveOptions,
    solver: Solver,
    progress: BatchProgress,
}

/// The answer for a position.
struct Solved {
    scores: Scores,
    nodes: u64,
    microseconds: u128,
}

/// What was asked for.
enum Scores {
    /// The score of the position.
    Position(SolverScore),
    /// The score of each column, `None` if it is full.
    Columns(Vec<Option<SolverScore>>),
}

impl Batch {
    /// Answers every line of `input` with a line of its own and flushes it, so that a program can
    /// wait for each answer.
    fn answer_all(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for number in 1u64.. {
            let (line, length) = match next_line(&mut input, LONGEST_LINE) {
                Input::End => break,
                Input::Unreadable(reason) => {
                    return Err(io::Error::other(format!("cannot read the input: {reason}")));
                }
                Input::Line(line) => {
                    let length = line.len();
                    (text(line), length)
                }
                Input::TooLong(length) => (Err(format!("line too long: {length} bytes")), length),
            };
            let mut answer = match self.options.json {
                true => json::answer(line, self.options.board, |position| {
                    self.solver.clear();
                    self.solve(position)
                }),
                false => self.plain_answer(line).unwrap_or_else(|reason| {
                    self.progress.pause(|| print_error(&format!("line {number}: {reason}")));
                    String::new()
                }),
            };
            answer.push('\n');
            output.write_all(answer.as_bytes())?;
            output.flush()?;
            self.progress.advance(length + 1);
        }
        Ok(())
    }

    /// The answer to one line, or what is wrong with it.
    fn plain_answer(&mut self, line: Result<String, String>) -> Result<String, String> {
        let line = line?;
        let line = line.trim();
        let Solved { scores, nodes, microseconds } =
            self.solve(&notation::parse(line, self.options.board)?);
        let answer = match scores {
            Scores::Position(score) => format!(" {score} {nodes} {microseconds}"),
            Scores::Columns(columns) => columns
                .into_iter()
                .map(|column| column.map_or(" .".to_owned(), |score| format!(" {score}")))
                .collect(),
        };
        Ok(format!("{line}{answer}"))
    }

    fn solve(&mut self, position: &Position) -> Solved {
        let started = Instant::now();
        // Without limits all bounds have met.
        let (scores, nodes) = if self.options.every_column {
            let (columns, nodes) = self.solver.analyze(position, &SolverLimits::default());
            let bounds = columns.into_iter().map(|column| column.map(|bounds| bounds.lower));
            (Scores::Columns(bounds.collect()), nodes)
        } else {
            let proof = self.solver.bounds(position, &SolverLimits::default(), &mut |_| {});
            (Scores::Position(proof.bounds.lower), proof.nodes)
        };
        Solved { scores, nodes, microseconds: started.elapsed().as_micros() }
    }
}

/// The text of a line, without the byte order mark that some editors put at the start of a file.
fn text(line: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(line).map_err(|error| {
        format!("invalid UTF-8 at byte {}", error.utf8_error().valid_up_to() + 1)
    })?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}
