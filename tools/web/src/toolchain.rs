//! Compiles the engine to WebAssembly: with rustup's target if there is one, else with Debian's
//! compiler, which brings the standard library as source.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, anyhow, ensure};

use crate::{root, target_folder};

const TARGET: &str = "wasm32-unknown-unknown";
/// How to get a toolchain, in one line.
pub const INSTALLATION: &str = "rustup target add wasm32-unknown-unknown, or on Debian: apt-get \
                                install rustc-web cargo-web rust-web-src lld";
/// The oldest compiler for the engine.
const OLDEST: &str = env!("CARGO_PKG_RUST_VERSION");
const DEBIAN_RUSTC: &str = "/usr/bin/rustc";

/// How a module is compiled and linked.
struct Build {
    /// The part of the target folder.
    folder: &'static str,
    features: &'static str,
    link_arguments: &'static [&'static str],
}

/// A stack for the deepest search, as on threads.
const STACK: &str = "-zstack-size=16777216";

/// With vectors for the solver's lanes.
const SINGLE: Build = Build { folder: "wasm", features: "+simd128", link_arguments: &[STACK] };

/// The same with memory that workers share, of the size that `sharedHeap` in tools/npm/src/instance.js
/// has, and with what a worker needs to set up a stack and thread-local memory of its own.
const THREADS: Build = Build {
    folder: "wasm-threads",
    features: "+simd128,+atomics,+bulk-memory,+mutable-globals",
    link_arguments: &[
        STACK,
        "--import-memory",
        "--shared-memory",
        "--initial-memory=33554432",
        "--max-memory=2147483648",
        "--export=__stack_pointer",
        "--export=__wasm_init_tls",
        "--export=__tls_size",
        "--export=__tls_align",
    ],
};

/// The compiled engine.
#[derive(Clone, Debug)]
pub struct Modules {
    /// For every browser.
    pub single: PathBuf,
    /// With threads, for where memory can be shared; `None` if the toolchain cannot compile it.
    pub threads: Option<PathBuf>,
}

/// A compiler for the target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toolchain {
    /// The compiler of this build, with rustup's target.
    Rustup,
    /// Debian's packages.
    Debian,
}

impl Toolchain {
    /// The first that is installed and can compile the engine.
    pub fn find() -> Result<Toolchain> {
        let mut reason = None;
        for toolchain in [Toolchain::Rustup, Toolchain::Debian] {
            if toolchain.is_installed() {
                match toolchain.check_version() {
                    Ok(()) => return Ok(toolchain),
                    Err(error) => reason = reason.or(Some(error)),
                }
            }
        }
        Err(reason.unwrap_or_else(|| anyhow!("no compiler for {TARGET}: {INSTALLATION}")))
    }

    fn is_installed(self) -> bool {
        match self {
            Toolchain::Rustup => {
                let listed =
                    Command::new("rustup").args(["target", "list", "--installed"]).output();
                let is_listed = |list: &str| list.lines().any(|line| line == TARGET);
                listed.is_ok_and(|list| is_listed(&String::from_utf8_lossy(&list.stdout)))
            }
            Toolchain::Debian => {
                let needed =
                    ["/usr/lib/rustlib/src/rust/library/std", "/usr/bin/cargo", DEBIAN_RUSTC];
                let linker =
                    Command::new("wasm-ld").arg("--version").stdout(Stdio::null()).status();
                needed.iter().all(|path| Path::new(path).exists()) && linker.is_ok()
            }
        }
    }

    /// The compiler that `cargo` runs.
    fn rustc(self) -> OsString {
        match self {
            Toolchain::Rustup => std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()),
            Toolchain::Debian => DEBIAN_RUSTC.into(),
        }
    }

    /// Makes sure that the compiler is recent enough, which its errors would hardly tell.
    fn check_version(self) -> Result<()> {
        let rustc = self.rustc();
        let name = rustc.to_string_lossy();
        let mut command = Command::new(&rustc);
        let output = command.arg("--version").env_remove("RUSTUP_TOOLCHAIN").current_dir(root());
        let output = output.output().with_context(|| format!("cannot start {name}"))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let found = minor_version(version.split(' ').nth(1).unwrap_or_default());
        let found =
            found.with_context(|| format!("cannot tell the version of {name}: '{version}'"))?;
        ensure!(
            Some(found) >= minor_version(OLDEST),
            "the compiler is too old for the engine: expected Rust {OLDEST} or newer, {name} is '{version}'"
        );
        Ok(())
    }

    fn cargo(self) -> Command {
        match self {
            Toolchain::Rustup => Command::new("cargo"),
            Toolchain::Debian => {
                let mut cargo = Command::new("/usr/bin/cargo");
                // Only an unstable option builds the standard library along.
                cargo
                    .env("RUSTC", DEBIAN_RUSTC)
                    .env("RUSTC_BOOTSTRAP", "1")
                    .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld")
                    .arg("-Zbuild-std=std,panic_abort");
                cargo
            }
        }
    }

    /// Compiles the engine. Threads need a standard library compiled for them, which takes an unstable
    /// option: Debian's packages are used with it in any case, a stable toolchain is not.
    pub fn compile(self) -> Result<Modules> {
        // Most of a build is the engine itself, on one processor: both at the same time.
        let (single, threads) = std::thread::scope(|scope| {
            let threads = (self == Toolchain::Debian).then(|| scope.spawn(|| self.build(&THREADS)));
            (self.build(&SINGLE), threads.map(|build| build.join().expect("it does not panic")))
        });
        Ok(Modules { single: single?, threads: threads.transpose()? })
    }

    /// Compiles the engine and returns the path of the module.
    fn build(self, build: &Build) -> Result<PathBuf> {
        let folder = target_folder().join(build.folder);
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
            .arg("--")
            .args(build.link_arguments.iter().map(|argument| format!("-Clink-arg={argument}")))
            .env("RUSTFLAGS", format!("-Ctarget-feature={}", build.features))
            .env("CARGO_TARGET_DIR", &folder)
            .current_dir(root())
            .status()
            .context("cannot start cargo")?;
        ensure!(status.success(), "the engine does not compile for {TARGET}");
        Ok(folder.join(TARGET).join("release/ratlla.wasm"))
    }
}

/// The modules: those that the environment variables `RATLLA_WASM` and `RATLLA_WASM_THREADS` name, or
/// else some compiled now.
pub fn modules() -> Result<Modules> {
    if let Some(single) = std::env::var_os("RATLLA_WASM") {
        let threads = std::env::var_os("RATLLA_WASM_THREADS").map(PathBuf::from);
        return Ok(Modules { single: single.into(), threads });
    }
    Toolchain::find()?.compile()
}

/// The first two numbers of a version such as `1.95.0-nightly`.
fn minor_version(text: &str) -> Option<(u32, u32)> {
    let (major, rest) = text.split_once('.')?;
    let minor = rest.split(|letter: char| !letter.is_ascii_digit()).next()?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_as_numbers() {
        assert_eq!(minor_version("1.95.0-nightly"), Some((1, 95)));
        assert_eq!(minor_version("1.95"), Some((1, 95)));
        assert!(minor_version("1.100.0") > minor_version("1.95.0"));
        assert!(minor_version(OLDEST).is_some());
        for text in ["", "1", "x.1", "1.x"] {
            assert_eq!(minor_version(text), None, "{text}");
        }
    }
}
