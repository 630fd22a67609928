//! `ratlla-lab`: generates and checks what is computed once and then used by the engine.
//!
//! A library only for checks of what it reads. Each subcommand is one module, and all but `fit`, `results` and `solve` know one game; this file only reads the command line.

mod book;
pub mod boom_certificate;
mod fit;
mod journal;
mod kalah_book;
mod kalah_table;
mod results;
mod solve;
mod solved_game;
mod test_match;
mod value;
mod wali_table;

use std::process::ExitCode;

use clap::Parser;
use ratlla_common::program;

/// Generate and check ratlla's opening books, endgame tables, proofs and fitted weights.
///
/// Generators can be interrupted at any time: started again, they resume, except `boom-certificate
/// make`, which takes less than a minute. Progress is shown on stderr if that is a terminal.
#[derive(Parser)]
#[command(version)]
enum Command {
    /// Generate and check the opening book of Connect Four on 6x7
    #[command(subcommand)]
    Book(book::Command),
    /// Generate and check the opening book of Kalah with six houses
    #[command(subcommand)]
    KalahBook(kalah_book::Command),
    /// Build and check endgame tables of Kalah
    #[command(subcommand)]
    KalahTable(kalah_table::Command),
    /// Build and check the endgame table of Wali
    #[command(subcommand)]
    WaliTable(wali_table::Command),
    /// Fit evaluations to games of the engine against itself
    #[command(subcommand)]
    Fit(fit::Command),
    /// Keep the record of exact results, and the page about it
    #[command(subcommand)]
    Results(results::Command),
    /// Solve a position of any game exactly
    Solve(solve::Solve),
    /// Make and check certificates: proofs about Conecta-4 BOOM
    #[command(subcommand)]
    BoomCertificate(boom_certificate::Command),
}

/// Runs the program.
pub fn main() -> ExitCode {
    let command: Command = program::parse();
    program::run("ratlla-lab", || match command {
        Command::Book(command) => command.run(),
        Command::KalahBook(command) => command.run(),
        Command::KalahTable(command) => command.run(),
        Command::WaliTable(command) => command.run(),
        Command::Fit(command) => command.run(),
        Command::Results(command) => command.run(),
        Command::Solve(solve) => solve.run(),
        Command::BoomCertificate(command) => command.run(),
    })
}
