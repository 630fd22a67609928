//! `ratlla solve`: the exact scores of many positions of Connect Four, one to a line.
//!
//! Knows its command line, the text of positions and the solver; knows nothing of sessions,
//! commands or searches. `protocol.md` defines what it reads and writes.

mod json;
mod notation;
mod options;
mod progress;

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, ErrorKind, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::games::connect4::solver::{Position, Solver, SolverLimits, SolverScore};
use crate::platform::threads::useful_threads;
use crate::session::input::{Input, LONGEST_LINE, next_line};
use options::{Options, Request, USAGE};
use progress::Progress;

/// The exit status of a command line that makes no sense.
const MISUSE: u8 = 2;

/// Runs the command with these arguments, the word `solve` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    let options = match options::parse(arguments) {
        Ok(Request::Solve(options)) => options,
        Ok(Request::Help) => {
            // A reader that has gone away does not want to know.
            drop(io::stdout().write_all(USAGE.as_bytes()));
            return ExitCode::SUCCESS;
        }
        Err(reason) => {
            complain(&format!("{reason}\n{USAGE}"));
            return ExitCode::from(MISUSE);
        }
    };
    let batch = Solver::new(options.hash, useful_threads(options.threads)).map(|solver| Batch {
        options,
        solver,
        progress: Progress::of_standard_files(),
    });
    let result = match batch {
        Ok(mut batch) => batch.answer_all(BufReader::new(io::stdin()), io::stdout()),
        Err(error) => Err(io::Error::other(format!("--hash {}: {error}", options.hash))),
    };
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(&error.to_string());
            ExitCode::FAILURE
        }
        // Nobody reads any more: the work is done.
        _ => ExitCode::SUCCESS,
    }
}

/// Writes a message for people. If stderr is gone, nobody wants to read it.
fn complain(text: &str) {
    drop(writeln!(io::stderr(), "ratlla solve: {text}"));
}

/// Positions solved one after the other. Without JSON, what one line has proved helps the next
/// one, so counts and times depend on the lines before, but scores never do.
struct Batch {
    options: Options,
    solver: Solver,
    progress: Progress,
}

/// What there is to know about a position.
struct Solved {
    worth: Worth,
    nodes: u64,
    microseconds: u128,
}

/// What was asked for.
enum Worth {
    /// The score.
    Position(SolverScore),
    /// The score of a stone in each column, if one can go there.
    Columns(Vec<Option<SolverScore>>),
}

impl Batch {
    /// Answers every line of `input` with a line of its own, at once, so that a program at the
    /// other end of two pipes may wait for each answer.
    fn answer_all(&mut self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        for number in 1u64.. {
            let (line, length) = match next_line(&mut input, LONGEST_LINE) {
                Input::End => break,
                Input::Line(line) => {
                    let length = line.len();
                    (text(line), length)
                }
                Input::TooLong(length) => (Err(format!("its {length} bytes are too many")), length),
            };
            let mut answer = match self.options.json {
                true => json::answer(line, self.options.board, |position| {
                    self.solver.clear();
                    self.solve(position)
                }),
                false => self.plain_answer(line).unwrap_or_else(|reason| {
                    self.progress.pause(|| complain(&format!("line {number}: {reason}")));
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
        let Solved { worth, nodes, microseconds } =
            self.solve(&notation::read(line, self.options.board)?);
        let answer = match worth {
            Worth::Position(score) => format!(" {score} {nodes} {microseconds}"),
            Worth::Columns(columns) => columns
                .into_iter()
                .map(|column| column.map_or(" .".to_owned(), |score| format!(" {score}")))
                .collect(),
        };
        Ok(format!("{line}{answer}"))
    }

    fn solve(&mut self, position: &Position) -> Solved {
        let started = Instant::now();
        // Without limits all bounds have met.
        let (worth, nodes) = if self.options.every_column {
            let (columns, nodes) = self.solver.analyze(position, &SolverLimits::default());
            let scores = columns.into_iter().map(|column| column.map(|bounds| bounds.lower));
            (Worth::Columns(scores.collect()), nodes)
        } else {
            let proof = self.solver.bounds(position, &SolverLimits::default(), &mut |_| {});
            (Worth::Position(proof.bounds.lower), proof.nodes)
        };
        Solved { worth, nodes, microseconds: started.elapsed().as_micros() }
    }
}

/// The text of a line. Some editors begin a file with a byte order mark, and files may be joined.
fn text(line: Vec<u8>) -> Result<String, String> {
    let text = String::from_utf8(line)
        .map_err(|error| format!("byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1))?;
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}
