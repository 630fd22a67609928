//! The tests and fuzz targets that `SECURITY.md` names exist.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The texts between backquotes.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// All Rust sources below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The sources that a `cargo test` command compiles, and the part of a name that it filters by.
fn tested(command: &str) -> (Vec<PathBuf>, Option<&str>) {
    let mut words = command.split_whitespace().peekable();
    let (mut package, mut files, mut filter) = (root().to_owned(), Vec::new(), None);
    while let Some(word) = words.next() {
        match word {
            "-p" => {
                let name = words.next().expect("a package").trim_start_matches("ratlla-");
                package = root().join("tools").join(name);
            }
            "--test" => {
                let name = words.next().expect("a test");
                let file = package.join("tests").join(format!("{name}.rs"));
                assert!(file.exists(), "{command}: no {}", file.display());
                files.push(file);
            }
            _ => filter = Some(word),
        }
    }
    if files.is_empty() {
        assert!(package.exists(), "{command}");
        sources(&package.join("src"), &mut files);
        sources(&package.join("tests"), &mut files);
    }
    (files, filter)
}

#[test]
fn the_named_tests_exist() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the document");
    let commands: Vec<&str> =
        code(&text).filter_map(|code| code.strip_prefix("cargo test")).collect();
    assert!(commands.len() > 10);
    for command in commands {
        let (files, filter) = tested(command);
        let Some(filter) = filter else { continue };
        // A filter matches names of functions, modules and test files.
        let matches = |file: &PathBuf| {
            let text = fs::read_to_string(file).expect("a source");
            let named =
                |line: &str| line.split_once("fn ").is_some_and(|(_, name)| name.contains(filter));
            file.display().to_string().contains(filter) || text.lines().any(named)
        };
        assert!(files.iter().any(matches), "nothing matches{command}");
    }
}

#[test]
fn the_named_fuzz_targets_exist() {
    let text = fs::read_to_string(root().join("SECURITY.md")).expect("the document");
    let rows = text.lines().filter_map(|line| line.split_once("target"));
    let targets: Vec<&str> = rows.flat_map(|(_, rest)| code(rest)).collect();
    assert!(targets.contains(&"kgp_line") && targets.contains(&"worker_lines"));
    for target in targets {
        let file = root().join(format!("tools/checks/fuzz/fuzz_targets/{target}.rs"));
        assert!(file.exists(), "{target}");
    }
}
