//! The tests that were skipped, as a file each below the target folder: tests run in many processes.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A test that was skipped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Skipped {
    /// What it needs, and how to get that.
    pub reason: String,
    /// Package, program and name.
    pub test: String,
}

/// The package, the program and the name of the test of this thread, which the test harness names after it.
pub fn this_test() -> String {
    let program = std::env::current_exe().unwrap_or_default();
    let program = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    // Cargo adds a hash.
    let program = program.rsplit_once('-').map_or(&*program, |(name, _)| name);
    let package = std::env::var("CARGO_PKG_NAME").unwrap_or_default();
    let thread = std::thread::current();
    format!("{package} {program} {}", thread.name().unwrap_or_default())
}

/// The records in a folder.
pub struct Records(PathBuf);

impl Records {
    /// Those beside the programs of this profile, where all tests write theirs.
    pub fn of_this_profile() -> Records {
        let program = std::env::current_exe().unwrap_or_default();
        let profile = program.parent().and_then(Path::parent).unwrap_or(Path::new("target"));
        Records::in_folder(profile.join("skipped tests"))
    }

    /// Those in this folder, which need not exist.
    pub fn in_folder(folder: PathBuf) -> Records {
        Records(folder)
    }

    fn file(&self, test: &str) -> PathBuf {
        self.0.join(test.replace("::", " "))
    }

    /// Records a skipped test, in place of an earlier record.
    pub fn add(&self, skipped: &Skipped) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        let text = format!("{}\n{}", skipped.reason, skipped.test);
        fs::write(self.file(&skipped.test), text)
    }

    /// Forgets that a test was skipped in an earlier run.
    pub fn forget(&self, test: &str) {
        // Fails if it was not.
        drop(fs::remove_file(self.file(test)));
    }

    /// Takes all records, sorted by what the tests need.
    pub fn take(&self) -> Vec<Skipped> {
        let mut all = Vec::new();
        for entry in fs::read_dir(&self.0).into_iter().flatten().flatten() {
            let text = fs::read_to_string(entry.path()).unwrap_or_default();
            if let Some((reason, test)) = text.split_once('\n') {
                all.push(Skipped { reason: reason.to_owned(), test: test.to_owned() });
            }
            drop(fs::remove_file(entry.path()));
        }
        all.sort();
        all
    }
}
