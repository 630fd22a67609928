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
    let Some(toolchain) = Toolchain::find() else {
        bail!("no compiler for {TARGET}: {INSTALLATION}");
    };
    toolchain.compile()
}
