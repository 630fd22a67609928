//! Compares the exact solver with the crate `connect-four-ai` and the Python package `bitbully` in
//! the same run.
//!
//! All of them use one thread, no book, and an empty table for every position. The others are programs of their own,
//! because our lock file is not for what they depend on. They measure themselves, so that nothing between the
//! processes counts.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, ensure};
use ratlla::games::connect4::solver::Position;
use ratlla_common::progress::bar;
use ratlla_common::table::Align::{Left, Right};
use ratlla_common::table::Table;
use ratlla_timing::{Case, cold, warm};

use super::{Context, Section};
use crate::figures::duration;
use crate::positions::{BEGIN_EASY, END_EASY, MIDDLE_EASY, MIDDLE_MEDIUM, Set};
use crate::solving::Ours;

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

/// Another solver, and how to get its program.
struct Source {
    name: &'static str,
    get: fn() -> Result<Peer>,
}

const SOURCES: [Source; 2] = [
    Source { name: "connect-four-ai", get: Peer::connect_four_ai },
    Source { name: "bitbully", get: Peer::bitbully },
];

/// Mean times in seconds, with warm and with cold caches.
#[derive(Clone, Copy)]
struct Times {
    warm: f64,
    cold: f64,
}

fn run(context: &Context) -> Result<Vec<Table>> {
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
    let mut peers = Vec::new();
    for Source { name, get } in SOURCES {
        let progress = bar(&format!("getting {name}"), 1);
        progress.tick();
        match get() {
            Ok(peer) => peers.push((name, peer)),
            Err(error) => table.note(format!("Without {name}: {error:#}")),
        }
    }
    let mut own = Ours::new(1)?;
    for (set, full, quick) in SETS {
        if !context.wants(set.name) {
            continue;
        }
        let cases = set.cases(context.amount(full, quick))?;
        let progress = bar(set.name, (2 + peers.len()) * cases.len());
        let own = Times {
            warm: warm(&mut own, &cases, || progress.inc(1))?.seconds,
            cold: cold(&mut own, &cases, || progress.inc(1))?.seconds,
        };
        let mut rows = vec![("ratlla", own)];
        for (name, peer) in &peers {
            rows.push((name, peer.times(&cases).context(*name)?));
            progress.inc(cases.len() as u64);
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
    table.note(
        "Clearing tables is not timed. All scores are correct. The tables of both others have one \
         size, which cannot be chosen.",
    );
    Ok(vec![table])
}

/// A program that reads lines `MOVES SCORE`, checks the scores, and prints its mean CPU time per position in
/// seconds, with warm and with cold caches.
struct Peer {
    program: PathBuf,
    arguments: &'static [&'static str],
}

impl Peer {
    /// The crate `connect-four-ai`, built beside this program.
    fn connect_four_ai() -> Result<Peer> {
        let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/peers/connect-four-ai/Cargo.toml");
        let folder = std::env::current_exe()?.with_file_name("bench-connect-four-ai");
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let build = ["build", "--release", "--locked", "--manifest-path", manifest, "--target-dir"];
        let mut build = build.map(OsStr::new).to_vec();
        build.push(folder.as_os_str());
        execute(Path::new(&cargo), &build)?;
        let program = format!("release/peer-connect-four-ai{EXE_SUFFIX}");
        Ok(Peer { program: folder.join(program), arguments: &[] })
    }

    /// The Python package `bitbully`, in an environment of its own beside this program.
    fn bitbully() -> Result<Peer> {
        let folder = std::env::current_exe()?.with_file_name("bench-python");
        let python = folder.join(if cfg!(windows) { "Scripts" } else { "bin" }).join("python");
        if execute(&python, &["-c", "import bitbully"].map(OsStr::new)).is_err() {
            let environment = [OsStr::new("-m"), OsStr::new("venv"), folder.as_os_str()];
            execute(Path::new("python3"), &environment)?;
            let package = ["-m", "pip", "install", "--quiet", "bitbully"];
            execute(&python, &package.map(OsStr::new))?;
        }
        Ok(Peer { program: python, arguments: &["-c", include_str!("bitbully.py")] })
    }

    fn times(&self, cases: &[Case<Position>]) -> Result<Times> {
        let mut child = Command::new(&self.program)
            .args(self.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let lines: String =
            cases.iter().map(|case| format!("{} {}\n", case.moves, case.score)).collect();
        // It reads all input before it writes, so this cannot deadlock.
        child.stdin.take().context("no stdin")?.write_all(lines.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "{}", output.status);
        let text = String::from_utf8(output.stdout)?;
        let mut figures = text.lines().map(str::parse);
        let mut next = || figures.next().context("missing output");
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
    // cargo and pip put hints and notes behind it.
    let is_error = |line: &&str| line.to_ascii_lowercase().starts_with("error");
    let line = message.lines().find(is_error).or(message.lines().last());
    ensure!(output.status.success(), "{}: {}", program.display(), line.unwrap_or("no message"));
    Ok(())
}
