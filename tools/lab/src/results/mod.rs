//! Everything exact that is known about the games: the record, the page and its pictures.
//!
//! Knows the form of the rows, which `ratlla-lab solve` and `wali-table stats` print with `--json`;
//! knows the rules only to check them.

mod certificates;
mod check;
mod endgames;
mod page;
mod plots;
mod record;
mod tables;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Args, Subcommand};
use ratlla::platform::files::{read_text_bounded, replace};

use crate::solved_game::SolvedGame;
pub use certificates::CertifiedClaim;
use record::{Record, Row};

/// Files in the folder of the documents.
const RECORD: &str = "results.jsonl";
const PAGE: &str = "results.md";
const PICTURES: &str = "pictures";
/// None of them is longer, in bytes.
const LONGEST_FILE: u64 = 64 << 20;

/// What to do with the results.
#[derive(Subcommand)]
pub enum Command {
    /// Add rows to the record, replacing those of the same games
    Add(Add),
    /// Write the tables of the page
    Page(Documents),
    /// Draw the pictures of the page
    Plots(Documents),
    /// Solve the games of the record again and compare
    Check(Check),
}

/// Where the documents are.
#[derive(Args)]
pub struct Documents {
    /// Folder with results.jsonl, results.md and pictures
    #[arg(long, value_name = "DIR", default_value = "docs")]
    docs: PathBuf,
}

/// Arguments of `results add`.
#[derive(Args)]
pub struct Add {
    #[command(flatten)]
    documents: Documents,
    /// Who published these values before, by author and year
    #[arg(long, value_name = "CITATION")]
    known: Option<String>,
    /// Files with rows, as 'solve', 'wali-table stats' and 'boom-certificate check' print them with --json
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Arguments of `results check`.
#[derive(Args)]
pub struct Check {
    #[command(flatten)]
    documents: Documents,
    /// Only games that took less than this when they were recorded
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    limit: Option<f64>,
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Add(add) => add.run(),
            Command::Page(documents) => documents.write_page(),
            Command::Plots(documents) => documents.draw_pictures(),
            Command::Check(Check { documents, limit }) => {
                check::check(&documents.record()?, &documents.docs, limit)
            }
        }
    }
}

impl Documents {
    fn record(&self) -> Result<Record> {
        Record::read(&self.docs.join(RECORD))
    }

    fn write_page(&self) -> Result<()> {
        let record = self.record()?;
        let path = self.docs.join(PAGE);
        let name = path.display();
        let page = read(&path)?;
        let updated = page::update(&page, &record).with_context(|| name.to_string())?;
        write(&path, &updated)
    }

    fn draw_pictures(&self) -> Result<()> {
        for (name, svg) in plots::pictures(&self.record()?)? {
            write(&self.docs.join(PICTURES).join(name), &svg)?;
        }
        Ok(())
    }
}

impl Add {
    fn run(&self) -> Result<()> {
        let path = self.documents.docs.join(RECORD);
        let mut record = if path.exists() { Record::read(&path)? } else { Record::default() };
        for file in &self.files {
            let name = file.display();
            let text = read(file)?;
            for (number, line) in (1..).zip(text.lines()) {
                let mut row = Row::parse(line).with_context(|| format!("{name}, line {number}"))?;
                if let Row::Game(SolvedGame { known: known @ None, .. }) = &mut row {
                    known.clone_from(&self.known);
                }
                record.add(row);
            }
        }
        write(&path, &record.text()?)?;
        println!("{} results", record.len());
        Ok(())
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0);
    seconds.ok_or_else(|| "expected a number of seconds greater than 0".to_owned())
}

/// The text of a file.
fn read(path: &Path) -> Result<String> {
    let text = read_text_bounded(path, LONGEST_FILE);
    text.with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, all or nothing.
fn write(path: &Path, text: &str) -> Result<()> {
    replace(path, &[text.as_bytes()]).with_context(|| format!("cannot write {}", path.display()))
}
