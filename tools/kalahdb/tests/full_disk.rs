//! A disk that is full while a table is written: told, nothing half-written is taken for whole,
//! and what was there stays.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use ratlla::games::kalah::endgame::file;

/// A folder of its own for each test, removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("ratlla-kalahdb-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).expect("a temporary folder");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

/// Builds a table of some hundred kilobytes, after what a shell does before.
fn build(before: &str, seeds: &str, path: &Path) -> Output {
    let program = env!("CARGO_BIN_EXE_ratlla-kalahdb");
    let mut command = Command::new("sh");
    command.arg("-c").arg(format!("{before}\nexec \"$0\" 6 {seeds} \"$1\""));
    command.arg(program).arg(path).output().expect("the program starts")
}

/// A file that grows beyond this is an error, as it would be on a full disk.
const FULL: &str = "trap '' XFSZ; ulimit -f 100";
/// Or the end of the process.
const DEADLY: &str = "ulimit -f 100";

#[test]
fn a_table_that_does_not_fit_is_not_there_and_can_be_built_later() {
    let folder = Folder::new("fresh");
    let path = folder.0.join("table");
    let failed = build(FULL, "10", &path);
    assert!(!failed.status.success());
    let story = String::from_utf8_lossy(&failed.stderr);
    assert!(story.contains("table: File too large"), "{story}");
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 0, "nothing is left behind");
    assert!(!build(DEADLY, "10", &path).status.success());
    assert!(!path.exists(), "it was killed before the table was whole");
    assert!(build("", "10", &path).status.success());
    assert_eq!(file::open(&path).unwrap().seeds(), 10);
}

#[test]
fn a_smaller_table_survives_that_a_larger_one_does_not_fit() {
    let folder = Folder::new("larger");
    let path = folder.0.join("table");
    assert!(build("", "5", &path).status.success());
    let before = fs::read(&path).unwrap();
    for trouble in [FULL, DEADLY] {
        assert!(!build(trouble, "10", &path).status.success());
        assert_eq!(fs::read(&path).unwrap(), before);
    }
    let grown = build("", "10", &path);
    let story = String::from_utf8_lossy(&grown.stdout);
    assert!(grown.status.success(), "{story}");
    assert_eq!(file::open(&path).unwrap().seeds(), 10);
}

#[test]
fn what_is_no_table_is_not_overwritten() {
    let folder = Folder::new("foreign");
    let path = folder.0.join("letter");
    fs::write(&path, "Dear reader").unwrap();
    let refused = build("", "5", &path);
    assert!(!refused.status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear reader");
}
