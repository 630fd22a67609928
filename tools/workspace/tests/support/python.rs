//! Runs the Python packages in `tools` with the real programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use ratlla_workspace::{downloaded, python};

use super::{assert_success, programs, root};

/// The type checker.
pub const MYPY: &str = "mypy==1.18.2";

/// A package, by the name of its folder in `tools`.
pub struct Package(pub &'static str);

impl Package {
    pub fn folder(&self) -> PathBuf {
        root().join("tools").join(self.0)
    }

    /// Python with the package, its dependencies and the engine.
    pub fn python(&self, dependencies: &Path) -> Command {
        let mut command = Command::new("python3");
        let paths = [dependencies.to_path_buf(), self.folder()];
        command
            .current_dir(self.folder())
            .env("PYTHONPATH", std::env::join_paths(paths).expect("paths without colons"))
            .env("PYTHONDONTWRITEBYTECODE", "1")
            .env("RATLLA", programs(&["ratlla"]).join("ratlla"))
            .env_remove("RUST_LOG");
        command
    }

    /// A folder with these packages from PyPI, kept between test runs. Each list has packages and flags for
    /// one call of pip. `None` if the test is skipped.
    pub fn download(&self, requirements: &[&[&str]]) -> Option<PathBuf> {
        python()?;
        let name = requirements.concat().join(" ");
        let folder = target_folder(&name.replace(['=', ' '], "_"));
        downloaded(&format!("{name} from PyPI"), &folder, |folder| {
            for requirements in requirements {
                self.pip_install(folder, folder, requirements);
            }
        })
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

/// A folder that is kept between test runs.
fn target_folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Runs all unit tests of a package with its Python.
pub fn run_unit_tests(python: &mut Command) {
    assert_success(python.args(["-m", "unittest", "discover", "-s", "tests", "-t", "."]));
}
