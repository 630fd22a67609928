//! `ratlla-book`: makes, extends, checks and tries the opening book of Connect Four.

mod book_file;
mod check;
mod consistency;
mod extend;
mod game;
mod generate;
mod journal;
mod positions;
mod progress;
mod verify;

use std::process::ExitCode;

use clap::Parser;
use ratlla::platform::threads::THREAD_STACK;

/// Makes, extends, checks and tries ratlla's opening book of Connect Four on 6x7.
///
/// Progress is shown on stderr if that is a terminal.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Compute the exact scores of all positions with few stones and write the book.
    ///
    /// Can be killed at any time and goes on where it was.
    Generate(generate::Generate),
    /// Add hard positions beyond the complete plies along the lines that the engine plays.
    Extend(extend::Extend),
    /// Compute a random sample of a book's scores anew.
    Check(check::Check),
    /// Let the engine play and check each of its moves with the solver.
    Verify(verify::Verify),
}

impl Command {
    fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Generate(generate) => generate.run(),
            Command::Extend(extend) => extend.run(),
            Command::Check(check) => check.run(),
            Command::Verify(verify) => verify.run(),
        }
    }
}

fn main() -> ExitCode {
    let command = Command::parse();
    // Deep searches need more stack than the first thread has.
    let working = std::thread::Builder::new()
        .stack_size(THREAD_STACK)
        .spawn(move || command.run())
        .map_err(anyhow::Error::from);
    let result = working.and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the work has failed")))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla-book: {error:#}");
            ExitCode::FAILURE
        }
    }
}
