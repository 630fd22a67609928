//! Builds the endgame tables of Kalah: `ratlla-kalahdb <houses> <seeds> [empty] <file>`.
//!
//! Layers that are done are kept in `<file>.part`, itself a whole table of fewer seeds, so that
//! a build that was interrupted goes on from there. The file appears under its name only when
//! it is complete; a smaller table that is there already is extended.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use ratlla::games::kalah::endgame::build::{BuildError, BuildProgress, build};
use ratlla::games::kalah::endgame::index::Index;
use ratlla::games::kalah::endgame::{Endgames, Variant, file};
use ratlla::platform::files::beside;

const USAGE: &str = "\
usage: ratlla-kalahdb <houses> <seeds> [empty] <file>
       ratlla-kalahdb check <file>

Builds the table of all Kalah positions with that many houses a player and at most that many
seeds in play. 'empty' is for captures with nothing opposite. Interrupted, it goes on where it
was when started again. 'check' verifies a table.";

/// A layer is kept if it took at least this long since the last one was.
const WORTH_KEEPING: Duration = Duration::from_secs(3);

struct Job {
    variant: Variant,
    seeds: usize,
    path: PathBuf,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let result = match words[..] {
        ["check", path] => check(Path::new(path)),
        ["-h" | "--help"] => {
            println!("{USAGE}");
            Ok(())
        }
        _ => parse(&words).and_then(|job| run(&job)),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("ratlla-kalahdb: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn parse(words: &[&str]) -> Result<Job, String> {
    let (houses, seeds, empty_capture, path) = match *words {
        [houses, seeds, "empty", path] => (houses, seeds, true, path),
        [houses, seeds, path] => (houses, seeds, false, path),
        _ => return Err(USAGE.to_owned()),
    };
    let number =
        |word: &str| word.parse().map_err(|_| format!("'{word}' is not a number\n{USAGE}"));
    let variant = Variant { houses: number(houses)?, empty_capture };
    Ok(Job { variant, seeds: number(seeds)?, path: path.into() })
}

fn check(path: &Path) -> Result<(), String> {
    let table = file::open(path)?;
    let (variant, seeds) = (table.variant(), table.seeds());
    println!(
        "{}: whole, {} houses, up to {seeds} seeds, {} positions{}",
        path.display(),
        variant.houses,
        table.shares().len(),
        if variant.empty_capture { ", empty captures" } else { "" }
    );
    Ok(())
}

fn run(job: &Job) -> Result<(), String> {
    let part = beside(&job.path, "part");
    let smaller = start_from(job, &part)?;
    if smaller.as_ref().is_some_and(|table| table.seeds() >= job.seeds) {
        println!("{} is there already", job.path.display());
        return Ok(());
    }
    let bar = progress_bar(job, smaller.as_ref())?;
    let mut keeper = Keeper::new(job, &part);
    let built = build(job.variant, job.seeds, smaller.as_ref(), &mut |progress| {
        bar.set_position(progress.positions);
        keeper.keep(progress)
    });
    bar.finish();
    let table = match (built, keeper.failure) {
        (_, Some(reason)) | (Err(BuildError::Impossible(reason)), _) => return Err(reason),
        (Err(BuildError::Stopped), None) => return Err("stopped".to_owned()),
        (Ok(table), None) => table,
    };
    file::publish(&job.path, job.variant, job.seeds, table.shares())?;
    // What is whole needs no part any more; a part that stays does no harm.
    let _ = std::fs::remove_file(&part);
    check(&job.path)
}

/// The largest table to go on from. A file under the final name that is no table, or one of
/// another variant, is not overwritten.
fn start_from(job: &Job, part: &Path) -> Result<Option<Endgames>, String> {
    let whole = match job.path.exists() {
        true => Some(file::open(&job.path)?),
        false => None,
    };
    if let Some(other) = whole.as_ref().filter(|table| table.variant() != job.variant) {
        return Err(format!("{} holds {:?}", job.path.display(), other.variant()));
    }
    let part = file::open(part).ok();
    let parts = part
        .into_iter()
        .filter(|table| table.variant() == job.variant && table.seeds() <= job.seeds);
    Ok(whole.into_iter().chain(parts).max_by_key(Endgames::seeds))
}

fn progress_bar(job: &Job, smaller: Option<&Endgames>) -> Result<ProgressBar, String> {
    let total = Index::new(job.variant.houses.max(1), job.seeds)
        .map(|index| index.size(job.seeds))
        .ok_or_else(|| format!("too many positions with {} seeds", job.seeds))?;
    let style = ProgressStyle::with_template(
        "{elapsed_precise} {wide_bar} {human_pos}/{human_len} positions, {per_sec}, {eta} left",
    )
    .map_err(|error| error.to_string())?;
    let bar = ProgressBar::new(total).with_style(style);
    if let Some(table) = smaller {
        bar.println(format!("going on from {} seeds", table.seeds()));
        bar.set_position(table.shares().len() as u64);
        bar.reset_eta();
    }
    Ok(bar)
}

/// Keeps completed layers on disk.
struct Keeper<'a> {
    job: &'a Job,
    part: &'a Path,
    last: Instant,
    failure: Option<String>,
}

impl<'a> Keeper<'a> {
    fn new(job: &'a Job, part: &'a Path) -> Keeper<'a> {
        Keeper { job, part, last: Instant::now(), failure: None }
    }

    /// Whether to go on.
    fn keep(&mut self, progress: BuildProgress<'_>) -> bool {
        let Some((seeds, shares)) = progress.completed else {
            return true;
        };
        if seeds == self.job.seeds || self.last.elapsed() < WORTH_KEEPING {
            return true;
        }
        let published = file::publish(self.part, self.job.variant, seeds, shares);
        self.failure = published.err();
        self.last = Instant::now();
        self.failure.is_none()
    }
}
