//! The Python packages of the tree, for tests that run them with the real engine.
//!
//! What they need from elsewhere is put into the target folder once, and found there the next time.
//! Without Python, or for some of it without pip, there is nothing to test, which is said.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Python can be started.
pub const ITSELF: [&str; 1] = ["--version"];
/// It has pip.
pub const ITS_PIP: [&str; 3] = ["-m", "pip", "--version"];
/// The type checker.
pub const TYPE_CHECKER: &str = "mypy==1.18.2";

/// A package, by the name of its folder in `tools`.
pub struct Package(pub &'static str);

impl Package {
    /// Its folder.
    pub fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(self.0)
    }

    /// Whether Python understands these arguments. If not, it is said what is not tested.
    pub fn has_python(&self, arguments: &[&str]) -> bool {
        let output = Command::new("python3").args(arguments).output();
        let there = output.is_ok_and(|output| output.status.success());
        if !there {
            // Not with println, which a test that passes keeps to itself.
            let missing = arguments.join(" ");
            let text = format!("SKIPPED: no 'python3 {missing}' to test tools/{} with", self.0);
            drop(writeln!(stderr(), "{text}"));
        }
        there
    }

    /// Python with the package, the engine and more on its paths.
    pub fn python(&self, more: &Path) -> Command {
        let mut command = Command::new("python3");
        let paths = [more.to_path_buf(), self.folder()];
        command
            .current_dir(self.folder())
            .env("PYTHONPATH", std::env::join_paths(paths).expect("paths without colons"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RATLLA", env!("CARGO_BIN_EXE_ratlla"))
            .env_remove("RUST_LOG");
        command
    }

    /// Installs `words` (names, or options of pip) into `folder`, unless that was done before.
    pub fn install(&self, folder: &Path, words: &[&str]) {
        let done = folder.join(format!("{}.done", words.concat().replace(['/', '='], "_")));
        if done.exists() {
            return;
        }
        let mut pip = self.python(folder);
        pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]);
        succeed(pip.arg(folder).args(words));
        std::fs::write(done, "").expect("the target folder can be written to");
    }

    /// The types in these folders of the package are sound.
    pub fn check_types(&self, folder: &Path, words: &[&str]) {
        let cache = folder.join("cache of mypy");
        let mut types = self.python(folder);
        succeed(types.args(["-m", "mypy", "--cache-dir"]).arg(cache).args(words));
    }
}

/// A folder for what is installed.
pub fn cache(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the target folder can be written to");
    folder
}

/// Runs a command that must succeed.
pub fn succeed(command: &mut Command) {
    let Output { status, stdout, stderr } = command.output().expect("it starts");
    let (out, complaints) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}\n{out}\n{complaints}");
}
