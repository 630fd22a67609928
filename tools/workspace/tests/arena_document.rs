//! The matches and the tuning run in `docs/arena.md` work when they are pasted: blocks marked `sh test` are run in a
//! folder whose `target/release` has the programs.

#![cfg(target_os = "linux")]

mod support;

use std::process::Command;

use support::programs;

const DOCUMENT: &str = include_str!("../../../docs/arena.md");

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
    std::os::unix::fs::symlink(programs(&["ratlla", "ratlla-arena"]), link).expect("a link");
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
