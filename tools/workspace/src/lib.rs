//! What tests need besides Rust.
//!
//! `cargo test --workspace` passes with Rust alone, without a network, and installs nothing. A test
//! that needs more asks here first. If that is missing, the test returns early, a line on stderr says
//! what was skipped, why, and how to enable it, and the last tests of the workspace count these lines.
//! With the environment variable `RATLLA_REQUIRE_ALL`, as in `.ci/run`, nothing is skipped: what is
//! missing fails the test, and packages of Python and Node are downloaded into the target folder.
//!
//! [`faults`] tries programs while calls to the system fail, [`files`] with files that have no end.

pub mod faults;
pub mod files;
pub mod run;
mod skipped;
mod watchdog;

use std::collections::BTreeSet;
use std::env::{split_paths, var_os};
use std::fs::File;
use std::io::{Write as _, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

pub use skipped::{Records, Skipped, this_test};
pub use watchdog::{LIFETIME, Watchdog};

/// Whether everything must be there.
pub fn is_all_required() -> bool {
    var_os("RATLLA_REQUIRE_ALL").is_some()
}

/// What a test needs, if it was found. If not, the test is skipped: prints and records that, or fails
/// if everything is required. `installation` says how to get it, in the imperative.
pub fn needed<T>(name: &str, installation: &str, found: Option<T>) -> Option<T> {
    let (records, test) = (Records::of_this_profile(), this_test());
    if found.is_some() {
        records.forget(&test);
    } else {
        let reason = format!("{name} is missing: {installation}");
        assert!(!is_all_required(), "{test}: {reason}");
        print_once(format!("SKIPPED {test}: {reason}"));
        records.add(&Skipped { reason, test }).expect("the target folder is writable");
    }
    found
}

/// Prints a line unless it was printed before: a test may ask for the same thing many times.
fn print_once(line: String) {
    static PRINTED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut printed = PRINTED.lock().unwrap_or_else(PoisonError::into_inner);
    if !printed.contains(&line) {
        // Not with eprintln, whose output is captured in a passing test.
        drop(writeln!(stderr(), "{line}"));
        printed.insert(line);
    }
}

/// Chromium, which the environment variable `CHROMIUM` overrides.
pub fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = var_os("CHROMIUM").map(PathBuf::from).or_else(|| find_program(&names));
    needed("Chromium", "install it (Debian: apt-get install chromium), or set CHROMIUM", found)
}

/// Firefox, which the environment variable `FIREFOX` overrides.
pub fn firefox() -> Option<PathBuf> {
    let names = ["firefox-esr", "firefox"];
    let found = var_os("FIREFOX").map(PathBuf::from).or_else(|| find_program(&names));
    needed("Firefox", "install it (Debian: apt-get install firefox-esr), or set FIREFOX", found)
}

/// Python, recent enough for our packages.
pub fn python() -> Option<&'static str> {
    let is_recent =
        succeeds("python3", &["-c", "import sys; sys.exit(sys.version_info < (3, 10))"]);
    needed("python3", "install Python 3.10 or newer", is_recent.then_some("python3"))
}

/// Node.
pub fn node() -> Option<&'static str> {
    let found = succeeds("node", &["--version"]).then_some("node");
    needed("node", "install Node (Debian: apt-get install nodejs)", found)
}

/// Node's package manager, to be used without a network.
pub fn npm() -> Option<&'static str> {
    let found = succeeds("npm", &["--version"]).then_some("npm");
    needed("npm", "install it (Debian: apt-get install npm)", found)
}

/// Packages that `install` downloads into `folder`, unless that was done before. Only done where
/// everything is required: no test uses the network unasked.
pub fn downloaded(name: &str, folder: &Path, install: impl FnOnce(&Path)) -> Option<PathBuf> {
    if is_all_required() {
        install_once(name, folder, install).expect("the target folder is writable");
    }
    let found = is_installed(name, folder).then(|| folder.to_path_buf());
    needed(name, "set RATLLA_REQUIRE_ALL to download it", found)
}

/// Whether [`install_once`] has put `name` into `folder`.
fn is_installed(name: &str, folder: &Path) -> bool {
    std::fs::read_to_string(folder.join("done")).is_ok_and(|installed| installed == name)
}

/// Calls `install` unless it was done before. Tests run at the same time, in several threads and
/// processes: the others wait for the one that installs.
fn install_once(name: &str, folder: &Path, install: impl FnOnce(&Path)) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    if !is_installed(name, folder) {
        install(folder);
        std::fs::write(folder.join("done"), name)?;
    }
    Ok(())
}

/// Whether a program can be started and exits successfully.
fn succeeds(program: &str, arguments: &[&str]) -> bool {
    let mut command = Command::new(program);
    let status = command.args(arguments).stdin(Stdio::null()).output();
    status.is_ok_and(|output| output.status.success())
}

/// The first of these programs on the search path.
fn find_program(names: &[&str]) -> Option<PathBuf> {
    let folders = var_os("PATH")?;
    split_paths(&folders)
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|program| program.is_file())
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread::{scope, sleep};
    use std::time::Duration;

    use super::*;

    #[test]
    fn tests_that_run_at_the_same_time_install_once() {
        let folder = std::env::temp_dir().join(format!("ratlla-install-{}", std::process::id()));
        let installations = AtomicUsize::new(0);
        scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let install = |_: &Path| {
                        sleep(Duration::from_millis(20));
                        installations.fetch_add(1, Ordering::Relaxed);
                    };
                    install_once("package", &folder, install).unwrap();
                    assert_eq!(installations.load(Ordering::Relaxed), 1);
                });
            }
        });
        install_once("its next version", &folder, |_| ()).unwrap();
        assert!(!is_installed("package", &folder));
        assert!(is_installed("its next version", &folder));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
