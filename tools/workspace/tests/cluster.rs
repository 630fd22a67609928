//! The Python package in `tools/cluster` with the real programs: unit tests, which start a Dask
//! scheduler and workers, types, and the installed command.

mod support;

use std::process::Command;

use support::python::{MYPY, Package, run_unit_tests};
use support::{assert_success, programs, root};

const PACKAGE: Package = Package("cluster");
/// The last one creates the certificates of a test.
const DEPENDENCIES: &[&str] = &["distributed==2026.8.0", "tqdm==4.67.1", "cryptography==50.0.2"];
/// The programs that jobs use.
const PROGRAMS: [&str; 3] = ["ratlla", "ratlla-arena", "ratlla-lab"];

#[test]
fn jobs_on_a_cluster_equal_those_on_one_machine() {
    let Some(folder) = PACKAGE.download(&[DEPENDENCIES, &[MYPY]]) else { return };
    let mut tests = PACKAGE.python(&folder);
    let data = root().join("tests/data/connect4");
    run_unit_tests(tests.env("RATLLA_BIN", programs(&PROGRAMS)).env("RATLLA_DATA", data));
    PACKAGE.check_types(&folder, &["ratlla_cluster", "tests"]);

    let installed = tempfile::tempdir().expect("a folder");
    let installed = installed.path();
    PACKAGE.install_itself(&folder, installed);
    let mut command = Command::new(installed.join("bin/ratlla-cluster"));
    let paths = std::env::join_paths([installed, &folder]).expect("paths without colons");
    command.env("PYTHONPATH", paths).current_dir(installed);
    assert_success(command.args(["match", "--help"]));
    let version = format!(
        "from importlib import metadata; assert metadata.version('ratlla-cluster') == '{}'",
        env!("CARGO_PKG_VERSION")
    );
    let mut python = PACKAGE.python(installed);
    assert_success(python.current_dir(installed).args(["-c", &version]));
}
