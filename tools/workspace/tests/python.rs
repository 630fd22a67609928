//! The Python package in `tools/python` with the real engine: unit tests, types, installation, and
//! games in Kaggle's environment.

mod support;

use std::path::Path;
use std::process::Command;

use ratlla_workspace::python;
use support::assert_success;
use support::python::{MYPY, Package, run_unit_tests};

/// Installed without its dependencies, most of which are for other games; ConnectX needs these two.
const KAGGLE: &str = "kaggle-environments==1.18.0";
const KAGGLE_DEPENDENCIES: &[&str] = &["jsonschema==4.25.1", "requests==2.32.5"];

/// The build backend.
const MATURIN: &str = "maturin==1.16.0";

const PACKAGE: Package = Package("python");

#[test]
fn unit_tests_pass_without_dependencies() {
    if python().is_some() {
        run_unit_tests(&mut PACKAGE.python(Path::new("")));
    }
}

#[test]
fn plays_in_kaggles_environment_and_types_check() {
    let packages = [KAGGLE_DEPENDENCIES, &["--no-deps", KAGGLE], &[MYPY]];
    let Some(folder) = PACKAGE.download(&packages) else { return };
    let mut games = PACKAGE.python(&folder);
    assert_success(games.env("RATLLA_KAGGLE", "1").args(["-m", "unittest", "tests.test_kaggle"]));
    PACKAGE.check_types(&folder, &["ratlla", "tests"]);
}

/// From the sources to an `import` that finds its engine, without anything on `PATH`.
#[test]
fn installs_from_a_source_distribution_with_the_engine() {
    let Some(tools) = PACKAGE.download(&[&[MATURIN]]) else { return };
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = [tools.join("bin")].into_iter().chain(std::env::split_paths(&paths));
    let paths = std::env::join_paths(paths).expect("the paths were joined before");

    let built = tempfile::tempdir().expect("a folder");
    let mut maturin = Command::new(tools.join("bin/maturin"));
    maturin.current_dir(PACKAGE.folder()).args(["sdist", "--out"]);
    assert_success(maturin.arg(built.path()));
    let mut archives = std::fs::read_dir(built.path()).expect("the folder exists");
    let archive = archives.next().expect("an archive").expect("readable").path();

    // A folder and a profile of its own: other tests use the engine in the target folder, and this
    // one need not be fast. Files in the archive have no dates by which cargo would notice changes.
    let target = tools.join("target");
    for entry in std::fs::read_dir(target.join("debug/.fingerprint")).into_iter().flatten() {
        let path = entry.expect("readable").path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("ratlla-")) {
            std::fs::remove_dir_all(path).expect("writable");
        }
    }
    let installed = tempfile::tempdir().expect("a folder");
    let mut pip = PACKAGE.pip(&tools, installed.path());
    pip.env("PATH", &paths)
        .env("CARGO_TARGET_DIR", target)
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("MATURIN_PEP517_ARGS", "--profile dev");
    assert_success(pip.args(["--no-build-isolation", "--no-deps"]).arg(archive));

    let script = format!(
        "import os, ratlla\n\
         assert ratlla.find_program().startswith(os.getcwd()), ratlla.find_program()\n\
         assert ratlla.__version__ == '{}'\n\
         with ratlla.Engine() as engine: assert engine.play(depth=2)",
        env!("CARGO_PKG_VERSION")
    );
    let mut python = PACKAGE.python(&tools);
    python.env_remove("RATLLA").env("PYTHONPATH", installed.path());
    assert_success(python.current_dir(installed.path()).args(["-c", &script]));
    assert!(installed.path().join("ratlla/py.typed").exists());
}
