//! `ratlla-stress`: long runs of the engine under load, each with a verdict at its end.
//!
//! ```text
//! ratlla-stress sequences [--count N] [--seed N]   random conversations with one process
//! ratlla-stress soak [--minutes N] [--games N]     games of all kinds between two processes
//! ```

mod memory;
mod sequences;
mod soak;
mod standstill;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};

/// Long runs of the engine under load. The exit status is 1 if anything was wrong.
#[derive(Parser)]
#[command(version)]
enum CommandLine {
    #[command(flatten)]
    Run(Run),
}

#[derive(Subcommand)]
enum Run {
    /// Random commands, with two threads that search, to one process. Each go has exactly one
    /// answer, a legal move, and the memory stays the same.
    Sequences(sequences::Arguments),
    /// Games of all kinds between two processes. No move is illegal or late, no process ends, and
    /// the memory stays the same.
    Soak(soak::Arguments),
}

fn main() -> ExitCode {
    // Supervisors and engines are this program, started again.
    if let Some(status) = ratlla_client::serve_if_asked() {
        return status;
    }
    let CommandLine::Run(run) = CommandLine::parse();
    let result = match run {
        Run::Sequences(arguments) => sequences::run(&arguments),
        Run::Soak(arguments) => soak::run(&arguments),
    };
    match result {
        Ok(()) => {
            println!("all is well");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("ratlla-stress: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A bar on stderr, if that is a terminal.
fn progress_bar(length: u64, unit: &str) -> ProgressBar {
    let bar = ProgressBar::new(length);
    let template =
        format!("{{pos}}/{{len}} {unit} [{{bar:30}}] {{elapsed}} gone, {{eta}} left  {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}
