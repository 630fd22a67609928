//! `ratlla-bench`: measures the speed and latency of the engine and its solvers.
//!
//! Each section makes one kind of measurement and returns tables; this file only chooses sections
//! and prints their tables. A new section is one file in `sections` and one line in
//! [`sections::SECTIONS`].

mod engine;
mod figures;
mod positions;
mod sample;
mod searching;
mod sections;
mod solving;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Parser;
use clap::builder::PossibleValuesParser;

use ratlla_common::program;
use sections::{Context, SECTIONS, Section};

/// Measure ratlla and print tables in Markdown.
///
/// Nodes per second and solver times are CPU time, everything else is wall-clock time: leave the
/// machine idle. Progress is shown on stderr if that is a terminal.
#[derive(Parser)]
#[command(version, after_help = sections_help())]
struct Arguments {
    /// Sections to run [default: all]
    #[arg(value_name = "SECTION", value_parser = section_names())]
    sections: Vec<String>,
    /// Make fewer and shorter measurements, for a first impression
    #[arg(long)]
    quick: bool,
    /// In section 'solver', solve all 6000 positions once instead
    #[arg(long)]
    all: bool,
    /// In sections 'solver' and 'peers', measure only rows whose name contains this (L1_R3, 5x8)
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Engine for section 'latency' [default: built and run from the target directory]
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
    let arguments: Arguments = program::parse();
    program::run("ratlla-bench", || run(arguments))
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
            println!("{table}");
        }
    }
    Ok(())
}
