//! The workflows: actions are pinned, and the scripts that they run are there.

mod support;

use std::fs::{read_dir, read_to_string};
use std::path::PathBuf;

use support::root;

/// The workflows, by the names of their files.
fn workflows() -> Vec<(String, String)> {
    let folder = root().join(".github/workflows");
    let files =
        read_dir(folder).expect("the workflows").map(|entry| entry.expect("readable").path());
    let named = |path: PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, read_to_string(path).expect("a workflow"))
    };
    files.map(named).collect()
}

/// What is wrong with the value of `uses`, if anything. A tag can be moved to other code, a commit cannot; the
/// version is for readers, and for programs that propose newer ones.
fn mistake(action: &str) -> Option<&'static str> {
    let Some((pinned, version)) = action.split_once(" # v") else {
        return Some("no version as a comment");
    };
    if !version.starts_with(|first: char| first.is_ascii_digit()) {
        return Some("no version as a comment");
    }
    let Some((_, commit)) = pinned.split_once('@') else {
        return Some("no commit");
    };
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    (commit.len() != 40 || !commit.bytes().all(is_digit)).then_some("not a full commit hash")
}

#[test]
fn every_action_is_pinned_by_its_commit() {
    let mut count = 0;
    for (name, text) in workflows() {
        for line in text.lines() {
            let Some((_, action)) = line.split_once("uses:") else { continue };
            assert_eq!(mistake(action.trim()), None, "{name}: {line}");
            count += 1;
        }
    }
    assert!(count > 10, "{count} actions");
}

#[test]
fn a_tag_a_branch_or_a_short_hash_is_a_mistake() {
    let commit = "3d3c42e5aac5ba805825da76410c181273ba90b1";
    assert_eq!(mistake(&format!("actions/checkout@{commit} # v7.0.1")), None);
    assert_eq!(mistake(&format!("actions/cache/save@{commit} # v5")), None);
    for wrong in [
        "actions/checkout@v7".to_owned(),
        "actions/checkout@v7 # v7.0.1".to_owned(),
        "actions/checkout # v7.0.1".to_owned(),
        format!("actions/checkout@{commit}"),
        format!("actions/checkout@{commit} # verified"),
        format!("actions/checkout@{} # v7.0.1", &commit[1..]),
        format!("actions/checkout@{commit}0 # v7.0.1"),
        format!("actions/checkout@{} # v7.0.1", commit.replace('3', "g")),
        format!("actions/checkout@{} # v7.0.1", commit.to_uppercase()),
    ] {
        assert!(mistake(&wrong).is_some(), "{wrong}");
    }
}

/// Every night runs every script, and the page describes each.
#[test]
fn every_nightly_script_is_run_and_described() {
    let workflows = workflows();
    let nightly = &workflows.iter().find(|(name, _)| name == "nightly.yml").expect("nightly.yml").1;
    let page = read_to_string(root().join("docs/reliability.md")).expect("the page");
    let (_, described) = page.split_once("## Every night").expect("a section");
    let mut scripts = Vec::new();
    for entry in read_dir(root().join("tools/checks/nightly")).expect("the scripts") {
        let name = entry.expect("readable").file_name().to_string_lossy().into_owned();
        if name == "settings.sh" {
            continue;
        }
        assert!(
            nightly.contains(&format!("run: tools/checks/nightly/{name}")),
            "{name} is not run"
        );
        assert!(described.contains(&format!("| `{name}")), "{name} is not described");
        scripts.push(name);
    }
    let runs = nightly.split("run: tools/checks/nightly/").skip(1);
    for name in runs.filter_map(|rest| rest.split_whitespace().next()) {
        assert!(scripts.iter().any(|script| script == name), "{name} is missing");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nightly_scripts_are_programs_for_bash() {
    use std::os::unix::fs::PermissionsExt as _;

    for entry in read_dir(root().join("tools/checks/nightly")).expect("the scripts") {
        let path = entry.expect("readable").path();
        support::assert_success(std::process::Command::new("bash").arg("-n").arg(&path));
        let mode = path.metadata().expect("a file").permissions().mode();
        let is_sourced = path.extension().is_some();
        assert_eq!(mode & 0o111 == 0, is_sourced, "{}", path.display());
    }
}
