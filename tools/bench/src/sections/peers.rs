//! The exact solver beside others that registries provide, in the same run: the crate
//! `connect-four-ai` and the Python package `bitbully`.
//!
//! All of them use one thread and no book, and start every position with an empty table.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use indicatif::ProgressBar;

use super::{Context, Section};
use crate::positions::{BEGIN_EASY, Case, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set};
use crate::solving::{Ours, Scorer, flushed, hot};
use crate::tables::{Align, Table, duration};

/// The section.
pub const SECTION: Section = Section {
    name: "peers",
    purpose: "the exact solver beside connect-four-ai and bitbully (a Python package)",
    run,
};

/// Sets, how many of their positions are measured, and how many for a look. More, or harder ones, take the
/// others too long.
const SETS: [(Set, usize, usize); 4] =
    [(END_EASY, 300, 50), (MIDDLE_EASY, 300, 50), (MIDDLE_MEDIUM, 50, 5), (BEGIN_EASY, 200, 10)];

/// Mean seconds, with caches as they are and with cold ones.
#[derive(Clone, Copy)]
struct Times {
    hot: f64,
    flushed: f64,
}

fn run(context: &Context) -> Result<Vec<Table>> {
    let bitbully = Bitbully::install();
    let mut table = Table::new(
        "Exact scores on 6x7 beside others, one thread, means of processor time",
        &[
            ("set", Align::Left),
            ("positions", Align::Right),
            ("solver", Align::Left),
            ("hot", Align::Right),
            ("flushed", Align::Right),
            ("ratlla is faster, hot", Align::Right),
            ("flushed", Align::Right),
        ],
    );
    let mut own = Ours::new(1)?;
    let mut peer = ConnectFourAi { solver: connect_four_ai::Solver::empty(), position: None };
    for (set, full, quick) in SETS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(full, quick))?;
        let progress = context.progress(set.name, 4 * cases.len());
        let own = times(&mut own, &cases, &progress)?;
        let mut rows = vec![("ratlla", own)];
        rows.push(("connect-four-ai", times(&mut peer, &cases, &progress)?));
        if let Ok(bitbully) = &bitbully {
            rows.push(("bitbully", bitbully.times(&cases)?));
        }
        progress.finish_and_clear();
        for (name, times) in rows {
            table.row([
                set.name.to_owned(),
                cases.len().to_string(),
                name.to_owned(),
                duration(times.hot),
                duration(times.flushed),
                format!("{:.2}x", times.hot / own.hot),
                format!("{:.2}x", times.flushed / own.flushed),
            ]);
        }
    }
    if let Err(error) = bitbully {
        table.note(format!("bitbully is left out: {error:#}"));
    }
    table.note("Emptying a table does not count. Every score is right.");
    Ok(vec![table])
}

fn times(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Times> {
    Ok(Times {
        hot: hot(scorer, cases, progress)?.seconds,
        flushed: flushed(scorer, cases, progress)?.seconds,
    })
}

/// The solver of the crate `connect-four-ai`.
struct ConnectFourAi {
    solver: connect_four_ai::Solver,
    /// The next position; nothing if it cannot read it.
    position: Option<connect_four_ai::Position>,
}

impl Scorer for ConnectFourAi {
    fn prepare(&mut self, case: &Case) {
        self.solver.reset();
        self.position = connect_four_ai::Position::from_moves(case.moves).ok();
    }

    fn score(&mut self, _case: &Case) -> (i32, u64) {
        // No score at all is a wrong one.
        let score = self.position.as_ref().map(|position| self.solver.solve(position).into());
        (score.unwrap_or(i32::MAX), 0)
    }
}

/// The Python package `bitbully` in an environment of its own.
struct Bitbully {
    python: PathBuf,
}

impl Bitbully {
    /// Uses the environment beside this program, and makes it first if it is not there yet.
    fn install() -> Result<Bitbully> {
        let folder = std::env::current_exe()?.with_file_name("bench-python");
        let programs = folder.join(if cfg!(windows) { "Scripts" } else { "bin" });
        let bitbully = Bitbully { python: programs.join("python") };
        if bitbully.has_package() {
            return Ok(bitbully);
        }
        let environment = [OsStr::new("-m"), OsStr::new("venv"), folder.as_os_str()];
        execute(Path::new("python3"), &environment)?;
        let package = ["-m", "pip", "install", "--quiet", "bitbully"];
        execute(&bitbully.python, &package.map(OsStr::new))?;
        Ok(bitbully)
    }

    fn has_package(&self) -> bool {
        execute(&self.python, &["-c", "import bitbully"].map(OsStr::new)).is_ok()
    }

    fn times(&self, cases: &[Case]) -> Result<Times> {
        let mut child = Command::new(&self.python)
            .args(["-c", include_str!("bitbully.py")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let lines: String =
            cases.iter().map(|case| format!("{} {}\n", case.moves, case.score)).collect();
        // It reads everything before it writes anything, so neither waits for the other.
        child.stdin.take().context("no way to write to Python")?.write_all(lines.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "bitbully: Python ended with {}", output.status);
        let text = String::from_utf8(output.stdout)?;
        let mut figures = text.lines().map(str::parse);
        let mut next = || figures.next().context("bitbully: a figure is missing");
        Ok(Times { hot: next()??, flushed: next()?? })
    }
}

/// Runs a program to its end, which must be a good one.
fn execute(program: &Path, arguments: &[&OsStr]) -> Result<()> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last = complaint.lines().last().unwrap_or("no reason given");
    ensure!(output.status.success(), "{}: {last}", program.display());
    Ok(())
}
