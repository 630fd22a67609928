//! A full disk while a file is written: an error is reported, no incomplete file appears under the
//! final name, the old file stays, and the next run resumes.

#![cfg(unix)]

mod support;

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use ratlla::games::kalah;
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
        refused("", "not a regular file");
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

/// The layers saved on the way to a larger table may be all that a smaller one needs.
#[test]
fn layers_that_suffice_make_a_kalah_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    assert!(build_kalah("", 5, &beside(&path, "part")).status.success());
    assert!(build_kalah("", 5, &path).status.success());
    assert_eq!(kalah::endgame::file::open(&path).unwrap().seeds(), 5);
    assert_eq!(entries(folder.path()), 1);
}

#[test]
fn a_file_that_is_not_a_kalah_table_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("letter");
    fs::write(&path, "Dear reader").unwrap();
    assert!(!build_kalah("", 5, &path).status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), "Dear reader");
}

/// A build of a Wali table that saves all the time.
fn build_wali(path: &Path) -> Command {
    let mut build = Command::new(LAB);
    build.args(["wali-table", "build", "--checkpoint", "0"]).arg(path).stdout(Stdio::piped());
    build
}

/// The second line of a build of the Wali table, which is then killed. The first tells the sizes.
fn second_line_of_wali_build(path: &Path) -> String {
    let mut build = build_wali(path).spawn().unwrap();
    let mut lines = BufReader::new(build.stdout.take().unwrap()).lines();
    let line = lines.nth(1).unwrap().unwrap();
    build.kill().unwrap();
    build.wait().unwrap();
    line
}

#[test]
fn a_wali_table_resumes_from_the_last_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let part = beside(&path, "part");
    let fails_with = |blocks: u32| {
        let failed = lab_after(&full(blocks), "wali-table build --checkpoint 0", &path);
        assert!(!failed.status.success());
        assert!(stderr(&failed).contains("File too large"), "{failed:?}");
    };
    fails_with(20);
    assert_eq!(entries(folder.path()), 0);
    // Room for the smaller classes, but not for the largest.
    fails_with(4000);
    assert_eq!(entries(folder.path()), 1);
    let line = second_line_of_wali_build(&path);
    assert_eq!(line, "resuming after 1 of 3 pairs of classes");
    // A checkpoint of another table, or a damaged one, is neither used nor lost.
    let bytes = fs::read(&part).unwrap();
    let refuses = |build: &mut Command, reason: &str| {
        let kept = fs::read(&part).unwrap();
        let refused = build.stderr(Stdio::piped()).output().unwrap();
        assert!(!refused.status.success());
        assert!(stderr(&refused).contains(reason), "{refused:?}");
        assert!(fs::read(&part).unwrap() == kept);
    };
    refuses(build_wali(&path).args(["--stones", "4"]), "of another table");
    fs::write(&part, [&bytes[..1000], &[!bytes[1000]], &bytes[1001..]].concat()).unwrap();
    refuses(&mut build_wali(&path), "damaged");
}

#[test]
fn a_wali_build_overwrites_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let build = |columns| {
        let mut build = build_wali(&path);
        build.args(["--rows", "3", "--columns", columns]).stderr(Stdio::piped()).output().unwrap()
    };
    assert!(build("4").status.success());
    let table = fs::read(&path).unwrap();
    let again = build("4");
    assert!(again.status.success());
    assert!(String::from_utf8_lossy(&again.stdout).contains("is complete already"), "{again:?}");
    let other = build("3");
    assert!(!other.status.success());
    let reason = "expected a table of 3x3 with up to 3 stones a side, found one of 3x4";
    assert!(stderr(&other).contains(reason), "{other:?}");
    assert!(fs::read(&path).unwrap() == table);
    fs::write(&path, "junk").unwrap();
    assert!(!build("3").status.success());
    assert_eq!(fs::read(&path).unwrap(), b"junk");
}

#[test]
fn a_wali_build_that_is_killed_again_and_again_makes_the_same_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let build = |name: &str| {
        let mut build = build_wali(&path(name));
        build.args(["--rows", "4", "--columns", "4", "--stones", "5"]);
        build
    };
    assert!(build("whole").status().unwrap().success());
    for milliseconds in [100, 200, 400] {
        let mut killed = build("parts").spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        killed.kill().unwrap();
        killed.wait().unwrap();
    }
    let resumed = build("parts").output().unwrap();
    assert!(resumed.status.success());
    assert_eq!(fs::read(path("parts")).unwrap(), fs::read(path("whole")).unwrap());
    assert!(!path("parts.part").exists(), "what is complete needs no checkpoint");
}

#[test]
fn a_wali_build_tells_what_it_needs_and_keeps_to_the_memory_allowed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("table");
    let refused = lab_after("", "wali-table build --stones 5 --memory 1000", &path);
    assert!(!refused.status.success());
    assert!(stderr(&refused).contains("MiB of memory (allowed: 1000)"), "{refused:?}");
    for (arguments, part) in [
        ("--rows 6 --columns 6", "at most 32 cells"),
        ("--stones 2", "the stones must be 3..15 with 5 rows and 6 columns (got 2)"),
        ("--rows 4 --columns 5 --stones 11", "the stones must be 3..10"),
    ] {
        let refused = lab_after("", &format!("wali-table build {arguments}"), &path);
        assert!(!refused.status.success());
        assert!(stderr(&refused).contains(part), "{refused:?}");
    }
    assert_eq!(entries(folder.path()), 0);
}
