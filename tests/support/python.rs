//! Runs the Python packages in `tools` with the real programs.
//!
//! Their dependencies are installed into the target folder once. Without Python, or without pip
//! where it is needed, tests print that they are skipped.

use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// Arguments that succeed if Python is installed.
pub const PYTHON: [&str; 1] = ["--version"];
/// Arguments that succeed if pip is installed.
pub const PIP: [&str; 3] = ["-m", "pip", "--version"];
/// The type checker.
pub const MYPY: &str = "mypy==1.18.2";

/// A package, by the name of its folder in `tools`.
pub struct Package(pub &'static str);

impl Package {
    pub fn folder(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tools").join(self.0)
    }

    /// Whether Python succeeds with these arguments. If not, prints what is skipped.
    pub fn is_testable(&self, arguments: &[&str]) -> bool {
        let output = Command::new("python3").args(arguments).output();
        let available = output.is_ok_and(|output| output.status.success());
        if !available {
            // Not with println, whose output is captured in a passing test.
            let arguments = arguments.join(" ");
            let text = format!("SKIPPED: tools/{} needs 'python3 {arguments}'", self.0);
            drop(writeln!(stderr(), "{text}"));
        }
        available
    }

    /// Python with the package, its dependencies and the engine.
    pub fn python(&self, dependencies: &Path) -> Command {
        let mut command = Command::new("python3");
        let paths = [dependencies.to_path_buf(), self.folder()];
        command
            .current_dir(self.folder())
            .env("PYTHONPATH", std::env::join_paths(paths).expect("paths without colons"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RATLLA", env!("CARGO_BIN_EXE_ratlla"))
            .env_remove("RUST_LOG");
        command
    }

    /// Installs requirements (or passes flags to pip) into `folder`, unless done before.
    pub fn install(&self, folder: &Path, requirements: &[&str]) {
        let done = folder.join(format!("{}.done", requirements.concat().replace(['/', '='], "_")));
        if !done.exists() {
            self.pip_install(folder, folder, requirements);
            std::fs::write(done, "").expect("the target folder is writable");
        }
    }

    /// Installs the package itself into `folder`.
    pub fn install_itself(&self, dependencies: &Path, folder: &Path) {
        let package = self.folder();
        self.pip_install(dependencies, folder, &["--no-deps", package.to_str().expect("UTF-8")]);
    }

    fn pip_install(&self, dependencies: &Path, folder: &Path, requirements: &[&str]) {
        assert_success(self.pip(dependencies, folder).args(requirements));
    }

    /// `pip install` into `folder`.
    pub fn pip(&self, dependencies: &Path, folder: &Path) -> Command {
        let mut pip = self.python(dependencies);
        pip.args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"]).arg(folder);
        pip
    }

    /// Runs the type checker on these folders of the package.
    pub fn check_types(&self, dependencies: &Path, folders: &[&str]) {
        let cache = dependencies.join("mypy cache");
        let mut mypy = self.python(dependencies);
        assert_success(mypy.args(["-m", "mypy", "--cache-dir"]).arg(cache).args(folders));
    }
}

/// A folder for dependencies, kept between test runs.
pub fn install_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the target folder is writable");
    folder
}

/// Runs all unit tests of a package with its Python.
pub fn run_unit_tests(python: &mut Command) {
    assert_success(python.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]));
}

/// Runs a command that must succeed.
pub fn assert_success(command: &mut Command) {
    let Output { status, stdout, stderr } = command.output().expect("the command starts");
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    assert!(status.success(), "{command:?}\n{stdout}\n{stderr}");
}
