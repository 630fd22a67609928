//! The matches and the tuning run in `docs/arena.md` work when they are pasted: blocks marked `sh test` are run in a
//! folder whose `target/release` has the programs.

#![cfg(target_os = "linux")]

use std::path::Path;
use std::process::Command;

const DOCUMENT: &str = include_str!("../docs/arena.md");

/// The folder of the programs. The arena is built here unless this test run has built it.
fn programs() -> &'static Path {
    let folder = Path::new(env!("CARGO_BIN_EXE_ratlla")).parent().expect("a folder");
    if !folder.join("ratlla-arena").exists() {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--locked", "-p", "ratlla-arena"]);
        if folder.ends_with("release") {
            cargo.arg("--release");
        }
        cargo.current_dir(env!("CARGO_MANIFEST_DIR")).arg("--target-dir");
        let status = cargo.arg(folder.parent().expect("a folder")).status().expect("cargo");
        assert!(status.success());
    }
    folder
}

#[test]
fn the_matches_of_the_document_work_when_pasted() {
    let scripts: Vec<&str> = DOCUMENT
        .split("```sh test\n")
        .skip(1)
        .map(|rest| rest.split("```").next().expect("a block"))
        .collect();
    assert!(scripts.len() >= 5, "the first match, openings, reports and tuning");
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("target")).expect("a folder");
    let link = folder.path().join("target/release");
    std::os::unix::fs::symlink(programs(), link).expect("a link");
    for script in scripts {
        let mut shell = Command::new("sh");
        let output = shell.args(["-e", "-c", script]).current_dir(&folder).output().expect("sh");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{script}\n{errors}");
        let text = String::from_utf8_lossy(&output.stdout);
        let has_table = text.contains("| engine") || text.contains("| parameter");
        assert!(has_table && text.contains(" games"), "{script}\n{text}");
    }
}
