//! Which arguments of a program name files, and what it does with files that have no end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use super::run::run;

/// Checks that a program reads no more than it has room for, whichever of its arguments names a file
/// without an end, and a folder. `calls` says for each argument that `file_arguments` finds how the
/// program is called with `{}` as that file; nothing if it only writes it.
pub fn check_endless_files(program: &Path, folder: &Path, calls: &[(&str, &str)]) {
    let calls: BTreeMap<&str, &str> = calls.iter().copied().collect();
    let found = file_arguments(program, folder);
    let known: BTreeSet<String> = calls.keys().map(|&name| name.to_owned()).collect();
    assert_eq!(found, known, "tell the test how to call the program with each of them");
    for (name, call) in calls.into_iter().filter(|(_, call)| !call.is_empty()) {
        for file in ["/dev/zero", "/dev/stdin", "/"] {
            // An endless pipe, and less memory than this machine may have.
            let script =
                format!("ulimit -v 4000000; yes | exec \"$0\" {}", call.replace("{}", file));
            let mut shell = Command::new("sh");
            let finished = run(shell.args(["-c", &script]).arg(program).current_dir(folder), "");
            let code = finished.status.code();
            assert!(matches!(code, Some(1 | 2)), "{name}, {file}: {finished:?}");
            assert!(finished.errors.contains(file), "{name}, {file}: {finished:?}");
            assert!(!finished.errors.contains("memory"), "{name}, {file}: {finished:?}");
            assert!(finished.errors.len() < 1000, "{name}, {file}: {finished:?}");
            assert!(!finished.errors.contains("panicked"), "{name}, {file}: {finished:?}");
        }
    }
}

/// The arguments of a program that name a file, with the subcommand, such as `report --csv`. They are
/// read from its completions for zsh, which come from the definition of its command line.
fn file_arguments(program: &Path, folder: &Path) -> BTreeSet<String> {
    let manual = folder.join("manual");
    let written = Command::new(program).arg("--write-manual").arg(&manual).status();
    assert!(written.is_ok_and(|status| status.success()), "{}", program.display());
    let name = program.file_name().unwrap_or_default().to_string_lossy();
    let text = fs::read_to_string(manual.join(format!("_{name}"))).expect("completions");
    let (mut found, mut subcommand) = (BTreeSet::new(), Vec::<&str>::new());
    for line in text.lines().take_while(|line| !line.starts_with("(( ")).map(str::trim) {
        if line.starts_with("case ") {
            subcommand.push("");
        } else if line == "esac" {
            subcommand.pop();
        } else if let Some(name) = line.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'))
            && !name.contains(' ')
        {
            if let Some(last) = subcommand.last_mut() {
                *last = name;
            }
        } else if line.contains(":_files") || line.contains(":FILE:") {
            let mut words: Vec<&str> = subcommand.iter().skip(1).copied().collect();
            words.dedup();
            words.push(argument(line));
            found.insert(words.join(" "));
        }
    }
    found
}

/// The argument that a line of completions is about: `'(--a --b)--file=[Text]:FILE:_files'`, or
/// `'*::files -- Text:_files'`.
fn argument(line: &str) -> &str {
    let text = line.trim_start_matches(['\'', '*', ':']);
    let text =
        text.strip_prefix('(').and_then(|rest| rest.split_once(')')).map_or(text, |rest| rest.1);
    text.split(['=', ' ', '[']).next().unwrap_or_default().trim_matches('*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_and_operands_are_told_apart() {
        for (line, expected) in [
            ("'--config=[Read a file]:FILE:_files' \\", "--config"),
            ("'(--a --b)--resume=[Go on]:FILE:_files' \\", "--resume"),
            ("'*--from=[All]:FILE:_files' \\", "--from"),
            ("':record -- The record:_files' \\", "record"),
            ("'*::files -- Some files:_files' \\", "files"),
        ] {
            assert_eq!(argument(line), expected);
        }
    }
}
