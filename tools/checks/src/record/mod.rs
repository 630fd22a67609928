//! What the long checks found last: the record `docs/reliability.jsonl`, and the tables that
//! `docs/reliability.md` has from it.
//!
//! Knows the form of the rows and of the logs that they are read from; does not run anything.

mod log;
mod page;
mod row;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::{Args, Subcommand};
use ratlla::platform::files::{append_plain, read_text_bounded, replace};

pub use row::{Kind, Memory, Row, Under};

/// Files in the folder of the documents.
const RECORD: &str = "reliability.jsonl";
const PAGE: &str = "reliability.md";
/// More than any of these files or logs has, in bytes.
const LONGEST: u64 = 64 << 20;

/// What to do with results.
#[derive(Subcommand)]
pub enum Command {
    /// Append the result of a fuzz target to a file, from libFuzzer's output
    Fuzz(Fuzz),
    /// Append the result of tests under a tool to a file, from cargo's output
    Tests(Tests),
    /// Add rows to the record, replacing those of the same checks, and write the page
    Add(Add),
    /// Write the tables of the page
    Page(Documents),
}

/// Arguments of `record fuzz`.
#[derive(Args)]
pub struct Fuzz {
    #[command(flatten)]
    destination: Destination,
    /// The target
    target: String,
    /// Output of 'cargo fuzz run' with -print_final_stats=1
    log: PathBuf,
}

/// Arguments of `record tests`.
#[derive(Args)]
pub struct Tests {
    #[command(flatten)]
    destination: Destination,
    /// What the tests ran under
    under: Under,
    /// Output of 'cargo test'
    log: PathBuf,
}

/// Arguments of `record add`.
#[derive(Args)]
pub struct Add {
    #[command(flatten)]
    documents: Documents,
    /// Files with rows
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Where the documents are.
#[derive(Args)]
pub struct Documents {
    /// Folder with reliability.jsonl and reliability.md
    #[arg(long, value_name = "DIR", default_value = "docs")]
    docs: PathBuf,
}

/// Where a check puts its result.
#[derive(Args)]
pub struct Destination {
    /// File to append the result to, as a line of JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// The machine, for the record [default: its number of CPUs]
    #[arg(long, value_name = "TEXT")]
    on: Option<String>,
}

impl Destination {
    /// Appends a result of today, if that is asked for.
    pub fn put(&self, kind: Kind) -> Result<()> {
        let Some(path) = &self.record else { return Ok(()) };
        let cpus = std::thread::available_parallelism().map_or(1, usize::from);
        let on = self.on.clone().unwrap_or_else(|| format!("{cpus} CPUs"));
        let row = Row { date: jiff::Timestamp::now().strftime("%F").to_string(), on, kind };
        let line = row.line()?;
        let append = || std::io::Write::write_all(&mut append_plain(path)?, line.as_bytes());
        append().with_context(|| format!("cannot write {}", path.display()))
    }
}

impl Command {
    /// Runs the subcommand.
    pub fn run(&self) -> Result<()> {
        match self {
            Command::Fuzz(Fuzz { destination, target, log }) => {
                let text = read(log)?;
                destination.put(log::fuzz(target, &text).with_context(|| name(log))?)
            }
            Command::Tests(Tests { destination, under, log }) => {
                let text = read(log)?;
                destination.put(log::tests(*under, &text).with_context(|| name(log))?)
            }
            Command::Add(add) => add.run(),
            Command::Page(documents) => documents.write_page(&documents.record()?),
        }
    }
}

impl Add {
    fn run(&self) -> Result<()> {
        let mut record = self.documents.record()?;
        for file in &self.files {
            for row in parse(&read(file)?).with_context(|| name(file))? {
                record.retain(|old| !old.kind.is_same_check(&row.kind));
                record.push(row);
            }
        }
        record.sort_by_key(|row| row.kind.place());
        let text = record.iter().map(Row::line).collect::<Result<String>>()?;
        write(&self.documents.docs.join(RECORD), &text)?;
        self.documents.write_page(&record)
    }
}

impl Documents {
    fn record(&self) -> Result<Vec<Row>> {
        let path = self.docs.join(RECORD);
        let rows = parse(&read(&path)?).with_context(|| name(&path))?;
        for pair in rows.windows(2) {
            ensure!(pair[0].kind.place() < pair[1].kind.place(), "{}: wrong order", path.display());
        }
        Ok(rows)
    }

    fn write_page(&self, record: &[Row]) -> Result<()> {
        let path = self.docs.join(PAGE);
        let updated = page::update(&read(&path)?, record).with_context(|| name(&path))?;
        write(&path, &updated)
    }
}

/// A figure to one decimal, as the page shows it.
pub fn tenths(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}

/// The rows of a text.
fn parse(text: &str) -> Result<Vec<Row>> {
    let rows = (1..).zip(text.lines());
    rows.map(|(number, line)| Row::parse(line).with_context(|| format!("line {number}"))).collect()
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

fn read(path: &Path) -> Result<String> {
    read_text_bounded(path, LONGEST).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes a file, all or nothing.
fn write(path: &Path, text: &str) -> Result<()> {
    replace(path, &[text.as_bytes()]).with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The documents of this repository.
    fn documents() -> Documents {
        Documents { docs: Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs") }
    }

    #[test]
    fn the_page_is_up_to_date() {
        let documents = documents();
        let record = documents.record().expect("the record");
        let page = read(&documents.docs.join(PAGE)).expect("the page");
        let updated = page::update(&page, &record).expect("the page");
        assert!(updated == page, "run 'ratlla-checks record page'");
    }

    #[test]
    fn every_fuzz_target_is_in_the_record() {
        let record = documents().record().expect("the record");
        for target in ratlla_checks::targets::TARGETS {
            let is_of_it = |row: &Row| matches!(&row.kind, Kind::Fuzz { target: name, .. } if name == target.name);
            assert!(record.iter().any(is_of_it), "{}", target.name);
        }
    }

    /// A folder with copies of the documents, and files with rows.
    fn copy() -> (tempfile::TempDir, Documents) {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [RECORD, PAGE] {
            let original = documents().docs.join(file);
            std::fs::copy(original, folder.path().join(file)).expect("a copy");
        }
        let documents = Documents { docs: folder.path().to_owned() };
        (folder, documents)
    }

    fn run(seconds: u64) -> Kind {
        let target = "book".to_owned();
        Kind::Fuzz { target, seconds, inputs: 98_765_432, coverage: 1, new: 2 }
    }

    #[test]
    fn a_result_takes_the_place_of_the_last_one() {
        let (folder, documents) = copy();
        let before = documents.record().expect("the record");
        let rows = folder.path().join("rows");
        let destination = Destination { record: Some(rows.clone()), on: Some("a toaster".into()) };
        destination.put(run(60)).expect("put");
        destination.put(run(120)).expect("put");
        Add { documents, files: vec![rows] }.run().expect("added");
        let documents = Documents { docs: folder.path().to_owned() };
        let after = documents.record().expect("the record");
        assert_eq!(after.len(), before.len());
        let changed: Vec<&Row> = after.iter().filter(|row| !before.contains(row)).collect();
        assert_eq!(changed.len(), 1);
        assert_eq!((&changed[0].kind, changed[0].on.as_str()), (&run(120), "a toaster"));
        let page = read(&folder.path().join(PAGE)).expect("the page");
        assert!(page.contains("98,765,432") && page.contains("a toaster"), "{page}");
    }

    #[test]
    fn a_damaged_row_changes_nothing() {
        let (folder, documents) = copy();
        let rows = folder.path().join("rows");
        let files = || [RECORD, PAGE].map(|file| read(&folder.path().join(file)).expect("a file"));
        let before = files();
        Destination { record: Some(rows.clone()), on: None }.put(run(60)).expect("put");
        let good = read(&rows).expect("rows");
        for (bad, reason) in [
            ("nonsense\n".to_owned(), "line 2: expected"),
            (good.replace("book", "cook"), "line 2: there is no fuzz target 'cook'"),
            (good.replace("}", ",\"extra\":1}"), "line 2: unknown or misplaced"),
            (good.replace("\"date\":\"", "\"date\":\"x"), "line 2: expected a date"),
        ] {
            assert_ne!(bad, good);
            write(&rows, &format!("{good}{bad}")).expect("rows");
            let documents = Documents { docs: documents.docs.clone() };
            let error = Add { documents, files: vec![rows.clone()] }.run().expect_err("refused");
            assert!(format!("{error:#}").contains(reason), "{error:#}");
            assert!(files() == before);
        }
    }

    #[test]
    fn a_record_out_of_order_is_refused() {
        let (folder, documents) = copy();
        let path = folder.path().join(RECORD);
        let text = read(&path).expect("the record");
        let first = text.lines().next().expect("a row");
        for wrong in [format!("{text}{first}\n"), format!("{first}\n{text}")] {
            write(&path, &wrong).expect("a record");
            let error = documents.record().expect_err("refused");
            assert!(error.to_string().contains("wrong order"), "{error}");
        }
    }
}
