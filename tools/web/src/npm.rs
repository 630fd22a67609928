//! The npm package: the files of tools/npm and the WebAssembly module.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use crate::root;

/// Files of tools/npm that run an engine, on a page as in the package.
pub const RUNTIME: [&str; 4] = ["instance.js", "mailbox.js", "process.js", "worker.js"];

/// Writes the package, ready for `npm pack`, to `folder`.
pub fn write(folder: &Path, module: &Path) -> Result<()> {
    let source = root().join("tools/npm");
    fs::create_dir_all(folder.join("src"))?;
    for name in ["package.json", "README.md"] {
        copy(&source.join(name), &folder.join(name))?;
    }
    let programs = ["cli.js", "commands.js", "index.js", "index.d.ts", "replies.js"];
    for name in RUNTIME.into_iter().chain(programs) {
        copy(&source.join("src").join(name), &folder.join("src").join(name))?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        copy(&root().join(name), &folder.join(name))?;
    }
    copy(module, &folder.join("src/ratlla.wasm"))
}

/// Copies a file.
pub fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).with_context(|| format!("cannot copy {}", from.display()))?;
    Ok(())
}
