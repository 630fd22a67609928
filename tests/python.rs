//! The Python package in `tools/python` with the real engine: its own tests, its types, and games
//! in Kaggle's environment.
//!
//! What it needs from elsewhere is put into the target folder once, and found there the next time.
//! Without Python, or for some of it without pip, there is nothing to test, which is said.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Kaggle's environments come with what they need for other games; these two are enough here.
const KAGGLE: &str = "kaggle-environments==1.18.0";
const NEEDED_BY_KAGGLE: [&str; 2] = ["jsonschema==4.25.1", "requests==2.32.5"];
const TYPE_CHECKER: &str = "mypy==1.18.2";

fn package() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tools/python")
}

/// Whether Python understands these arguments. If not, it is said what is not tested.
fn has_python(arguments: &[&str]) -> bool {
    let output = Command::new("python3").args(arguments).output();
    let there = output.is_ok_and(|output| output.status.success());
    if !there {
        // Not with println, which a test that passes keeps to itself.
        let missing = arguments.join(" ");
        drop(writeln!(stderr(), "SKIPPED: no 'python3 {missing}' to test tools/python with"));
    }
    there
}

/// Python with the package, the engine and more on its paths.
fn python(more: &Path) -> Command {
    let mut command = Command::new("python3");
    let paths = [more.to_path_buf(), package()];
    command
        .current_dir(package())
        .env("PYTHONPATH", std::env::join_paths(paths).expect("paths without colons"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .env("RATLLA", env!("CARGO_BIN_EXE_ratlla"))
        .env_remove("RUST_LOG");
    command
}

const ITSELF: [&str; 1] = ["--version"];
const ITS_PIP: [&str; 3] = ["-m", "pip", "--version"];

fn succeed(mut command: Command) {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    let (out, complaints) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}\n{out}\n{complaints}");
}

/// Installs `words` (names, or options of pip) into `folder`, unless that was done before.
fn install(folder: &Path, words: &[&str]) {
    let done = folder.join(format!("{}.done", words.concat().replace(['/', '='], "_")));
    if done.exists() {
        return;
    }
    let mut pip = python(folder);
    pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(folder).args(words);
    succeed(pip);
    std::fs::write(done, "").expect("the target folder can be written to");
}

#[test]
fn its_own_tests_pass_with_nothing_installed() {
    if !has_python(&ITSELF) {
        return;
    }
    let mut command = python(Path::new(""));
    command.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]);
    succeed(command);
}

#[test]
fn it_plays_in_kaggles_environment_and_its_types_are_sound() {
    if !has_python(&ITS_PIP) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    install(&folder, &NEEDED_BY_KAGGLE);
    install(&folder, &["--no-deps", KAGGLE]);
    install(&folder, &[TYPE_CHECKER]);

    let mut games = python(&folder);
    games.env("RATLLA_KAGGLE", "1").args(["-m", "unittest", "tests.test_kaggle"]);
    succeed(games);

    let mut types = python(&folder);
    let cache = folder.join("cache of mypy");
    types.args(["-m", "mypy", "--cache-dir"]).arg(cache).args(["ratlla", "tests"]);
    succeed(types);
}

#[test]
fn it_can_be_installed_from_the_tree() {
    if !has_python(&ITS_PIP) {
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python installed");
    drop(std::fs::remove_dir_all(&folder));
    let mut pip = python(&folder);
    pip.args(["-m", "pip", "install", "--quiet", "--target"]).arg(&folder).arg(package());
    succeed(pip);
    let mut command = python(&folder);
    let script = "from ratlla import Engine\n\
                  with Engine() as engine: print(engine.play(depth=2))";
    command.env("PYTHONPATH", &folder).current_dir(&folder).args(["-c", script]);
    succeed(command);
    assert!(folder.join("ratlla/py.typed").exists());
}
