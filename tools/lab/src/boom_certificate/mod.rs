//! Certificates: proofs about Conecta-4 BOOM that anyone can check.
//!
//! `rules`, `claim` and `certificate` are the checker. They know nothing of the engine; only `make`
//! does, whose search proposes moves, and the tests, which compare the rules.

mod certificate;
mod claim;
mod make;
mod rules;
#[cfg(test)]
mod tests;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;

use certificate::Certificate;

/// What to do with certificates.
#[derive(Subcommand)]
pub enum Command {
    /// Search for a proof and write it as a certificate
    Make(make::Make),
    /// Verify certificates by the rules alone
    Check {
        /// Certificate files
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Make(make) => make.run(),
            Command::Check { files } => files.iter().try_for_each(|file| {
                check(file).with_context(|| format!("{} proves nothing", file.display()))
            }),
        }
    }
}

fn check(file: &Path) -> Result<()> {
    let certificate = Certificate::parse(&fs::read_to_string(file)?)?;
    let visited = certificate.check()?;
    println!(
        "{}: {} from {}, {} entries, {visited} positions",
        file.display(),
        certificate.claim,
        certificate.position_text(),
        certificate.entries.len()
    );
    Ok(())
}
