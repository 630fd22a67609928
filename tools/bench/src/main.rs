//! `ratlla-bench`: how fast the engine is, how promptly it answers, and what its search saves.
//!
//! Each section measures one kind of thing and returns tables; this file only chooses sections
//! and prints what they return. A new section is one file in `sections` and one line in
//! [`sections::SECTIONS`].

mod engine;
mod positions;
mod sample;
mod searching;
mod sections;
mod solving;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use clap::builder::PossibleValuesParser;

use ratlla::platform::threads::THREAD_STACK;
use sections::{Context, SECTIONS, Section};

/// Measures ratlla and prints tables, with targets where there are any.
///
/// Without a section, all of them. Nodes per second and the times of solvers are counted in
/// processor time, everything else by the clock on the wall: let nothing else run. Progress is shown on stderr if that is a
/// terminal.
#[derive(Parser)]
#[command(version, after_help = sections_help())]
struct Arguments {
    /// What to measure.
    #[arg(value_name = "SECTION", value_parser = section_names())]
    sections: Vec<String>,
    /// Fewer and shorter measurements: a look, not a verdict.
    #[arg(long)]
    quick: bool,
    /// In the section 'solver', check the scores of all 6000 positions instead.
    #[arg(long)]
    all: bool,
    /// In the sections 'solver' and 'peers', only rows whose name contains this, as in L1_R3 or 5x8.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Print tables in Markdown.
    #[arg(long)]
    markdown: bool,
    /// The engine whose latency is measured [default: built anew, beside this program]
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<PathBuf>,
}

fn section_names() -> PossibleValuesParser {
    SECTIONS.iter().map(|section| section.name).collect::<Vec<_>>().into()
}

fn sections_help() -> String {
    let line = |section: &Section| format!("  {:<8} {}", section.name, section.purpose);
    let lines: Vec<String> = SECTIONS.iter().map(line).collect();
    format!("Sections:\n{}\n", lines.join("\n"))
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    // Deep searches need more stack than the first thread has.
    let measuring = std::thread::Builder::new()
        .stack_size(THREAD_STACK)
        .spawn(move || run(arguments))
        .map_err(anyhow::Error::from);
    let result = measuring.and_then(|thread| {
        thread.join().unwrap_or_else(|_| Err(anyhow::anyhow!("the measurement has failed")))
    });
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla-bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: Arguments) -> anyhow::Result<()> {
    let context = Context {
        quick: arguments.quick,
        all: arguments.all,
        only: arguments.only,
        engine: arguments.engine,
    };
    let wanted = |section: &&Section| {
        arguments.sections.is_empty() || arguments.sections.iter().any(|name| name == section.name)
    };
    for section in SECTIONS.iter().filter(wanted) {
        for table in (section.run)(&context).context(section.name)? {
            println!("{}", if arguments.markdown { table.markdown() } else { table.text() });
        }
    }
    Ok(())
}
