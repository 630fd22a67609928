//! `ratlla-checks`: long runs of the engine under load, each with a pass or fail at its end, and the record of what
//! they and the other long checks found last.

mod memory;
mod record;
mod sequences;
mod soak;
mod stalls;

use std::process::ExitCode;

use clap::Parser;
use ratlla_common::program;

/// Check the engine under load for a long time.
///
/// The exit status is 1 if a check fails.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Send random commands to one process
    ///
    /// Each go must have exactly one answer, a legal move, and memory must not grow.
    Sequences(sequences::Arguments),
    /// Play games of all kinds between two processes
    ///
    /// No move may be illegal or late, no process may die, and memory must not grow.
    Soak(soak::Arguments),
    /// Keep what long checks found, and write the tables of docs/reliability.md from it
    #[command(subcommand)]
    Record(record::Command),
}

fn main() -> ExitCode {
    // Engines and their supervisors are this program too.
    if let Some(status) = ratlla_client::serve_if_asked() {
        return status;
    }
    let command: Command = program::parse();
    program::run("ratlla-checks", || {
        match command {
            Command::Sequences(arguments) => sequences::run(&arguments)?,
            Command::Soak(arguments) => soak::run(&arguments)?,
            Command::Record(command) => return command.run(),
        }
        println!("passed");
        Ok(())
    })
}
