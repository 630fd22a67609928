//! The Python package in `tools/python` with the real engine: its own tests, its types, and games
//! in Kaggle's environment.

mod support;

use std::path::Path;

use support::python::{ITS_PIP, ITSELF, Package, TYPE_CHECKER, cache, succeed};

/// Kaggle's environments come with what they need for other games; these two are enough here.
const KAGGLE: &str = "kaggle-environments==1.18.0";
const NEEDED_BY_KAGGLE: [&str; 2] = ["jsonschema==4.25.1", "requests==2.32.5"];

const PACKAGE: Package = Package("python");

#[test]
fn its_own_tests_pass_with_nothing_installed() {
    if !PACKAGE.has_python(&ITSELF) {
        return;
    }
    let mut command = PACKAGE.python(Path::new(""));
    succeed(command.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]));
}

#[test]
fn it_plays_in_kaggles_environment_and_its_types_are_sound() {
    if !PACKAGE.has_python(&ITS_PIP) {
        return;
    }
    let folder = cache("python");
    PACKAGE.install(&folder, &NEEDED_BY_KAGGLE);
    PACKAGE.install(&folder, &["--no-deps", KAGGLE]);
    PACKAGE.install(&folder, &[TYPE_CHECKER]);

    let mut games = PACKAGE.python(&folder);
    succeed(games.env("RATLLA_KAGGLE", "1").args(["-m", "unittest", "tests.test_kaggle"]));
    PACKAGE.check_types(&folder, &["ratlla", "tests"]);
}

#[test]
fn it_can_be_installed_from_the_tree() {
    if !PACKAGE.has_python(&ITS_PIP) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python installed");
    drop(std::fs::remove_dir_all(&folder));
    let mut pip = PACKAGE.python(&folder);
    pip.args(["-m", "pip", "install", "--quiet", "--target"]);
    succeed(pip.arg(&folder).arg(PACKAGE.folder()));
    let mut command = PACKAGE.python(&folder);
    let script = "from ratlla import Engine\n\
                  with Engine() as engine: print(engine.play(depth=2))";
    succeed(command.env("PYTHONPATH", &folder).current_dir(&folder).args(["-c", script]));
    assert!(folder.join("ratlla/py.typed").exists());
}
