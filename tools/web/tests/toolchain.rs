//! Compilers that cannot build the engine, as scripts.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

fn script(folder: &Path, name: &str, text: &str) {
    let file = folder.join(name);
    fs::write(&file, format!("#!/bin/sh\n{text}\n")).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A build where nothing is installed but rustup, with a compiler that prints this version.
fn build(version: &str) -> (Output, bool) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    script(path, "rustup", "echo x86_64-unknown-linux-gnu; echo wasm32-unknown-unknown");
    script(path, "rustc", &format!("echo '{version}'"));
    script(path, "cargo", "echo started > \"${0%/*}/started\"; exit 1");
    let mut command = Command::new(env!("CARGO_BIN_EXE_ratlla-web"));
    command.env("PATH", path).env("CARGO_TARGET_DIR", path.join("target")).arg("build");
    for variable in ["RUSTC", "RATLLA_WASM", "RATLLA_WASM_THREADS"] {
        command.env_remove(variable);
    }
    let output = command.output().unwrap();
    (output, path.join("started").exists())
}

#[test]
fn a_compiler_that_is_too_old_is_named_before_anything_is_compiled() {
    let oldest = env!("CARGO_PKG_RUST_VERSION");
    for (version, reason) in [
        ("rustc 1.63.0 (4b91a6ea7 2022-08-08)", format!("expected Rust {oldest} or newer")),
        ("rustc 0.200.0", format!("expected Rust {oldest} or newer")),
        ("a compiler", "cannot tell the version of rustc".to_owned()),
    ] {
        let (output, is_started) = build(version);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(&reason) && message.contains(version), "{message}");
        assert!(!output.status.success() && !is_started, "{message}");
    }
}

#[test]
fn the_oldest_compiler_is_used() {
    let (output, is_started) = build(&format!("rustc {}.0 (x)", env!("CARGO_PKG_RUST_VERSION")));
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(is_started && message.contains("does not compile"), "{message}");
}
