//! Tries a program with each of its calls to the system failing.
//!
//! What fails is chosen by `RATLLA_FAULT`, which programs obey that are built with debug assertions:
//! see `src/platform/faults.rs`.

use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::run::{Finished, run};

const VARIABLE: &str = "RATLLA_FAULT";

/// So many calls are tried from the start of a script, and as many from its end.
const MOST: usize = 16;

/// How a call fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// It fails.
    Once,
    /// It fails, and so do all later ones.
    FromThen,
    /// The process dies in it.
    Death,
}

/// A script to be run in a folder of its own while one call fails.
pub struct Trial {
    /// An empty folder.
    pub folder: PathBuf,
    /// How a call fails; nothing does in the first trial of all.
    pub failure: Option<Failure>,
    /// The number and the kind of the call.
    call: (usize, String),
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (number, kind) = &self.call;
        match self.failure {
            None => f.write_str("nothing fails"),
            Some(failure) => write!(f, "call {number} ({kind}) fails: {failure:?}"),
        }
    }
}

impl Trial {
    /// Runs a command in the folder, with this input, while the call fails.
    pub fn run(&self, command: &mut Command, input: &str) -> Finished {
        let number = self.call.0;
        let plan = match self.failure {
            None => format!("list:{}", self.list().display()),
            Some(Failure::Once) => format!("fail:{number}"),
            Some(Failure::FromThen) => format!("fail-from:{number}"),
            Some(Failure::Death) => format!("die:{number}"),
        };
        run(command.env(VARIABLE, plan).current_dir(&self.folder), input)
    }

    /// Runs a command in the folder, with this input, while nothing fails.
    pub fn run_undisturbed(&self, command: &mut Command, input: &str) -> Finished {
        run(command.env_remove(VARIABLE).current_dir(&self.folder), input)
    }

    /// The names of the files in the folder, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.folder).expect("a folder").flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Whether the call that fails is of this kind.
    pub fn is_of(&self, kind: &str) -> bool {
        self.failure.is_some() && self.call.1 == kind
    }

    fn list(&self) -> PathBuf {
        self.folder.with_extension("calls")
    }
}

/// Runs `test` with nothing failing, and then with each call failing that was made, in each way: of
/// many, the first and the last `MOST`, for those between repeat them. Returns how many calls there
/// were.
pub fn every_call(folder: &Path, test: impl Fn(&Trial) + Sync) -> usize {
    const FAILURES: [Failure; 3] = [Failure::Once, Failure::FromThen, Failure::Death];
    let trial = |failure, number, kind: &str| {
        let name = format!("{failure:?} {number}");
        let trial = Trial { folder: folder.join(name), failure, call: (number, kind.to_owned()) };
        fs::create_dir_all(&trial.folder).expect("a folder");
        let tested = catch_unwind(AssertUnwindSafe(|| test(&trial)));
        if let Err(panic) = tested {
            eprintln!("{trial}");
            resume_unwind(panic);
        }
        trial
    };
    let list = trial(None, 0, "").list();
    let list = fs::read_to_string(list).expect("a program with debug assertions lists its calls");
    let calls: Vec<(usize, &str)> = (1..).zip(list.lines()).collect();
    let is_tried = |number: usize| number <= MOST || number + MOST > calls.len();
    let tried = calls.iter().filter(|(number, _)| is_tried(*number));
    let trials: Vec<_> = tried.flat_map(|call| FAILURES.map(|failure| (failure, call))).collect();
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&(failure, &(number, kind))) = trials.get(index) else { return };
                    trial(Some(failure), number, kind);
                }
            });
        }
    });
    calls.len()
}
