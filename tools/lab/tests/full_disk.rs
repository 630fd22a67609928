//! A full disk while a file is written: an error is reported, no incomplete file appears under the
//! final name, the old file stays, and the next run resumes.

#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ratlla::games::{kalah, wali};
use ratlla::platform::files::beside;
use support::{LAB, SCORES, journal, lab_after, stderr};

/// Files beyond `blocks` of 512 bytes are an error, as on a full disk.
fn full(blocks: u32) -> String {
    format!("trap '' XFSZ; ulimit -f {blocks}")
}

/// They end the process.
fn deadly(blocks: u32) -> String {
    format!("ulimit -f {blocks}")
}

fn entries(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().count()
}

#[test]
fn a_book_is_replaced_only_if_it_and_its_journal_fit() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("book.bin");
    let journals = beside(&book, "journal");
    fs::write(&book, "the old book").unwrap();
    let generate = |limit: &str| lab_after(limit, "book generate --plies 1 --hash 1 --out", &book);
    let refused = |limit: &str, reason: &str| {
        let output = generate(limit);
        assert!(!output.status.success());
        assert!(stderr(&output).contains(reason), "{output:?}");
        assert!(stderr(&output).contains("book.bin"), "{output:?}");
        assert_eq!(fs::read_to_string(&book).unwrap(), "the old book");
    };
    if cfg!(target_os = "linux") {
        symlink("/dev/full", &journals).unwrap();
        refused("", "No space left on device");
        fs::remove_file(&journals).unwrap();
    }
    fs::write(&journals, journal(&SCORES)).unwrap();
    refused(&full(0), "File too large");
    assert_eq!(entries(folder.path()), 2, "temporary files are removed");
    assert!(generate("").status.success());
    assert_ne!(fs::read(&book).unwrap(), b"the old book");
}

/// Builds a Kalah table of six houses; ten seeds take some hundred kilobytes.
fn build_kalah(limit: &str, seeds: u32, path: &Path) -> Output {
    lab_after(limit, &format!("kalah-table build 6 {seeds}"), path)
}

#[test]
fn a_kalah_table_that_does_not_fit_is_absent_and_can_be_built_later() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let failed = build_kalah(&full(100), 10, &path);
    assert!(!failed.status.success());
    assert!(stderr(&failed).contains("table: File too large"), "{failed:?}");
    assert_eq!(entries(folder.path()), 0);
    assert!(!build_kalah(&deadly(100), 10, &path).status.success());
    assert!(!path.exists(), "killed before the table was complete");
    assert!(build_kalah("", 10, &path).status.success());
    assert_eq!(kalah::endgame::file::open(&path).unwrap().seeds(), 10);
}

#[test]
fn a_smaller_kalah_table_survives_a_larger_one_that_does_not_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    assert!(build_kalah("", 5, &path).status.success());
    let smaller = fs::read(&path).unwrap();
    for limit in [full(100), deadly(100)] {
        assert!(!build_kalah(&limit, 10, &path).status.success());
        assert_eq!(fs::read(&path).unwrap(), smaller);
    }
    let extended = build_kalah("", 10, &path);
    assert!(extended.status.success(), "{extended:?}");
    assert_eq!(kalah::endgame::file::open(&path).unwrap().seeds(), 10);
}

#[test]
fn a_file_that_is_not_a_kalah_table_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter");
    fs::write(&path, "Dear reader").unwrap();
    assert!(!build_kalah("", 5, &path).status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear reader");
}

/// The first line of a build of the Wali table, which is then killed.
fn first_line_of_wali_build(path: &Path) -> String {
    let mut build = Command::new(LAB)
        .args(["wali-table", "build"])
        .arg(path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(build.stdout.take().unwrap()).read_line(&mut line).unwrap();
    build.kill().unwrap();
    build.wait().unwrap();
    line.trim_end().to_owned()
}

#[test]
fn a_wali_table_resumes_from_the_last_complete_part() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let part = beside(&path, "part");
    let fails_with = |blocks: u32| {
        let failed = lab_after(&full(blocks), "wali-table build", &path);
        assert!(!failed.status.success());
        assert!(stderr(&failed).contains("File too large"), "{failed:?}");
    };
    fails_with(20);
    assert_eq!(entries(folder.path()), 0);
    // Room for the first two classes, but not for the next.
    fails_with(2000);
    assert_eq!(wali::endgame::file::read(&part).map(|(classes, _)| classes), Ok(2));
    assert_eq!(entries(folder.path()), 1);
    assert_eq!(first_line_of_wali_build(&path), "resuming after 2 of 5 classes");
    // A damaged part is not used.
    let mut bytes = fs::read(&part).unwrap();
    bytes[1000] ^= 1;
    fs::write(&part, bytes).unwrap();
    let line = first_line_of_wali_build(&path);
    assert!(line.starts_with("starting over: "), "{line}");
}
