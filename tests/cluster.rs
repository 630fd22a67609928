//! The Python package in `tools/cluster` with the real programs: unit tests, which start a Dask
//! scheduler and workers, types, and the installed command.

mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use support::python::{MYPY, Package, assert_success, install_folder, run_unit_tests};

const PACKAGE: Package = Package("cluster");
/// The last one creates the certificates of a test.
const DEPENDENCIES: [&str; 3] = ["distributed==2026.8.0", "tqdm==4.67.1", "cryptography==50.0.2"];
/// Arguments that succeed with a Python recent enough for these, and pip.
const RECENT_PYTHON: [&str; 2] = ["-c", "import sys, pip; sys.exit(sys.version_info < (3, 10))"];
/// The programs that jobs use besides the engine; also the names of their packages.
const PROGRAMS: [&str; 2] = ["ratlla-arena", "ratlla-lab"];

/// The folder of the programs. Those that this test run has not built are built here.
fn programs() -> PathBuf {
    let folder = Path::new(env!("CARGO_BIN_EXE_ratlla")).parent().expect("a folder");
    for name in PROGRAMS {
        if !folder.join(name).exists() {
            let mut cargo = Command::new(env!("CARGO"));
            cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["build", "--locked", "-p", name]);
            if folder.ends_with("release") {
                cargo.arg("--release");
            }
            assert_success(cargo.arg("--target-dir").arg(folder.parent().expect("a folder")));
        }
    }
    folder.to_path_buf()
}

#[test]
fn jobs_on_a_cluster_equal_those_on_one_machine() {
    if !PACKAGE.is_testable(&RECENT_PYTHON) {
        return;
    }
    let folder = install_folder("cluster");
    PACKAGE.install(&folder, &DEPENDENCIES);
    PACKAGE.install(&folder, &[MYPY]);
    let mut tests = PACKAGE.python(&folder);
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/connect4");
    run_unit_tests(tests.env("RATLLA_BIN", programs()).env("RATLLA_DATA", data));
    PACKAGE.check_types(&folder, &["ratlla_cluster", "tests"]);

    let installed = install_folder("cluster installed");
    PACKAGE.install_itself(&folder, &installed);
    let mut command = Command::new(installed.join("bin/ratlla-cluster"));
    let paths = std::env::join_paths([&installed, &folder]).expect("paths without colons");
    command.env("PYTHONPATH", paths).current_dir(&installed);
    assert_success(command.args(["match", "--help"]));
    let version = format!(
        "from importlib import metadata; assert metadata.version('ratlla-cluster') == '{}'",
        env!("CARGO_PKG_VERSION")
    );
    let mut python = PACKAGE.python(&installed);
    assert_success(python.current_dir(&installed).args(["-c", &version]));
}
