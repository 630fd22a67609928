//! The Python package in `tools/python` with the real engine: unit tests, types, installation, and
//! games in Kaggle's environment.

mod support;

use std::path::Path;

use support::python::{MYPY, PIP, PYTHON, Package, assert_success, install_folder, run_unit_tests};

/// Installed without its dependencies, most of which are for other games; ConnectX needs these two.
const KAGGLE: &str = "kaggle-environments==1.18.0";
const KAGGLE_DEPENDENCIES: [&str; 2] = ["jsonschema==4.25.1", "requests==2.32.5"];

const PACKAGE: Package = Package("python");

#[test]
fn unit_tests_pass_without_dependencies() {
    if PACKAGE.is_testable(&PYTHON) {
        run_unit_tests(&mut PACKAGE.python(Path::new("")));
    }
}

#[test]
fn plays_in_kaggles_environment_and_types_check() {
    if !PACKAGE.is_testable(&PIP) {
        return;
    }
    let folder = install_folder("python");
    PACKAGE.install(&folder, &KAGGLE_DEPENDENCIES);
    PACKAGE.install(&folder, &["--no-deps", KAGGLE]);
    PACKAGE.install(&folder, &[MYPY]);

    let mut games = PACKAGE.python(&folder);
    assert_success(games.env("RATLLA_KAGGLE", "1").args(["-m", "unittest", "tests.test_kaggle"]));
    PACKAGE.check_types(&folder, &["ratlla", "tests"]);
}

#[test]
fn installs_from_the_repository() {
    if !PACKAGE.is_testable(&PIP) {
        return;
    }
    let folder = install_folder("python installed");
    PACKAGE.install_itself(&folder, &folder);
    let mut command = PACKAGE.python(&folder);
    let script = "from ratlla import Engine\n\
                  with Engine() as engine: print(engine.play(depth=2))";
    assert_success(command.env("PYTHONPATH", &folder).current_dir(&folder).args(["-c", script]));
    assert!(folder.join("ratlla/py.typed").exists());
}
