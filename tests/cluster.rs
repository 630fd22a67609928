//! The Python package in `tools/cluster` with the real programs: its own tests, which start a
//! scheduler and workers of Dask, its types, and its command once it is installed.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::python::{Package, TYPE_CHECKER, cache, succeed};

const PACKAGE: Package = Package("cluster");
const NEEDED: [&str; 2] = ["distributed==2026.8.0", "tqdm==4.67.1"];
/// Python, as new as these need it, with pip.
const NEW_PYTHON: [&str; 2] = ["-c", "import sys, pip; sys.exit(sys.version_info < (3, 10))"];

/// The folder of the engine, the arena and the maker of books. Tests of the whole workspace build
/// them all; if only this one is run, those that are missing are built here.
fn programs() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_ratlla")).parent().expect("a folder");
    for name in ["ratlla-arena", "ratlla-lab"] {
        if !folder.join(name).exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--locked", "-p", name]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            succeed(cargo.arg("--target-dir").arg(folder.parent().expect("a folder")));
        }
    }
    folder.to_path_buf()
}

#[test]
fn a_job_on_many_machines_is_the_same_as_on_one() {
    if !PACKAGE.has_python(&NEW_PYTHON) {
        return;
    }
    let folder = cache("cluster");
    PACKAGE.install(&folder, &NEEDED);
    PACKAGE.install(&folder, &[TYPE_CHECKER]);
    let mut tests = PACKAGE.python(&folder);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/connect4");
    tests.env("RATLLA_BIN", programs()).env("RATLLA_DATA", data);
    succeed(tests.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]));
    PACKAGE.check_types(&folder, &["ratlla_cluster", "tests"]);

    let installed = cache("cluster installed");
    let mut pip = PACKAGE.python(&folder);
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--upgrade", "--target"]);
    succeed(pip.arg(&installed).arg(PACKAGE.folder()));
    let mut command = Command::new(installed.join("bin/ratlla-cluster"));
    let paths = std::env::join_paths([&installed, &folder]).expect("paths without colons");
    succeed(command.env("PYTHONPATH", paths).current_dir(&installed).args(["match", "--help"]));
}
