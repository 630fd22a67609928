//! `ratlla solve`: exact scores of many Connect Four positions, one per line.
//!
//! Knows its command line, the text of positions and the solver; knows nothing of sessions,
//! commands or the playing search. `protocol.md` defines its input and output.

mod json;
mod notation;
mod options;
mod progress;

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::process::ExitCode;
use std::time::Instant;

use crate::games::connect4::solver::{Position, Solver, SolverLimits, SolverScore};
use crate::lines::{Input, LONGEST_LINE, next_line, text_of};
use crate::platform::threads::useful_threads;
use crate::subcommand::Subcommand;
use options::{SolveOptions, USAGE};
use progress::BatchProgress;

const SOLVE: Subcommand = Subcommand { name: "solve", usage: USAGE };

/// Runs the command with these arguments, the word `solve` not among them, on the files of the
/// process.
pub fn run(arguments: impl Iterator<Item = OsString>) -> ExitCode {
    SOLVE.run(options::parse(arguments), |options| {
        let solver = Solver::new(options.hash, useful_threads(options.threads))
            .map_err(|error| io::Error::other(format!("--hash {}: {error}", options.hash)))?;
        let mut batch = Batch { options, solver, progress: BatchProgress::of_standard_files() };
        batch.answer_all(BufReader::new(io::stdin()), io::stdout())
    })
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
                    (text_of(line), length)
                }
                Input::TooLong(length) => (Err(format!("line too long: {length} bytes")), length),
            };
            let mut answer = match self.options.json {
                true => json::answer(line, self.options.board, |position| {
                    self.solver.clear();
                    self.solve(position)
                }),
                false => self.plain_answer(line).unwrap_or_else(|reason| {
                    self.progress.pause(|| SOLVE.print_error(&format!("line {number}: {reason}")));
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
