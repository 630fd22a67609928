//! Helpers of the tests, each of which uses some of them.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod python;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The folder of the repository.
pub fn root() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    folder.canonicalize().expect("the repository")
}

/// The folder of these programs, each named like its package. Those that this test run has not built
/// are built here.
pub fn programs(names: &[&str]) -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    let folder = test.parent().and_then(Path::parent).expect("the folder of a profile");
    for name in names {
        if !folder.join(name).exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.current_dir(root()).args(["build", "--locked", "-p", name]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert_success(cargo.arg("--target-dir").arg(folder.parent().expect("a folder")));
        }
    }
    folder.to_path_buf()
}

/// Runs a command that must succeed and returns what it prints.
pub fn assert_success(command: &mut Command) -> String {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}\n{stdout}\n{stderr}");
    stdout.into_owned()
}
