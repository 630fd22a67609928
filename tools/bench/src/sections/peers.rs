//! Compares the exact solver with the crate `connect-four-ai` and the Python package `bitbully` in
//! the same run.
//!
//! All of them use one thread, no book, and an empty table for every position.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use indicatif::ProgressBar;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;

use super::{Context, Section};
use crate::figures::duration;
use crate::positions::{BEGIN_EASY, Case, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set};
use crate::solving::{Ours, Scorer, cold, warm};

/// The section.
pub const SECTION: Section = Section {
    name: "peers",
    purpose: "the exact solver compared with connect-four-ai and bitbully",
    run,
};

/// Sets, and how many of their positions are solved in full and quick runs. More or harder ones
/// take the others too long.
const SETS: [(Set, usize, usize); 4] =
    [(END_EASY, 300, 50), (MIDDLE_EASY, 300, 50), (MIDDLE_MEDIUM, 50, 5), (BEGIN_EASY, 200, 10)];

/// Mean times in seconds, with warm and with cold caches.
#[derive(Clone, Copy)]
struct Times {
    warm: f64,
    cold: f64,
}

fn run(context: &Context) -> Result<Vec<Table>> {
    let bitbully = Bitbully::install();
    let mut table = Table::new(&[
        ("set", Left),
        ("positions", Right),
        ("solver", Left),
        ("warm", Right),
        ("cold", Right),
        ("ratlla is faster, warm", Right),
        ("cold", Right),
    ])
    .with_title("Exact scores on 6x7, one thread, mean CPU time");
    let mut own = Ours::new(1)?;
    let mut peer = ConnectFourAi { solver: connect_four_ai::Solver::empty(), position: None };
    for (set, full, quick) in SETS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(full, quick))?;
        let progress = bar(set.name, 4 * cases.len());
        let own = times(&mut own, &cases, &progress)?;
        let mut rows = vec![("ratlla", own)];
        rows.push(("connect-four-ai", times(&mut peer, &cases, &progress)?));
        if let Ok(bitbully) = &bitbully {
            rows.push(("bitbully", bitbully.times(&cases)?));
        }
        for (name, times) in rows {
            table.row([
                set.name.to_owned(),
                cases.len().to_string(),
                name.to_owned(),
                duration(times.warm),
                duration(times.cold),
                format!("{:.2}x", times.warm / own.warm),
                format!("{:.2}x", times.cold / own.cold),
            ]);
        }
    }
    if let Err(error) = bitbully {
        table.note(format!("Without bitbully: {error:#}"));
    }
    table.note(
        "Clearing tables is not timed. All scores are correct. The tables of both others have one \
         size, which cannot be chosen.",
    );
    Ok(vec![table])
}

fn times(scorer: &mut impl Scorer, cases: &[Case], progress: &ProgressBar) -> Result<Times> {
    Ok(Times {
        warm: warm(scorer, cases, progress)?.seconds,
        cold: cold(scorer, cases, progress)?.seconds,
    })
}

/// The solver of the crate `connect-four-ai`.
struct ConnectFourAi {
    solver: connect_four_ai::Solver,
    /// The position set up last; `None` if it was rejected.
    position: Option<connect_four_ai::Position>,
}

impl Scorer for ConnectFourAi {
    fn prepare(&mut self, case: &Case) {
        self.solver.reset();
        self.position = connect_four_ai::Position::from_moves(case.moves).ok();
    }

    fn score(&mut self, _case: &Case) -> (i32, u64) {
        // A missing score counts as wrong.
        let score = self.position.as_ref().map(|position| self.solver.solve(position).into());
        (score.unwrap_or(i32::MAX), 0)
    }
}

/// The Python package `bitbully` in an environment of its own.
struct Bitbully {
    python: PathBuf,
}

impl Bitbully {
    /// Uses the environment beside this program, creating it first if necessary.
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
        // It reads all input before it writes, so this cannot deadlock.
        child.stdin.take().context("Python has no stdin")?.write_all(lines.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "bitbully: Python failed: {}", output.status);
        let text = String::from_utf8(output.stdout)?;
        let mut figures = text.lines().map(str::parse);
        let mut next = || figures.next().context("bitbully: missing output");
        Ok(Times { warm: next()??, cold: next()?? })
    }
}

/// Runs a program that must succeed.
fn execute(program: &Path, arguments: &[&OsStr]) -> Result<()> {
    let output = Command::new(program)
        .args(arguments)
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let message = String::from_utf8_lossy(&output.stderr);
    let last = message.lines().last().unwrap_or("no error message");
    ensure!(output.status.success(), "{}: {last}", program.display());
    Ok(())
}
