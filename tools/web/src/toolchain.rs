//! Compiles the engine to WebAssembly: with rustup's target if there is one, else with Debian's
//! compiler, which brings the standard library as source.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail, ensure};

use crate::{root, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";
/// How to get a toolchain, in one line.
pub const INSTALLATION: &str = "rustup target add wasm32-unknown-unknown, or on Debian: apt-get \
                                install rustc-web cargo-web rust-web-src lld";
/// Vectors for the solver's lanes, and a stack for the deepest search, as on threads.
const FLAGS: &str = "-Ctarget-feature=+simd128 -Clink-arg=-zstack-size=16777216";

/// A compiler for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The compiler of this build, with rustup's target.
    Rustup,
    /// Debian's packages.
    Debian,
}

impl Toolchain {
    /// The one that is installed, if any.
    pub fn find() -> Option<Toolchain> {
        let listed = Command::new("rustup").args(["target", "list", "--installed"]).output();
        let is_installed = |list: &str| list.lines().any(|line| line == TARGET);
        if listed.is_ok_and(|list| is_installed(&String::from_utf8_lossy(&list.stdout))) {
            return Some(Toolchain::Rustup);
        }
        let needed = ["/usr/lib/rustlib/src/rust/library/std", "/usr/bin/cargo", "/usr/bin/rustc"];
        let has_linker = Command::new("wasm-ld").arg("--version").stdout(Stdio::null()).status();
        let is_complete = needed.iter().all(|path| Path::new(path).exists()) && has_linker.is_ok();
        is_complete.then_some(Toolchain::Debian)
    }

    fn cargo(self) -> Command {
        match self {
            Toolchain::Rustup => Command::new("cargo"),
            Toolchain::Debian => {
                let mut cargo = Command::new("/usr/bin/cargo");
                // Only an unstable option builds the standard library along.
                cargo
                    .env("RUSTC", "/usr/bin/rustc")
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld")
                    .arg("-Zbuild-std=std,panic_abort");
                cargo
            }
        }
    }

    /// Compiles the engine and returns the path of the module.
    pub fn compile(self) -> Result<PathBuf> {
        let folder = target_folder().join("wasm");
        let mut cargo = self.cargo();
        // What the build of this program was told is not for that build.
        for variable in ["CARGO_ENCODED_RUSTFLAGS", "RUSTUP_TOOLCHAIN", "RUSTC_WRAPPER"] {
            cargo.env_remove(variable);
        }
        let status = cargo
            .args(["rustc", "--package", "ratlla", "--lib", "--crate-type", "cdylib"])
            .args(["--no-default-features", "--release", "--target", TARGET])
            .args(["--config", "profile.release.debug=false"])
            .args(["--config", "profile.release.strip=true"])
            .env("RUSTFLAGS", FLAGS)
            .env("CARGO_TARGET_DIR", &folder)
            .current_dir(root())
            .status()
            .context("cannot start cargo")?;
        ensure!(status.success(), "the engine does not compile for {TARGET}");
        Ok(folder.join(TARGET).join("release/ratlla.wasm"))
    }
}

/// The path of the module: of the one that the environment variable `RATLLA_WASM` names, or else of one
/// compiled now.
pub fn module() -> Result<PathBuf> {
    if let Some(path) = std::env::var_os("RATLLA_WASM") {
        return Ok(path.into());
    }
    let Some(toolchain) = Toolchain::find() else {
        bail!("no compiler for {TARGET}: {INSTALLATION}");
    };
    toolchain.compile()
}
