//! `ratlla-web`: builds the engine for browsers.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::{Parser, Subcommand};
use ratlla_web::{npm, sizes, static_site, target_folder, toolchain};

/// Build the engine for browsers
#[derive(Debug, Parser)]
#[command(name = "ratlla-web", version, args_override_self = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build the static edition of the board and the npm package
    Build {
        /// Write the static edition to this folder [default: web in the target folder]
        #[arg(long, value_name = "FOLDER")]
        site: Option<PathBuf>,
        /// Write the npm package to this folder [default: npm in the target folder]
        #[arg(long, value_name = "FOLDER")]
        npm: Option<PathBuf>,
    },
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ratlla-web: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<()> {
    let Command::Build { site, npm } = Arguments::parse().command;
    let modules = toolchain::modules()?;
    let site = site.unwrap_or_else(|| target_folder().join("web"));
    static_site::write(&site, &modules)?;
    let (bytes, compressed) = sizes::of_first_visit(&site)?;
    println!("Board: {} (first visit: {bytes} bytes, {compressed} compressed)", site.display());
    if modules.threads.is_none() {
        println!("Engines have one thread each: more need a standard library compiled for them");
    }
    let package = npm.unwrap_or_else(|| target_folder().join("npm"));
    npm::write(&package, &modules.single)?;
    println!("npm package: {}", package.display());
    Ok(())
}
