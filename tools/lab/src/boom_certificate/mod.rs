//! Certificates: proofs about Conecta-4 BOOM that anyone can check.
//!
//! `rules`, `claim` and `certificate` are the checker. They know nothing of the engine; only `make`
//! does, whose search proposes moves, and the tests, which compare the rules.

pub mod certificate;
pub mod claim;
mod make;
pub mod rules;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::Subcommand;
use ratlla::platform::files::read_text_bounded;

use certificate::Certificate;

use crate::results::CertifiedClaim;

/// No certificate is longer, in bytes.
const LONGEST_FILE: u64 = 64 << 20;

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
        /// Print rows for `results add`, relative to `docs` in the current folder
        #[arg(long)]
        json: bool,
    },
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Make(make) => make.run(),
            Command::Check { files, json } => files.iter().try_for_each(|file| {
                check(file, json).with_context(|| format!("{} proves nothing", file.display()))
            }),
        }
    }
}

fn check(file: &Path, json: bool) -> Result<()> {
    let text = read_text_bounded(file, LONGEST_FILE)?;
    let certificate = Certificate::parse(&text)?;
    let positions = certificate.check()?;
    let row = CertifiedClaim {
        game: "boom".to_owned(),
        after: certificate.moves_text(),
        claim: certificate.claim.to_string(),
        certificate: file.strip_prefix("docs").unwrap_or(file).display().to_string(),
        checksum: text.split_whitespace().last().unwrap_or_default().to_owned(),
        entries: certificate.entries.len(),
        positions,
    };
    match json {
        true => println!("{}", serde_json::to_string(&row)?),
        false => println!("{}: {}", file.display(), row.verdict()),
    }
    Ok(())
}
