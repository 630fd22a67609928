//! Builds the engine for browsers: the WebAssembly module, the static edition of the board and the
//! npm package.

pub mod npm;
pub mod sizes;
pub mod static_site;
pub mod toolchain;

use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Where builds go unless told otherwise.
pub fn target_folder() -> PathBuf {
    match std::env::var_os("CARGO_TARGET_DIR") {
        Some(folder) => root().join(folder),
        None => root().join("target"),
    }
}
