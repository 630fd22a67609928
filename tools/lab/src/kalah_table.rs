//! Builds the endgame tables of Kalah.
//!
//! Completed layers are saved in `<file>.part`, itself a valid table of fewer seeds, from which an
//! interrupted build resumes. The file itself appears only when it is complete; a smaller table
//! under its name is extended.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail, ensure};
use clap::builder::RangedU64ValueParser;
use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use ratlla::games::kalah::endgame::build::{BuildError, BuildProgress, build};
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::kalah::endgame::{Endgames, Variant, file};
use ratlla::platform::files::beside;
use ratlla_common::progress::bar;

/// A layer is saved if building took this long since the last save.
const SAVE_INTERVAL: Duration = Duration::from_secs(3);

/// What to do with a table.
#[derive(Subcommand)]
pub enum Command {
    /// Build the table of all positions up to a number of seeds in play
    Build(Build),
    /// Verify a table and print what it covers
    Check {
        /// Table file
        file: PathBuf,
    },
}

/// Arguments of `kalah-table build`.
#[derive(Args)]
pub struct Build {
    /// Houses per player
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=12))]
    houses: usize,
    /// Most seeds in play
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(1..=127))]
    seeds: usize,
    /// Table file to write
    file: PathBuf,
    /// Rules in which a last seed is captured even if the opposite house is empty
    #[arg(long)]
    empty_capture: bool,
}

impl Command {
    /// Runs the subcommand.
    pub fn run(self) -> Result<()> {
        match self {
            Command::Build(build) => build.run(),
            Command::Check { file } => check(&file),
        }
    }
}

fn check(path: &Path) -> Result<()> {
    let table = file::open(path).map_err(Error::msg)?;
    let variant = table.variant();
    println!(
        "{}: valid, {variant}, up to {} seeds, {} positions",
        path.display(),
        table.seeds(),
        table.shares().len(),
    );
    Ok(())
}

impl Build {
    fn run(&self) -> Result<()> {
        let part = beside(&self.file, "part");
        let existing = self.existing_table()?;
        if existing.as_ref().is_some_and(|table| table.seeds() >= self.seeds) {
            println!("{} is complete already", self.file.display());
            remove_part(&part);
            return Ok(());
        }
        let fits =
            |table: &Endgames| table.variant() == self.variant() && table.seeds() <= self.seeds;
        let saved = file::open(&part).ok().filter(fits);
        let smaller = existing.into_iter().chain(saved).max_by_key(Endgames::seeds);
        let bar = self.progress_bar(smaller.as_ref())?;
        let mut save = SaveLayers { job: self, part: &part, last: Instant::now(), failure: None };
        let built = build(self.variant(), self.seeds, smaller.as_ref(), &mut |progress| {
            bar.set_position(progress.positions);
            save.after(progress)
        });
        drop(bar);
        let table = match (built, save.failure) {
            (_, Some(reason)) | (Err(BuildError::Impossible(reason)), _) => bail!(reason),
            (Err(BuildError::Stopped), None) => bail!("stopped"),
            (Ok(table), None) => table,
        };
        file::publish(&self.file, self.variant(), self.seeds, table.shares())
            .map_err(Error::msg)?;
        remove_part(&part);
        check(&self.file)
    }

    fn variant(&self) -> Variant {
        Variant { houses: self.houses, empty_capture: self.empty_capture }
    }

    /// The table under the final name. A file that is not a table of this variant is an error, so
    /// that it is not overwritten.
    fn existing_table(&self) -> Result<Option<Endgames>> {
        let existing = match self.file.exists() {
            true => Some(file::open(&self.file).map_err(Error::msg)?),
            false => None,
        };
        if let Some(table) = &existing {
            let (found, path) = (table.variant(), self.file.display());
            ensure!(
                found == self.variant(),
                "{path}: expected a table of {}, found one of {found}",
                self.variant()
            );
        }
        Ok(existing)
    }

    fn progress_bar(&self, smaller: Option<&Endgames>) -> Result<ProgressBar> {
        let index = Index::new(self.houses.max(1), self.seeds)
            .with_context(|| format!("too many positions with {} seeds", self.seeds))?;
        let bar = bar("positions", index.size(self.seeds) as usize);
        if let Some(table) = smaller {
            bar.println(format!("resuming from {} seeds", table.seeds()));
            bar.set_position(table.shares().len() as u64);
            bar.reset_eta();
        }
        Ok(bar)
    }
}

/// Removes the layers of a complete table. If that is impossible, they do no harm.
fn remove_part(part: &Path) {
    drop(std::fs::remove_file(part));
}

/// Saves completed layers to disk.
struct SaveLayers<'a> {
    job: &'a Build,
    part: &'a Path,
    last: Instant,
    failure: Option<String>,
}

impl SaveLayers<'_> {
    /// Saves a layer that was just completed; whether to continue.
    fn after(&mut self, progress: BuildProgress<'_>) -> bool {
        let Some((seeds, shares)) = progress.completed else {
            return true;
        };
        if seeds == self.job.seeds || self.last.elapsed() < SAVE_INTERVAL {
            return true;
        }
        self.failure = file::publish(self.part, self.job.variant(), seeds, shares).err();
        self.last = Instant::now();
        self.failure.is_none()
    }
}
